"""Notes and topics; the address of a note holds no dot, so that ``/notes/<slug>.md`` is free."""

from django.urls import path

from notes import card_views, citation_views, history_views, reference_views, views
from notes.feeds.views import revision_feed, topic_feed

app_name = "notes"
urlpatterns = [
    path("notes/", views.to_archive, name="list"),
    path("notes/<unicode:slug>/", views.note_detail, name="detail"),
    path("notes/<unicode:slug>.bib", citation_views.note_bibtex, name="bibtex"),
    path("notes/<unicode:slug>.ris", citation_views.note_ris, name="ris"),
    path("notes/<unicode:slug>.csl.json", citation_views.note_csl, name="csl"),
    path("notes/<unicode:slug>/card.png", card_views.note_card, name="card"),
    path("notes/<unicode:slug>/history/", history_views.note_history, name="history"),
    path(
        "notes/<unicode:slug>/history/page/<page:number>/",
        history_views.note_history,
        name="history",
    ),
    path("notes/<unicode:slug>/history/<page:state>/", history_views.note_state, name="state"),
    path("topics/", views.topic_list, name="topics"),
    path("topics/page/<page:number>/", views.topic_list, name="topics"),
    path("topics/<unicode:slug>/", views.topic_detail, name="topic"),
    path("topics/<unicode:slug>/page/<page:number>/", views.topic_detail, name="topic"),
    path("references/", reference_views.reference_list, name="references"),
    path("references/page/<page:number>/", reference_views.reference_list, name="references"),
    path(
        "references/<key:key>/page/<page:number>/",
        reference_views.reference_detail,
        name="reference",
    ),
    path("references/<key:key>/", reference_views.reference_detail, name="reference"),
    path("topics/<unicode:slug>/card.png", card_views.topic_card, name="topic_card"),
    path("topics/<unicode:slug>/feed.atom", topic_feed, {"form": "atom"}, name="topic_atom"),
    path("topics/<unicode:slug>/feed.json", topic_feed, {"form": "json"}, name="topic_json"),
    path("revisions.atom", revision_feed, name="revisions"),
]

"""Notes and topics; the address of a note holds no dot, so that ``/notes/<slug>.md`` is free."""

from django.urls import path

from notes import feeds, views

app_name = "notes"
urlpatterns = [
    path("notes/", views.to_archive, name="list"),
    path("notes/<unicode:slug>/", views.note_detail, name="detail"),
    path("topics/", views.topic_list, name="topics"),
    path("topics/page/<page:number>/", views.topic_list, name="topics"),
    path("topics/<unicode:slug>/", views.topic_detail, name="topic"),
    path("topics/<unicode:slug>/page/<page:number>/", views.topic_detail, name="topic"),
    path("topics/<unicode:slug>/feed.atom", feeds.topic_feed, name="topic_feed"),
]

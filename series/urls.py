"""Reading paths and the notes inside them."""

from django.urls import path

from series import feeds, views

app_name = "series"
urlpatterns = [
    path("", views.path_list, name="paths"),
    path("page/<page:number>/", views.path_list, name="paths"),
    path("<unicode:slug>/", views.path_detail, name="path"),
    path("<unicode:slug>/card.png", views.path_card, name="card"),
    path("<unicode:slug>/feed.atom", feeds.path_feed, {"form": "atom"}, name="path_atom"),
    path("<unicode:slug>/feed.json", feeds.path_feed, {"form": "json"}, name="path_json"),
    path("<unicode:path_slug>/<unicode:slug>/", views.path_note, name="path_note"),
]

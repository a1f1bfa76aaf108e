"""The site's table of contents."""

from django.contrib import admin
from django.urls import include, path

from notes.views import archive
from notesite import (
    converters,  # noqa: F401  # registers what the addresses below are written with
    discovery,
    feeds,
    health,
    markdown_views,
    sign_in,
    sitemaps,
    views,
)

handler404 = "notesite.views.page_not_found"

urlpatterns = [
    path("health/live", health.live, name="live"),
    path("health/ready", health.ready, name="ready"),
    path("sign-in/<str:token>/", sign_in.sign_in, name="sign_in"),
    path("admin/set-password/", sign_in.set_password, name="set_password"),
    path("admin/password_change/", sign_in.change_password),
    path("admin/editor/", include("notes.editor.urls")),
    path("admin/", admin.site.urls),
    path("", views.home, name="home"),
    path("page/<page:number>/", views.home, name="home"),
    path("notes/<unicode:slug>.md", markdown_views.note_markdown, name="note_markdown"),
    path("", include("notes.urls")),
    path("paths/", include("series.urls")),
    path("archive/", archive, name="archive"),
    path("archive/page/<page:number>/", archive, name="archive"),
    path("about/", views.about, name="about"),
    path("accent.css", views.accent, name="accent"),
    path("feed.atom", feeds.site_feed, {"form": "atom"}, name="feed"),
    path("feed.json", feeds.site_feed, {"form": "json"}, name="feed_json"),
    path("feed.xml", feeds.former_feed),
    path("rss.xml", feeds.former_feed),
    path("index.xml", feeds.former_feed),
    path("atom.xml", feeds.former_feed),
    path("sitemap.xml", sitemaps.sitemap, name="sitemap"),
    path("sitemap-<page:number>.xml", sitemaps.sitemap_part, name="sitemap"),
    path("robots.txt", discovery.robots, name="robots"),
    path("llms.txt", discovery.llms, name="llms"),
    path(".well-known/security.txt", discovery.security, name="security"),
    path("manifest.webmanifest", discovery.manifest, name="manifest"),
]

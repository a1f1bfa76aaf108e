"""The handbook, and django-markdownx's names, but never its views: those answer anybody."""

from django.contrib import admin
from django.urls import path

from notes.editor.handbook import handbook
from notes.editor.preview import preview
from notes.editor.upload import upload

urlpatterns = [
    path("handbook/", admin.site.admin_view(handbook), name="handbook"),
    path("preview/", preview, name="markdownx_markdownify"),
    path("upload/", upload, name="markdownx_upload"),
]

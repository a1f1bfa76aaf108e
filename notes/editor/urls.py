"""django-markdownx's names, but never its views: those answer anybody."""

from django.urls import path

from notes.editor.preview import preview
from notes.editor.upload import upload

urlpatterns = [
    path("preview/", preview, name="markdownx_markdownify"),
    path("upload/", upload, name="markdownx_upload"),
]

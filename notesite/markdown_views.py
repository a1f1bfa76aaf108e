"""What the site shows as the Markdown it was written in, in the form of the content folder."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from notes.addresses import absolute
from notes.pages import public_page
from notes.views import find_note
from notesite.content.collect import readable_document
from notesite.content.form import write_note


@public_page
def note_markdown(request: HttpRequest, slug: str) -> HttpResponse:
    note = find_note(request, slug)
    if note.slug != slug:
        return redirect("note_markdown", note.slug, permanent=True)
    return markdown(write_note(readable_document(note)), note.get_absolute_url())


def markdown(text: str, page: str) -> HttpResponse:
    """A file of Markdown that says which ``page`` it is the source of."""
    response = HttpResponse(text, content_type="text/markdown; charset=utf-8")
    response["Link"] = f'<{absolute(page)}>; rel="canonical"'
    return response

"""A note's citations as files, each at its own address."""

from collections.abc import Callable
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect

from notes.citation import Citation, citation_of
from notes.pages import public_page
from notes.views import find_note

BIBTEX = "application/x-bibtex; charset=utf-8"
RIS = "application/x-research-info-systems; charset=utf-8"
CSL = "application/vnd.citationstyles.csl+json; charset=utf-8"


def _file(name: str, form: Callable[[Citation], str], content_type: str) -> Callable:
    """The view that answers with one form of a note's citation."""

    @public_page
    def view(request: Any, slug: str) -> HttpResponse:
        note = find_note(request, slug)
        if note.slug != slug:
            return redirect(f"notes:{name}", note.slug, permanent=True)
        return HttpResponse(form(citation_of(note, request.site)), content_type=content_type)

    return view


note_bibtex = _file("bibtex", lambda citation: citation.bibtex, BIBTEX)
note_ris = _file("ris", lambda citation: citation.ris, RIS)
note_csl = _file("csl", lambda citation: citation.csl, CSL)

"""The public history of a note: its states, and each as it stood."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from notes.citation import citation_of
from notes.comparison import compare
from notes.history import public_states
from notes.markdown import resolve_note_links
from notes.pages import page_of, public_page
from notes.targets import targets_of
from notes.views import find_note


@public_page
def note_history(request: HttpRequest, slug: str, number: int | None = None) -> HttpResponse:
    note = find_note(request, slug)
    if note.slug != slug or number == 1:
        place = {} if number in (None, 1) else {"number": number}
        return redirect("notes:history", slug=note.slug, **place, permanent=True)
    page = page_of(public_states(note), number)
    context = {"note": note, "page": page, "is_sample": note.is_sample}
    return render(request, "notes/history.html", context)


@public_page
def note_state(request: Any, slug: str, state: int) -> HttpResponse:
    """The text as it stood, and how it differs from the state before it."""
    note = find_note(request, slug)
    if note.slug != slug:
        return redirect("notes:state", slug=note.slug, state=state, permanent=True)
    around = public_states(note).defer(None).filter(number__in=[state - 1, state, state + 1])
    states = {one.number: one for one in around}
    shown = states.get(state)
    if shown is None:
        raise Http404
    before, after = states.get(state - 1), states.get(state + 1)
    context = {
        "note": note,
        "is_sample": note.is_sample,
        "state": shown,
        "before": before,
        "after": after,
        "html": resolve_note_links(shown.html, targets_of([shown.html])),
        "blocks": compare(before.source, shown.source) if before else [],
        "citation": citation_of(note, request.site, shown),
    }
    return render(request, "notes/state.html", context)

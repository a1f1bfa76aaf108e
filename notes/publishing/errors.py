"""What an author is asked about before readers see it: the errors in a text."""

from __future__ import annotations

from copy import copy
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from notes.markdown import RENDERER_VERSION
from notes.models import Note
from notes.publishing.rendering import render_into
from notesite.models import Site


class ErrorsInText(ValidationError):
    """Readers would see ``errors`` that no author has confirmed; ``note`` is as it was rendered."""

    def __init__(self, note: Note, errors: list[dict[str, Any]]) -> None:
        sentence = _("The text has errors that readers would see: mend them, or confirm them here.")
        super().__init__(sentence, code="errors-in-text")
        # A copy: the object itself is given back to its door as it came in.
        self.note, self.errors = copy(note), errors


def errors_of(note: Note) -> list[dict[str, Any]]:
    """The errors that are stored with the note."""
    return [problem for problem in note.problems if problem.get("severity") == "error"]


def ask_about_errors(note: Note, before: Note | None, *, confirmed: bool) -> None:
    """Refuse to bring errors before readers, now or at the note's time, that nobody confirmed.

    The one rule of every door that people use. ``before`` is the stored row: what readers see of
    it already, or will see at the same time, isn't asked about with every later save.
    """
    if confirmed or note.state not in (Note.State.PUBLISHED, Note.State.SCHEDULED):
        return
    rendered = _rendered(note)
    known: set[tuple[str, str]] = set()
    if before is not None and (before.is_public or _keeps_its_time(note, before)):
        known = {(problem["code"], problem["message"]) for problem in errors_of(before)}
    errors = [
        problem
        for problem in errors_of(rendered)
        if (problem["code"], problem["message"]) not in known
    ]
    if errors:
        raise ErrorsInText(rendered, errors)


def _keeps_its_time(note: Note, before: Note) -> bool:
    return before.state == Note.State.SCHEDULED and before.published_at == note.published_at


def _rendered(note: Note) -> Note:
    """The note with the problems that it has now; one that awaits its rendering is rendered."""
    if note.renderer_version >= RENDERER_VERSION and note.stale_at is None:
        return note
    rendered = copy(note)
    render_into(rendered, Site.objects.current())
    return rendered

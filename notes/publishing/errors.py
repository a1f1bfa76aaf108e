"""What must be confirmed before readers see it: the errors in a text."""

from __future__ import annotations

from copy import copy
from typing import Any

from notes.models import Note
from notes.publishing.rendering import render_into
from notesite.models import Site


def errors_of(note: Note) -> list[dict[str, Any]]:
    """The errors that are stored with the note."""
    return [problem for problem in note.problems if problem.get("severity") == "error"]


def new_errors(note: Note) -> list[dict[str, Any]]:
    """The errors that a save of ``note`` as it is now would add to those stored: one rendering.

    What somebody has confirmed once isn't asked about with every later save.
    """
    known = {(problem["code"], problem["message"]) for problem in errors_of(note)}
    rendered = copy(note)
    render_into(rendered, Site.objects.current())
    return [
        problem
        for problem in errors_of(rendered)
        if (problem["code"], problem["message"]) not in known
    ]

"""Every problem of every text: of notes also what stands around them, of short texts the rest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from django.utils.translation import gettext as _

from notes.markdown import RENDERER_VERSION, Problem
from notes.models import Note, PendingVersion
from notes.models.note import VERSIONED_FIELDS
from notes.publishing.rendering import render_into
from notes.publishing.short_texts import render_short, short_texts
from notesite.models import Site

NOTES_AT_ONCE = 100
# What a check reads of a note whose text was rendered: never the text itself.
CHECKED_FIELDS = (
    "slug",
    "title",
    "dek",
    "published_at",
    "withdrawn_at",
    "trashed_at",
    "problems",
    "renderer_version",
    "stale_at",
)


@dataclass(frozen=True, slots=True)
class FoundProblem:
    """A problem with the text that has it; line 0 is the text as a whole.

    ``place`` names the text, such as ``notes/lag``, ``pending/lag``, ``paths/rl``, and a bridge by
    its path and note; ``note`` is the slug of a note and of its pending version.
    """

    kind: str  # "note", "pending", "path", "bridge", "intro" or "about"
    place: str
    note: str
    problem: Problem

    def __str__(self) -> str:
        one = self.problem
        place = f"{self.place}:{one.line}"
        return f"{place} {one.severity} {one.code}: {one.message} – {one.cure}"

    def as_json(self) -> dict[str, Any]:
        named = {"kind": self.kind, "place": self.place, "note": self.note}
        return named | asdict(self.problem)


def problems_everywhere() -> Iterator[FoundProblem]:
    """Those of every note and its pending version, then those of the short texts."""
    yield from problems_of_notes()
    site = Site.objects.current()
    for text in short_texts():
        for problem in render_short(text.source, site).problems:
            yield FoundProblem(text.kind, text.place, "", problem)


def problems_of_notes(slugs: Iterable[str] = ()) -> Iterator[FoundProblem]:
    """Note by note in the order of their slugs, those in the trash left out; nothing is written."""
    notes = Note.objects.filter(trashed_at=None).only(*CHECKED_FIELDS).with_topics()
    wanted = list(slugs)
    if wanted:
        notes = notes.filter(slug__in=wanted)
    site = Site.objects.current()
    having_another = set(PendingVersion.objects.values_list("note", flat=True))
    for note in notes.order_by("slug").iterator(chunk_size=NOTES_AT_ONCE):
        for problem in (*problems_around(note), *problems_in_text(note, site)):
            yield FoundProblem("note", f"notes/{note.slug}", note.slug, problem)
        if note.pk in having_another:
            for problem in problems_to_come(note.pk, site):
                yield FoundProblem("pending", f"pending/{note.slug}", note.slug, problem)


def problems_to_come(pk: int, site: Site) -> Iterator[Problem]:
    """What a note's pending version would have; it is rendered for the occasion."""
    note: Any = Note.objects.select_related("pending_version").get(pk=pk)
    pending = note.pending_version
    for field in VERSIONED_FIELDS:
        setattr(note, field, getattr(pending, field))
    note.topics_list = pending.topics
    yield from problems_around(note)
    render_into(note, site)
    for values in note.problems:
        yield Problem(**values)


def problems_in_text(note: Note, site: Site) -> Iterator[Problem]:
    """As stored; a note that awaits its rendering is rendered for the occasion."""
    if note.renderer_version < RENDERER_VERSION or note.stale_at is not None:
        note = Note.objects.get(pk=note.pk)
        render_into(note, site)
    for values in note.problems:
        yield Problem(**values)


def problems_around(note: Any) -> Iterator[Problem]:
    """What a note that is public, or will be, should have beside its text."""
    if note.state not in (Note.State.PUBLISHED, Note.State.SCHEDULED):
        return
    if not note.title:
        message, cure = _("A public note has no title."), _("Give it a title.")
        yield Problem("no-title", "warning", 0, 0, message, cure)
    if not note.topics_list:
        message = _("A public note is filed under no topic.")
        yield Problem("no-topic", "warning", 0, 0, message, _("File it: readers find notes by it."))
    if not note.dek:
        message = _("A public note has no dek.")
        cure = _("Write the one sentence that stands under the title.")
        yield Problem("no-dek", "notice", 0, 0, message, cure)

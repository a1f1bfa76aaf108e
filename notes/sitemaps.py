"""The addresses of notes and topics for search engines, each with its true date."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from django.db.models import QuerySet
from django.urls import reverse

from notes.models import Note, Topic


class Entry(NamedTuple):
    """A page's address on this site, and when what it shows last changed for readers."""

    address: str
    changed_at: datetime | None


def note_entries() -> list[Entry]:
    """Every public note, newest first: one query."""
    rows = Note.objects.published().newest_first().values_list("slug", *_DATES)
    return [Entry(reverse("notes:detail", args=[slug]), _latest(dates)) for slug, *dates in rows]


def topic_entries() -> list[Entry]:
    """Every topic with a public note, as new as the newest of them: one query."""
    return newest_of_each("notes:topic", topics_of_public_notes())


def topics_of_public_notes() -> QuerySet:
    places = Topic.notes.through._default_manager.order_by("topic__position", "topic__slug")
    public = Note.objects.published().order_by().values("pk")
    dates = (f"note__{name}" for name in _DATES)
    return places.filter(note__in=public).values_list("topic__slug", *dates)


def newest_of_each(name: str, rows: Iterable[tuple]) -> list[Entry]:
    """Entries of the pages called ``name`` from rows of slug and dates, in the rows' order."""
    newest: dict[str, datetime | None] = {}
    for slug, *dates in rows:
        newest[slug] = _latest([newest.get(slug), *dates])
    return [Entry(reverse(name, args=[slug]), changed_at) for slug, changed_at in newest.items()]


_DATES = ("published_at", "revised_at")


def _latest(dates: Iterable[datetime | None]) -> datetime | None:
    return max((date for date in dates if date is not None), default=None)

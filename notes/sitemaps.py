"""The addresses of notes and topics for search engines, each with its true date."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from django.urls import reverse

from notes.models import Mention, Note, Reference, Topic


class Entry(NamedTuple):
    """A page's address on this site, and when what it shows last changed for readers."""

    address: str
    changed_at: datetime | None


class Entries(NamedTuple):
    notes: list[Entry]
    topics: list[Entry]
    references: list[Entry]


def entries_of_notes() -> Entries:
    """Every public note, newest first, every topic that one is filed under, every reference that
    one uses: three queries.
    """
    rows = Note.objects.published().newest_first()
    notes, changed_at = [], {}
    for pk, slug, *dates in rows.values_list("pk", "slug", "published_at", "revised_at"):
        changed_at[pk] = latest(dates)
        notes.append(Entry(reverse("notes:detail", args=[slug]), changed_at[pk]))
    # Put together here: a join would read the rows of all notes a second time.
    places = Topic.notes.through._default_manager.order_by("topic__position", "topic__slug")
    filed = places.values_list("topic__slug", "note_id")
    dated = ((slug, changed_at[pk]) for slug, pk in filed.iterator() if pk in changed_at)
    kinds = (Mention.Kind.REFERENCE, Mention.Kind.ABOUT)
    keys = Reference.objects.order_by().values("key")
    uses = Mention.objects.filter(kind__in=kinds, name__in=keys).order_by("name")
    used = uses.values_list("name", "note_id")
    cited = ((key, changed_at[pk]) for key, pk in used.iterator() if pk in changed_at)
    return Entries(
        notes, newest_of_each("notes:topic", dated), newest_of_each("notes:reference", cited)
    )


def newest_of_each(name: str, rows: Iterable[tuple]) -> list[Entry]:
    """Entries of the pages called ``name`` from rows of slug and dates, in the rows' order."""
    newest: dict[str, datetime | None] = {}
    for slug, *dates in rows:
        newest[slug] = latest([newest.get(slug), *dates])
    return [Entry(reverse(name, args=[slug]), changed_at) for slug, changed_at in newest.items()]


def latest(dates: Iterable[datetime | None]) -> datetime | None:
    return max((date for date in dates if date is not None), default=None)

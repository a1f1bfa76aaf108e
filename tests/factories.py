"""Valid things with one call; a test names only what it is about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta
from itertools import count
from typing import Any

from django.contrib.auth.models import Group, User
from django.utils import timezone

from notes.models import Note, Topic
from notes.publishing import save_note, save_topic, trash, withdraw
from notesite.authors import GROUP
from series.models import ReadingPath
from series.publishing import save_path

numbers = count(1)


def make_note(
    *, topics: Iterable[Topic] = (), withdrawn: str = "", trashed: bool = False, **fields: Any
) -> Note:
    """A note published yesterday, each a second after the one made before it."""
    number = next(numbers)
    defaults = {
        "title": f"Note {number}",
        "slug": f"note-{number}",
        "dek": f"What note {number} is about.",
        "source": f"The text of note {number}.\n",
        "published_at": timezone.now() - timedelta(days=1) + timedelta(seconds=number),
    }
    note = save_note(Note(**defaults | fields), topics=topics)
    if withdrawn:
        withdraw(note, withdrawn)
    if trashed:
        trash(note)
    return note


def make_many_notes(number: int, *, topics: Sequence[Topic] = (), **fields: Any) -> list[Note]:
    """Published notes as rows, written in one go: for lists that must not mind how many."""
    start = timezone.now() - timedelta(days=1, seconds=number)
    notes = Note.objects.bulk_create(
        Note(
            **{
                "title": f"One of many {n}",
                "slug": f"one-of-many-{n}",
                "dek": "A dek.",
                "source": "A text.\n",
                "html": "<p>A text.</p>\n",
                "renderer_version": 10_000,
                "published_at": start + timedelta(seconds=n),
                "first_published_at": start + timedelta(seconds=n),
                **fields,
            }
        )
        for n in range(number)
    )
    through = Note.topics.through
    through._default_manager.bulk_create(
        through(note_id=note.pk, topic_id=topic.pk) for note in notes for topic in topics
    )
    return notes


def make_topic(**fields: Any) -> Topic:
    number = next(numbers)
    return save_topic(Topic(**{"name": f"Topic {number}", "slug": f"topic-{number}"} | fields))


def make_path(*notes: Note, bridges: Sequence[str] = (), **fields: Any) -> ReadingPath:
    """A public path through ``notes``, in order."""
    number = next(numbers)
    defaults = {
        "title": f"Path {number}",
        "slug": f"path-{number}",
        "line": f"What path {number} is for.",
        "published_at": timezone.now() - timedelta(days=1),
    }
    texts = [*bridges, *[""] * len(notes)]
    return save_path(ReadingPath(**defaults | fields), list(zip(notes, texts, strict=False)))


def make_author(**fields: Any) -> User:
    defaults: dict[str, Any] = {"username": f"author-{next(numbers)}", "is_staff": True}
    author = User.objects.create_user(**defaults | fields)
    author.groups.add(Group.objects.get(name=GROUP))
    return author

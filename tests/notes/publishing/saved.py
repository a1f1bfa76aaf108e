"""Notes saved in one call, and their public states."""

from datetime import timedelta

from django.utils import timezone

from notes import publishing
from notes.models import Note
from tests.notes.image_files import encode, gradient

NOW = timezone.now().replace(microsecond=0)
PICTURE = encode(gradient(), "PNG")


def draft(**fields):
    return publishing.save_note(Note(**{"title": "A note", "source": "Text.\n"} | fields))


def public(**fields):
    return draft(**{"published_at": timezone.now() - timedelta(days=1)} | fields)


def numbers(note):
    states = note.revisions.filter(number__isnull=False).order_by("number")
    return [(state.number, state.kind, state.source) for state in states]

"""The public states of a note, which readers are told of and may cite."""

from django.db.models import QuerySet
from django.utils import timezone

from notes.models import Note, Revision


def public_states(note: Note) -> QuerySet[Revision]:
    """Newest first and without their texts; one whose time has not come is not yet a state."""
    states = note.revisions.filter(number__isnull=False, public_at__lte=timezone.now())
    return states.order_by("-number").defer("html", "source", "anchors", "macros")

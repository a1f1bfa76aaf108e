"""A note's way through its states; each verb leaves the text as it is."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from notes.models import Note
from notes.publishing.conflicts import claim
from notes.publishing.saving import save_note, take_back_promised_state
from notesite.models import Redirect, Site
from notesite.text import clean_line

KEPT_IN_TRASH = timedelta(days=30)


def publish(note: Note, *, at: datetime | None = None, by: User | None = None) -> Note:
    """Publish now, or at a time ahead; changed text becomes a public state."""
    note.published_at = at or timezone.now()
    return save_note(note, by=by)


def unpublish(note: Note) -> Note:
    """Make it a draft again: its address answers 404."""
    return _change(note, lambda: setattr(note, "published_at", None))


def withdraw(note: Note, sentence: str) -> Note:
    """Take back what was published: its address answers 410 with the sentence."""
    sentence = clean_line(sentence)
    if not sentence:
        raise ValidationError({"withdrawn_sentence": _("Say in one sentence why it is withdrawn.")})
    if not note.was_public:
        raise ValidationError(_("Only what was public can be withdrawn; unpublish it instead."))

    def change() -> None:
        note.withdrawn_at = timezone.now().replace(microsecond=0)
        note.withdrawn_sentence = sentence

    return _change(note, change)


def reinstate(note: Note) -> Note:
    """Undo a withdrawal."""

    def change() -> None:
        note.withdrawn_at, note.withdrawn_sentence = None, ""

    return _change(note, change)


def trash(note: Note) -> Note:
    """Put it in the trash: 404, slug and steps kept, purged after thirty days."""

    def change() -> None:
        note.trashed_at, note.pinned = timezone.now().replace(microsecond=0), False

    return _change(note, change)


def restore(note: Note) -> Note:
    """Take it out of the trash, in the state it was in."""
    return _change(note, lambda: setattr(note, "trashed_at", None))


@transaction.atomic
def purge_trash(now: datetime | None = None) -> int:
    """Delete what was trashed thirty days ago; what was ever public answers 410 for good."""
    due = Note.objects.filter(trashed_at__lte=(now or timezone.now()) - KEPT_IN_TRASH)
    count = 0
    for note in due.select_for_update():
        if note.was_public:
            Redirect.objects.leave_gone(Redirect.Kind.NOTE, note.slug)
        note.delete()
        count += 1
    if count:
        Site.objects.move_revision()
    return count


@transaction.atomic
def erase(note: Note) -> None:
    """Delete at once, without trash or redirect: for what was never the site's own, a sample."""
    note.delete()
    Site.objects.move_revision()


@transaction.atomic
def _change(note: Note, change: Callable[[], None]) -> Note:
    version = note.version
    try:
        claim(note)
        change()
        now = timezone.now()
        if note.published_at is None:
            take_back_promised_state(note, now)
            if note.first_published_at and note.first_published_at > now:
                note.first_published_at = None
        note.full_clean()
        note.save()
    except BaseException:
        note.version = version
        raise
    Site.objects.move_revision()
    return note

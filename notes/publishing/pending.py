"""A public note's next version: kept beside it, released by hand or when its time has come."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from copy import copy
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import OperationalError, connection, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from notes.models import Note, PendingVersion, Revision, Topic
from notes.models.note import VERSIONED_FIELDS
from notes.publishing.conflicts import claim, clean_fields
from notes.publishing.errors import ask_about_errors
from notes.publishing.locks import without_waiting
from notes.publishing.rendering import render_into
from notes.publishing.saving import save_note
from notesite.models import Site

logger = logging.getLogger(__name__)


@transaction.atomic
def save_pending(
    note: Note,
    values: Mapping[str, Any],
    *,
    topics: Iterable[str] = (),
    by: User | None = None,
    kind: str = Revision.Kind.MINOR,
    sentence: str = "",
    release_at: datetime | None = None,
    expected_version: int | None = None,
    errors_confirmed: bool = True,
) -> PendingVersion:
    """Store a full copy of the edited fields (an absent one is empty); the note stays as it is.

    ``topics`` are slugs. ``expected_version`` is the stored pending version's, None where none was
    seen. Raises ValidationError, and Conflict where another one stands there; one with a time and
    errors that nobody has confirmed, ErrorsInText.
    """
    if not note.was_public:
        raise ValidationError(_("Only a published note has a pending version; save the draft."))
    unknown = set(values) - set(VERSIONED_FIELDS)
    if unknown:
        raise ValidationError(
            _("A pending version has no %(field)s."), params={"field": min(unknown)}
        )
    pending = PendingVersion.objects.filter(note=note).first() or PendingVersion(note=note)
    if pending.pk is not None:
        pending.version = expected_version or 0
        claim(pending)
    empty = PendingVersion()
    for field in VERSIONED_FIELDS:
        setattr(pending, field, values.get(field, getattr(empty, field)))
    pending.topics, pending.kind, pending.sentence = list(topics), kind, sentence
    pending.release_at, pending.saved_at, pending.saved_by = release_at, timezone.now(), by
    clean_fields(pending)
    pending.full_clean()
    if release_at and not errors_confirmed:
        ask_about_errors(_as_released(note, pending), note, confirmed=False)
    pending.save()
    if release_at:
        Site.objects.move_revision()  # stored pages must not outlive it
    return pending


@transaction.atomic
def discard_pending(note: Note) -> None:
    """Drop the pending version; the note stays as it is."""
    PendingVersion.objects.filter(note=note).delete()


@transaction.atomic
def release_pending(note: Note, *, by: User | None = None, errors_confirmed: bool = True) -> Note:
    """Make the pending version the note's own text, and drop it."""
    pending = PendingVersion.objects.select_for_update().get(note=note)
    return _release(pending, by=by or pending.saved_by, errors_confirmed=errors_confirmed)


def release_due() -> int:
    """Release what is due, waiting for no lock; how many. The first request to come calls it.

    Where somebody else is writing, nothing is released and the old text is served once more.
    """
    try:
        with without_waiting(), transaction.atomic():
            due = PendingVersion.objects.due().order_by("release_at", "pk")
            if connection.features.has_select_for_update_skip_locked:
                due = due.select_for_update(skip_locked=True, of=("self",))
            return sum(_release_or_keep(pending) for pending in list(due))
    except OperationalError:
        return 0


def _release_or_keep(pending: PendingVersion) -> bool:
    """Release one; if it can't be saved it stays, without its time, and the log says why."""
    try:
        with transaction.atomic():
            _release(pending, by=pending.saved_by)
    except ValidationError:
        logger.exception("The pending version of note %s could not be released.", pending.note_id)
        PendingVersion.objects.filter(pk=pending.pk).update(release_at=None)
        return False
    return True


def _as_released(note: Note, pending: PendingVersion) -> Note:
    """The note as it will be, rendered; nothing is written."""
    released = copy(note)
    _take(released, pending)
    render_into(released, Site.objects.current())
    return released


def _take(note: Note, pending: PendingVersion) -> None:
    for field in VERSIONED_FIELDS:
        setattr(note, field, getattr(pending, field))


def _release(pending: PendingVersion, *, by: User | None, errors_confirmed: bool = True) -> Note:
    note = Note.objects.select_for_update().get(pk=pending.note_id)
    _take(note, pending)
    topics = Topic.objects.filter(slug__in=pending.topics)
    save_note(
        note,
        topics=topics,
        by=by,
        kind=pending.kind,
        sentence=pending.sentence,
        errors_confirmed=errors_confirmed,
    )
    pending.delete()
    return note

"""A note's way through its states; each verb leaves the text as it is."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from notes.models import Note, Revision
from notes.models.note import VERSIONED_FIELDS
from notes.publishing.conflicts import claim, restored_on_failure
from notes.publishing.errors import ask_about_errors
from notes.publishing.rendering import RENDERED_FIELDS, mark_linking
from notes.publishing.saving import (
    add_revision,
    save_note,
    settle_first_publication,
    take_back_promised_state,
    was_last_shown,
)
from notesite.models import Redirect, Site
from notesite.text import clean_line

KEPT_IN_TRASH = timedelta(days=30)

State = Note.State
VERBS: dict[str, tuple[str, ...]] = {
    State.DRAFT: ("publish", "trash"),
    State.SCHEDULED: ("publish", "unpublish", "trash"),
    State.PUBLISHED: ("publish", "unpublish", "withdraw", "trash"),
    State.WITHDRAWN: ("reinstate", "trash"),
    State.TRASH: ("restore",),
}


def publish(
    note: Note,
    *,
    at: datetime | None = None,
    by: User | None = None,
    errors_confirmed: bool = True,
) -> Note:
    """Publish now, or at a time ahead; changed text becomes a public state."""
    _require(note, "publish")
    with restored_on_failure(note):
        note.published_at = at or timezone.now()
        return save_note(note, by=by, errors_confirmed=errors_confirmed)


def unpublish(note: Note) -> Note:
    """Make it a draft again: its address answers 404."""
    return _change(note, "unpublish", published_at=None)


def withdraw(note: Note, sentence: str) -> Note:
    """Take back what was published: its address answers 410 with the sentence."""
    sentence = clean_line(sentence)
    if not sentence:
        raise ValidationError({"withdrawn_sentence": _("Say in one sentence why it is withdrawn.")})
    now = timezone.now().replace(microsecond=0)
    return _change(note, "withdraw", withdrawn_at=now, withdrawn_sentence=sentence)


def reinstate(note: Note, *, errors_confirmed: bool = True) -> Note:
    """Undo a withdrawal; a text that was changed meanwhile becomes a public state."""
    changes: dict[str, Any] = {"withdrawn_at": None, "withdrawn_sentence": ""}
    return _change(note, "reinstate", errors_confirmed=errors_confirmed, **changes)


def trash(note: Note) -> Note:
    """Put it in the trash: 404, slug and steps kept, purged after thirty days.

    What was scheduled is so no more: it would come out of the trash straight into the public.
    """
    changes: dict[str, Any] = {"trashed_at": timezone.now().replace(microsecond=0), "pinned": False}
    if note.state == Note.State.SCHEDULED:
        changes["published_at"] = None
    return _change(note, "trash", **changes)


def restore(note: Note, *, errors_confirmed: bool = True) -> Note:
    """Take it out of the trash; a public text that was changed meanwhile becomes a public state."""
    return _change(note, "restore", errors_confirmed=errors_confirmed, trashed_at=None)


def verbs_of(note: Note) -> tuple[str, ...]:
    """What can be done to the note in the state that it is in."""
    return VERBS[note.state]


@transaction.atomic
def purge_trash(now: datetime | None = None) -> int:
    """Delete what was trashed thirty days ago; what was ever public answers 410 for good.

    For whoever links to it nothing changes: what is in the trash is no note of the site already.
    """
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
    slug = note.slug
    note.delete()
    mark_linking(Note(slug=slug))
    Site.objects.move_revision()


def _require(note: Note, verb: str) -> None:
    if verb not in verbs_of(note):
        raise ValidationError(
            _("A note in the state “%(state)s” has no “%(verb)s”."),
            params={"state": Note.State(note.state).label, "verb": verb},
        )


@transaction.atomic
def _change(note: Note, verb: str, *, errors_confirmed: bool = True, **changes: Any) -> Note:
    with restored_on_failure(note):
        Site.objects.hold()
        before = claim(note)
        _require(before or note, verb)
        # Rendered anew since it was read, if a note that it names has changed.
        for field in RENDERED_FIELDS if before else ():
            setattr(note, field, getattr(before, field))
        now = timezone.now()
        for name, value in changes.items():
            setattr(note, name, value)
        settle_first_publication(note, now)
        ask_about_errors(note, before, confirmed=errors_confirmed)
        note.full_clean()
        note.save()
        if note.is_public and _text_was_changed(note, now):
            add_revision(note, before, now=now)
        elif note.published_at is None:
            take_back_promised_state(note, now)
        if verb in ("trash", "restore"):
            mark_linking(note)
    Site.objects.move_revision()
    return note


def _text_was_changed(note: Note, now: datetime) -> bool:
    """Whether readers saw another text when they last saw it."""
    current = Revision(**{field: getattr(note, field) for field in VERSIONED_FIELDS})
    return not was_last_shown(current, note, now)

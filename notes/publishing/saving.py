"""Saving a note: the one transaction behind every door."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from notes.models import Note, Revision, Topic
from notes.models.note import VERSIONED_FIELDS
from notes.publishing.conflicts import claim, clean_fields, settle_address
from notes.publishing.rendering import prepare, render_into, write_mentions
from notesite.models import Redirect, Site
from notesite.text import unique_slug

Kind = Revision.Kind


def save_note(
    note: Note,
    *,
    topics: Iterable[Topic] | None = None,
    by: User | None = None,
    kind: str = Kind.MINOR,
    sentence: str = "",
    take_retired_slug: bool = False,
) -> Note:
    """Save ``note`` and what follows from it; ``topics`` of None leaves them as they are.

    Raises ValidationError (RetiredSlug among them) with sentences for the editor, and Conflict
    where the stored row is newer than the one ``note`` was read from. Then nothing is written.
    """
    clean_fields(note)
    prepared = prepare(note, Site.objects.current())
    version = note.version
    try:
        with transaction.atomic():
            before = claim(note)
            if not note.slug:
                note.slug = free_slug(note.title)
            now = timezone.now()
            settle_first_publication(note, now)
            settle_address(
                Redirect.Kind.NOTE,
                before.slug if before else "",
                note.slug,
                was_public=bool(before and before.was_public),
                take_retired=take_retired_slug,
            )
            _settle_pin(note)
            if note.published_at and not note.key:
                note.key = note.slug
            note.full_clean()
            rendered = render_into(note, Site.objects.current(), prepared)
            note.save()
            if topics is not None:
                note.topics.set(topics)
            write_mentions(note, rendered)
            revision = add_revision(note, before, by=by, kind=kind, sentence=sentence, now=now)
            if revision.number and revision.number > 1:
                note.revised_at = revision.public_at
                note.save(update_fields=["revised_at"])
            if note.published_at or (before and before.published_at):
                Site.objects.move_revision()
    except BaseException:
        note.version = version
        raise
    return note


def free_slug(title: str) -> str:
    """A slug that no note has and no redirect needs."""
    return unique_slug(
        title,
        "note",
        lambda slug: (
            Note.objects.filter(slug=slug).exists()
            or Redirect.objects.filter(kind=Redirect.Kind.NOTE, slug=slug).exists()
        ),
    )


def settle_first_publication(note: Note, now: datetime) -> None:
    """The first publication is set once; until it has come, it follows the date."""
    if note.first_published_at is None or note.first_published_at > now:
        note.first_published_at = note.published_at


def add_revision(
    note: Note, before: Note | None, *, by: User | None, kind: str, sentence: str, now: datetime
) -> Revision:
    """Store the save as a row; it becomes a public state where readers are to tell it apart."""
    take_back_promised_state(note, now)
    last = note.revisions.filter(number__isnull=False).order_by("-number").first()
    last_number = (last.number if last else None) or 0
    revision = Revision(
        note=note,
        kind=kind,
        sentence=sentence,
        saved_by=by,
        topics=[topic.slug for topic in note.topics.order_by("position", "slug")],
        html=note.html,
        anchors=note.anchors,
        **{field: getattr(note, field) for field in VERSIONED_FIELDS},
    )
    was_out = bool(before and before.published_at and before.published_at <= now)
    if note.published_at is not None:
        if last is None:
            revision.number, revision.kind = 1, Kind.PUBLICATION
        elif was_out and kind in (Kind.REVISION, Kind.CORRECTION):
            revision.number = last_number + 1
        elif not was_out and not _same_text(revision, last):
            revision.number = last_number + 1
            if kind == Kind.MINOR:
                revision.kind = Kind.PUBLICATION
        if revision.number is not None:
            first = revision.number == 1
            revision.public_at = note.published_at if first else max(note.published_at, now)
    clean_fields(revision)
    revision.source = note.source
    revision.full_clean()
    revision.save()
    return revision


def take_back_promised_state(note: Note, now: datetime) -> None:
    """A state whose time has not come was never public: what is saved now takes its place."""
    note.revisions.filter(public_at__gt=now).update(number=None, public_at=None)


@transaction.atomic
def write_public_states(note: Note, states: Sequence[Revision]) -> None:
    """Import: replace the note's numbered states by ``states``, each with number and public_at."""
    note.revisions.filter(number__isnull=False).delete()
    for state in states:
        state.note = note
        clean_fields(state)
        if state.number is None or state.public_at is None:
            raise ValidationError(_("A public state has a number and a date."))
        state.full_clean()
        state.save()
    Site.objects.move_revision()


def _settle_pin(note: Note) -> None:
    """One note is featured: pinning one takes the pin from the other."""
    if note.pinned:
        Note.objects.filter(pinned=True).exclude(pk=note.pk).update(pinned=False)


def _same_text(one: Revision, other: Revision) -> bool:
    return all(getattr(one, field) == getattr(other, field) for field in VERSIONED_FIELDS)

"""Saving a note: the one transaction behind every door."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F, Max
from django.utils import timezone
from django.utils.translation import gettext as _

from notes.models import Note, Revision, Topic
from notes.models.note import VERSIONED_FIELDS
from notes.publishing.conflicts import (
    claim,
    clean_fields,
    restored_on_failure,
    settle_address,
)
from notes.publishing.errors import ask_about_errors
from notes.publishing.rendering import (
    linking_to,
    linking_to_changed_anchors,
    mark_linking,
    mark_stale_notes,
    prepare,
    render_into,
    write_mentions,
)
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
    errors_confirmed: bool = True,
) -> Note:
    """Save ``note`` and what follows from it; ``topics`` of None leaves them as they are.

    Raises ValidationError (RetiredSlug among them) with sentences for the editor, and Conflict
    where the stored row is newer than the one ``note`` was read from. Then nothing is written.
    Doors that people use say False to ``errors_confirmed`` until they did: ErrorsInText.
    """
    with restored_on_failure(note):
        clean_fields(note)
        prepared = prepare(note, Site.objects.current())
        with transaction.atomic():
            Site.objects.hold()
            before = claim(note)
            if not note.slug:
                note.slug = free_slug(note.title)
            now = timezone.now()
            settle_first_publication(note, now)
            settle_address(
                Redirect.Kind.NOTE,
                before.slug if before else "",
                note.slug,
                was_public=bool(before and (before.was_public or _loses_links(before, note.slug))),
                take_retired=take_retired_slug,
            )
            took_the_pin = _take_the_pin(note)
            if note.published_at and not note.key:
                note.key = note.slug
            note.full_clean()
            rendered = render_into(note, Site.objects.current(), prepared)
            ask_about_errors(note, before, confirmed=errors_confirmed)
            note.save()
            if topics is not None:
                note.topics.set(topics)
            write_mentions(note, rendered)
            mark_those_that_link(note, before)
            add_revision(note, before, by=by, kind=kind, sentence=sentence, now=now)
            if took_the_pin or note.published_at or (before and before.published_at):
                Site.objects.move_revision()
    return note


def mark_those_that_link(note: Note, before: Note | None) -> None:
    """Mark the notes that looked for this one, or for an anchor that has come or gone."""
    if before is None:
        mark_linking(note)
    elif before.slug != note.slug:
        mark_linking(note, before.slug)
    else:
        mark_stale_notes(linking_to_changed_anchors(note, before.html))


def _loses_links(before: Note, slug: str) -> bool:
    """Whether a new slug would leave links of other notes behind, though no reader saw the note."""
    if before.slug == slug:
        return False
    return linking_to([before.slug]).exclude(pk=before.pk).exists()


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
    note: Note,
    before: Note | None,
    *,
    by: User | None = None,
    kind: str = Kind.MINOR,
    sentence: str = "",
    now: datetime,
) -> Revision:
    """Store the save as a row; it becomes a public state where readers are to be told of it.

    They are told of the first publication, of a revision or correction of what is out, and of a
    text that comes back other than it went.
    """
    take_back_promised_state(note, now)
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
    if _is_out(note):
        _number(revision, note, now, was_out=before is not None and before.is_public)
    clean_fields(revision)
    revision.full_clean()
    revision.save()
    if revision.number and revision.number > 1:
        note.revised_at = revision.public_at
        note.save(update_fields=["revised_at"])
    return revision


def _is_out(note: Note) -> bool:
    """Whether readers see it now or at its time, as far as its state goes."""
    return note.state in (Note.State.PUBLISHED, Note.State.SCHEDULED)


def _number(revision: Revision, note: Note, now: datetime, *, was_out: bool) -> None:
    states = note.revisions.filter(number__isnull=False)
    last = states.aggregate(last=Max("number"))["last"]
    if last is None:
        revision.number, revision.kind = 1, Kind.PUBLICATION
        revision.public_at = note.published_at
        return
    revision.public_at = max(note.published_at or now, now)
    if revision.kind in (Kind.REVISION, Kind.CORRECTION):
        revision.number = last + 1
    elif not was_out and not was_last_shown(revision, note, now):
        revision.number, revision.kind = last + 1, Kind.PUBLICATION


def was_last_shown(revision: Revision, note: Note, now: datetime) -> bool:
    """Whether this is the text that readers saw last."""
    shown = note.revisions.filter(public_at__lte=now).order_by("-public_at", "-pk").first()
    return shown is not None and all(
        getattr(revision, field) == getattr(shown, field) for field in VERSIONED_FIELDS
    )


def take_back_promised_state(note: Note, now: datetime) -> None:
    """A state whose time has not come was never public: what is saved now takes its place."""
    note.revisions.filter(public_at__gt=now).update(number=None, public_at=None)


@transaction.atomic
def write_public_states(note: Note, states: Sequence[Revision]) -> None:
    """Import: let the note's public states be ``states``, each with number and public_at.

    Rows that were saved here stay, without a number.
    """
    Site.objects.hold()
    shown_at = timezone.now() if note.is_public else None
    note.revisions.filter(public_at__isnull=False).update(number=None, public_at=shown_at)
    for state in states:
        state.note = note
        clean_fields(state)
        if state.number is None or state.public_at is None:
            raise ValidationError(_("A public state has a number and a date."))
        state.full_clean()
        state.save()
    Site.objects.move_revision()


def _take_the_pin(note: Note) -> bool:
    """One note is featured: pinning one takes the pin from the other, which counts as a write."""
    if not note.pinned:
        return False
    others = Note.objects.filter(pinned=True).exclude(pk=note.pk)
    return others.update(pinned=False, version=F("version") + 1) > 0

"""What was revised or corrected, as a feed of its own: the sentence, and where to see it."""

from __future__ import annotations

from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape
from django.utils.translation import gettext as _

from notes.addresses import absolute
from notes.feeds.atom import PagedFeed
from notes.models import Note, Revision
from notes.querysets import public_note_condition


def revisions_told_of() -> QuerySet[Revision]:
    """Public states of public notes but for each note's first, with their notes: one query."""
    states = Revision.objects.filter(
        public_note_condition("note__"), number__gt=1, public_at__lte=timezone.now()
    )
    fields = ("number", "kind", "sentence", "public_at", "title")
    note_fields = ("note__slug", "note__uid", "note__title")
    rows = states.select_related("note").only(*fields, *note_fields)
    return rows.order_by("-public_at", "-pk")


class RevisionFeed(PagedFeed):
    def item_title(self, state):
        return f"{state.title or state.note.title or state.note.slug}: {told_as(state)}"

    def item_description(self, state):
        return escape(state.sentence or told_as(state))

    def item_link(self, state):
        return absolute(_address(state))

    def item_guid(self, state):
        return f"{state.note.uid}#{state.number}"

    def item_pubdate(self, state):
        return state.public_at

    def item_updateddate(self, state):
        return state.public_at


def told_as(state: Revision) -> str:
    if state.kind == Revision.Kind.CORRECTION:
        return _("Correction")
    return _("Revision") if state.kind == Revision.Kind.REVISION else _("Published again")


def _address(state: Revision) -> str:
    note: Note = state.note
    return reverse("notes:state", kwargs={"slug": note.slug, "state": state.number})

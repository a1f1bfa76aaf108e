"""The one rule of visibility for notes, and the words that lists are made of. Imports no model."""

from __future__ import annotations

from typing import Self

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Count, Exists, F, OuterRef, Prefetch, Q, QuerySet
from django.utils import timezone

# What a list never shows, and would cost to load.
HEAVY_FIELDS = (
    "source",
    "html",
    "sections",
    "contents",
    "anchors",
    "problems",
    "anatomy",
    "macros",
)


def public_note_condition(prefix: str = "") -> Q:
    """The rule itself, also through a relation: due, not withdrawn, not in the trash."""
    return Q(
        **{
            f"{prefix}published_at__lte": timezone.now(),
            f"{prefix}withdrawn_at": None,
            f"{prefix}trashed_at": None,
        }
    )


def is_author(user: User | AnonymousUser) -> bool:
    """Whether somebody may see and write what is not public."""
    return user.is_active and user.is_staff and user.has_perm("notes.change_note")


class NoteQuerySet(QuerySet):
    def published(self) -> Self:
        """What the public may see; it asks the clock, so what is due is there."""
        return self.filter(public_note_condition())

    def visible_to(self, user: User | AnonymousUser) -> Self:
        """Authors see everything but the trash; everybody else sees what is published."""
        return self.filter(trashed_at=None) if is_author(user) else self.published()

    def newest_first(self) -> Self:
        return self.order_by("-published_at", "-pk")

    def for_cards(self) -> Self:
        """What a card shows: two queries, the second for the topics."""
        topics = self.model._meta.get_field("topics").related_model._default_manager.order_by(
            "position", "slug"
        )
        return self.defer(*HEAVY_FIELDS).prefetch_related(
            Prefetch("topics", topics, to_attr="topics_list")
        )

    def in_need_of_rendering(self, renderer_version: int) -> Self:
        return self.filter(Q(renderer_version__lt=renderer_version) | Q(stale_at__isnull=False))


class TopicQuerySet(QuerySet):
    def with_public_notes(self) -> Self:
        """Topics that have a public note, in order, each with ``note_count``."""
        through = self.model.notes.through
        public = through._default_manager.filter(
            public_note_condition("note__"), topic=OuterRef("pk")
        )
        return (
            self.filter(Exists(public))
            .annotate(
                note_count=Count("notes", filter=public_note_condition("notes__"), distinct=True)
            )
            .order_by(F("position"), "slug")
        )

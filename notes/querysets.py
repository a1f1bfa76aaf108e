"""The one rule of visibility for notes, and the words that lists are made of. Imports no model."""

from __future__ import annotations

from typing import Any, Self

from django.apps import apps
from django.contrib.auth.models import AnonymousUser, User
from django.db.models import (
    Count,
    Exists,
    F,
    IntegerField,
    Model,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Subquery,
    Value,
)
from django.db.models.functions import Coalesce
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


def is_of_the_sample(kind: str) -> Exists:
    """Whether a row of this kind came with the sample library, and is still its."""
    records: Any = apps.get_model("notesite", "ImportRecord")
    return Exists(
        records.objects.filter(origin=records.SAMPLE, kind=kind, object_id=OuterRef("pk"))
    )


def topics_in_order(model: Any) -> Prefetch:
    """A note's topics as ``topics_list``, for notes that are already there too: one query."""
    topics = model._meta.get_field("topics").related_model._default_manager
    return Prefetch("topics", topics.order_by("position", "slug"), to_attr="topics_list")


class NoteQuerySet(QuerySet):
    def published(self) -> Self:
        """What the public may see; it asks the clock, so what is due is there."""
        return self.filter(public_note_condition())

    def visible_to(self, user: User | AnonymousUser) -> Self:
        """Authors see everything but the trash; everybody else sees what is published."""
        return self.filter(trashed_at=None) if is_author(user) else self.published()

    def newest_first(self) -> Self:
        return self.order_by("-published_at", "-pk")

    def on_topic(self, topic: Model) -> Self:
        """Filed under ``topic``; asked of each in turn, as a join would read every row to sort."""
        model: Any = self.model
        places = model.topics.through._default_manager
        return self.filter(Exists(places.filter(note=OuterRef("pk"), topic=topic)))

    def without_texts(self) -> Self:
        """As rows of a list: what a list never shows stays in the database."""
        return self.defer(*HEAVY_FIELDS)

    def knowing_samples(self) -> Self:
        """Each with ``is_sample``: what the site's owner has not written is not for engines."""
        return self.annotate(is_sample=is_of_the_sample("note"))

    def knowing_states(self) -> Self:
        """Each with ``last_state``, the number of the newest public state, None without one."""
        revisions: Any = self.model.revisions.rel.related_model._default_manager  # type: ignore[attr-defined]
        states = revisions.filter(
            note=OuterRef("pk"), number__isnull=False, public_at__lte=timezone.now()
        )
        return self.annotate(last_state=Subquery(states.order_by("-number").values("number")[:1]))

    def with_topics(self) -> Self:
        """Each with ``topics_list``: one more query."""
        return self.prefetch_related(topics_in_order(self.model))

    def for_cards(self) -> Self:
        """What a card shows: two queries, the second for the topics."""
        return self.without_texts().knowing_samples().with_topics()

    def featured(self) -> Self:
        """The one public note that the index opens with, and ``note_count``: one query.

        The pinned one, else the newest. Both are looked up in an index: sorting by ``pinned``
        would read every note.
        """
        public = self.published()  # one reading of the clock for all three
        pinned = public.filter(pinned=True).values("pk")[:1]
        newest = public.newest_first().values("pk")[:1]
        count = public.order_by().annotate(every=Value(1)).values("every")
        return (
            self.without_texts()
            .filter(pk=Coalesce(Subquery(pinned), Subquery(newest)))
            .annotate(note_count=Subquery(count.annotate(number=Count("pk")).values("number")))
        )

    def in_need_of_rendering(self, renderer_version: int) -> Self:
        return self.filter(Q(renderer_version__lt=renderer_version) | Q(stale_at__isnull=False))


class PendingVersionQuerySet(QuerySet):
    def due(self) -> Self:
        """Those whose time has come; what is in the trash waits there."""
        return self.filter(release_at__lte=timezone.now(), note__trashed_at=None)


class TopicQuerySet(QuerySet):
    def with_public_notes(self) -> Self:
        """Topics that have a public note, in order."""
        return self.filter(Exists(self._public_places())).order_by(F("position"), "slug")

    def with_note_counts(self) -> Self:
        """Each with ``note_count``, its public notes."""
        places = self._public_places().order_by().values("topic")
        counted = places.annotate(number=Count("pk")).values("number")
        return self.annotate(note_count=Coalesce(Subquery(counted, output_field=IntegerField()), 0))

    def _public_places(self) -> QuerySet:
        # Public notes as a set of ids, which an index alone answers: a join would read each row.
        model: Any = self.model
        notes = model.notes.rel.related_model._default_manager.published()
        return model.notes.through._default_manager.filter(
            topic=OuterRef("pk"), note__in=notes.order_by().values("pk")
        )

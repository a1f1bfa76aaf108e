"""The one rule of visibility for reading paths and their steps. Imports no model."""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter
from typing import Any, Self

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from notes.querysets import (
    HEAVY_FIELDS,
    is_author,
    is_of_the_sample,
    public_note_condition,
)


def public_path_condition(prefix: str = "") -> Q:
    """Due and not in the trash; that it has a public step is asked beside it."""
    return Q(**{f"{prefix}published_at__lte": timezone.now(), f"{prefix}trashed_at": None})


class ReadingPathQuerySet(QuerySet):
    def published(self) -> Self:
        """What the public may see: due, not in the trash, with at least one public step."""
        model: Any = self.model
        steps = model.steps.rel.related_model._default_manager
        public_step = steps.filter(public_note_condition("note__"), path=OuterRef("pk"))
        return self.filter(public_path_condition()).filter(Exists(public_step))

    def visible_to(self, user: User | AnonymousUser) -> Self:
        """Authors see everything but the trash; everybody else sees what is published."""
        return self.filter(trashed_at=None) if is_author(user) else self.published()

    def knowing_samples(self) -> Self:
        """Each with ``is_sample``, as notes have it."""
        return self.annotate(is_sample=is_of_the_sample("path"))


class StepQuerySet(QuerySet):
    def public(self) -> Self:
        """Public notes in public paths: the only steps that exist for a reader, in order."""
        return self.filter(
            public_path_condition("path__"), public_note_condition("note__")
        ).in_order()

    def visible_to(self, user: User | AnonymousUser) -> Self:
        """Authors also walk through drafts; nobody walks through the trash."""
        if is_author(user):
            return self.filter(path__trashed_at=None, note__trashed_at=None).in_order()
        return self.public()

    def in_order(self) -> Self:
        return self.order_by("path__position", "path__slug", "position", "pk")

    def with_notes(self) -> Self:
        """Path and note beside each step, without the texts: one query."""
        return self.select_related("path", "note").defer(
            *(f"note__{field}" for field in HEAVY_FIELDS)
        )

    def numbered(self) -> Self:
        """Each with ``position_number``, its place among the public steps of its path."""
        until = self.model._default_manager.filter(
            Q(position__lt=OuterRef("position"))
            | Q(position=OuterRef("position"), pk__lte=OuterRef("pk")),
            public_note_condition("note__"),
            path=OuterRef("path"),
        )
        number = until.order_by().values("path").annotate(number=Count("pk")).values("number")
        return self.annotate(position_number=Subquery(number))

    def by_path(self) -> list[dict[str, Any]]:
        """``{path, steps}`` for each path, in order; the steps come with path and note."""
        groups = groupby(self.in_order(), attrgetter("path"))
        return [{"path": path, "steps": list(steps)} for path, steps in groups]

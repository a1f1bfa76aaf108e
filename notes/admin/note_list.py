"""The list of notes: its filters, and a change list that loads no text."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.db.models import Prefetch, QuerySet, TextField
from django.db.models.functions import Cast, Left
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import escape
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from notes.models import Note, Topic
from notes.querysets import HEAVY_FIELDS

SHOWN_HEAVY_FIELDS = {"problems"}


def for_the_list(notes: QuerySet[Note]) -> QuerySet[Note]:
    """What a row shows, without the texts: three queries, one each for topics and steps."""
    return (
        notes.defer(*(set(HEAVY_FIELDS) - SHOWN_HEAVY_FIELDS), "takeaways", "about_cards")
        .annotate(source_start=Left("source", 400))
        .prefetch_related(
            Prefetch("topics", Topic.objects.only("name"), to_attr="topics_list"), "steps__path"
        )
    )


class NoteList(ChangeList):
    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        for note in self.result_list:
            if not note.title:
                # Untitled notes are called by their first words, and the text isn't loaded here.
                note.title = Note(source=note.source_start).display_title


class StateFilter(admin.SimpleListFilter):
    title = _("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Any:
        return Note.State.choices

    def choices(self, changelist: Any) -> Any:
        everything, *states = super().choices(changelist)
        return [everything | {"display": _("All but the trash")}, *states]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Note]) -> QuerySet[Note]:
        kept = queryset.filter(trashed_at=None)
        standing = kept.filter(withdrawn_at=None)
        match self.value():
            case Note.State.TRASH:
                return queryset.filter(trashed_at__isnull=False)
            case Note.State.WITHDRAWN:
                return kept.filter(withdrawn_at__isnull=False)
            case Note.State.DRAFT:
                return standing.filter(published_at=None)
            case Note.State.SCHEDULED:
                return standing.filter(published_at__gt=timezone.now())
            case Note.State.PUBLISHED:
                return standing.filter(published_at__lte=timezone.now())
        return kept


class TopicFilter(admin.RelatedFieldListFilter):
    """Django's, with words for the notes that have no topic."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.empty_value_display = escape(gettext("without a topic"))


class ProblemFilter(admin.SimpleListFilter):
    title = _("problems")
    parameter_name = "problems"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Any:
        return [
            ("error", _("with errors")),
            ("warning", _("with warnings")),
            ("any", _("with problems")),
            ("none", _("none")),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Note]) -> QuerySet[Note]:
        value = self.value()
        if value == "none":
            return queryset.filter(problems=[])
        if value == "any":
            return queryset.exclude(problems=[])
        if value in ("error", "warning"):
            # As text: SQLite can't look into a list, and both databases write it alike.
            text = queryset.annotate(problems_text=Cast("problems", TextField()))
            return text.filter(problems_text__contains=f'"severity": "{value}"')
        return queryset

"""Reading paths in the admin: the steps in order, their bridges inline."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.widgets import AutocompleteSelect
from django.db.models import Count, QuerySet
from django.forms.models import BaseInlineFormSet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.urls import reverse
from django.utils import formats, timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from notes.admin.comparing import Difference
from notes.admin.fields import MomentField, TextField
from notes.admin.saving import BUSY, OrderedAdmin, PublishingForm, sentence_of
from notes.models import Note
from notes.publishing import Conflict
from notes.querysets import HEAVY_FIELDS
from series import publishing
from series.models import ReadingPath, Step


class PathForm(PublishingForm):
    description = TextField(
        label=gettext_lazy("Description"),
        help_text=gettext_lazy("Markdown, shown on the path's page."),
        widget=forms.Textarea(attrs={"rows": 6}),
    )
    published_at = MomentField(label=gettext_lazy("Published"), required=False)

    class Meta:
        model = ReadingPath
        fields: ClassVar = ["title", "line", "description", "slug", "published_at"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "slug" in self.fields:
            self.fields["slug"].required = False
            self.fields["slug"].help_text = _("The address. Empty: made from the title.")
            self.fields["published_at"].help_text = _(
                "Empty: a draft. Ahead: scheduled. It is %(now)s in the zone %(zone)s."
            ) % {
                "zone": timezone.get_current_timezone_name(),
                "now": formats.date_format(timezone.localtime(), "DATETIME_FORMAT"),
            }


class StepNote(AutocompleteSelect):
    """The note of a step; a stored one is shown without a query for its title."""

    known: Note | None = None

    def optgroups(self, name: str, value: Sequence[str], attrs: Any = None) -> Any:
        if self.known is None or list(value) != [str(self.known.pk)]:
            return super().optgroups(name, value, attrs)
        label = label_of(self.known)
        return [(None, [self.create_option(name, value[0], label, True, 0)], 0)]


def label_of(note: Note) -> str:
    """A step's note as the curator sees it: one that readers don't see says so."""
    if note.is_public:
        return note.display_title
    return f"{note.display_title} ({Note.State(note.state).label})"


class StepForm(forms.ModelForm):
    bridge = TextField(
        label=gettext_lazy("Bridge"),
        help_text=gettext_lazy(
            "Short Markdown: why this now, what to bring along, when to skip it."
        ),
        widget=forms.Textarea(attrs={"rows": 3}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["position"].required = False
        self.fields["position"].label = _("Place")
        if self.instance.pk:
            self.fields["note"].widget.known = self.instance.note

    def has_changed(self) -> bool:
        """A place without note and bridge is an empty form, whatever its number."""
        return bool(set(self.changed_data) - {"position"})


class StepFormSet(BaseInlineFormSet):
    """Steps as they were sent; one that somebody took away meanwhile is sent as a new one."""

    def __init__(
        self, data: Any = None, files: Any = None, instance: Any = None, **options: Any
    ) -> None:
        if data is not None and instance is not None and instance.pk:
            prefix = options.get("prefix") or self.get_default_prefix()
            stored = {str(pk) for pk in instance.steps.values_list("pk", flat=True)}
            data = with_lost_as_new(data, prefix, stored)
        super().__init__(data, files, instance, **options)


def with_lost_as_new(data: QueryDict, prefix: str, stored: set[str]) -> QueryDict:
    """The same forms, those of stored rows first and with no row's id but those in ``stored``."""
    counts = [data.get(f"{prefix}-{name}_FORMS", "") for name in ("INITIAL", "TOTAL")]
    if not all(count.isdecimal() and len(count) < 5 for count in counts):
        return data  # the formset says so itself
    initial, total = map(int, counts)
    lost = [n for n in range(initial) if data.get(f"{prefix}-{n}-id") not in stored]
    kept = [n for n in range(initial) if n not in lost]
    places = {old: new for new, old in enumerate([*kept, *lost, *range(initial, total)])}
    sorted_data = QueryDict(mutable=True)
    for key, values in data.lists():
        match = re.fullmatch(rf"{prefix}-(\d{{1,4}})-(\w+)", key)
        if match is None or int(match[1]) not in places:
            sorted_data.setlist(key, values)
            continue
        number, name = int(match[1]), match[2]
        is_lost_id = name == "id" and number in lost
        sorted_data.setlist(f"{prefix}-{places[number]}-{name}", [""] if is_lost_id else values)
    sorted_data[f"{prefix}-INITIAL_FORMS"] = str(len(kept))
    return sorted_data


class StepInline(admin.StackedInline):
    model = Step
    form = StepForm
    formset = StepFormSet
    fields = ("note", "position", "bridge")
    extra = 0
    template = "admin/series/readingpath/steps.html"
    autocomplete_fields = ("note",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Step]:
        heavy = [f"note__{field}" for field in HEAVY_FIELDS if field != "source"]
        return super().get_queryset(request).select_related("note").defer(*heavy)

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        kwargs["widget"] = StepNote(db_field, self.admin_site)
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if field and db_field.name == "note":
            field.widget = field.widget.widget  # without Django's links to add and change one
        return field


class PathStateFilter(admin.SimpleListFilter):
    title = gettext_lazy("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Any:
        return [choice for choice in Note.State.choices if choice[0] != Note.State.WITHDRAWN]

    def choices(self, changelist: Any) -> Any:
        everything, *states = super().choices(changelist)
        return [everything | {"display": _("All but the trash")}, *states]

    def queryset(
        self, request: HttpRequest, queryset: QuerySet[ReadingPath]
    ) -> QuerySet[ReadingPath]:
        kept = queryset.filter(trashed_at=None)
        match self.value():
            case Note.State.TRASH:
                return queryset.filter(trashed_at__isnull=False)
            case Note.State.DRAFT:
                return kept.filter(published_at=None)
            case Note.State.SCHEDULED:
                return kept.filter(published_at__gt=timezone.now())
            case Note.State.PUBLISHED:
                return kept.filter(published_at__lte=timezone.now())
        return kept


@admin.register(ReadingPath)
class ReadingPathAdmin(OrderedAdmin):
    form = PathForm
    inlines = (StepInline,)
    list_display = ("title", "position", "state_shown", "step_count", "line")
    list_filter = (PathStateFilter,)
    search_fields = ("title", "slug", "line")
    actions = ("restore",)
    fieldsets: ClassVar = [
        (None, {"fields": ["title", "line", "description"]}),
        (gettext_lazy("Publication"), {"fields": ["published_at", "slug"]}),
    ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[ReadingPath]:
        return super().get_queryset(request).annotate(step_total=Count("steps"))

    @admin.display(description=gettext_lazy("state"), ordering="published_at")
    def state_shown(self, path: ReadingPath) -> SafeString:
        when = ""
        if path.state == Note.State.SCHEDULED:
            moment = timezone.localtime(path.published_at)
            when = formats.date_format(moment, "DATETIME_FORMAT")
        return format_html(
            '<span class="state state-{}">{}</span> <span class="state-when">{}</span>',
            path.state,
            Note.State(path.state).label,
            when,
        )

    @admin.display(description=gettext_lazy("steps"), ordering="step_total")
    def step_count(self, path: Any) -> int:
        return path.step_total

    def order(self, pks: list[int]) -> None:
        publishing.order_paths(pks)

    def view_on_site(self, path: ReadingPath) -> str | None:
        return None if path.trashed_at else path.get_absolute_url()

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        form = context["adminform"].form
        if form.is_outdated:
            mine = lines_of(steps_of(context["inline_admin_formsets"][0].formset))
            stored = form.instance.steps.select_related("note").order_by("position")
            theirs = lines_of([(step.note, step.bridge) for step in stored])
            if mine != theirs:
                form.differences += (Difference.between(_("Steps"), mine, theirs, is_long=True),)
        return super().render_change_form(request, context, *args, **kwargs)

    # Saving: the path and its steps in one write, once the steps are known.

    def save_model(self, request: HttpRequest, obj: ReadingPath, form: Any, change: bool) -> None:
        self.is_ordering(request, obj, form)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        if getattr(request, "moved", None) is not None:
            return
        path = form.instance
        if change:
            path.version = form.stored_version
        steps = steps_of(formsets[0])
        take = form.cleaned_data["take_retired_slug"]
        publishing.save_path(path, steps, take_retired_slug=take)
        # What the log and the message say of the steps.
        formset = formsets[0]
        formset.new_objects, formset.changed_objects, formset.deleted_objects = [], [], []

    # The trash

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        if isinstance(obj, ReadingPath) and obj.trashed_at:
            return False
        return super().has_delete_permission(request, obj)

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        return [str(obj) for obj in objs], {}, set(), []

    def delete_model(self, request: HttpRequest, obj: ReadingPath) -> None:
        publishing.trash_path(obj)

    def log_deletions(self, request: HttpRequest, queryset: Any) -> Any:
        """Nothing is deleted; the log says what happened."""
        return [self.log_change(request, path, _("Moved to the trash.")) for path in queryset]

    def response_delete(self, request: HttpRequest, obj_display: str, obj_id: int) -> HttpResponse:
        messages.success(
            request,
            _("“%(path)s” is in the trash; the list's filter finds it there.")
            % {"path": obj_display},
        )
        return HttpResponseRedirect(reverse("admin:series_readingpath_changelist"))

    @admin.action(permissions=["change"], description=gettext_lazy("Take out of the trash"))
    def restore(self, request: HttpRequest, queryset: QuerySet[ReadingPath]) -> None:
        for path in ReadingPath.objects.filter(pk__in=queryset.values("pk")):
            try:
                publishing.restore_path(path)
            except (Conflict, *BUSY) as refusal:
                messages.warning(request, f"“{path}”: {sentence_of(refusal)}")
            else:
                self.log_change(request, path, _("Taken out of the trash."))
                messages.success(request, _("“%(path)s” is back.") % {"path": path})


def steps_of(formset: Any) -> list[tuple[Note, str]]:
    """Notes and bridges in the order of the numbers that the curator gave them."""

    def place(indexed: tuple[int, Any]) -> tuple[float, int, int]:
        index, form = indexed
        new = form.cleaned_data.get("position")
        old = form.initial.get("position")
        if new is None:
            return float("inf"), 0, index
        # One sent to a taken place goes before it on the way up, behind it on the way down.
        moved = 0 if old is None else (new > old) - (new < old)
        return new, moved, index

    forms_kept = [
        form
        for form in formset.forms
        if form not in formset.deleted_forms and form.cleaned_data.get("note")
    ]
    ordered = sorted(enumerate(forms_kept), key=place)
    return [
        (form.cleaned_data["note"], form.cleaned_data.get("bridge", "")) for _index, form in ordered
    ]


def lines_of(steps: list[tuple[Note, str]]) -> str:
    """Steps to be compared: a line for each note, its bridge below."""
    return "\n".join(
        "\n".join([f"{place}. {note.display_title}", *bridge.splitlines()])
        for place, (note, bridge) in enumerate(steps, start=1)
    )

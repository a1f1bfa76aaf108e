"""What every form of ours shares: it writes through publishing.py, and nothing typed is lost.

A refusal that publishing raises comes back as the form with the whole text in it. A row that
somebody else saved meanwhile is never overwritten in silence: both texts and the difference are
shown, and the author decides.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.contrib.admin.options import ActionLocation
from django.core.exceptions import ValidationError
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from notes.publishing import Conflict, RetiredSlug

# Comparing line by line takes time that grows with the square of the lines.
COMPARED_LINES = 5_000


@dataclass(frozen=True, slots=True)
class Difference:
    """One field that two people changed: both texts, and the lines that differ."""

    label: str
    mine: str
    theirs: str
    lines: tuple[tuple[str, str], ...]  # ("+" mine, "-" theirs, " " both), text

    @classmethod
    def between(cls, label: str, mine: str, theirs: str) -> Difference:
        one, other = theirs.splitlines(), mine.splitlines()
        lines: Iterable[str] = ()
        if max(len(one), len(other)) <= COMPARED_LINES:
            lines = list(difflib.unified_diff(one, other, lineterm="", n=2))[2:]
        return cls(label, mine, theirs, tuple((line[0], line[1:]) for line in lines))


class PublishingForm(forms.ModelForm):
    """A form that knows which version it was made from, and what publishing had to say."""

    seen_version = forms.IntegerField(required=False, widget=forms.HiddenInput)
    keep_mine = forms.IntegerField(required=False, widget=forms.HiddenInput)
    take_retired_slug = forms.BooleanField(
        required=False, label=gettext_lazy("Give the earlier address to this one all the same")
    )

    compared_fields: ClassVar[tuple[str, ...]] = ()
    refusal: Exception | None = None  # set for one request by PublishingAdmin
    differences: tuple[Difference, ...] = ()
    is_outdated = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.stored_version = getattr(self.instance, "version", None) if self.instance.pk else None
        self.initial["seen_version"] = self.stored_version
        self.asks_about_retired_slug = isinstance(self.refusal, RetiredSlug) or bool(
            self.data.get("take_retired_slug")
        )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        accepted = {cleaned.get("seen_version"), cleaned.get("keep_mine")}
        is_newer = self.stored_version is not None and self.stored_version not in accepted
        if is_newer or isinstance(self.refusal, Conflict):
            self._show_both(cleaned)
        elif isinstance(self.refusal, ValidationError):
            self._show(self.refusal)
        return cleaned

    def _show_both(self, cleaned: dict[str, Any]) -> None:
        self.is_outdated = True
        # Model fields are put into the instance after clean(): here it is still as stored.
        texts = [
            (name, str(cleaned.get(name) or ""), str(getattr(self.instance, name)))
            for name in self.compared_fields
        ]
        self.differences = tuple(
            Difference.between(str(self.fields[name].label), mine, theirs)
            for name, mine, theirs in texts
            if mine.strip() != theirs.strip()
        )
        self.add_error(
            None,
            _("Somebody saved a newer version meanwhile. Nothing was overwritten; decide below."),
        )

    def _show(self, refusal: ValidationError) -> None:
        if not hasattr(refusal, "error_dict"):
            self.add_error(None, refusal)
            return
        for name, errors in refusal.error_dict.items():
            self.add_error(name if name in self.fields else None, errors)


class PublishingAdmin(admin.ModelAdmin):
    """A ModelAdmin whose every write is one call of a publishing module."""

    form = PublishingForm
    change_form_template = "admin/publishing_form.html"
    show_full_result_count = False  # one count a page is enough

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        try:
            return super().changeform_view(request, object_id, form_url, extra_context)
        except (Conflict, ValidationError) as refusal:
            # The transaction is rolled back; the same form now says why.
            request.refusal = refusal  # type: ignore[attr-defined]
            return super().changeform_view(request, object_id, form_url, extra_context)

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any
    ) -> Any:
        form = super().get_form(request, obj, change, **kwargs)
        # The class is made anew for each request.
        form.refusal = getattr(request, "refusal", None)  # type: ignore[attr-defined]
        return form

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Many-to-many and steps are written with the row, in the same call of publishing."""

    def get_actions(
        self, request: HttpRequest, action_location: ActionLocation = ActionLocation.CHANGE_LIST
    ) -> dict[str, Any]:
        """Leave Django's bulk deletion out: it can't say what becomes of addresses and steps."""
        actions = super().get_actions(request, action_location=action_location)
        actions.pop("delete_selected", None)
        return actions


def take_over(obj: Model, saved: Model) -> None:
    """Let the form's instance be the row that publishing made of it."""
    obj.__dict__.update(saved.__dict__)


class PlaceForm(forms.ModelForm):
    """A row's number in a list that is put in order."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        label = _("Place of %(name)s") % {"name": self.instance}
        self.fields["position"].widget.attrs["aria-label"] = label


class OrderedAdmin(PublishingAdmin):
    """Rows with a place among themselves, put in order in the list: by number, key or drag."""

    list_editable = ("position",)
    ordering = ("position", "slug")
    list_per_page = 200
    change_list_template = "admin/ordered_list.html"

    def order(self, pks: list[int]) -> None:
        raise NotImplementedError

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        request.moved = {}  # type: ignore[attr-defined]
        response = super().changelist_view(request, extra_context)
        if request.moved:  # type: ignore[attr-defined]
            self.order(self._new_order(request.moved))  # type: ignore[attr-defined]
        return response

    def get_changelist_form(self, request: HttpRequest, **kwargs: Any) -> Any:
        return super().get_changelist_form(request, **({"form": PlaceForm} | kwargs))

    def is_ordering(self, request: HttpRequest, obj: Any, form: Any) -> bool:
        """Whether a save comes from the list; its place is then noted, to be written with all."""
        moved = getattr(request, "moved", None)
        if moved is None:
            return False
        moved[obj.pk] = (form.initial["position"], obj.position)
        return True

    def _new_order(self, moved: dict[int, tuple[int, int]]) -> list[int]:
        def place(row: tuple[int, int]) -> tuple[int, int, int]:
            pk, stored = row
            old, new = moved.get(pk, (stored, stored))
            # A row sent to a taken place goes before it on the way up, behind it on the way down.
            return new, (new > old) - (new < old), stored

        rows = self.model._default_manager.values_list("pk", "position")
        return [pk for pk, _position in sorted(rows, key=place)]

    class Media:
        js: ClassVar = [forms.widgets.Script("admin_notesite/order.js", type="module")]

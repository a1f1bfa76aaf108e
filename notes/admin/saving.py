"""What every form of ours shares: it writes through publishing.py, and nothing typed is lost.

A refusal that publishing raises comes back as the form with the whole text in it. A row that
somebody else saved meanwhile is never overwritten in silence: both texts and the difference are
shown, and the author decides.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import cached_property, wraps
from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.contrib.admin.options import ActionLocation
from django.core.exceptions import ValidationError
from django.db import IntegrityError, OperationalError, transaction
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.csrf import csrf_protect

from notes.admin.comparing import Difference, differences_of
from notes.publishing import Conflict, RetiredSlug

logger = logging.getLogger(__name__)

# What the database says when others write the same rows, or longer than one can wait.
BUSY = (IntegrityError, OperationalError)


def refusal_of(error: Exception) -> ValidationError:
    """What the author is told when the database took nothing."""
    logger.warning("A save came to nothing: %s", error, exc_info=error)
    return ValidationError(
        _("Somebody is saving at this moment; nothing was lost. Save again."), code="busy"
    )


def sentence_of(error: Exception) -> str:
    """Why a write came to nothing, in words for the author."""
    refusal = refusal_of(error) if isinstance(error, BUSY) else error
    return " ".join(getattr(refusal, "messages", [str(refusal)]))


def answering_refusals[**Arguments](
    view: Callable[Arguments, HttpResponse],
) -> Callable[Arguments, HttpResponse]:
    """Let a view that has no form to come back to say on a page why nothing was written."""

    @wraps(view)
    def answering(*args: Arguments.args, **kwargs: Arguments.kwargs) -> HttpResponse:
        model_admin, request = args[:2]
        try:
            return view(*args, **kwargs)
        except (Conflict, ValidationError, *BUSY) as error:
            context = model_admin.admin_site.each_context(request) | {  # type: ignore[attr-defined]
                "title": _("Nothing was changed"),
                "sentence": sentence_of(error),
            }
            status = 503 if isinstance(error, BUSY) else 409
            return TemplateResponse(request, "admin/refused.html", context, status=status)  # type: ignore[arg-type]

    return answering


class PublishingForm(forms.ModelForm):
    """A form that knows which version it was made from, and what publishing had to say."""

    seen_version = forms.IntegerField(required=False, widget=forms.HiddenInput)
    keep_mine = forms.IntegerField(required=False, widget=forms.HiddenInput)
    take_retired_slug = forms.BooleanField(
        required=False, label=gettext_lazy("Give the earlier address to this one all the same")
    )

    # Questions about the save itself: no part of what is stored, compared or logged.
    asked: ClassVar[tuple[str, ...]] = ("seen_version", "keep_mine", "take_retired_slug")
    refusal: Exception | None = None  # set for one request by PublishingAdmin
    differences: tuple[Difference, ...] = ()
    is_outdated = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.stored_version = getattr(self.instance, "version", None) if self.instance.pk else None
        self.initial["seen_version"] = self.stored_version
        for name, field in self.fields.items():
            if hasattr(field, "stored"):
                field.stored = self.initial.get(name) or field.stored
        self.asks_about_retired_slug = isinstance(self.refusal, RetiredSlug) or bool(
            self.data.get("take_retired_slug")
        )

    @cached_property
    def changed_data(self) -> list[str]:
        return [name for name in super().changed_data if name not in self.asked]

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
        compared = [name for name in self.fields if name not in self.asked]
        self.differences = differences_of(self, compared)
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

    @method_decorator(csrf_protect)
    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """As Django's, but in no transaction: publishing opens one, when the text is rendered."""
        view: Callable[..., HttpResponse] = self._changeform_view  # type: ignore[attr-defined]
        arguments = (request, object_id, form_url, extra_context)
        if request.method != "POST":
            return view(*arguments)
        try:
            return view(*arguments)
        except (Conflict, ValidationError) as refusal:
            request.refusal = refusal  # type: ignore[attr-defined]
        except BUSY as error:
            request.refusal = refusal_of(error)  # type: ignore[attr-defined]
        # Publishing has rolled its transaction back; the same form now says why.
        return view(*arguments)

    delete_view = answering_refusals(admin.ModelAdmin.delete_view)
    changelist_view = answering_refusals(admin.ModelAdmin.changelist_view)

    def log_addition(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        return self._log(super().log_addition, request, obj, message)

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        return self._log(super().log_change, request, obj, message)

    def _log(self, write: Callable[..., Any], *args: Any) -> Any:
        """What is saved already isn't refused for want of a line in the log."""
        try:
            with transaction.atomic():
                return write(*args)
        except OperationalError as error:
            logger.warning("The log of the admin lacks a line: %s", error)

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

    @answering_refusals
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

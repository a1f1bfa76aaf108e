"""The page that takes a note through its states: publish, schedule, unpublish, withdraw, trash."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from notes import publishing
from notes.admin.fields import MomentField
from notes.admin.saving import BUSY, sentence_of
from notes.editor.access import author_of
from notes.models import Note

State = Note.State

# What can be done to a note, by state; the page shows these and no others.
VERBS: dict[str, tuple[str, ...]] = {
    State.DRAFT: ("publish", "schedule", "trash"),
    State.SCHEDULED: ("publish", "schedule", "unpublish", "trash"),
    State.PUBLISHED: ("schedule", "unpublish", "withdraw", "trash"),
    State.WITHDRAWN: ("reinstate", "trash"),
    State.TRASH: ("restore",),
}
DONE = {
    "publish": gettext_lazy("Published."),
    "schedule": gettext_lazy("The date is set."),
    "unpublish": gettext_lazy("Unpublished: it is a draft again."),
    "withdraw": gettext_lazy("Withdrawn: its address gives your sentence."),
    "reinstate": gettext_lazy("The withdrawal is undone."),
    "trash": gettext_lazy("Moved to the trash."),
    "restore": gettext_lazy("Taken out of the trash."),
}


class PublicationForm(forms.Form):
    """One verb, with what it needs."""

    verb = forms.ChoiceField(choices=[(verb, verb) for verb in DONE])
    version = forms.IntegerField()
    at = MomentField(label=gettext_lazy("Date and time"), required=False)
    sentence = forms.CharField(
        label=gettext_lazy("Why it is withdrawn"), required=False, max_length=500
    )
    confirm = forms.BooleanField(required=False)

    def __init__(self, *args: Any, note: Note, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.note = note
        self.verbs = VERBS[note.state]
        self.errors_in_note = publishing.errors_of(note)
        self.initial["at"] = self.fields["at"].stored = note.published_at  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        verb = cleaned.get("verb")
        if verb and verb not in self.verbs:
            raise ValidationError(_("The note's state has changed; this can't be done any more."))
        if verb == "schedule" and not cleaned.get("at") and "at" not in self.errors:
            self.add_error("at", _("Give a date and a time."))
        if verb == "withdraw" and not cleaned.get("sentence"):
            self.add_error("sentence", _("Say in one sentence why it is withdrawn."))
        asks = verb in ("publish", "schedule") and self.note.state != State.PUBLISHED
        if asks and self.errors_in_note and not cleaned.get("confirm"):
            self.add_error("confirm", _("The text has errors: mend them, or confirm them here."))
        return cleaned

    def act(self, request: HttpRequest) -> str:
        """Do it; the sentence that says so."""
        verb, note = self.cleaned_data["verb"], self.note
        note.version = self.cleaned_data["version"]
        match verb:
            case "publish":
                publishing.publish(note, by=author_of(request))
            case "schedule":
                publishing.publish(note, at=self.cleaned_data["at"], by=author_of(request))
            case "withdraw":
                publishing.withdraw(note, self.cleaned_data["sentence"])
            case _:
                getattr(publishing, verb)(note)
        return str(DONE[verb])


def publication_view(
    model_admin: admin.ModelAdmin, request: HttpRequest, object_id: str
) -> HttpResponse:
    note = model_admin.get_object(request, unquote(object_id))
    if note is None:
        raise Http404
    if not model_admin.has_change_permission(request, note):
        raise PermissionDenied
    form = PublicationForm(request.POST or None, note=note)
    if request.method == "POST" and form.is_valid():
        if form.cleaned_data["verb"] == "trash" and not model_admin.has_delete_permission(
            request, note
        ):
            raise PermissionDenied
        try:
            done = form.act(request)
        except publishing.Conflict as conflict:
            messages.error(request, f"{conflict} {_('Look at it and decide again.')}")
            return HttpResponseRedirect(request.path)
        except (ValidationError, *BUSY) as refusal:
            note.refresh_from_db()
            form.add_error(None, sentence_of(refusal))
        else:
            model_admin.log_change(request, note, done)
            messages.success(request, done)
            return HttpResponseRedirect(request.path)
    context = {
        **model_admin.admin_site.each_context(request),
        "title": _("Publishing"),
        "subtitle": note.display_title,
        "opts": model_admin.opts,
        "original": note,
        "note": note,
        "form": form,
        "missing": _missing(note),
        "paths": [step.path for step in note.steps.select_related("path")],
        "address": request.build_absolute_uri(note.get_absolute_url()),
        "zone": timezone.get_current_timezone_name(),
        "now": timezone.localtime(),
        "is_ahead": _is_ahead(note.published_at),
    }
    return TemplateResponse(request, "admin/notes/note/publication.html", context)


def _missing(note: Note) -> list[str]:
    """What a public note should have; asked for, not insisted on."""
    wanted = [
        (note.title, _("a title")),
        (note.dek, _("a dek: the one sentence under the title")),
        (note.topics.exists(), _("a topic: readers find notes by it")),
    ]
    return [what for there, what in wanted if not there]


def _is_ahead(moment: datetime | None) -> bool:
    return moment is not None and moment > timezone.now()

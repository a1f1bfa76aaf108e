"""The page that adds many references: what would happen, entry by entry, then what was chosen."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import batched
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.models import ADDITION, CHANGE, LogEntry
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from notes import publishing
from notes.admin.saving import BUSY, refusal_of
from notes.bibtex import has_more_than
from notes.models import Reference
from notes.publishing.bibliography import NAMES_AT_ONCE, Planned, Status
from notesite.text import clean_text

LARGEST_FILE = 5 * 1024 * 1024
MOST_ENTRIES = 2_000
MOST_BLOCKS = 4_000  # with abbreviations and comments
_MARKS = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}


class AddReferencesForm(forms.Form):
    text = forms.CharField(
        required=False,
        strip=False,
        label=gettext_lazy("BibTeX"),
        help_text=gettext_lazy("Any number of entries, as Zotero, Scholar or arXiv give them."),
        widget=forms.Textarea(
            attrs={"rows": 16, "class": "vLargeTextField code", "spellcheck": "false"}
        ),
    )
    file = forms.FileField(
        required=False,
        label=gettext_lazy("or a .bib file"),
        help_text=gettext_lazy("At most 5 MB, in UTF-8. It is put below what stands above."),
        widget=forms.FileInput(attrs={"accept": ".bib,.bibtex,.txt,text/plain"}),
    )

    def clean_file(self) -> str:
        file = self.cleaned_data["file"]
        return _text_of(file) if file else ""

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        texts = [clean_text(cleaned.get(name) or "") for name in ("text", "file")]
        text = "\n".join(one for one in texts if one)
        if self.errors:
            return cleaned
        if not text:
            raise ValidationError(_("Paste entries, or choose a file."))
        if len(text.encode()) > LARGEST_FILE:
            raise ValidationError(_("This is more than 5 MB. Add it in parts."))
        if has_more_than(MOST_BLOCKS, text):
            raise ValidationError(_("At most 2,000 entries are added at once. Add it in parts."))
        # What came by file is shown and counted in lines like what was typed.
        cleaned["text"] = text
        self.data = {**self.data, "text": text}
        return cleaned


@dataclass(frozen=True, slots=True)
class Group:
    """Entries of which the same is said."""

    status: str
    title: str
    items: Sequence[Planned]

    @property
    def is_settled(self) -> bool:
        return self.status in (Status.SAME, Status.AGAIN)


def answer(model_admin: admin.ModelAdmin, request: HttpRequest) -> HttpResponse:
    """Look first, save what was chosen then; the text comes back until all of it is settled."""
    if not model_admin.has_add_permission(request):
        raise PermissionDenied
    form, plan, was_saved = AddReferencesForm(), None, False
    if request.method == "POST":
        form = AddReferencesForm(request.POST, request.FILES)
        if form.is_valid():
            text = form.cleaned_data["text"]
            if "save" in request.POST and request.POST.get("seen") == _digest(text):
                added = _save(model_admin, request, form)
                if added and not added.plan.unread:
                    return HttpResponseRedirect(reverse("admin:notes_reference_changelist"))
                if added:
                    was_saved = True
                    text = clean_text(added.plan.unread)
                    form = AddReferencesForm(initial={"text": text})
            elif "save" in request.POST:
                messages.warning(
                    request, _("The text has changed since. Nothing was saved; look once more.")
                )
            plan = publishing.plan_references(text)
            if len(plan.items) > MOST_ENTRIES:
                form.add_error(None, _("At most 2,000 entries are added at once. Add it in parts."))
                plan = None
    context = model_admin.admin_site.each_context(request) | {
        "title": _("Add references"),
        "opts": model_admin.opts,
        "form": form,
        "plan": plan,
        "was_saved": was_saved,
        "groups": _groups(plan.items) if plan else [],
        "choosable": sum(bool(item.choices) for item in plan.items) if plan else 0,
        "seen": _digest(text) if plan else "",
    }
    return TemplateResponse(request, "admin/notes/reference/add_many.html", context)


def _save(
    model_admin: admin.ModelAdmin, request: HttpRequest, form: AddReferencesForm
) -> publishing.Added | None:
    chosen = {
        int(number): str(value)
        for name, value in request.POST.items()
        if (number := name.removeprefix("choice-")) != name
        and number.isdecimal()
        and len(number) < 9
    }
    replaces = any(value.startswith("replace") for value in chosen.values())
    if replaces and not model_admin.has_change_permission(request):
        raise PermissionDenied
    try:
        added = publishing.add_references(form.cleaned_data["text"], chosen)
    except ValidationError as error:
        form.add_error(None, error)
        return None
    except BUSY as error:
        form.add_error(None, refusal_of(error))
        return None
    _log(request, added)
    messages.success(request, _tally(added))
    if failures := len(added.plan.failures):
        messages.warning(
            request,
            ngettext(
                "%(count)d entry could not be read; it still stands below.",
                "%(count)d entries could not be read; they still stand below.",
                failures,
            )
            % {"count": failures},
        )
    return added


def _tally(added: publishing.Added) -> str:
    settled = sum(item.status in (Status.SAME, Status.AGAIN) for item in added.plan.items)
    left = len(added.plan.items) - settled - len(added.new) - len(added.replaced)
    return _(
        "References added: %(new)d; replaced: %(replaced)d; there already: %(settled)d; "
        "left as they were: %(left)d."
    ) % {
        "new": len(added.new),
        "replaced": len(added.replaced),
        "settled": settled,
        "left": left,
    }


def _log(request: HttpRequest, added: publishing.Added) -> None:
    user = request.user.pk or 0  # somebody who has signed in has one
    for flag, keys in ((ADDITION, added.new), (CHANGE, added.replaced)):
        for some in batched(keys, NAMES_AT_ONCE):
            rows = Reference.objects.filter(key__in=some)
            LogEntry.objects.log_actions(user, rows, flag, change_message=[])


def _groups(items: Iterable[Planned]) -> list[Group]:
    titles = {
        Status.DIFFERS: _("There, with other content"),
        Status.LIKE: _("Probably there under another key"),
        Status.TWICE: _("The same key twice in the text"),
        Status.NEW: _("New"),
        Status.SAME: _("There already: nothing to do"),
        Status.AGAIN: _("Word for word above: taken once"),
    }
    grouped = defaultdict(list)
    for item in items:
        grouped[item.status].append(item)
    return [
        Group(status, title, grouped[status]) for status, title in titles.items() if grouped[status]
    ]


def _text_of(file: UploadedFile[Any]) -> str:
    if (file.size or 0) > LARGEST_FILE:
        raise ValidationError(_("This file is larger than 5 MB. Add it in parts."))
    data = file.read()
    encoding = _MARKS.get(data[:2], "utf-8")
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise ValidationError(
            _(
                "This file isn't in UTF-8: line %(line)d holds a byte that is none of its letters, "
                "as in Latin-1. Export it again as UTF-8, or open it and paste the text."
            )
            % {"line": data.count(b"\n", 0, error.start) + 1}
        ) from error
    if "\0" in text:
        raise ValidationError(_("This is no text file. Choose a .bib file."))
    return text


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()

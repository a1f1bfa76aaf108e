"""The note's form: a large source, and few questions before anything is public."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from notes.admin.fields import AuthorsField, KeysField, MacrosField, TextField
from notes.admin.saving import PublishingForm
from notes.editor.widgets import SourceWidget
from notes.models import Note, Revision
from notes.models.note import SOURCE_MAX_BYTES
from notes.publishing import new_errors

KINDS = [
    (Revision.Kind.MINOR, gettext_lazy("Minor: a typing error, nothing a reader needs to know")),
    (Revision.Kind.REVISION, gettext_lazy("Revision: something was added or rewritten")),
    (Revision.Kind.CORRECTION, gettext_lazy("Correction: something was wrong")),
]


def readers_know(note: Note) -> bool:
    """Whether readers saw the note at its address and see the next save: now, or when it is back.

    Judged by the clock: a form that was opened while the note was scheduled may be sent later.
    """
    return note.published_at is not None and (note.is_public or note.was_public)


class SourceField(TextField):
    widget = SourceWidget

    def clean(self, value: Any) -> str:
        source = super().clean(value)
        if len(source.encode()) > SOURCE_MAX_BYTES:
            raise ValidationError(_("A text may have 5 MB. Divide it into several notes."))
        return source


class NoteForm(PublishingForm):
    source = SourceField(label=gettext_lazy("Text"))
    about = KeysField(
        label=gettext_lazy("About"),
        help_text=gettext_lazy("Keys of the references that this note is about: smith2026."),
        widget=forms.TextInput(attrs={"class": "vTextField"}),
    )
    authors = AuthorsField(
        label=gettext_lazy("Authors"),
        help_text=gettext_lazy(
            "One a line: Ada Lovelace; https://ada.example; 0000-0002-1825-0097. "
            "A name with a semicolon stands in quotation marks. Empty: the site's author."
        ),
    )
    macros = MacrosField(
        label=gettext_lazy("Macros"),
        help_text=gettext_lazy(r"TeX for this note alone, one a line: \R = \mathbb{R}"),
    )
    kind = forms.ChoiceField(
        label=gettext_lazy("What is this save?"),
        choices=KINDS,
        widget=forms.RadioSelect,
        error_messages={
            "required": gettext_lazy("Readers see this note: choose what this save is to them.")
        },
    )
    sentence = forms.CharField(
        label=gettext_lazy("Sentence for readers"),
        required=False,
        max_length=500,
        help_text=gettext_lazy("What a revision or correction changed. It stands in the history."),
        widget=forms.TextInput(attrs={"class": "vTextField"}),
    )

    confirm_errors = forms.BooleanField(
        required=False, label=gettext_lazy("Save with these errors: readers may see them")
    )

    asked = (*PublishingForm.asked, "kind", "sentence", "confirm_errors")
    new_errors: Sequence[dict[str, Any]] = ()

    class Meta:
        model = Note
        fields: ClassVar = [
            "title", "dek", "source", "topics", "about", "pinned", "short_name", "slug",
            "key", "authors", "lang", "doi", "canonical", "macros",
        ]  # fmt: skip

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "slug" in self.fields:
            self.fields["slug"].required = False
            self.fields["slug"].help_text = _("The address. Empty: made from the title.")
        if "source" in self.fields:
            self.fields["source"].widget.note = self.instance
        if not readers_know(self.instance):
            del self.fields["kind"], self.fields["sentence"]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        told = cleaned.get("kind") in (Revision.Kind.REVISION, Revision.Kind.CORRECTION)
        if told and not cleaned.get("sentence"):
            self.add_error("sentence", _("Say in one sentence for readers what changed."))
        return cleaned

    def _post_clean(self) -> None:
        """Ask about errors that this save would bring before readers, now or at the note's time."""
        super()._post_clean()  # type: ignore[misc]
        if self.errors or self.instance.published_at is None:
            return
        self.new_errors = new_errors(self.instance)
        if self.new_errors and not self.cleaned_data.get("confirm_errors"):
            self.add_error(
                "confirm_errors",
                _("The text has errors that readers would see: mend them, or confirm them here."),
            )

    def is_multipart(self) -> bool:
        """Also without a file: as an address, Chinese text would come three times as long."""
        return True

    def _get_validation_exclusions(self) -> set[str]:
        # Pinning one note takes the pin from the other; publishing sees to that.
        return {*super()._get_validation_exclusions(), "pinned"}  # type: ignore[misc]

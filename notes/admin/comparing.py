"""What two people made of one form, in words and lines that can be laid side by side."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from django import forms
from django.utils import timezone
from django.utils.translation import gettext as _

from notes.admin.fields import LinesField

# Comparing line by line takes time that grows with the square of the lines.
COMPARED_LINES = 5_000


@dataclass(frozen=True, slots=True)
class Difference:
    """One field that two people changed: both texts, and the lines that differ."""

    label: str
    mine: str
    theirs: str
    lines: tuple[tuple[str, str], ...]  # ("+" mine, "-" theirs, " " both), text
    is_long: bool  # worth showing whole, to copy from

    @classmethod
    def between(cls, label: str, mine: str, theirs: str, *, is_long: bool = False) -> Difference:
        one, other = theirs.splitlines(), mine.splitlines()
        lines: list[str] = []
        if max(len(one), len(other)) <= COMPARED_LINES:
            lines = list(difflib.unified_diff(one, other, lineterm="", n=2))[2:]
            if lines and re.match("@@ -[01][ ,]", lines[0]):
                del lines[0]  # nothing is left out before the first line
        return cls(label, mine, theirs, tuple((line[0], line[1:]) for line in lines), is_long)


def differences_of(form: forms.ModelForm, names: Iterable[str]) -> tuple[Difference, ...]:
    """Every field of these that a save of the form would change in the stored row."""
    found = []
    for name in names:
        field = form.fields[name]
        # What can't be read is compared as it was typed.
        mine = form.cleaned_data[name] if name in form.cleaned_data else form[name].value()
        texts = text_of(field, mine), text_of(field, form.initial.get(name))
        if texts[0].rstrip("\n") != texts[1].rstrip("\n"):
            is_long = isinstance(field.widget, forms.Textarea)
            found.append(Difference.between(str(field.label), *texts, is_long=is_long))
    return tuple(found)


def text_of(field: forms.Field, value: Any) -> str:
    """A field's value as the author would read it."""
    if isinstance(field, LinesField):
        return field.prepare_value(value)
    if isinstance(field, forms.ModelMultipleChoiceField):
        return "\n".join(sorted(str(one) for one in value or ()))
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, datetime):
        return timezone.localtime(value).strftime("%Y-%m-%d %H:%M:%S")
    if isinstance(field, forms.ChoiceField) and not isinstance(field, forms.ModelChoiceField):
        value = dict(cast("Any", field.choices)).get(value, value)
    return "" if value is None else str(value)

"""Form fields that show a row's JSON as lines one can write: bylines, keys, macros, links."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from notesite.text import clean_line, clean_text


class TextField(forms.CharField):
    """Markdown: leading spaces are part of it, and a browser's line ends are no change."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**({"strip": False, "required": False} | options))

    def to_python(self, value: Any) -> str:
        return clean_text(super().to_python(value) or "")

    def has_changed(self, initial: Any, data: Any) -> bool:
        return clean_text(initial or "") != clean_text(data or "")


class LinesField(forms.CharField):
    """A JSON value written as one entry a line; errors name the line."""

    widget = forms.Textarea(attrs={"rows": 3})

    def __init__(self, **options: Any) -> None:
        super().__init__(**({"required": False} | options))

    def read_line(self, line: str) -> Any:
        raise NotImplementedError

    def write_entries(self, value: Any) -> list[str]:
        raise NotImplementedError

    def collect(self, entries: list[Any]) -> Any:
        return entries

    def prepare_value(self, value: Any) -> str:
        return value if isinstance(value, str) else "\n".join(self.write_entries(value or []))

    def to_python(self, value: Any) -> Any:
        entries = []
        for number, line in enumerate(str(value or "").splitlines(), start=1):
            if line := clean_line(line):
                try:
                    entries.append(self.read_line(line))
                except ValidationError as error:
                    message = _("Line %(number)d: %(reason)s")
                    raise ValidationError(
                        message % {"number": number, "reason": " ".join(error.messages)}
                    ) from error
        return self.collect(entries)

    def validate(self, value: Any) -> None:
        """Nothing is required; the model's own validators come later."""

    def has_changed(self, initial: Any, data: Any) -> bool:
        try:
            return self.to_python(data) != self.to_python(self.prepare_value(initial))
        except ValidationError:
            return True


class AuthorsField(LinesField):
    """``Ada Lovelace; https://ada.example; 0000-0002-1825-0097`` is one byline."""

    def read_line(self, line: str) -> dict[str, Any]:
        name, *rest = (part.strip() for part in line.split(";"))
        if not name:
            raise ValidationError(_("An author begins with a name."))
        author: dict[str, Any] = {"name": name}
        for part in filter(None, rest):
            if re.fullmatch(r"https?://\S+", part):
                author["url"] = part
            elif re.fullmatch(r"(\d{4}-){3}\d{3}[\dX]", part):
                author["orcid"] = part
            elif part == "organisation":
                author["organisation"] = True
            else:
                raise ValidationError(
                    _("“%(part)s” is neither an address, an ORCID nor the word organisation.")
                    % {"part": part}
                )
        return author

    def write_entries(self, value: Any) -> list[str]:
        return [
            "; ".join(
                [
                    author["name"],
                    *(author[key] for key in ("url", "orcid") if author.get(key)),
                    *(["organisation"] if author.get("organisation") else []),
                ]
            )
            for author in value
        ]


class KeysField(LinesField):
    """Reference keys, by line, comma or space."""

    def read_line(self, line: str) -> list[str]:
        return [key for key in re.split(r"[,;\s]+", line.replace("@", " ")) if key]

    def collect(self, entries: list[list[str]]) -> list[str]:
        return list(dict.fromkeys(key for keys in entries for key in keys))

    def write_entries(self, value: Any) -> list[str]:
        return [", ".join(value)] if value else []


class PairsField(LinesField):
    """``left = right`` a line."""

    pattern = re.compile(r"(?P<left>.+?)\s*=\s*(?P<right>.+)")
    form = gettext_lazy("write a name, =, and its value.")

    def read_line(self, line: str) -> tuple[str, Any]:
        match = self.pattern.fullmatch(line)
        if match is None:
            raise ValidationError(self.form)
        return match["left"], match["right"]

    def collect(self, entries: list[Any]) -> Any:
        return dict(entries)

    def write_entries(self, value: Any) -> list[str]:
        return [f"{left} = {right}" for left, right in dict(value).items()]


class MacrosField(PairsField):
    r"""``\R = \mathbb{R}`` a line."""

    pattern = re.compile(r"(?P<left>\\[A-Za-z]+)\s*=\s*(?P<right>.+)")
    form = gettext_lazy(r"write a macro as \R = \mathbb{R}.")


class SynonymsField(PairsField):
    """``evidence = Results, What we measured`` a line: more headings for a part."""

    pattern = re.compile(
        r"(?P<left>problem|mechanism|evidence|take-aways)\s*=\s*(?P<right>.+)", re.IGNORECASE
    )
    form = gettext_lazy("write a part (problem, mechanism, evidence, take-aways), = and headings.")

    def read_line(self, line: str) -> tuple[str, list[str]]:
        part, headings = super().read_line(line)
        return part.lower(), [h.strip() for h in headings.split(",") if h.strip()]

    def write_entries(self, value: Any) -> list[str]:
        return [f"{part} = {', '.join(headings)}" for part, headings in dict(value).items()]


class LinksField(PairsField):
    """``Code = https://code.example`` a line, kept as a list of name and address."""

    pattern = re.compile(r"(?P<left>.+?)\s*=\s*(?P<right>(https?://|mailto:)\S+)")
    form = gettext_lazy("write a name, = and an address: Code = https://code.example")

    def collect(self, entries: list[Any]) -> list[dict[str, str]]:
        return [{"name": name, "url": url} for name, url in entries]

    def write_entries(self, value: Any) -> list[str]:
        return [f"{link.get('name', '')} = {link.get('url', '')}" for link in value]

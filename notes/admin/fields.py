"""Form fields that show a row's JSON as lines one can write: bylines, keys, macros, links."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from notesite.text import clean_line, clean_text, validate_moment


class TextField(forms.CharField):
    """Markdown: leading spaces are part of it, and a browser's line ends are no change."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**({"strip": False, "required": False} | options))

    def to_python(self, value: Any) -> str:
        text = super().to_python(value) or ""
        if "\0" in text:
            line = text.count("\n", 0, text.index("\0")) + 1
            raise ValidationError(
                _(
                    "Line %(line)d held a NUL, a character that can't be stored. "
                    "It is taken out below; look there, and save again."
                ),
                params={"line": line},
            )
        return clean_text(text)

    def bound_data(self, data: Any, initial: Any) -> Any:
        """What comes back to the author, without what no page can show."""
        return data.replace("\0", "") if isinstance(data, str) else data

    def has_changed(self, initial: Any, data: Any) -> bool:
        return clean_text(initial or "") != clean_text(data or "")


class ColourField(forms.CharField):
    """A colour, which browsers give back in small letters."""

    widget = forms.TextInput(attrs={"type": "color"})
    stored = ""

    def to_python(self, value: Any) -> str:
        colour = super().to_python(value) or ""
        return self.stored if colour.lower() == self.stored.lower() else colour


class MomentField(forms.DateTimeField):
    """A time to the second, in the site's zone; one that nobody touched stays the one it is.

    Where clocks are put back an hour comes twice: as text the stored time couldn't be told.
    """

    widget = forms.DateTimeInput(
        attrs={"type": "datetime-local", "step": 1}, format="%Y-%m-%dT%H:%M:%S"
    )
    default_validators = [validate_moment]  # noqa: RUF012 - as Django declares it
    stored: datetime | None = None

    def to_python(self, value: Any) -> datetime | None:
        if self.stored is not None and isinstance(value, str):
            shown = timezone.localtime(self.stored).replace(microsecond=0, tzinfo=None)
            try:
                sent = parse_datetime(value.strip())
            except ValueError:
                sent = None
            if sent == shown:
                return self.stored
        return super().to_python(value)


def split_line(line: str, mark: str) -> list[str]:
    """The entries of a line between marks; one in quotation marks may hold the mark itself."""
    entry = rf'\s*(?:"(?P<quoted>(?:[^"]|"")*)"\s*|(?P<plain>[^{mark}]*))(?:{mark}|$)'
    return [
        (match["plain"] if match["quoted"] is None else match["quoted"].replace('""', '"')).strip()
        for match in re.finditer(entry, line)
        if match.start() < len(line)
    ]


def join_line(entries: list[str], mark: str) -> str:
    """A line that ``split_line`` reads as these entries."""
    return f"{mark} ".join(
        '"' + entry.replace('"', '""') + '"' if mark in entry or entry.startswith('"') else entry
        for entry in entries
    )


def _lines(value: Any) -> list[str]:
    return [line for one in str(value or "").splitlines() if (line := clean_line(one))]


class LinesField(forms.CharField):
    """A JSON value written as one entry a line; errors name the line.

    Lines that nobody touched give the stored value itself, whatever it holds besides.
    """

    widget = forms.Textarea(attrs={"rows": 3})
    stored: Any = None

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
        if self.stored and _lines(value) == _lines(self.prepare_value(self.stored)):
            return self.stored
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
    """``Ada Lovelace; https://ada.example; 0000-0002-1825-0097`` is one byline.

    A name with a semicolon stands in quotation marks: ``"Babbage; Sons"; organisation``.
    """

    def read_line(self, line: str) -> dict[str, Any]:
        name, *rest = split_line(line, ";")
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
            join_line(
                [
                    author["name"],
                    *(author[key] for key in ("url", "orcid") if author.get(key)),
                    *(["organisation"] if author.get("organisation") else []),
                ],
                ";",
            )
            for author in value
        ]


class KeysField(LinesField):
    """Reference keys, by line, comma or space; one that holds such a mark is quoted."""

    def read_line(self, line: str) -> list[str]:
        keys: list[str] = []
        for quoted, plain in re.findall(r'"((?:[^"]|"")+)"|([^,;\s]+)', line):
            keys += [quoted.replace('""', '"')] if quoted else plain.replace("@", " ").split()
        return keys

    def collect(self, entries: list[list[str]]) -> list[str]:
        return list(dict.fromkeys(key for keys in entries for key in keys))

    def write_entries(self, value: Any) -> list[str]:
        return [", ".join(map(self._quoted, value))] if value else []

    def _quoted(self, key: str) -> str:
        return '"' + key.replace('"', '""') + '"' if re.search(r'[,;\s@"]', key) else key


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

    pattern = re.compile(r"(?P<left>\\[A-Za-z]+)\s*=\s*(?P<right>.*)")
    form = gettext_lazy(r"write a macro as \R = \mathbb{R}.")


class SynonymsField(PairsField):
    """``evidence = Results, What we measured`` a line: more headings for a part.

    A heading with a comma stands in quotation marks: ``evidence = "Results, in short"``.
    """

    pattern = re.compile(
        r"(?P<left>problem|mechanism|evidence|take-aways)\s*=\s*(?P<right>.+)", re.IGNORECASE
    )
    form = gettext_lazy("write a part (problem, mechanism, evidence, take-aways), = and headings.")

    def read_line(self, line: str) -> tuple[str, list[str]]:
        part, headings = super().read_line(line)
        return part.lower(), [heading for heading in split_line(headings, ",") if heading]

    def collect(self, entries: list[Any]) -> Any:
        """Two lines for one part are one list."""
        collected: dict[str, list[str]] = {}
        for part, headings in entries:
            collected.setdefault(part, []).extend(headings)
        return collected

    def write_entries(self, value: Any) -> list[str]:
        return [f"{part} = {join_line(headings, ',')}" for part, headings in dict(value).items()]


class LinksField(PairsField):
    """``Code = https://code.example`` a line, kept as a list of name and address."""

    pattern = re.compile(r"(?P<left>.+?)\s*=\s*(?P<right>(https?://|mailto:)\S+)", re.IGNORECASE)
    form = gettext_lazy("write a name, = and an address: Code = https://code.example")

    def collect(self, entries: list[Any]) -> list[dict[str, str]]:
        return [{"name": name, "url": url} for name, url in entries]

    def write_entries(self, value: Any) -> list[str]:
        return [f"{link.get('name', '')} = {link.get('url', '')}" for link in value]

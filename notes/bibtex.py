"""BibTeX in and out: one broken entry costs only itself.

bibtexparser reads (its blocks fail one by one); what is stored is the canonical form written here,
so that ``references.bib`` goes out as it came in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

import bibtexparser
from bibtexparser.middlewares import LatexDecodingMiddleware
from bibtexparser.middlewares.names import split_multiple_persons_names
from bibtexparser.model import DuplicateBlockKeyBlock, DuplicateFieldKeyBlock, ParsingFailedBlock
from bibtexparser.model import Entry as ParsedEntry
from django.utils.translation import gettext as _

from notesite.text import clean_line, clean_text

_DECODER = LatexDecodingMiddleware(allow_inplace_modification=False)


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry: its type, key and fields in order, values as written between the outer braces."""

    entry_type: str
    key: str
    fields: tuple[tuple[str, str], ...]

    @property
    def bibtex(self) -> str:
        """The canonical form: one field a line, two spaces in, values in braces."""
        lines = [f"@{self.entry_type}{{{self.key},"]
        lines += [f"  {name} = {{{value}}}," for name, value in self.fields]
        return "\n".join([*lines, "}"]) + "\n"

    def get(self, *names: str) -> str:
        """The first of the named fields that is there, decoded from LaTeX, else nothing."""
        values = dict(self.fields)
        for name in names:
            if values.get(name):
                return decode(values[name])
        return ""

    @property
    def authors(self) -> list[str]:
        """Names as one reads them, given name first; a name in braces stays whole."""
        people = split_multiple_persons_names(self._raw("author") or self._raw("editor"))
        return [name for person in people if (name := _readable_name(person))]

    @property
    def url(self) -> str:
        """The address to follow: as given, else by DOI, else by arXiv number."""
        if url := self._raw("url"):
            return url
        if doi := self._raw("doi"):
            return f"https://doi.org/{doi}"
        eprint = self._raw("eprint")
        return f"https://arxiv.org/abs/{eprint}" if eprint else ""

    def _raw(self, name: str) -> str:
        return dict(self.fields).get(name, "")


@dataclass(frozen=True, slots=True)
class Failure:
    """What could not be read: its first line (from 1) and why."""

    line: int
    message: str


def parse(text: str) -> tuple[list[Entry], list[Failure]]:
    """Every entry that can be read, and every block that can't with its line and reason."""
    library = bibtexparser.parse_string(clean_text(text))
    entries, failures = [], []
    for block in library.blocks:
        line = (block.start_line or 0) + 1
        if isinstance(block, ParsedEntry):
            entry = Entry(
                block.entry_type.lower(),
                clean_line(block.key),
                tuple((field.key.lower(), clean_line(str(field.value))) for field in block.fields),
            )
            if reason := _cannot_be_written(entry):
                failures.append(Failure(line, reason))
            else:
                entries.append(entry)
    for block in library.failed_blocks:
        failures.append(Failure((block.start_line or 0) + 1, _reason_of(block)))
    return entries, sorted(failures, key=lambda failure: failure.line)


def write(entries: Iterable[str]) -> str:
    """A .bib file from canonical entries, a blank line between them."""
    return "\n".join(entries)


def decode(value: str) -> str:
    """LaTeX accents as letters, protecting braces dropped: ``M{\\"u}ller`` is ``Müller``."""
    block = ParsedEntry("misc", "key", [bibtexparser.model.Field("value", value)])
    decoded = _DECODER.transform_entry(block, bibtexparser.Library())
    text = decoded.fields_dict["value"].value if isinstance(decoded, ParsedEntry) else value
    return clean_line(re.sub(r"[{}]", "", text))


def _readable_name(person: str) -> str:
    person = person.strip()
    if person.startswith("{") and person.endswith("}"):
        return decode(person)
    last, comma, first = person.partition(",")
    return decode(f"{first.strip()} {last.strip()}" if comma else person)


def _reason_of(block: ParsingFailedBlock) -> str:
    """Why the parser gave up, in our words where the reason is a common one."""
    if isinstance(block, DuplicateBlockKeyBlock):
        return _("An entry above has the key “%(key)s”.") % {"key": clean_line(block.key)}
    if isinstance(block, DuplicateFieldKeyBlock):
        names = ", ".join(sorted(clean_line(name) for name in block.duplicate_keys))
        return _("A field stands twice in the entry: %(names)s.") % {"names": names}
    reason = clean_line(getattr(block.error, "abort_reason", "") or str(block.error))
    if reason.startswith(("Unexpectedly reached end", "Unexpected block start")):
        return _("The entry is never closed: a brace or a quotation mark is missing.")
    if reason.startswith("Expected comma after entry key"):
        return _("A comma is missing behind the key.")
    if reason.startswith(("Expected a `=`", "Expected equals sign")):
        return _("An equals sign is missing behind the name of a field.")
    return _("The entry can't be read: %(reason)s") % {"reason": reason}


def _cannot_be_written(entry: Entry) -> str:
    if not entry.key:
        return _("The entry has no key.")
    for name, value in entry.fields:
        depth = 0
        for character in re.sub(r"\\.", "", value):
            depth += {"{": 1, "}": -1}.get(character, 0)
            if depth < 0:
                break
        if depth:
            return _("The braces of the field “%(name)s” don't match.") % {"name": name}
    return ""

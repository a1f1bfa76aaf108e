"""A bibliography read: abbreviations resolved, parents' fields inherited, faults in our words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from notes.bibtex.entry import MONTHS, Entry
from notes.bibtex.scanning import Block, Broken, Piece, scan
from notesite.text import clean_line, clean_text, validate_key

LONGEST_KEY = 100
# Characters that abbreviations and crossrefs may add to one text: forty lines that each double the
# one above would fill any memory, and so would a long title that thousands of entries inherit.
MOST_REPEATED = 20_000_000
# What a part has from the whole that its crossref names, where it says nothing itself.
INHERITED = (
    "editor", "publisher", "address", "location", "year", "date", "month", "series", "volume",
    "organization", "institution", "journal", "journaltitle", "isbn", "issn",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Placed:
    """An entry with its first line, and the text that it was read from."""

    entry: Entry
    line: int
    raw: str


@dataclass(frozen=True, slots=True)
class Failure:
    """What could not be read: its first line (from 1), why, the cure, and where it shows."""

    line: int
    message: str
    cure: str = ""
    noticed: int = 0
    raw: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """All that a text holds; entries with the key of another one are among them."""

    entries: tuple[Placed, ...]
    failures: tuple[Failure, ...]
    strings: tuple[str, ...]  # the definitions as written, which broken entries may need


class _Room:
    """What is left for text that abbreviations and parents repeat."""

    def __init__(self) -> None:
        self.left = MOST_REPEATED

    def takes(self, characters: int) -> bool:
        """Whether so much still fits; if so, it is taken."""
        if characters > self.left:
            return False
        self.left -= characters
        return True


def parse(text: str) -> tuple[list[Entry], list[Failure]]:
    """Every entry that can be read, and every block that can't with its line and reason.

    Of entries that share a key the first is taken; the others are failures.
    """
    reading = read(text)
    entries: dict[str, Entry] = {}
    failures = list(reading.failures)
    for placed in reading.entries:
        key = placed.entry.key
        if key in entries:
            failures.append(
                Failure(
                    placed.line,
                    _("An entry above has the key “%(key)s”.") % {"key": key},
                    _("Give one of them another key, or take it out."),
                    raw=placed.raw,
                )
            )
        else:
            entries[key] = placed.entry
    return list(entries.values()), sorted(failures, key=lambda failure: failure.line)


def read(text: str) -> Reading:
    """Everything in a text: entries, failures by line, definitions of abbreviations."""
    strings: dict[str, str] = {}
    room = _Room()
    placed, failures, definitions = [], [], []
    for block in scan(clean_text(text)):
        if isinstance(block, Broken):
            noticed = block.noticed if block.noticed != block.line else 0
            failures.append(Failure(block.line, block.message, block.cure, noticed, block.raw))
        elif not room.takes(_written_out(block, strings)):
            failures.append(_too_much(block.line, block.raw))
        elif block.kind == "string":
            strings |= {name: _joined(name, pieces, strings) for name, pieces in block.fields}
            definitions.append(block.raw)
        else:
            found = _entry_of(block, strings)
            if isinstance(found, Entry):
                placed.append(Placed(found, block.line, block.raw))
            else:
                failures.append(found)
    parents = {one.entry.key.casefold(): one.entry for one in placed}
    entries = []
    for one in placed:
        added = _inherited(one.entry, parents)
        if room.takes(sum(len(value) for _name, value in added)):
            entry = Entry(one.entry.entry_type, one.entry.key, one.entry.fields + added)
            entries.append(Placed(entry, one.line, one.raw))
        else:
            failures.append(_too_much(one.line, one.raw))
    failures.sort(key=lambda failure: failure.line)
    return Reading(tuple(entries), tuple(failures), tuple(definitions))


def write(entries: Iterable[str]) -> str:
    """A .bib file from canonical entries, a blank line between them."""
    return "\n".join(entries)


def _entry_of(block: Block, strings: Mapping[str, str]) -> Entry | Failure:
    fields: dict[str, str] = {}
    for name, pieces in block.fields:
        value = _joined(name, pieces, strings)
        if fields.setdefault(name, value) != value:
            return Failure(
                block.line,
                _("A field stands twice in the entry: %(names)s.") % {"names": name},
                _("Keep one of the two."),
                raw=block.raw,
            )
    key = clean_line(block.key)
    if reason := _refused_key(key):
        usable = re.sub(r"""[\s{}()\[\],;=#%~\\"'@]+""", "", key)[:LONGEST_KEY]
        cure = _("Write “%(key)s”, for example.") % {"key": usable or "smith2026"}
        return Failure(block.line, reason, cure, raw=block.raw)
    return Entry(block.kind, key, tuple(fields.items()))


def _joined(name: str, pieces: Iterable[Piece], strings: Mapping[str, str]) -> str:
    """A value with its abbreviations written out; the names of months are kept."""
    texts = []
    for piece in pieces:
        word = piece.text.lower()
        if piece.is_word and word in strings:
            texts.append(strings[word])
        elif piece.is_word and name == "month" and word in MONTHS:
            texts.append(word)
        else:
            texts.append(piece.text)
    value = clean_line("".join(texts))
    # A space that was escaped is gone from the end; its backslash would escape the brace.
    trailing = len(value) - len(value.rstrip("\\"))
    return value[:-1].rstrip() if trailing % 2 else value


def _refused_key(key: str) -> str:
    try:
        validate_key(key)
    except ValidationError as error:
        return _("The key “%(key)s” can't be cited.") % {"key": key[:80]} + f" {error.messages[0]}"
    if len(key) > LONGEST_KEY:
        return _("The key is longer than %(most)d characters.") % {"most": LONGEST_KEY}
    return ""


def _written_out(block: Block, strings: Mapping[str, str]) -> int:
    """How many characters the abbreviations of a block stand for."""
    return sum(
        len(strings.get(piece.text.lower(), ""))
        for _name, pieces in block.fields
        for piece in pieces
        if piece.is_word
    )


def _too_much(line: int, raw: str) -> Failure:
    return Failure(
        line,
        _("Abbreviations and crossrefs make the text too long up to here."),
        _("Write out what is meant, or shorten it where it is defined."),
        raw=raw,
    )


def _inherited(entry: Entry, parents: Mapping[str, Entry]) -> tuple[tuple[str, str], ...]:
    """The fields that it has from its parent in the same text, if that is there."""
    own = dict(entry.fields)
    parent = parents.get(own.get("crossref", "").casefold())
    if parent is None or parent.key == entry.key:
        return ()
    theirs = dict(parent.fields)
    title = theirs.get("booktitle") or theirs.get("title")
    added = {"booktitle": title} if title and entry.entry_type.startswith("in") else {}
    added |= {name: theirs[name] for name in INHERITED if theirs.get(name)}
    return tuple((name, value) for name, value in added.items() if name not in own)

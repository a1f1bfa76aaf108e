"""BibTeX text as blocks, each with its line; what is broken ends where the next block begins.

Strict where silence would lose or change something: a missing comma, brace or key is a fault.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from django.utils.translation import gettext as _

_START = re.compile(r"@[ \t]*([^\W\d][\w-]*)\s*([{(])")
# Where one may count on a new block: at the start of a line. No value holds such a line, so that a
# brace that is missing costs one entry, and each character is looked at once.
_FRESH_START = re.compile(
    r"^[ \t]*@[ \t]*(?:(?:string|preamble|comment)\s*[{(]|[^\W\d][\w-]*\s*[{(][^\s,{}()=\"]*\s*,)",
    re.IGNORECASE | re.MULTILINE,
)
_BRACES = re.compile(r"\\.|[{}]", re.DOTALL)
_BRACES_AND_QUOTES = re.compile(r"\\.|[{}\"]", re.DOTALL)
_WORD = re.compile(r"[^\s\"#%'(),={}]+")
# Fields or braces behind the end of an entry: a brace too many has closed it before its time.
_GOES_ON = re.compile(r"\s*+(?:[})]|(?:,\s*+)?[\w-]++\s*+=)")
_KEY_END = re.compile(r"[,={}\"]|\Z")


@dataclass(frozen=True, slots=True)
class Block:
    """An entry or a @string: its fields in order, each value in the pieces that # joins."""

    kind: str
    key: str
    fields: tuple[tuple[str, tuple[Piece, ...]], ...]
    line: int
    raw: str


@dataclass(frozen=True, slots=True)
class Piece:
    """Part of a value: text, or a word that a @string may stand for."""

    text: str
    is_word: bool = False


@dataclass(frozen=True, slots=True)
class Broken:
    """A block that can't be read: its first line, where the fault shows, why, and the cure."""

    line: int
    noticed: int
    message: str
    cure: str
    raw: str


class _Fault(Exception):
    def __init__(self, position: int, message: str, cure: str) -> None:
        super().__init__(message)
        self.position, self.message, self.cure = position, message, cure


def has_more_than(most: int, text: str) -> bool:
    """Whether a text has more blocks than that; nothing is read for it."""
    return next(islice(_START.finditer(text), most, None), None) is not None


def scan(text: str) -> Iterator[Block | Broken]:
    """Every entry, @string and broken block, in order; the rest of BibTeX is comment."""
    starts = [found.start() for found in _FRESH_START.finditer(text)]
    newlines = [found.start() for found in re.finditer("\n", text)]

    def line_of(position: int) -> int:
        return bisect_right(newlines, position - 1) + 1

    position = 0
    while found := _START.search(text, position):
        index = bisect_right(starts, found.start())
        limit = starts[index] if index < len(starts) else len(text)
        block = _Block(text, found, limit)
        try:
            kind, key, fields = block.read()
            if kind != "comment" and _GOES_ON.match(text, block.position, limit):
                raise block.goes_on()
        except _Fault as fault:
            yield Broken(
                line_of(found.start()),
                line_of(min(fault.position, max(limit - 1, found.start()))),
                fault.message,
                fault.cure,
                text[found.start() : limit].rstrip(),
            )
            position = limit
            continue
        position = block.position
        if kind not in ("comment", "preamble"):
            raw = text[found.start() : position]
            yield Block(kind, key, tuple(fields), line_of(found.start()), raw)


class _Block:
    """One block between its ``@`` and ``limit``, read from left to right."""

    def __init__(self, text: str, start: re.Match[str], limit: int) -> None:
        self.text, self.limit = text, limit
        self.kind, self.opening = start[1].lower(), start[2]
        self.position = self.begin = start.end()
        self.closing = "}" if self.opening == "{" else ")"

    def read(self) -> tuple[str, str, list[tuple[str, tuple[Piece, ...]]]]:
        if self.kind in ("comment", "preamble"):
            self._skip()
            return self.kind, "", []
        key = "" if self.kind == "string" else self._key()
        fields = []
        while not self._at_end():
            name = self._name()
            fields.append((name, self._value(name)))
            self._space()
            if self._here() == ",":
                self.position += 1
            elif self._here() != self.closing:
                self._refuse_after(name)
        return self.kind, key, fields

    def goes_on(self) -> _Fault:
        return _Fault(
            self.position,
            _("The entry goes on behind the brace that closes it: there is a brace too many."),
            _("Close each brace that is opened, and no other."),
        )

    def _skip(self) -> None:
        """Past a comment; one that is never closed ends with its line, as BibTeX has it."""
        end = self._closed(self.begin)
        if end is None or self.opening == "(":
            end = self.text.find("\n", self.begin, self.limit)
            end = self.limit if end < 0 else end
        self.position = end

    def _key(self) -> str:
        close = self.text.find(")", self.begin, self.limit) if self.opening == "(" else -1
        found = _KEY_END.search(self.text, self.begin, self.limit)
        end = found.start() if found else self.limit
        if 0 <= close < end:
            end = close
        key, sign = self.text[self.begin : end].strip(), self.text[end : end + 1]
        if end >= self.limit:
            raise self._never_closed()
        if sign not in (",", self.closing):
            self.position = self.begin
            if len(key.split()) < 2:
                raise self._no_key()
            raise _Fault(
                end,
                _("A comma is missing behind the key."),
                _("Write it as in @misc{smith2026, title = {…}}."),
            )
        if not key:
            raise self._no_key()
        self.position = end + (sign == ",")
        return key

    def _no_key(self) -> _Fault:
        return _Fault(
            self.begin,
            _("The entry has no key."),
            _("Write one behind the brace, as in @misc{smith2026, title = {…}}."),
        )

    def _at_end(self) -> bool:
        """Whether the block ends here; it is then passed."""
        self._space()
        if self.position >= self.limit:
            raise self._never_closed()
        if self._here() != self.closing:
            return False
        self.position += 1
        return True

    def _name(self) -> str:
        found = _WORD.match(self.text, self.position, self.limit)
        if not found:
            raise _Fault(
                self.position,
                _("The name of a field is missing before “%(sign)s”.") % {"sign": self._here()},
                _("Write each field as name = {value}, with a comma behind it."),
            )
        if found[0].startswith("@"):
            raise self._never_closed()
        self.position = found.end()
        self._space()
        if self._here() != "=":
            raise _Fault(
                found.start(),
                _("An equals sign is missing behind the name of a field, “%(name)s”.")
                % {"name": found[0][:60]},
                _("Write each field as name = {value}, with a comma behind it."),
            )
        self.position += 1
        return found[0].lower()

    def _value(self, name: str) -> tuple[Piece, ...]:
        pieces = [self._piece(name)]
        self._space()
        while self._here() == "#":
            self.position += 1
            pieces.append(self._piece(name))
            self._space()
        return tuple(pieces)

    def _piece(self, name: str) -> Piece:
        self._space()
        begin = self.position + 1
        if self._here() == "{":
            end = self._closed(begin)
            if end is None:
                raise self._never_closed(name)
            self.position = end
            return Piece(self.text[begin : end - 1])
        if self._here() == '"':
            self.position = self._quoted(begin, name)
            return Piece(self.text[begin : self.position - 1])
        found = _WORD.match(self.text, self.position, self.limit)
        if not found or found[0].startswith("@"):
            raise _Fault(
                self.position,
                _("The field “%(name)s” has no value.") % {"name": name},
                _("Write a value in braces behind the equals sign, or take the field out."),
            )
        self.position = found.end()
        return Piece(found[0], is_word=not found[0].isdigit())

    def _closed(self, begin: int) -> int | None:
        """Behind the brace that closes the one before ``begin``."""
        depth = 1
        for found in _BRACES.finditer(self.text, begin, self.limit):
            depth += {"{": 1, "}": -1}.get(found[0], 0)
            if not depth:
                return found.end()
        return None

    def _quoted(self, begin: int, name: str) -> int:
        depth = 0
        for found in _BRACES_AND_QUOTES.finditer(self.text, begin, self.limit):
            if found[0] == '"' and depth == 0:
                return found.end()
            depth += {"{": 1, "}": -1}.get(found[0], 0)
            if depth < 0:
                raise _Fault(
                    found.start(),
                    _("The braces of the field “%(name)s” don't match.") % {"name": name},
                    _("Close each brace that is opened, and no other."),
                )
        raise self._never_closed(name)

    def _refuse_after(self, name: str) -> None:
        if self.position >= self.limit or self._here() == "@":
            raise self._never_closed()
        is_word = bool(_WORD.match(self.text, self.position))
        rest = re.split(r"[,}\n]", self.text[self.position : self.limit], maxsplit=1)[0]
        if is_word and "=" not in rest:
            raise _Fault(
                self.position,
                _("The value of “%(name)s” has several words, but no braces around them.")
                % {"name": name},
                _("Put the value in braces."),
            )
        if is_word or self._here() in '{"':
            raise _Fault(
                self.position,
                _("A comma is missing behind the field “%(name)s”.") % {"name": name},
                _("Write a comma between two fields."),
            )
        raise _Fault(
            self.position,
            _("“%(sign)s” has no place behind the field “%(name)s”.")
            % {"sign": self._here(), "name": name},
            _("Close each brace that is opened, and no other."),
        )

    def _never_closed(self, name: str = "") -> _Fault:
        message = _("The entry is never closed: a brace or a quotation mark is missing.")
        if name:
            message += " " + _("It was open in the field “%(name)s”.") % {"name": name}
        return _Fault(
            self.position if name else self.limit,
            message,
            _("Close each brace that is opened, and no other."),
        )

    def _space(self) -> None:
        while self.position < self.limit and self.text[self.position].isspace():
            self.position += 1

    def _here(self) -> str:
        return self.text[self.position] if self.position < self.limit else ""

"""Problems are data: what is wrong, where, and what the author can do about it."""

import re
from bisect import bisect_right

from notes.markdown import bounds
from notes.markdown.values import Problem
from notes.markdown.wording import gettext_noop

# code: (severity, message, cure). The messages are marked here and formatted by `Problems.add`.
CATALOGUE: dict[str, tuple[str, str, str]] = {
    "bad-formula": (
        "error",
        gettext_noop("The formula “%(source)s” cannot be typeset: %(reason)s"),
        gettext_noop("Correct the formula; readers see its source until then."),
    ),
    "unclosed-formula": (
        "error",
        gettext_noop("The formula that begins with “%(source)s” has no end."),
        gettext_noop(
            "Close it, and leave no blank line inside; readers see its source until then."
        ),
    ),
    "unknown-equation": (
        "error",
        gettext_noop("No equation is labelled “%(name)s”."),
        gettext_noop("Give the equation a \\label, or correct the reference."),
    ),
    "unknown-citation": (
        "error",
        gettext_noop("There is no reference “%(key)s”."),
        gettext_noop("Add the reference under this key, or correct the key."),
    ),
    "unknown-label": (
        "error",
        gettext_noop("Nothing is labelled “%(name)s”."),
        gettext_noop("Label the figure, table or heading with {#%(name)s}, or correct the name."),
    ),
    "repeated-label": (
        "warning",
        gettext_noop("The label “%(name)s” is given twice; references lead to the first."),
        gettext_noop("Give each its own label."),
    ),
    "unknown-figure": (
        "error",
        gettext_noop("There is no figure “%(name)s”."),
        gettext_noop("Upload it under this name, or correct the name."),
    ),
    "missing-alt": (
        "warning",
        gettext_noop("The image “%(name)s” has no alternative text."),
        gettext_noop("Say between the square brackets what the image shows."),
    ),
    "external-image": (
        "warning",
        gettext_noop("The image “%(address)s” is on another site and became a link."),
        gettext_noop("Upload the image and name it figures/…"),
    ),
    "missing-anatomy": (
        "notice",
        gettext_noop("The note has no part for: %(parts)s."),
        gettext_noop("Add second-level headings for these parts, or leave it as it is."),
    ),
    "heading-jump": (
        "warning",
        gettext_noop("The heading “%(text)s” is %(steps)s levels below the one before it."),
        gettext_noop("Use a heading one level below the one before."),
    ),
    "empty-heading": (
        "warning",
        gettext_noop("A heading has no text."),
        gettext_noop("Give it a text or take it out."),
    ),
    "dropped-link": (
        "warning",
        gettext_noop("The address “%(address)s” cannot be linked to; its text was kept."),
        gettext_noop("Use an address that begins with https://, mailto: or /."),
    ),
    "unsafe-html": (
        "warning",
        gettext_noop("The HTML “%(name)s” is not allowed; readers don't get it as HTML."),
        gettext_noop("Use Markdown, or HTML that only marks up text."),
    ),
    "frame": (
        "warning",
        gettext_noop("The frame of “%(address)s” became a link."),
        gettext_noop("Write a link to the address yourself, with a text that says what it is."),
    ),
    "repeated-footnote": (
        "warning",
        gettext_noop("The footnote “%(label)s” is given twice; readers see the first."),
        gettext_noop("Give each its own label, or take one out."),
    ),
    "unused-footnote": (
        "warning",
        gettext_noop("Nothing calls the footnote “%(label)s”; it is not shown."),
        gettext_noop("Call it with [^%(label)s], or take it out."),
    ),
    "unknown-anchor": (
        "error",
        gettext_noop("Nothing in this note has the anchor “#%(anchor)s”."),
        gettext_noop("Take the anchor of a heading from the contents, or correct it."),
    ),
    "unknown-note": (
        "error",
        gettext_noop("“%(written)s” names no note of this site."),
        gettext_noop("Correct the name, or write the note; a draft will do."),
    ),
    "unknown-note-anchor": (
        "error",
        gettext_noop("The note “%(slug)s” has no anchor “#%(anchor)s”."),
        gettext_noop("Take the anchor of a heading from that note's contents, or correct it."),
    ),
    "empty-link": (
        "warning",
        gettext_noop("The link to “%(address)s” has no text."),
        gettext_noop("Say between the square brackets where it leads, or take it out."),
    ),
    "vague-link": (
        "warning",
        gettext_noop("The link text “%(text)s” doesn't say where it leads."),
        gettext_noop("Use the title or subject of what is behind it."),
    ),
    "repeated-word": (
        "warning",
        gettext_noop("“%(word)s” stands here twice."),
        gettext_noop("Take one out, if it isn't meant."),
    ),
    "unfinished": (
        "warning",
        gettext_noop("“%(word)s” marks unfinished text."),
        gettext_noop("Write what is missing, or take the mark out."),
    ),
    "headless-table": (
        "warning",
        gettext_noop("The table has no head."),
        gettext_noop("Name its columns in the first row (<th> in HTML)."),
    ),
    "take-away-no-sentence": (
        "warning",
        gettext_noop("The take-away “%(text)s” is no sentence."),
        gettext_noop("Say it in one whole sentence: it is also read by itself."),
    ),
    "take-away-too-long": (
        "warning",
        gettext_noop("The take-away “%(text)s” has %(words)s words (at most %(limit)s)."),
        gettext_noop("Say the one thing to keep, and leave the rest to the text."),
    ),
    "past-bound": (
        "error",
        gettext_noop("%(what)s (at most %(limit)s); the rest is shown as plain text."),
        gettext_noop("Split it, or make it smaller."),
    ),
}

# What stands at a problem's place in the source, where the stage knows its block's line alone.
STANDS_AT = {
    "bad-formula": "%(source)s",
    "dropped-link": "%(address)s",
    "external-image": "%(address)s",
    "frame": "%(address)s",
    "missing-alt": "%(name)s",
    "repeated-footnote": "[^%(label)s]",
    "repeated-label": "%(name)s",
    "unknown-citation": "@%(key)s",
    "unknown-equation": "%(name)s",
    "unknown-figure": "%(name)s",
    "unknown-label": "@%(name)s",
    "unsafe-html": "%(name)s",
    "unused-footnote": "[^%(label)s]",
}
LINES_LOOKED_THROUGH = 100
SHOWN_CHARACTERS = 80


def shortened(text: str) -> str:
    """One line of at most eighty characters, for a message."""
    line = " ".join(text.split())
    return line if len(line) <= SHOWN_CHARACTERS else line[: SHOWN_CHARACTERS - 1] + "…"


class Problems:
    """The problems of one render, each said once and bounded in number."""

    def __init__(self, source: str = "") -> None:
        self._found: dict[Problem, None] = {}
        self._source = source
        self._starts: list[int] = []  # of the source's lines; made when first asked for

    @property
    def full(self) -> bool:
        """Whether more would be left out."""
        return len(self._found) >= bounds.PROBLEMS

    def add(self, code: str, line: int, column: int = 1, **words: object) -> None:
        """Note a problem of the catalogue at a line of the source (1 is the first)."""
        if self.full:
            return
        severity, message, cure = CATALOGUE[code]
        if column == 1 and code in STANDS_AT:
            line, column = self._place_of(STANDS_AT[code] % words, line)
        shown = {
            name: shortened(word) if isinstance(word, str) else word for name, word in words.items()
        }
        problem = Problem(code, severity, line, column, message % shown, cure % shown)
        self._found.setdefault(problem)

    def _place_of(self, words: str, line: int) -> tuple[int, int]:
        """Line and column of the first of these words from ``line`` on; its beginning if none."""
        if not self._starts:
            ends = (match.end() for match in re.finditer("\n", self._source))
            self._starts = [0, *ends, len(self._source)]
        starts = self._starts
        if not 0 < line < len(starts):
            return line, 1
        last = min(line - 1 + LINES_LOOKED_THROUGH, len(starts) - 1)
        place = self._source.find(words, starts[line - 1], starts[last]) if words else -1
        if place < 0:
            return line, 1
        found = bisect_right(starts, place, hi=len(starts) - 1)
        return found, place - starts[found - 1] + 1

    def sorted(self) -> tuple[Problem, ...]:
        """In the order of the source."""
        return tuple(sorted(self._found, key=lambda problem: (problem.line, problem.column)))

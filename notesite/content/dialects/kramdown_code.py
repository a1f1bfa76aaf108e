"""``{% highlight %}`` as a fence that is closed where it stands, whatever stands around it.

A fence must begin and end on lines of its own, within the same list items and quotes, or it takes
the rest of the post along. Where even that doesn't hold (inside an HTML element, in a table) the
code becomes one line of HTML, which can't.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from notes.markdown import Inputs
from notes.markdown.parser import parse
from notes.markdown.work import Work
from notesite.content.dialects.kramdown_tables import with_table_headers

# What may stand before a block on its line: quotes, list items, definitions.
MARKERS = r"[ \t>]*(?:(?:[*+:-]|\d{1,9}[.)])[ \t]+)*+"
_MARKERS = re.compile(MARKERS)
_RAW = re.compile(r"\{%-?\s*(?:end)?raw\s*-?%\}")  # Liquid takes them out of the code too
_LANGUAGE = re.compile(r"[A-Za-z0-9][A-Za-z0-9+#._-]*")
_ROUNDS = 5


@dataclass(frozen=True, slots=True)
class Block:
    """A code block in a post: its lines, what it becomes, what else it could, its line there."""

    code: tuple[str, ...]
    fence: str
    plain: str
    line: int


class Fences:
    """Makes the fences of one body; ``start`` and ``end`` are places in its text, ascending."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.read = 0
        self.items: list[int] = []  # the columns at which the text of open list items begins

    def block(self, start: int, end: int, body: str, arguments: str, line: int) -> Block:
        """The block between two tags, which stand from ``start`` to ``end``."""
        line_start = self.text.rfind("\n", 0, start) + 1
        before = self.text[line_start:start]
        line_end = self.text.find("\n", end)
        after = self.text[end : line_end if line_end >= 0 else None]
        self._follow(self.text[self.read : line_start])
        self.read = end
        opening = _MARKERS.match(before)
        markers = opening[0] if opening else ""
        within = self._within(markers)
        code = _without(_RAW.sub("", body), within)
        if before.lstrip().startswith("|"):  # a row of a table, which has no room for lines
            return Block(code, _plain(code), _plain(code), line)
        named = _LANGUAGE.match(arguments.strip())
        ticks = "`" * max([3, *(len(run) + 1 for run in re.findall("`+", body))])
        lines = [f"{ticks}{named[0] if named else ''}", *code, ticks]
        fence = "\n".join(within + one if one.strip() else within.rstrip() for one in lines)
        begins_line = before == markers and (_has_item(markers) or before == within)
        if begins_line and not self._is_below_html(line_start):
            fence = fence[len(within) :]
        else:
            fence = f"\n{fence}"
        return Block(code, f"{fence}\n{within}" if after.strip() else fence, _plain(code), line)

    def _is_below_html(self, line_start: int) -> bool:
        """Whether an element stands on the line above, which only a blank line would end."""
        above = self.text[self.text.rfind("\n", 0, max(0, line_start - 1)) + 1 : line_start]
        return above.lstrip().startswith("<")

    def _follow(self, text: str) -> None:
        """Know the list items that are open at the end of these lines."""
        for line in text.split("\n"):
            if line.strip():
                self._open_items(line)

    def _open_items(self, line: str) -> None:
        opening = _MARKERS.match(line)
        markers = opening[0].expandtabs(4) if opening else ""
        indent = len(markers) - len(markers.lstrip())
        self.items = [column for column in self.items if column <= indent]
        if _has_item(markers):
            self.items.append(len(markers))

    def _within(self, markers: str) -> str:
        """What stands before each further line of a block behind these markers."""
        spread = markers.expandtabs(4)
        if _has_item(markers):
            self._open_items(markers)
            return re.sub(r"[^\s>]", " ", spread)
        if ">" in spread:
            return spread
        # Four spaces more than the list item has would be code as they stand.
        column = max((one for one in self.items if one <= len(spread)), default=0)
        return spread if len(spread) - column < 4 else " " * column


def _has_item(markers: str) -> bool:
    return bool(markers.strip(" \t>"))


def _without(body: str, within: str) -> tuple[str, ...]:
    """The lines of code without what stands before each, if it stands before all of them."""
    lines = body.strip("\n").split("\n")
    if all(line.startswith(within) or line.strip() in ("", within.strip()) for line in lines):
        lines = [line[len(within) :] for line in lines]
    while lines and not lines[-1].strip():
        lines.pop()
    while lines and not lines[0].strip():
        lines.pop(0)
    return tuple(lines)


def _plain(code: tuple[str, ...]) -> str:
    """The code in one line of HTML, in which no character means anything to Markdown."""
    text = "\n".join(code)
    return f"<pre><code>{re.sub(r'[^\w ]', lambda one: f'&#{ord(one[0])};', text)}</code></pre>"


def settled(parts: list[str], blocks: dict[int, Block]) -> Iterator[Block]:
    """Put in plain what is no code block where it stands; ``blocks`` are at these parts."""
    for number in range(_ROUNDS):
        lost = _not_carried(with_table_headers("".join(parts)), blocks)
        if number == _ROUNDS - 1 and lost:
            lost = list(blocks)
        for place in lost:
            block = blocks.pop(place)
            parts[place] = block.plain
            yield block
        if not lost:
            return


def _not_carried(text: str, blocks: dict[int, Block]) -> list[int]:
    """The blocks whose code is no fence's when our own parser reads the text."""
    if not blocks:
        return []
    work = Work.begin(text, Inputs())
    parse(work)
    fences = Counter(
        _compared(token.content.split("\n")) for token in work.tokens if token.type == "fence"
    )
    lost = []
    for place, block in blocks.items():
        wanted = _compared(block.code)
        if fences[wanted] > 0:
            fences[wanted] -= 1
        else:
            lost.append(place)
    return lost


def _compared(lines: Iterable[str]) -> str:
    return "\n".join(line.rstrip() for line in lines).strip("\n")

"""Two states of a text, compared block by block and then word by word.

Blocks are what blank lines part. Of long unchanged stretches only the ends beside a change are
kept. Texts past the bounds are compared more coarsely: what differs is then shown whole.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

MOST_BLOCKS = 2_000
MOST_WORDS = 2_000  # of one block; comparing takes time that grows with their square
_BLANK = re.compile(r"\n(?:[ \t]*\n)+")
_WORD = re.compile(r"\s+|\w+|[^\w\s]")

type Kind = Literal["same", "added", "removed", "changed", "skipped"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of words that both texts have, or only the newer, or only the older."""

    kind: Kind
    text: str


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph or what stands like one; ``skipped`` stands for unchanged ones left out."""

    kind: Kind
    pieces: tuple[Piece, ...] = ()


def compare(older: str, newer: str) -> list[Block]:
    """What became of ``older``; empty where nothing did."""
    one, other = blocks_of(older), blocks_of(newer)
    if one == other:
        return []
    found: list[Block] = []
    for change, start, end, new_start, new_end in _changes(one, other):
        if change == "equal":
            found += _context(one[start:end], is_first=start == 0, is_last=end == len(one))
        else:
            found += _compared(one[start:end], other[new_start:new_end])
    return found


def blocks_of(text: str) -> list[str]:
    return [block for block in _BLANK.split(text.strip("\n")) if block.strip()]


def _changes(one: list[str], other: list[str]) -> Iterator[tuple[str, int, int, int, int]]:
    if max(len(one), len(other)) > MOST_BLOCKS:
        yield "replace", 0, len(one), 0, len(other)
    else:
        yield from difflib.SequenceMatcher(None, one, other, autojunk=False).get_opcodes()


def _context(blocks: list[str], *, is_first: bool, is_last: bool) -> list[Block]:
    """One block beside each change."""
    before = [] if is_first else blocks[:1]
    after = [] if is_last else blocks[max(len(before), len(blocks) - 1) :]
    skipped = len(blocks) - len(before) - len(after)
    return [
        *[Block("same", (Piece("same", block),)) for block in before],
        *([Block("skipped")] if skipped else []),
        *[Block("same", (Piece("same", block),)) for block in after],
    ]


def _compared(one: list[str], other: list[str]) -> Iterator[Block]:
    """Blocks in the place of others: word by word where they are one reworded."""
    pairs = min(len(one), len(other))
    for old, new in zip(one[:pairs], other[:pairs], strict=True):
        yield from _reworded(old, new)
    for old in one[pairs:]:
        yield Block("removed", (Piece("removed", old),))
    for new in other[pairs:]:
        yield Block("added", (Piece("added", new),))


def _reworded(old: str, new: str) -> Iterator[Block]:
    words, new_words = _WORD.findall(old), _WORD.findall(new)
    matcher = difflib.SequenceMatcher(None, words, new_words, autojunk=False)
    if max(len(words), len(new_words)) > MOST_WORDS or matcher.ratio() < 0.4:
        yield Block("removed", (Piece("removed", old),))
        yield Block("added", (Piece("added", new),))
        return
    pieces = []
    for change, start, end, new_start, new_end in matcher.get_opcodes():
        if change == "equal":
            pieces.append(Piece("same", "".join(words[start:end])))
            continue
        if start < end:
            pieces.append(Piece("removed", "".join(words[start:end])))
        if new_start < new_end:
            pieces.append(Piece("added", "".join(new_words[new_start:new_end])))
    yield Block("changed", tuple(pieces))

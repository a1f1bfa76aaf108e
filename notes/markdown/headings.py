"""Headings: a level, a text, an anchor that stays when the heading is reworded.

Anchors are `s-` and the text's letters and digits of any script: `## Bayes' rule` → `s-bayes-rule`,
a second one `s-bayes-rule-2`, one without any `s-section-3` (the third heading). Each new anchor
costs the same however many equal headings came before.

The page has the note's title as its only first-level heading. A `#` in the source stays `<h1>`, as
CommonMark has it, but says `aria-level="2"` and counts as second level everywhere.
"""

import re
import unicodedata
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence

from markdown_it.token import Token

from notes.markdown import bounds
from notes.markdown.anatomy import folded, wordings
from notes.markdown.values import Heading
from notes.markdown.work import Work, line_of_block, plain_text

ANCHOR = re.compile(r"s-[\w-]{1,120}")


def number(work: Work) -> None:
    """Give every heading its anchor, and note the contents."""
    found = [
        (token, " ".join(plain_text(work, inline.children or []).split()))
        for token, inline in heading_tokens(work.tokens)
    ]
    wanted = [str(token.attrs.pop("id", "")) for token, _ in found]
    anchors = anchors_for([text for _, text in found], work.inputs.anchors, wanted)
    parts = wordings(work.inputs.synonyms)
    taken_parts: set[str] = set()
    level_before = 1
    for (token, text), anchor in zip(found, anchors, strict=True):
        level = max(2, int(token.tag[1]))
        line = line_of_block(token)
        if not text:
            work.problems.add("empty-heading", line)
        if level > level_before + 1:
            work.problems.add("heading-jump", line, text=text, steps=level - level_before)
        level_before = level
        part = parts.get(folded(text), "") if level == 2 else ""
        if part in taken_parts:
            part = ""
        taken_parts.add(part)
        token.attrSet("id", work.marker + anchor)
        work.headings.append(Heading(level, anchor, text, part))


def heading_tokens(tokens: list[Token]) -> Iterator[tuple[Token, Token]]:
    """Each heading's opening token with its inline token."""
    for index, token in enumerate(tokens):
        if token.type == "heading_open":
            yield token, tokens[index + 1]


def anchors_for(
    texts: list[str], before: Iterable[tuple[str, str]], wanted: Sequence[str] = ()
) -> list[str]:
    """Anchors in order: those the author gives (`{#setup}`), then kept ones, then new.

    Kept by text first, then by order among those left.
    """
    kept = [""] * len(texts)
    taken: set[str] = set()
    for index, identifier in enumerate(wanted):
        anchor = f"s-{re.sub(r'[^\w-]+', '-', identifier)}"
        if identifier and ANCHOR.fullmatch(anchor) and anchor not in taken:
            kept[index] = anchor
            taken.add(anchor)
    by_text: dict[str, deque[str]] = defaultdict(deque)
    in_order: dict[str, None] = {}
    for text, anchor in before:
        if ANCHOR.fullmatch(anchor) and anchor not in in_order and anchor not in taken:
            by_text[text].append(anchor)
            in_order[anchor] = None
    for index, text in enumerate(texts):
        if not kept[index] and by_text.get(text):
            kept[index] = by_text[text].popleft()
            taken.add(kept[index])
    left = deque(anchor for anchor in in_order if anchor not in taken)
    for index, anchor in enumerate(kept):
        if not anchor and left:
            kept[index] = left.popleft()
            taken.add(kept[index])
    next_number: dict[str, int] = {}
    for index, anchor in enumerate(kept):
        if not anchor:
            kept[index] = new_anchor(texts[index], index + 1, taken, next_number)
    return kept


def new_anchor(text: str, position: int, taken: set[str], next_number: dict[str, int]) -> str:
    """The text's own anchor, with a number where it is taken."""
    words = slug(text)
    base = f"s-{words}" if words else f"s-section-{position}"
    anchor, count = base, next_number.get(base, 2)
    while anchor in taken:
        anchor = f"{base}-{count}"
        count += 1
    next_number[base] = count
    taken.add(anchor)
    return anchor


def slug(text: str) -> str:
    """`The ε-greedy rule` → `the-ε-greedy-rule`."""
    folded = unicodedata.normalize("NFC", text).lower()
    folded = re.sub(r"['’]", "", folded)
    words = "".join(
        character if character.isalnum() or unicodedata.category(character)[0] == "M" else "-"
        for character in folded
    )
    return re.sub(r"-+", "-", words)[: bounds.ANCHOR_CHARACTERS].strip("-")

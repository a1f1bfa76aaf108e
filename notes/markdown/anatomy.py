"""The four parts of a note, recognised by the wording of headings, and its take-aways."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from notes.markdown import bounds
from notes.markdown.values import PARTS
from notes.markdown.wording import gettext_noop
from notes.markdown.work import Work

NAMES = {
    "problem": gettext_noop("the problem"),
    "mechanism": gettext_noop("the mechanism"),
    "evidence": gettext_noop("the evidence"),
    "take-aways": gettext_noop("what to take away"),
}


def wordings(synonyms: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """The part that each wording names; where two parts share one, the first in their order."""
    found = {
        folded(synonym): part for part in reversed(PARTS) for synonym in synonyms.get(part, ())
    }
    found.pop("", None)
    return found


def folded(text: str) -> str:
    """Case, quotes, spacing and closing punctuation make no difference."""
    return re.sub(r"\s+", " ", text.replace("’", "'")).strip().rstrip(":.!?…").casefold()


def check(work: Work) -> None:
    """One notice for the missing parts, if the note has any of the four."""
    present = {heading.part for heading in work.headings if heading.part}
    missing = [NAMES[part] for part in PARTS if part not in present]
    if present and missing and not work.inputs.is_short:
        work.problems.add("missing-anatomy", 1, parts=", ".join(missing))


@dataclass(slots=True)
class Region:
    """The tokens of the take-aways part: from after its heading up to the next of its level."""

    start: int
    end: int


def mark_take_aways(work: Work) -> None:
    """Give each take-away its anchor: the items of the outermost lists, or else the paragraphs."""
    region = take_aways_region(work)
    if region is None:
        return
    tokens = work.tokens[region.start : region.end]
    level = min((token.level for token in tokens), default=0)
    items = [one for one in tokens if one.type == "list_item_open" and one.level == level + 1]
    if not items:
        items = [one for one in tokens if one.type == "paragraph_open" and one.level == level]
    for count, token in enumerate(items[: bounds.TAKE_AWAYS], start=1):
        token.attrSet("id", f"{work.marker}t-{count}")


def take_aways_region(work: Work) -> Region | None:
    """Where the part stands among the tokens, if the note has it."""
    headings = iter(work.headings)
    start: int | None = None
    for index, token in enumerate(work.tokens):
        if token.type in ("footnotes_open", "references_open") and start is not None:
            return Region(start, index)
        if token.type != "heading_open":
            continue
        heading = next(headings)
        if start is not None and heading.level == 2:
            return Region(start, index)
        if heading.part == "take-aways":
            start = index + 3
    return Region(start, len(work.tokens)) if start is not None else None

"""Attribute lists, `{.class #id width=50%}`: after a link, image, code or emphasis in a line, at
the end of a heading or paragraph, or alone on a line before a block.

Classes are those of a list, a figure's width is one of five steps; everything else is ignored, so
that texts from elsewhere lose their braces and nothing more. Labels such as `{#fig:x}` stay for
the stage that knows them.
"""

import re
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from notes.markdown.elements import AUTHORS_CLASSES

ITEM = (
    r"(?:\.[A-Za-z][\w-]*|\#[\w][\w:.-]*"
    r"""|[A-Za-z][\w:-]*=(?:"[^"{}\n]*"|'[^'{}\n]*'|[^\s"'{}]+))"""
)
LIST = rf"\{{:?[ \t]*{ITEM}(?:[ \t]+{ITEM}){{0,20}}[ \t]*\}}"
HERE = re.compile(LIST)
AT_END = re.compile(rf"(?:^|[ \t]+|\n)({LIST})[ \t]*$")
IMAGE_BEFORE = re.compile(r"!\[.*\)", re.DOTALL)
AT_START = re.compile(rf"({LIST})[ \t]*(?:\n|$)")
PIECE = re.compile(ITEM)
LABEL = re.compile(r"(?:fig|tbl|sec|eq):")
# Blocks that a list on the line before them is meant for, by their opening token.
BLOCKS = frozenset(
    {
        "blockquote_open",
        "bullet_list_open",
        "dl_open",
        "heading_open",
        "ordered_list_open",
        "paragraph_open",
        "table_open",
    }
)
CLOSES = frozenset(
    {
        "em_close",
        "link_close",
        "mark_close",
        "s_close",
        "strong_close",
        "sub_close",
        "sup_close",
    }
)
LONGEST = 400  # characters of a list at a text's end
STEPS = (25, 33, 50, 67, 75)
COLUMN = 700  # pixels of the text's column, about: what `width=350` is half of


@dataclass(frozen=True, slots=True)
class Attributes:
    """What an attribute list says that we listen to; `label` is another stage's."""

    classes: tuple[str, ...] = ()
    identifier: str = ""
    label: str = ""
    width: int = 0
    is_plain: bool = False  # neither a class nor an id: text at the end of a paragraph may be that

    def rest(self, before: str = "") -> str:
        """What stays in the text, for the stage that knows labels."""
        return f"{before}{{{self.label}}}" if self.label else ""

    def put(self, token: Token) -> None:
        """Write class and id to an element."""
        if self.classes:
            token.attrs["class"] = " ".join(self.classes)
        if self.identifier:
            token.attrs["id"] = self.identifier


def read(text: str) -> Attributes:
    """`{.wide #x width=50%}`."""
    classes: list[str] = []
    identifier = label = ""
    width = 0
    items = PIECE.findall(text.lstrip("{:"))
    for item in items:
        if item.startswith("."):
            classes += [item[1:]] if item[1:] in AUTHORS_CLASSES else []
        elif item.startswith("#"):
            identifier, label = (identifier, item) if LABEL.match(item[1:]) else (item[1:], label)
        elif item.startswith("width="):
            width = step_of(item.removeprefix("width=").strip("\"'"))
    is_plain = not any(item[0] in ".#" for item in items)
    return Attributes(tuple(dict.fromkeys(classes)), identifier, label, width, is_plain)


def step_of(width: str) -> int:
    """The nearest step of a width in per cent or pixels; 0 for the whole width and nonsense."""
    match = re.fullmatch(r"(\d{1,4})(?:\.\d+)?(%|px|)", width)
    if match is None:
        return 0
    percent = int(match[1]) if match[2] == "%" else int(match[1]) * 100 // COLUMN
    return 0 if percent >= 88 or percent == 0 else min(STEPS, key=lambda one: abs(one - percent))


def extend(markdown: MarkdownIt) -> None:
    """Blocks before their inline text is read, the rest right after."""
    markdown.core.ruler.after("block", "block_attributes", take_from_blocks)
    markdown.core.ruler.after("inline", "inline_attributes", take_from_lines)


def take_from_blocks(state: StateCore) -> None:
    """Lists at the end of headings and paragraphs, and those alone before a block."""
    kept: list[Token] = []
    waiting: Attributes | None = None
    skip_until = -1
    for index, token in enumerate(state.tokens):
        if index <= skip_until:
            continue
        if token.type == "paragraph_open" and (found := alone(state.tokens, index)):
            waiting, skip_until = found, index + 2
            continue
        if token.type in BLOCKS:
            if waiting is not None:
                waiting.put(token)
            waiting = None
            if token.type in ("paragraph_open", "heading_open"):
                # The paragraph of a tight list's item is not written: its list is the item's.
                takes = kept[-1] if token.hidden and kept else token
                take_from_text(takes, state.tokens[index + 1])
        kept.append(token)
    state.tokens = kept


def alone(tokens: list[Token], index: int) -> Attributes | None:
    """The list that is all of a paragraph and stands before a block that takes it."""
    text = tokens[index + 1].content
    if not text.startswith("{") or not (match := HERE.fullmatch(text.strip())):
        return None
    if index + 3 >= len(tokens) or tokens[index + 3].type not in BLOCKS:
        return None
    found = read(match[0])
    return None if found.is_plain or found.label else found


def take_from_text(takes: Token, inline: Token) -> None:
    """A list at the end of a block's text, or on its first line, is the block's."""
    text = inline.content
    if "{" not in text:
        return
    end = text[-LONGEST:]
    if match := AT_END.search(end):
        start = len(text) - len(end) + match.start()
        found = read(match[1])
        if IMAGE_BEFORE.fullmatch(text, 0, start):
            inline.content = text[:start] + match[1]  # a figure's own, which stays with it
        elif not found.is_plain and (start or takes.type == "heading_open"):
            found.put(takes)
            inline.content = text = text[:start] + found.rest(" ")
    if match := AT_START.match(text):
        found = read(match[1])
        if not found.is_plain and not found.label and match.end() < len(text):
            found.put(takes)
            inline.content = text[match.end() :]
            if inline.map:
                inline.map = [inline.map[0] + 1, inline.map[1]]


def take_from_lines(state: StateCore) -> None:
    """Lists right behind something in a line."""
    for token in state.tokens:
        if token.type == "inline" and token.children and "{" in token.content:
            token.children = without_lists(token.children)


def without_lists(tokens: list[Token]) -> list[Token]:
    """The tokens of a line, each list taken out and given to what stands before it."""
    kept: list[Token] = []
    for token in tokens:
        if token.type == "text" and (match := HERE.match(token.content)):
            takes = taker(kept)
            if takes is not None:
                found = read(match[0])
                if takes.type == "image":
                    takes.meta["attributes"] = found
                else:
                    found.put(takes)
                token.content = found.rest() + token.content[match.end() :]
                if not token.content:
                    continue
        kept.append(token)
    return kept


def taker(before: list[Token]) -> Token | None:
    """The element that ends right before: an image, code, or what a closing token closes."""
    last = before[-1] if before else None
    if last is None or last.type in ("image", "code_inline"):
        return last
    if last.type not in CLOSES:
        return None
    opening = last.type.replace("_close", "_open")
    return next(
        (one for one in reversed(before) if one.type == opening and one.level == last.level), None
    )

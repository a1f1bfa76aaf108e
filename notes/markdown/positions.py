"""Where inline tokens stand in the source: the parser keeps lines of blocks, and no columns.

Right after parsing, the text of a token is still the text of the source, so that each is found from
where the one before it ended. Only blocks with a problem are looked at.
"""

import re
from collections.abc import Iterator

from markdown_it.token import Token

from notes.markdown.work import Work, line_of_block

# What follows the text of a link or an image: its address and title, or its label.
TARGET = re.compile(
    r"""\]\(\s*(?:<[^<>\n]*>|[^\s()]*(?:\([^\s()]*\)[^\s()]*)*)"""
    r"""(?:\s+(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\((?:\\.|[^()\\])*\)))?\s*\)"""
    r"""|\]\[[^\]]*\]|\]"""
)
GIVEN_UP_AFTER = 30  # searches in vain; each may read the whole block


def in_order(tokens: list[Token]) -> Iterator[Token]:
    """Inline tokens as they stand in the text, those in images and notes inside them."""
    pending = list(reversed(tokens))
    while pending:
        token = pending.pop()
        yield token
        pending.extend(reversed(token.children or ()))


class Positions:
    """The place of each inline token in its block's text."""

    def __init__(self, block: Token) -> None:
        self.text = block.content
        self.cursor = self.failures = 0
        self.found: dict[int, int] = {}
        self.walk(block.children or [])

    def of(self, token: Token) -> int:
        """Where a token begins; the last place known if it was not found."""
        return self.found.get(id(token), 0)

    def walk(self, tokens: list[Token]) -> None:
        """Find one after the other."""
        for token in tokens:
            begin, end = self.begin_of(token), ""
            self.advance(token, begin)
            if token.type == "footnote_call" and token.children:
                self.walk(token.children)
                end = "]"
            elif token.type == "image":
                self.walk(token.children or [])
            elif token.type == "code_inline":
                end = token.markup
            if token.type == "image" or (token.type == "link_close" and not token.markup):
                match = TARGET.search(self.text, self.cursor)
                self.cursor = match.end() if match else self.cursor
            elif end and (place := self.text.find(end, self.cursor)) >= 0:
                self.cursor = place + len(end)

    def advance(self, token: Token, begin: str) -> None:
        """Note where a token begins, and go on behind its beginning."""
        place = self.cursor
        if begin and self.failures < GIVEN_UP_AFTER:
            place = self.text.find(begin, self.cursor)
            if place < 0:
                self.failures += 1
                place = self.cursor
            else:
                self.cursor = place + len(begin)
        self.found[id(token)] = place

    def begin_of(self, token: Token) -> str:
        """What a token begins with in the source."""
        match token.type:
            case "text" | "html_inline":
                return token.content
            case "softbreak" | "hardbreak":
                return "\n"
            case "image":
                return "!["
            case "note_link_open":
                return "[["
            case "link_open" if not token.markup and token.info != "auto":
                return "["
            case "footnote_call":
                return "^[" if token.children else f"[^{token.meta.get('label')}]"
            case "math_inline" | "code_inline" | "text_special":
                return token.markup
            case _:
                return ""


def place_in_source(work: Work, block: Token, position: int) -> tuple[int, int]:
    """Line and column, both from 1, of a position in a block's text."""
    lines = work.env.setdefault("lines", work.source.split("\n") if "lines" not in work.env else [])
    assert isinstance(lines, list)  # noqa: S101  (the environment holds anything)
    rest = block.content[:position].rpartition("\n")[2]
    line = line_of_block(block) + block.content.count("\n", 0, position)
    whole = (rest + block.content[position:].partition("\n")[0]).rstrip()
    source = lines[line - 1].rstrip() if line <= len(lines) else ""
    # A block's line ends where the source's line does, but for table cells and closed headings.
    start = len(source) - len(whole) if source.endswith(whole) else source.find(whole)
    if start < 0:  # a cell, in which bars were written with a backslash
        rest = rest.replace("|", r"\|")
        start = source.find(whole.replace("|", r"\|"))
    return line, max(start, 0) + len(rest) + 1

"""Captions of tables: `: caption {#tbl:x}` on the line after a table.

A labelled one may also stand after a blank line, as other writers of Markdown have it.
"""

import re

from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

CAPTION = re.compile(r":[ \t]+(\S.*?)[ \t]*")
LABEL = re.compile(r"(?:^|[ \t]+)\{#(tbl:\w(?:[\w:.-]*\w)?)\}$")


def line_of_caption(state: StateBlock, start: int, end: int) -> int | None:
    """The line of a caption that closes the table beginning at ``start``, if it has one."""
    line = start + 2
    while line < end and not state.isEmpty(line) and state.sCount[line] >= state.blkIndent:
        if CAPTION.fullmatch(text_of(state, line)) and not state.is_code_block(line):
            return line
        line += 1
    after = line + 1
    if after < end and state.isEmpty(line) and state.sCount[after] >= state.blkIndent:
        match = CAPTION.fullmatch(text_of(state, after))
        if match and LABEL.search(match[1]) and not state.is_code_block(after):
            return after
    return None


def text_of(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


def put_in(state: StateBlock, first: int, line: int) -> None:
    """Move the caption on ``line`` into the table whose tokens begin at ``first``."""
    match = CAPTION.fullmatch(text_of(state, line))
    caption = match[1] if match else ""
    table = state.tokens[first]
    if label := LABEL.search(caption):
        table.meta["label"] = label[1]
        caption = caption[: label.start()]
    level = table.level + 1
    number = Token("table_number", "", 0, level=level)
    inline = Token("inline", "", 0, level=level, content=caption, children=[], map=[line, line + 1])
    state.tokens[first + 1 : first + 1] = [
        Token("caption_open", "caption", 1, block=True, level=level),
        number,
        inline,
        Token("caption_close", "caption", -1, block=True, level=level),
    ]
    if table.map:
        table.map = [table.map[0], line + 1]
    state.line = line + 1

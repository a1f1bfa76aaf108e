"""Marked words, `==marked==`, as Obsidian and Pandoc write them.

As with emphasis, no space stands inside; as for a comparison (`a == b`, `a==b==c`), none of the
two signs stands between words; Chinese and Japanese have no spaces to tell.
"""

import re

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline

from notes.markdown.scripts import LETTERS

MARKED = re.compile(
    rf"(?<!(?=[\w=])(?![{LETTERS}]).)==(?=[^\s=])"
    rf"((?:[^=\n]|=(?!=)|\n(?!\n)){{1,2000}}?)(?<![\s=])==(?!(?![{LETTERS}])[\w=])"
)


def extend(markdown: MarkdownIt) -> None:
    """Before emphasis, which may stand inside."""
    markdown.inline.ruler.before("emphasis", "mark", mark)


def mark(state: StateInline, silent: bool) -> bool:
    """`==text==`, whose text may hold any construct."""
    if state.src[state.pos] != "=":
        return False
    match = MARKED.match(state.src, state.pos, state.posMax)
    if match is None:
        return False
    if not silent:
        end = state.posMax
        state.push("mark_open", "mark", 1).markup = "=="
        state.pos, state.posMax = match.span(1)
        state.md.inline.tokenize(state)
        state.push("mark_close", "mark", -1).markup = "=="
        state.posMax = end
    state.pos = match.end()
    return True

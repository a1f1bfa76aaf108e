"""Subscripts `H~2~O` and superscripts `x^2^`, whose text has no space.

A single tilde is GFM's strikethrough too: one that begins a word strikes it out (`~there~`), one
that follows something stands below it.
"""

import re
import unicodedata

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline

# Up to a bound, so that a line of carets is read once. A range such as 2^10-2^20 is none.
SUBSCRIPT = re.compile(r"~([^\s~]{1,200})~(?![~\d])")
SUPERSCRIPT = re.compile(r"\^([^\s^]{1,200})\^(?![\^\d])")

BETWEEN_WORDS = re.compile(r"\w~\w")


def extend(markdown: MarkdownIt) -> None:
    """Before strikethrough and, for the caret, after inline footnotes `^[…]`."""
    markdown.inline.ruler.before("strikethrough", "subscript", subscript)
    markdown.inline.ruler.before("link", "superscript", superscript)


def subscript(state: StateInline, silent: bool) -> bool:
    """`~2~` after something; a tilde between two words, 2020~2021, is text."""
    if not state.src.startswith("~", state.pos) or not stands_behind(state):
        return False
    if raised_or_lowered(state, SUBSCRIPT, "sub", silent):
        return True
    if not BETWEEN_WORDS.match(state.src, state.pos - 1):
        return False
    if not silent:
        state.pending += "~"
    state.pos += 1
    return True


def superscript(state: StateInline, silent: bool) -> bool:
    """`^2^`."""
    return raised_or_lowered(state, SUPERSCRIPT, "sup", silent)


def stands_behind(state: StateInline) -> bool:
    """Whether the tilde follows a word, a formula, a closing bracket."""
    before = state.src[state.pos - 1] if state.pos else " "
    return before != "~" and not (
        before.isspace() or unicodedata.category(before) in ("Ps", "Pi", "Pd") or before in "\"'"
    )


def raised_or_lowered(
    state: StateInline, pattern: re.Pattern[str], name: str, silent: bool
) -> bool:
    """An element around inline text, which may hold any construct."""
    match = pattern.match(state.src, state.pos, state.posMax)
    if match is None:
        return False
    if not silent:
        end = state.posMax
        token = state.push(f"{name}_open", name, 1)
        token.markup = match[0][0]
        state.pos, state.posMax = match.start(1), match.end(1)
        state.md.inline.tokenize(state)
        state.push(f"{name}_close", name, -1).markup = match[0][0]
        state.posMax = end
    state.pos = match.end()
    return True

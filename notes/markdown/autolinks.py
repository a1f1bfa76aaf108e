"""Addresses alone in a text become links, as GFM has it: `https://a.example`, `me@a.example`.

The library's plug-in knows the rules; what it lacks is put before it. It looks back for a scheme
through everything since the last token, at each colon, and again and again through an address that
has no end. It takes an underscore for emphasis before it sees the mail address around it. And it
leaves out `ftp://`, which GFM names. It reads on through Chinese and Japanese punctuation, and
finds no address after a quote.
"""

import re

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from mdit_py_plugins.gfm_autolink import gfm_autolink_plugin
from mdit_py_plugins.gfm_autolink.index import match_http, match_www

from notes.markdown.scripts import LETTER_OR_MARK, MARKS

LOOKED_BACK = 16  # characters; the longest scheme, "mailto", and the one before it
TOO_LONG = re.compile(r"(?::/|www)\S{2048}")
WITHIN_ADDRESS = re.compile(r"_+[A-Za-z0-9][A-Za-z0-9.+_-]{0,63}@[A-Za-z0-9]")
SCHEME = re.compile(r"(?:https?|ftp)$")
BEFORE = "*_~([\"'“‘„«‹"
END = re.compile(rf"[\s<“”„«»‹›،؛؟।{MARKS}]")


def extend(markdown: MarkdownIt) -> None:
    """The plug-in, and what it lacks."""
    markdown.disable("linkify")
    gfm_autolink_plugin(markdown)
    ruler = markdown.inline.ruler
    ruler.before("gfm_autolink_www", "no_address", no_address)
    ruler.before("gfm_autolink_www", "short_pending", keep_pending_short)
    ruler.before("gfm_autolink_www", "web_address", web_address)
    ruler.before("gfm_autolink_www", "www_address", www_address)
    ruler.before("emphasis", "underscore_of_address", underscore_of_address)


def no_address(state: StateInline, silent: bool) -> bool:
    """What no browser would take as an address is text: its colon or first letter is passed."""
    character = state.src[state.pos]
    if character not in ":w" or not TOO_LONG.match(state.src, state.pos, state.posMax):
        return False
    if not silent:
        state.pending += character
    state.pos += 1
    return True


def keep_pending_short(state: StateInline, silent: bool) -> bool:
    """Never matches; at a colon, all but the last of the waiting text becomes a token."""
    if not silent and len(state.pending) > 2 * LOOKED_BACK and state.src[state.pos] == ":":
        tail = state.pending[-LOOKED_BACK:]
        state.pending = state.pending[:-LOOKED_BACK]
        state.pushPending()
        state.pending = tail
    return False


def underscore_of_address(state: StateInline, silent: bool) -> bool:
    """`first_last@a.example`: this underscore, between letters, is no emphasis."""
    position = state.pos
    if state.src[position] != "_" or not position or not state.src[position - 1].isalnum():
        return False
    match = WITHIN_ADDRESS.match(state.src, position, state.posMax)
    if match is None:
        return False
    while state.src[state.pos] == "_":
        state.pos += 1
    if not silent:
        state.pending += state.src[position : state.pos]
    return True


def web_address(state: StateInline, silent: bool) -> bool:
    """`https://a.example`, `ftp://a.example/file`, also after a quote or a letter of a script that
    has no spaces; marks of these scripts end it.
    """
    if silent or state.linkLevel or not state.src.startswith("://", state.pos):
        return False
    scheme = SCHEME.search(state.pending[-5:])
    if scheme is None or not may_begin(state, state.pos - len(scheme[0])):
        return False
    found = match_http("http" + up_to_end(state, state.pos))
    if found is None:
        return False
    state.pending = state.pending.removesuffix(scheme[0])
    push_address(state, scheme[0] + found[0].removeprefix("http"), "")
    state.pos += len(found[0]) - len("http")
    return True


def www_address(state: StateInline, silent: bool) -> bool:
    """`www.a.example`, in the same way."""
    if silent or state.linkLevel or not state.src.startswith("www.", state.pos):
        return False
    found = match_www(up_to_end(state, state.pos)) if may_begin(state, state.pos) else None
    if found is None:
        return False
    push_address(state, found[0].removeprefix("http://"), "http://")
    state.pos += found[1]
    return True


def may_begin(state: StateInline, position: int) -> bool:
    """Whether an address may begin here, by the character before."""
    before = state.src[position - 1] if position > 0 else " "
    return before.isspace() or before in BEFORE or LETTER_OR_MARK.match(before) is not None


def up_to_end(state: StateInline, position: int) -> str:
    """What may belong to an address that begins here."""
    end = END.search(state.src, position, state.posMax)
    return state.src[position : end.start() if end else state.posMax]


def push_address(state: StateInline, address: str, scheme: str) -> None:
    """A link that shows its address."""
    opening = state.push("link_open", "a", 1)
    opening.attrs = {"href": state.md.normalizeLink(scheme + address)}
    opening.markup, opening.info = "autolink", "auto"
    state.push("text", "", 0).content = state.md.normalizeLinkText(address)
    closing = state.push("link_close", "a", -1)
    closing.markup, closing.info = "autolink", "auto"

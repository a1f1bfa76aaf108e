"""Bracketed spans, `[text]{.smallcaps #id lang=fr}`, as Pandoc and Quarto write them.

`.mark`, `.kbd`, `.dfn` and `.underline` become the elements of that meaning; the classes of
attribute lists work here too. What is left without a class, an id or a language keeps its text
alone, so that texts from elsewhere lose their brackets and nothing more.
"""

import re

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from notes.markdown.attributes import HERE, PIECE, read
from notes.markdown.work import Work

ELEMENTS = {".mark": "mark", ".kbd": "kbd", ".dfn": "dfn", ".underline": "u", ".ul": "u"}
SMALL_CAPITALS = frozenset({".smallcaps", ".sc"})
LANGUAGE = re.compile(r"""lang=["']?([A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,5})["']?""")
DIRECTION = re.compile(r"""dir=["']?(ltr|rtl|auto)["']?""")


def extend(markdown: MarkdownIt) -> None:
    """After links and citations, which share the brackets and come first."""
    markdown.inline.ruler.after("citation", "span", span)


def span(state: StateInline, silent: bool) -> bool:
    """`[text]{…}`, whose text may hold any construct; a label alone makes no span."""
    # Silent is the search for a link's end, and a span may stand in a link.
    if silent or state.src[state.pos] != "[" or state.pos > last_end(state):
        return False
    start, end = state.pos + 1, state.md.helpers.parseLinkLabel(state, state.pos)
    match = HERE.match(state.src, end + 1, state.posMax) if end > start else None
    if match is None or read(match[0]).label:
        return False
    elements = opening(match[0], state.env["work"])
    for token in elements:
        state.push("span_open", token.tag, 1).attrs = token.attrs
    limit, state.pos, state.posMax = state.posMax, start, end
    state.md.inline.tokenize(state)
    state.pos, state.posMax = match.end(), limit
    for token in reversed(elements):
        state.push("span_close", token.tag, -1)
    return True


def last_end(state: StateInline) -> int:
    """Where the text's last `]{` is, sought once: floods of brackets ask for it at each of them."""
    text, end = state.env.get("last_span", ("", -1))
    if text is not state.src:
        text, end = state.src, state.src.rfind("]{")
        state.env["last_span"] = text, end
    return end


def opening(attributes: str, work: Work) -> list[Token]:
    """The elements that a list asks for; the outermost has what the list says besides."""
    items = PIECE.findall(attributes)
    names = dict.fromkeys(ELEMENTS[item] for item in items if item in ELEMENTS)
    elements = [Token("span_open", name, 1) for name in names]
    outermost = elements[0] if elements else Token("span_open", "span", 1)
    read(attributes).put(outermost)
    if SMALL_CAPITALS & set(items):
        classes = outermost.attrs.get("class", "")
        outermost.attrs["class"] = f"{work.marker}small-capitals {classes}".strip()
    for item in items:
        if language := LANGUAGE.fullmatch(item):
            outermost.attrs["lang"] = language[1]
        elif direction := DIRECTION.fullmatch(item):
            outermost.attrs["dir"] = direction[1]
    return elements or ([outermost] if outermost.attrs else [])

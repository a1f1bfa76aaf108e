"""Callouts: `> [!NOTE]`, `> [!TIP] Own title`, `> [!WARNING]- Folded`, `> [!CAUTION]+ Open`."""

import re

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from notes.markdown.work import Work

FIRST_LINE = re.compile(
    r"\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]([-+]?)[ \t]*([^\n]*)(?:\n|$)", re.I
)


def extend(markdown: MarkdownIt) -> None:
    """Between blocks and their inline text, so that a title holds any inline construct."""
    markdown.core.ruler.after("block", "callouts", recognise)


def recognise(state: StateCore) -> None:
    """Turn the quotes that begin with a kind into callouts."""
    tokens: list[Token] = []
    endings: list[list[Token] | None] = []
    work: Work = state.env["work"]
    skip_until = -1
    for index, token in enumerate(state.tokens):
        if index <= skip_until:
            continue
        if token.type == "blockquote_open":
            match = kind_of(state.tokens, index)
            if match is None:
                endings.append(None)
                tokens.append(token)
                continue
            opening, closing = markup(work, match, state.tokens[index + 2])
            tokens += opening
            endings.append(closing)
            inline = state.tokens[index + 2]
            inline.content = inline.content[match.end() :]
            if inline.map:
                inline.map = [inline.map[0] + 1, max(inline.map[1], inline.map[0] + 1)]
            if not inline.content.strip():
                skip_until = index + 3
        elif token.type == "blockquote_close" and (ending := endings.pop()) is not None:
            tokens += ending
        else:
            tokens.append(token)
    state.tokens = tokens


def kind_of(tokens: list[Token], index: int) -> re.Match[str] | None:
    """The first line of a quote, if it names a kind."""
    if index + 2 < len(tokens) and tokens[index + 1].type == "paragraph_open":
        return FIRST_LINE.match(tokens[index + 2].content)
    return None


def markup(work: Work, match: re.Match[str], inline: Token) -> tuple[list[Token], list[Token]]:
    """The tokens before and after a callout's text; a folded one is a `<details>`."""
    kind, fold, title = match[1].lower(), match[2], match[3].strip()
    title, marker = title or getattr(work.words, kind), work.marker
    outer, inner = ("details", "summary") if fold else ("div", "p")
    opening = Token("callout_open", outer, 1, block=True)
    opening.attrs["class"] = f"{marker}callout {marker}callout-{kind}"
    if fold == "+":
        opening.attrs["open"] = ""
    title_open = Token("callout_title_open", inner, 1, block=True)
    title_open.attrs["class"] = f"{marker}callout-title"
    words = Token("inline", "", 0, content=title, children=[], map=inline.map)
    title_close = Token("callout_title_close", inner, -1, block=True)
    return [opening, title_open, words, title_close], [
        Token("callout_close", outer, -1, block=True)
    ]

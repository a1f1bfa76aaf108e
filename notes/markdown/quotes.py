"""Typographic quotes: `"so"` → “so”, `it's` → it’s; code, math and addresses stay as they are."""

import re
import unicodedata

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from notes.markdown.work import Work

QUOTES = {"de": "„“‚‘", "fr": "«»‹›", "sv": "””’’", "pl": "„”‚’"}
ENGLISH = "“”‘’"
STRAIGHT = re.compile(r"[\"']")


def extend(markdown: MarkdownIt) -> None:
    """After the inline text has been read, and addresses in it have been found."""
    markdown.core.ruler.push("quotes", curl)


def curl(state: StateCore) -> None:
    """Curl the quotes of every block's text."""
    work: Work = state.env["work"]
    if not work.inputs.smart_quotes or not STRAIGHT.search(work.source):
        return
    marks = QUOTES.get(work.inputs.language.split("-")[0].lower(), ENGLISH)
    for token in state.tokens:
        if token.type == "inline" and token.children:
            curl_line(token.children, marks)


def curl_line(tokens: list[Token], marks: str) -> None:
    """One pass over a block's inline tokens, knowing the character before and the one after.

    Where an element begins or ends is no character: `**"so"**` and `[[slug|"so"]]` open with “.
    """
    before, inside_address = " ", False
    for index, token in enumerate(tokens):
        if token.type == "link_open":
            inside_address = token.markup in ("autolink", "linkify") or token.info == "auto"
        elif token.type == "link_close":
            inside_address = False
        elif token.type == "image":
            curl_line(token.children or [], marks)
            before = "x"
        elif token.type == "text" and token.content:
            if not inside_address:
                token.content = curled(token.content, before, character_after(tokens, index), marks)
            before = token.content[-1]
        elif token.type in ("softbreak", "hardbreak"):
            before = " "
        elif token.nesting == 0:
            before = "x"


def character_after(tokens: list[Token], index: int) -> str:
    """What stands right after a token: a letter for code and formulas, a space at the end."""
    for token in tokens[index + 1 : index + 8]:
        if token.type == "text" and token.content:
            return token.content[0]
        if token.type in ("softbreak", "hardbreak"):
            return " "
        if token.nesting == 0 and token.type != "text":
            return "x"
    return " "


def curled(text: str, before: str, after: str, marks: str) -> str:
    """The text with its quotes curled: opening where a word can begin, closing elsewhere."""
    pieces: list[str] = []
    end = 0
    for match in STRAIGHT.finditer(text):
        position = match.start()
        previous = text[position - 1] if position else before
        following = text[position + 1] if position + 1 < len(text) else after
        single = match[0] == "'"
        opening = begins_word(previous) and not following.isspace()
        if single and opening and following.isdigit():
            opening = False  # the '90s
        mark = marks[2:] if single else marks[:2]
        curly = mark[0] if opening else ("’" if single and previous.isalnum() else mark[1])
        if single and not opening and following.isdigit():
            curly = "’"
        pieces += [text[end:position], curly]
        end = position + 1
    return "".join([*pieces, text[end:]])


def begins_word(previous: str) -> bool:
    """After a space, an opening bracket, a dash or another opening quote."""
    return (
        previous.isspace()
        or unicodedata.category(previous) in ("Ps", "Pd", "Pi")
        or previous in "\"'/"
    )

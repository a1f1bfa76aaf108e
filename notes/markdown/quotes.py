"""Typographic quotes: `"so"` → “so”, `it's` → it’s; code, math and addresses stay as they are."""

import re
import unicodedata

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from notes.markdown.scripts import LETTER_OR_MARK
from notes.markdown.vocabulary import best
from notes.markdown.work import Work

# Opening and closing, then inside them. French sets its marks off by a space that doesn't break.
ENGLISH = ("“", "”", "‘", "’")
GUILLEMETS = ("«", "»", "‹", "›")
QUOTES = {
    "ar": GUILLEMETS,
    "de": ("„", "“", "‚", "‘"),
    "de-ch": GUILLEMETS,
    "de-li": GUILLEMETS,
    "es": ("«", "»", "“", "”"),
    "fr": ("«\u00a0", "\u00a0»", "“", "”"),
    "fr-ch": GUILLEMETS,
    "he": ("”", "”", "’", "’"),
    "it": ("«", "»", "“", "”"),
    "pl": ("„", "”", "‚", "’"),
    "ru": ("«", "»", "„", "“"),
    "sv": ("”", "”", "’", "’"),
    "uk": ("«", "»", "„", "“"),
}
Marks = tuple[str, str, str, str]
LITERAL = re.compile(r"<(/?)(?:code|kbd|samp|var|tt|pre)\b", re.I)
TEXTS = frozenset({"text", "html_inline"})
STRAIGHT = re.compile(r"[\"']")


def extend(markdown: MarkdownIt) -> None:
    """After the inline text has been read, and addresses in it have been found."""
    markdown.core.ruler.push("quotes", curl)


def curl(state: StateCore) -> None:
    """Curl the quotes of every block's text."""
    work: Work = state.env["work"]
    if not work.inputs.smart_quotes or not STRAIGHT.search(work.source):
        return
    marks = best(QUOTES, work.inputs.language, ENGLISH)
    for token in state.tokens:
        if token.type == "inline" and token.children:
            curl_line(token.children, marks)


def curl_line(tokens: list[Token], marks: Marks) -> None:
    """One pass over a block's inline tokens, knowing the character before and the one after.

    Where an element begins or ends is no character: `**"so"**` and `[[slug|"so"]]` open with “.
    """
    before, inside_address = " ", False
    inside = [False, False]  # whether a double and a single quote are open
    literal = 0  # how many elements around the text show what is typed
    for index, token in enumerate(tokens):
        if token.type == "link_open":
            inside_address = token.markup in ("autolink", "linkify") or token.info == "auto"
        elif token.type == "link_close":
            inside_address = False
        elif token.type == "html_inline":
            if tag := LITERAL.match(token.content):
                literal = max(0, literal + (-1 if tag[1] else 1))
                before = "x" if tag[1] else before
        elif token.type == "image":
            curl_line(token.children or [], marks)
            before = "x"
        elif token.type == "text" and token.content:
            if not inside_address and not literal:
                token.content = curled(
                    token.content, before, character_after(tokens, index), marks, inside
                )
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
        if LITERAL.match(token.content) or (token.nesting == 0 and token.type not in TEXTS):
            return "x"
    return " "


def curled(text: str, before: str, after: str, marks: Marks, inside: list[bool]) -> str:
    """The text with its quotes curled: opening where a word can begin, closing elsewhere."""
    pieces: list[str] = []
    end = 0
    for match in STRAIGHT.finditer(text):
        position = match.start()
        previous = text[position - 1] if position else before
        following = text[position + 1] if position + 1 < len(text) else after
        single = match[0] == "'"
        opening = begins_word(previous) and not following.isspace()
        if inside[single] and not previous.isspace() and not following.isalnum():
            opening = False  # ("/") and ("-")
        if LETTER_OR_MARK.match(previous) and not opening:  # no space tells: the second closes
            opening = not inside[single] and not following.isspace()
        if single and opening and following.isdigit():
            opening = False  # the '90s
        apostrophe = previous.isalnum() and (following.isalnum() or not inside[True])
        if single and not opening and (apostrophe or following.isdigit()):
            curly = "’"
        else:
            curly = marks[2 * single + (not opening)]
            inside[single] = opening
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

"""What an author should look at once more: said twice, left unfinished, linked without words.

Read right after parsing, where the text is still the author's own; never in code or formulas.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import islice

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from notes.markdown import links, note_links
from notes.markdown.assemble import CJK, WORD
from notes.markdown.elements import names
from notes.markdown.positions import Positions, in_order, place_in_source
from notes.markdown.raw_html import ADDRESS
from notes.markdown.work import PageLink, Work, line_of_block

UNFINISHED = re.compile(r"(?<![\w-])(TK|TODO|FIXME)(?![\w-])")
REPEATED = re.compile(r"(?<![\w'’./-])([A-Za-z]{2,}|a)[ \n]+(\1)(?![\w'’/-])", re.I)
# Said twice on purpose, or for a reason: "he had had", "the log log of n", "a very very long one".
DOUBLED = names("bye far ha had knock log long many no really that tick very who yeah yes")
VAGUE = frozenset(
    {
        "click",
        "click here",
        "go here",
        "here",
        "link",
        "more",
        "over here",
        "read more",
        "right here",
        "see here",
        "this",
        "this link",
    }
)
QUOTES = frozenset("\"'“”‘’„«»‹›「」")
TABLE_TAG = re.compile(r"<(/?)(table|th)\b", re.I)
# A sentence's end, quotes, brackets and calls of footnotes after it.
SENTENCE_END = re.compile(r"[.!?…。！？](?:[\"'”’»)\]\s]|\[[^\]]*\])*$")
TAKE_AWAY_WORDS = 30
CJK_IN_A_WORD = 1.7  # characters of Chinese or Japanese, for one word of English
COUNTED = frozenset({"code_inline", "equation_reference", "image", "math_inline"})
OBJECT = "\ufffc"  # stands for code, formulas, images: whatever is no word


def extend(markdown: MarkdownIt) -> None:
    """Before anything has rewritten the text."""
    markdown.core.ruler.after("inline", "wording", check)


def check(state: StateCore) -> None:
    """Read every block once."""
    work: Work = state.env["work"]
    check_heads(work, state.tokens)
    for token in state.tokens:
        if "block_map" in state.env:  # a caption, read by itself: it stands where its figure does
            token.map = state.env["block_map"]
        if token.type == "inline" and token.children:
            check_block(work, token)
        elif token.type == "html_block":
            note_html_links(work, token.content, partial(html_place, token))


def html_place(block: Token, position: int) -> tuple[int, int]:
    """Line and column in a block of raw HTML."""
    before = block.content[:position]
    return line_of_block(block) + before.count("\n"), position - before.rfind("\n")


@dataclass(slots=True)
class Reading:
    """A block as it is read: its words, and which token each stretch of them came from."""

    block: Token
    words: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    sources: list[Token] = field(default_factory=list)
    length: int = 0
    positions: Positions | None = None

    def add(self, token: Token, words: str) -> None:
        """The next stretch."""
        self.words.append(words)
        self.starts.append(self.length)
        self.sources.append(token)
        self.length += len(words)

    def place_of(self, work: Work, token: Token, offset: int = 0) -> tuple[int, int]:
        """Line and column of a token; found only when asked for."""
        if self.positions is None:
            self.positions = Positions(self.block)
        return place_in_source(work, self.block, self.positions.of(token) + offset)

    def place_at(self, work: Work, offset: int) -> tuple[int, int]:
        """Line and column of a place in the words."""
        index = bisect_right(self.starts, offset) - 1
        token = self.sources[index]
        inside = offset - self.starts[index] if token.type == "text" else 0
        return self.place_of(work, token, inside)


def check_block(work: Work, block: Token) -> None:
    """The words of one block, and its links."""
    reading = Reading(block)
    check_links(work, reading, list(in_order(block.children or [])))
    text = "".join(reading.words)
    for match in UNFINISHED.finditer(text):
        if work.problems.full:  # finding its place would cost, and nobody is told
            break
        if is_quoted(text, match):
            continue
        line, column = reading.place_at(work, match.start())
        work.problems.add("unfinished", line, column, word=match[1])
    if work.inputs.language.split("-")[0].lower() == "en":
        for match in REPEATED.finditer(text):
            is_name = match[2][0].isupper()
            if match[1].lower() in DOUBLED or is_name or is_quoted(text, match):
                continue
            if not work.problems.full:
                line, column = reading.place_at(work, match.start())
                work.problems.add("repeated-word", line, column, word=match[1])


def is_quoted(text: str, match: re.Match[str]) -> bool:
    """`the mark "TODO"`: a text that speaks of these very words."""
    return (
        text[match.start() - 1 : match.start()] in QUOTES
        and text[match.end() : match.end() + 1] in QUOTES
    )


def check_links(work: Work, reading: Reading, tokens: list[Token]) -> None:
    """Gather the words, and judge each link by its own."""
    opening: Token | None = None
    link_words = ""
    in_address = False
    for token in tokens:
        words = words_of(token)
        if token.type == "link_open":
            in_address = token.markup == "autolink" or token.info == "auto"
            opening, link_words = token, ""
            note_link(work, reading, token)
        elif token.type == "link_close":
            if opening is not None and not in_address:
                check_link(work, reading, opening, link_words)
            opening, in_address = None, False
        elif token.type == "note_link_open":
            note_links.check(work, token.meta, partial(reading.place_of, work, token))
        elif token.type == "html_inline":
            note_html_links(work, token.content, partial(reading.place_of, work, token))
        words = OBJECT if in_address and words else words
        link_words += words
        reading.add(token, words)


def words_of(token: Token) -> str:
    """What a reader reads of a token; what stands between words is an object."""
    match token.type:
        case "text" | "text_special":
            return token.content
        case "softbreak" | "hardbreak":
            return "\n"
        case "link_open":
            return ""
        case _:
            return OBJECT


def check_link(work: Work, reading: Reading, opening: Token, words: str) -> None:
    """A link should say where it leads."""
    bare = words.strip(f" \n{OBJECT}.,:;!?»«>→…").lower()
    if not bare and not has_object(words):
        line, column = reading.place_of(work, opening)
        work.problems.add("empty-link", line, column, address=str(opening.attrs.get("href", "")))
    elif " ".join(bare.split()) in VAGUE and OBJECT not in bare:
        line, column = reading.place_of(work, opening)
        work.problems.add("vague-link", line, column, text=bare)


def has_object(words: str) -> bool:
    """Whether anything is there to click on, be it code or an image."""
    return OBJECT in words or bool(words.strip())


def note_link(work: Work, reading: Reading, opening: Token) -> None:
    """Remember a link into the page, until all its anchors are known."""
    address = str(opening.attrs.get("href", ""))
    if address.startswith("#"):
        line, column = reading.place_of(work, opening)
        work.page_links.append(PageLink(address[1:], line, column))
    else:
        note_links.check_address(work, address, partial(reading.place_of, work, opening))


def note_html_links(work: Work, content: str, place: Callable[[int], tuple[int, int]]) -> None:
    """The same for links in raw HTML."""
    for match in ADDRESS.finditer(content):
        address = match[1] or match[2] or match[3] or ""
        if address.startswith("#"):
            line, column = place(match.start())
            work.page_links.append(PageLink(address[1:], line, column))
        else:
            note_links.check_address(work, address, partial(place, match.start()))


def check_anchors(work: Work, ids: set[str]) -> None:
    """Name the links into the page that lead nowhere, once all its anchors are known."""
    numbers = work.env.get("equation_numbers", {})
    equations = set(numbers) if isinstance(numbers, dict) else set()
    headings = {heading.anchor for heading in work.headings}
    known = ids | equations
    for link in work.page_links:
        anchor = links.anchor_in_page(link.fragment, headings)
        if anchor not in known and anchor.lower() not in ("", links.TOP):
            work.problems.add("unknown-anchor", link.line, link.column, anchor=link.fragment)


def check_heads(work: Work, tokens: list[Token]) -> None:
    """Name the tables without a head, Markdown's and HTML's."""
    open_tables: list[list[int]] = []  # line of its tag, number of its heads
    for index, token in enumerate(tokens):
        if token.type == "thead_open":
            cells = head_cells(tokens, index)
            if not any(cell.content.strip() for cell in cells):
                work.problems.add("headless-table", line_of_block(token))
        for line, match in table_tags(token):
            if match[2].lower() == "th":
                for table in open_tables[-1:]:
                    table[1] += 1
            elif not match[1]:
                open_tables.append([line, 0])
            elif open_tables:
                name_headless(work, *open_tables.pop())
    for table in open_tables:
        name_headless(work, *table)


def name_headless(work: Work, line: int, heads: int) -> None:
    """A problem unless the table has a head."""
    if not heads:
        work.problems.add("headless-table", line)


def head_cells(tokens: list[Token], index: int) -> Iterator[Token]:
    """The inline tokens up to the end of a table's head."""
    for token in islice(tokens, index, None):
        if token.type == "thead_close":
            return
        if token.type == "inline":
            yield token


def table_tags(block: Token) -> Iterator[tuple[int, re.Match[str]]]:
    """The tags of tables in a block's raw HTML, each with its line."""
    pieces = [block] if block.type == "html_block" else block.children or ()
    for piece in pieces:
        if piece.type in ("html_block", "html_inline"):
            line, counted = line_of_block(block), 0
            for match in TABLE_TAG.finditer(piece.content):
                line += piece.content.count("\n", counted, match.start())
                counted = match.start()
                yield line, match


def check_take_aways(work: Work) -> None:
    """A take-away is read by itself: one sentence, and short."""
    prefix = f"{work.marker}t-"
    for index, token in enumerate(work.tokens):
        if str(token.attrs.get("id", "")).startswith(prefix):
            check_take_away(work, blocks_of(work.tokens, index))


def blocks_of(tokens: list[Token], index: int) -> list[Token]:
    """The inline tokens of a list's item or of a paragraph."""
    opening = tokens[index]
    blocks = []
    for token in islice(tokens, index + 1, None):
        if token.level == opening.level and token.nesting == -1:
            break
        if token.type == "inline":
            blocks.append(token)
    return blocks


def check_take_away(work: Work, blocks: list[Token]) -> None:
    """The first paragraph should be a sentence, the whole at most thirty words."""
    texts = [" ".join(take_away_text(block).split()) for block in blocks]
    if not texts:
        return
    line, column = place_in_source(work, blocks[0], 0)
    words = len(WORD.findall(CJK.sub(" ", " ".join(texts))))
    words += round(sum(len(CJK.findall(text)) for text in texts) / CJK_IN_A_WORD)
    if not SENTENCE_END.search(texts[0]):
        work.problems.add("take-away-no-sentence", line, column, text=texts[0])
    if words > TAKE_AWAY_WORDS:
        work.problems.add(
            "take-away-too-long", line, column, words=words, limit=TAKE_AWAY_WORDS, text=texts[0]
        )


def take_away_text(block: Token) -> str:
    """Words, with one letter in the place of each formula, code or image."""
    return "".join(
        words_of(token).replace(OBJECT, "x" if token.type in COUNTED else "")
        for token in in_order(block.children or [])
    )

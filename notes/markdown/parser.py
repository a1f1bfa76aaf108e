"""The parser: CommonMark with raw HTML, GFM, footnotes, definition lists, math and callouts.

markdown-it-py drops the text below its nesting limit without a word. The two parsers here keep such
text as plain text and name the problem.
"""

import re
from collections.abc import Sequence
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.parser_block import ParserBlock
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_block import StateBlock, blockquote
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import EnvType
from mdit_py_plugins.deflist import deflist_plugin

from notes.markdown import (
    attributes,
    autolinks,
    bounds,
    callouts,
    citations,
    code,
    cross_references,
    figures,
    footnotes,
    marks,
    math,
    note_links,
    quotes,
    raw_html,
    spans,
    subscripts,
    tables,
    wording_checks,
)
from notes.markdown.link_references import LinkReferences
from notes.markdown.scripts import Inlines
from notes.markdown.work import Work

QUOTE_ENDS = ["paragraph", "reference", "blockquote", "list"]  # as in the library
MAXIMUM_LEVEL = bounds.BLOCK_DEPTH + bounds.INLINE_DEPTH


class BoundedBlocks(ParserBlock):
    """Blocks down to a depth; deeper lines stay, as plain text."""

    def tokenize(self, state: StateBlock, startLine: int, endLine: int) -> None:  # noqa: N803
        work: Work = state.env["work"]
        if state.parentType == "blockquote":
            work.quote_readings += endLine - startLine
        if state.level < bounds.BLOCK_DEPTH:
            super().tokenize(state, startLine, endLine)
            return
        line = startLine
        while line < endLine and (state.isEmpty(line) or state.sCount[line] >= state.blkIndent):
            line += 1
        if line == startLine:
            return
        push_plain(state, startLine, line)
        work.problems.add(
            "past-bound",
            startLine + 1,
            what="Quotes and lists are nested too deeply",
            limit=bounds.BLOCK_DEPTH,
        )


class BoundedInlines(ParserInline):
    """Inline text that calls itself (images in images, notes in notes) down to a depth."""

    def parse(self, src: str, md: MarkdownIt, env: EnvType, tokens: list[Token]) -> list[Token]:
        depth: int = env.get("inline_depth", 0)
        if len(src) > bounds.INLINE_CHARACTERS:
            what = "A paragraph has too many characters"
            return keep_plain(src, env["work"], tokens, what, bounds.INLINE_CHARACTERS)
        if depth >= bounds.INLINE_DEPTH:
            what = "Images and footnotes are nested too deeply"
            return keep_plain(src, env["work"], tokens, what, bounds.INLINE_DEPTH)
        env["inline_depth"] = depth + 1
        state = Inlines(src, md, env, tokens)
        # The library has one limit for both parsers; this much of it is left for inline text.
        state.level = MAXIMUM_LEVEL - bounds.INLINE_DEPTH
        self.tokenize(state)
        for rule in self.ruler2.getRules(""):
            rule(state)
        env["inline_depth"] = depth
        return state.tokens

    def skipToken(self, state: StateInline) -> None:  # noqa: N802
        """What has been skipped before is known: floods of brackets ask for it a hundred times."""
        if (end := state.cache.get(state.pos)) is not None:
            state.pos = end
        else:
            super().skipToken(state)


def quote(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A quote, as long as they are few or short.

    The library's rule reads up to the next empty line, in case all of it belongs to the quote. If
    but a line does, the next quote reads the same lines again.
    """
    work: Work = state.env["work"]
    lines = max(2000, len(state.bMarks))
    if work.quote_readings > bounds.QUOTE_READINGS * lines:
        if not silent and state.src.startswith(">", state.bMarks[start] + state.tShift[start]):
            what = "Lines are quoted again and again"
            work.problems.add("past-bound", start + 1, what=what, limit=bounds.QUOTE_READINGS)
        return False
    return blockquote(state, start, end, silent)


def text(state: StateInline, silent: bool) -> bool:
    """Text up to the next mark; the library's own rule reads on behind the end of an item.

    In `[@a, p. 3; @b]` nothing but the brackets' reader knows that the semicolon ends something.
    """
    terminator: re.Pattern[str] = state.md.inline.terminator_re
    mark = terminator.search(state.src, state.pos, state.posMax)
    end = mark.start() if mark else state.posMax
    if end == state.pos:
        return False
    if not silent:
        state.append_pending(state.src[state.pos : end])
    state.pos = end
    return True


def keep_plain(source: str, work: Work, tokens: list[Token], what: str, limit: int) -> list[Token]:
    """Keep inline text past a bound as it is written, and name the problem."""
    work.problems.add("past-bound", work.line_of(source[:200]), what=what, limit=limit)
    token = Token("text", "", 0)
    token.content = source
    tokens.append(token)
    return tokens


def push_plain(state: StateBlock, start: int, end: int) -> None:
    """Keep lines as plain text, in a paragraph of their own."""
    token = state.push("plain_text", "", 0)
    token.content = state.getLines(start, end, state.blkIndent, False).strip()
    token.map = [start, end]
    state.line = end


def render_plain_text(
    _renderer: object, tokens: Sequence[Token], index: int, _options: object, _env: object
) -> str:
    """The kept lines, with their breaks."""
    return "<p>" + escapeHtml(tokens[index].content).replace("\n", "<br>\n") + "</p>\n"


def bounded(markdown: MarkdownIt) -> MarkdownIt:
    """The library's parser with ours for blocks and inline text put into it, rules and all."""
    markdown.options["maxNesting"] = MAXIMUM_LEVEL
    bounded_blocks, bounded_inlines = BoundedBlocks(), BoundedInlines()
    bounded_blocks.ruler, bounded_inlines.ruler = markdown.block.ruler, markdown.inline.ruler
    bounded_inlines.ruler2 = markdown.inline.ruler2
    bounded_inlines.ruler.at("text", text)
    bounded_blocks.ruler.at("blockquote", quote, {"alt": QUOTE_ENDS})
    markdown.block, markdown.inline = bounded_blocks, bounded_inlines
    markdown.add_render_rule("plain_text", render_plain_text)
    return markdown


# What is added to CommonMark and GFM; each puts its own rules into the parser.
EXTENSIONS = (
    autolinks,
    math,
    tables,
    footnotes,
    callouts,
    raw_html,
    quotes,
    code,
    figures,
    citations,
    cross_references,
    note_links,
    subscripts,
    marks,
    spans,
    attributes,  # after the labels of cross-references: what is put in last runs first
    wording_checks,
)


@cache
def parser() -> MarkdownIt:
    """The one parser of the process; a render's own things travel in its environment."""
    markdown = bounded(MarkdownIt("gfm-like2", {"alerts": False}))
    # Addresses are judged once, by the links stage, after raw HTML has become elements too.
    markdown.validateLink = lambda url: True  # type: ignore[method-assign]
    deflist_plugin(markdown)
    for extension in EXTENSIONS:
        extension.extend(markdown)
    return markdown


def parse(work: Work) -> None:
    """Source to tokens."""
    work.env["references"] = LinkReferences(work)
    work.tokens = parser().parse(work.source, work.env)

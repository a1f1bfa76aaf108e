"""Code blocks: highlighted by class names when the language is known, plain when not.

A block that asks for line numbers or marked lines, and every diff, is written line by line.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.token import Token
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import STANDARD_TYPES, _TokenType
from pygments.util import ClassNotFound

from notes.markdown import bounds, code_options
from notes.markdown.code_options import CodeOptions
from notes.markdown.work import Work

DIFFS = frozenset({"diff", "patch", "udiff"})
CHANGES = {"+": "added", "-": "removed"}


def extend(markdown: MarkdownIt) -> None:
    """Our own markup for fenced and indented code."""
    markdown.add_render_rule("fence", render_code)
    markdown.add_render_rule("code_block", render_code)


def render_code(
    _renderer: object, tokens: Sequence[Token], index: int, _options: object, env: dict[str, Work]
) -> str:
    """A block in a box that scrolls, under its file's name if it has one."""
    token, marker = tokens[index], env["work"].marker
    options = code_options.read(token.info)
    language = escapeHtml(options.language)
    attribute = f' data-language="{language}"' if language else ""
    text = token.content
    if options.start or options.marks or options.language in DIFFS:
        inside = "".join(written_lines(text, options, marker))
    else:
        runs = runs_of(text, options.language)
        inside = "".join(span(run, name, marker) for run, name in runs)
    block = f"<pre{attribute}><code>{inside}</code></pre>\n"
    if not options.file:
        return block
    name = f"<figcaption>{escapeHtml(options.file)}</figcaption>"
    return f'<figure class="{marker}listing">{name}\n{block}</figure>\n'


def runs_of(text: str, language: str) -> Iterator[tuple[str, str]]:
    """Stretches of one kind with their class; long blocks stay whole, as some languages are slow
    to read.
    """
    lexer = lexer_of(language) if len(text) <= bounds.HIGHLIGHTED_CHARACTERS else None
    if lexer is None:
        yield text, ""
        return
    run, run_class = "", ""
    for kind, value in lexer.get_tokens(text):
        name = class_of(kind) if value.strip() else run_class
        if name == run_class:
            run += value
            continue
        yield run, run_class
        run, run_class = value, name
    yield run, run_class


def written_lines(text: str, options: CodeOptions, marker: str) -> Iterator[str]:
    """Each line in an element of its own, with its number and with what is said of it."""
    number = options.start
    is_diff = options.language in DIFFS
    for place, runs in enumerate(lines_of(runs_of(text, options.language)), start=1):
        line = "".join(run for run, _ in runs)
        classes = [f"{marker}code-line"]
        if options.is_marked(place):
            classes.append(f"{marker}marked")
        # The first lines of a file's changes, `+++ b/train.py`, are no change themselves.
        if is_diff and line[:1] in CHANGES and line[:3] not in ("+++", "---"):
            classes.append(f"{marker}{CHANGES[line[0]]}")
        attribute = f' data-line="{number + place - 1}"' if number else ""
        inside = "".join(span(run, name, marker) for run, name in runs)
        yield f'<span class="{" ".join(classes)}"{attribute}>{inside}</span>'


def lines_of(runs: Iterator[tuple[str, str]]) -> Iterator[list[tuple[str, str]]]:
    """The same stretches, cut at the ends of lines."""
    line: list[tuple[str, str]] = []
    for run, name in runs:
        *whole, rest = run.split("\n")
        for piece in whole:
            yield [*line, (f"{piece}\n", name if piece.strip() else "")]
            line = []
        if rest:
            line.append((rest, name if rest.strip() else ""))
    if line:
        yield line


def span(text: str, name: str, marker: str) -> str:
    """A run of one kind: `<span class="k">def</span>`."""
    if not name or not text:
        return escapeHtml(text)
    return f'<span class="{marker}{name}">{escapeHtml(text)}</span>'


@lru_cache(maxsize=256)
def lexer_of(language: str) -> Lexer | None:
    """The reader of a language, which must not trim blank lines or add a last one."""
    if language in ("", "text", "plain"):
        return None
    try:
        return get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


@lru_cache(maxsize=1024)
def class_of(kind: _TokenType) -> str:
    """Pygments' short class for a kind of token, or that of the kind above it."""
    step: _TokenType | None = kind
    while step is not None and step not in STANDARD_TYPES:
        step = step.parent
    return STANDARD_TYPES[step] if step is not None else ""

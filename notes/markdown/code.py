"""Code blocks: highlighted by class names when the language is known, plain when not."""

import re
from collections.abc import Sequence
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.token import Token
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import STANDARD_TYPES, _TokenType
from pygments.util import ClassNotFound

from notes.markdown import bounds
from notes.markdown.work import Work

LANGUAGE = re.compile(r"[{.]*([A-Za-z0-9][A-Za-z0-9+#._-]{0,39})")


def extend(markdown: MarkdownIt) -> None:
    """Our own markup for fenced and indented code."""
    markdown.add_render_rule("fence", render_code)
    markdown.add_render_rule("code_block", render_code)


def render_code(
    _renderer: object, tokens: Sequence[Token], index: int, _options: object, env: dict[str, Work]
) -> str:
    """A block in a box that scrolls: ```` ```python ````."""
    token, marker = tokens[index], env["work"].marker
    match = LANGUAGE.match(token.info.strip())
    language = match[1].lower() if match else ""
    attribute = f' data-language="{escapeHtml(language)}"' if language else ""
    return f"<pre{attribute}><code>{highlighted(token.content, language, marker)}</code></pre>\n"


def highlighted(text: str, language: str, marker: str) -> str:
    """The code as html; long blocks stay plain, because some languages are slow to read."""
    lexer = lexer_of(language) if len(text) <= bounds.HIGHLIGHTED_CHARACTERS else None
    if lexer is None:
        return escapeHtml(text)
    pieces: list[str] = []
    run, run_class = "", ""
    for kind, value in lexer.get_tokens(text):
        name = class_of(kind) if value.strip() else run_class
        if name == run_class:
            run += value
            continue
        pieces.append(span(run, run_class, marker))
        run, run_class = value, name
    pieces.append(span(run, run_class, marker))
    return "".join(pieces)


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

"""CommonMark as its specification has it: no extensions of ours, and no sanitiser.

For conformance suites alone, through `manage.py render --commonmark`. What comes out is whatever
the author wrote, so nothing of the site may call this: a test looks for imports.
"""

from collections.abc import Sequence
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

from notes.markdown.parser import bounded
from notes.markdown.values import Inputs
from notes.markdown.work import Work


def commonmark(source: str) -> str:
    """Plain CommonMark to html that is safe for nobody."""
    return str(plain_parser().render(source, {"work": Work.begin("", Inputs())}))


@cache
def plain_parser() -> MarkdownIt:
    """The library's CommonMark, with our bounds on depth: the library drops what lies deeper."""
    markdown = bounded(MarkdownIt("commonmark"))
    markdown.validateLink = lambda url: True  # type: ignore[method-assign]
    markdown.add_render_rule("blockquote_close", render_quote_end)
    return markdown


def render_quote_end(
    _renderer: object, tokens: Sequence[Token], index: int, _options: object, _env: object
) -> str:
    """An empty quote has a line break too, as in the specification's examples."""
    return "\n</blockquote>\n" if tokens[index - 1].type == "blockquote_open" else "</blockquote>\n"

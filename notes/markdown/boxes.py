"""What our own elements carry besides their class, put in after the sanitiser.

Wide things scroll in a box of their own that the keyboard reaches, so each box is a group with a
name. As a region each would be a landmark, and a page has one landmark of a name.
"""

from collections.abc import Mapping
from functools import lru_cache

from markdown_it.common.utils import escapeHtml

from notes.markdown.vocabulary import Vocabulary


@lru_cache(maxsize=64)
def boxes(words: Vocabulary) -> Mapping[str, str]:
    """The attributes of each class, with names in the note's language."""
    group = ' role="group" tabindex="0" aria-label="'
    back = f' role="doc-backlink" aria-label="{escapeHtml(words.back)}"'
    return {
        "math display": f'{group}{escapeHtml(words.equation)}"',
        "table": f'{group}{escapeHtml(words.table)}"',
        "code": f'{group}{escapeHtml(words.code)}"',
        "footnotes": f' role="doc-endnotes" aria-label="{escapeHtml(words.footnotes)}"',
        "references": f' role="doc-bibliography" aria-label="{escapeHtml(words.references)}"',
        "citation": ' role="doc-biblioref"',
        "citation-back": back,
        "footnote-ref": ' role="doc-noteref"',
        "footnote-back": back,
    }

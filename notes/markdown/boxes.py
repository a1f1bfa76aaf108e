"""What our own elements carry besides their class, put in after the sanitiser.

Wide things scroll in a box of their own that the keyboard reaches, so each box is a group with a
name. As a region each would be a landmark, and a page has one landmark of a name.
"""

from notes.markdown.wording import gettext_noop

BOXES = {
    "math display": f' role="group" tabindex="0" aria-label="{gettext_noop("Equation")}"',
    "table": f' role="group" tabindex="0" aria-label="{gettext_noop("Table")}"',
    "code": f' role="group" tabindex="0" aria-label="{gettext_noop("Code")}"',
    "footnotes": f' role="doc-endnotes" aria-label="{gettext_noop("Footnotes")}"',
    "references": f' role="doc-bibliography" aria-label="{gettext_noop("References")}"',
    "citation": ' role="doc-biblioref"',
    "citation-back": f' role="doc-backlink" aria-label="{gettext_noop("Back to the text")}"',
    "footnote-ref": ' role="doc-noteref"',
    "footnote-back": f' role="doc-backlink" aria-label="{gettext_noop("Back to the text")}"',
}
FIGURE = gettext_noop("Figure")
TABLE = gettext_noop("Table")
EQUATION = gettext_noop("Equation")
SECTION = gettext_noop("Section")
DONE = gettext_noop("Done")
OPEN = gettext_noop("Open")
CALLOUTS = {
    "note": gettext_noop("Note"),
    "tip": gettext_noop("Tip"),
    "important": gettext_noop("Important"),
    "warning": gettext_noop("Warning"),
    "caution": gettext_noop("Caution"),
}

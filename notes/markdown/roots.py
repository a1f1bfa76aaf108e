"""Marked roots: stored html never holds an address of the installation.

`/notes/x/` is stored as SITE_MARK + `notes/x/`, a figure's file as MEDIA_MARK + its path. A
link between notes is stored with NOTE_MARK and without an address (see `note_links`), a citation in
a short text with REFERENCE_MARK (see `citations`). The marks are noncharacters, which no text of an
author may hold, so one replace each is enough to put roots in.
"""

import re

from django.utils.safestring import SafeString, mark_safe

SITE_MARK = "\ufdd0"
MEDIA_MARK = "\ufdd1"
NOTE_MARK = "\ufdd3"
REFERENCE_MARK = "\ufdd4"
NOTE_LINK = re.compile(
    rf'<a class="note-link( untitled)?" data-note="{NOTE_MARK}([^"#]*)(#[^"]*)?">(.*?)</a>',
    re.DOTALL,
)
REFERENCE_LINK = re.compile(
    rf'(<a class="citation"[^<>]*?) data-reference="{REFERENCE_MARK}([^"]*)">(.*?)</a>', re.DOTALL
)


def unmarked(text: str) -> str:
    """Take the marks out of something an author wrote."""
    for mark in (SITE_MARK, MEDIA_MARK, NOTE_MARK, REFERENCE_MARK):
        text = text.replace(mark, "")
    return text


def place(html: str, *, site_root: str = "/", media_root: str = "/media/") -> SafeString:
    """Write the roots into rendered html: `place(html, site_root="https://example.org/")`.

    A link to a note or a reference that nobody has resolved leaves its text.
    """
    if NOTE_MARK in html:
        html = NOTE_LINK.sub(r"\4", html)
    if REFERENCE_MARK in html:
        html = REFERENCE_LINK.sub(r"\3", html)
    # Safe: this html left the sanitiser, or is this package's own; nothing else is passed here.
    return mark_safe(html.replace(SITE_MARK, site_root).replace(MEDIA_MARK, media_root))  # noqa: S308

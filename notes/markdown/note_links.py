"""Links between notes: `[[slug]]`, `[[slug#anchor]]`, `[[slug|text]]`.

Whether the target is public, and what it is called, is a question for the moment a page is built.
So a link is stored without address or title, marked by a noncharacter that no author can write:

    <a class="note-link untitled" data-note="MARKslug#s-anchor">slug</a>

`resolve_note_links` makes a link of it where the target may be seen, and else leaves the author's
text. `place()` does that too, for whatever has not been resolved.
"""

import html as escaping
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml, normalizeReference
from markdown_it.rules_inline import StateInline

from notes.markdown import headings
from notes.markdown.links import OWN_ANCHORS
from notes.markdown.roots import NOTE_LINK, NOTE_MARK
from notes.markdown.work import Work

# In a table's cell the bar is written `\|`; the table takes the backslash away, or leaves it.
WRITTEN = re.compile(
    r"\[\[[ \t]*([^\s\[\]|#\\]{1,200})(?:#([^\[\]|\n]{0,200}))?(?:\\?\|([^\[\]\n]{1,500}))?\]\]"
)


@dataclass(frozen=True, slots=True)
class NoteTarget:
    """Where a link leads, as an address with a marked root, and the title of what is there."""

    address: str
    title: str


def extend(markdown: MarkdownIt) -> None:
    """Before links, of which these are none."""
    markdown.inline.ruler.before("link", "note_link", note_link)


def note_link(state: StateInline, silent: bool) -> bool:
    """`[[slug#anchor|text]]`; the text may hold inline constructs."""
    # Silent is the search for a link's end, and links hold no links.
    if silent or state.linkLevel or not state.src.startswith("[[", state.pos):
        return False
    match = WRITTEN.match(state.src, state.pos, state.posMax)
    if match is None or state.src.startswith("(", match.end()):
        return False
    slug = unicodedata.normalize("NFC", match[1]).lower()
    if not is_slug(slug) or normalizeReference(match[1]) in state.env.get("references", {}):
        return False
    work: Work = state.env["work"]
    anchor = f"#{anchor_of(match[2])}" if match[2] and match[2].strip() else ""
    classes = f"{work.marker}note-link" + ("" if match[3] else f" {work.marker}untitled")
    opening = state.push("note_link_open", "a", 1)
    opening.attrs = {"class": classes, "href": f"{work.marker}{slug}{anchor}"}
    if match[3]:
        limit, state.posMax, state.pos = state.posMax, match.end(3), match.start(3)
        state.linkLevel += 1
        state.md.inline.tokenize(state)
        state.linkLevel -= 1
        state.posMax = limit
    else:
        state.push("text", "", 0).content = match[1] + (f"#{match[2]}" if anchor else "")
    state.push("note_link_close", "a", -1)
    state.pos = match.end()
    return True


def is_slug(text: str) -> bool:
    """Letters, their marks, digits and hyphens, as every address of a note has them."""
    return all(one.isalnum() or one == "-" or unicodedata.category(one)[0] == "M" for one in text)


def anchor_of(fragment: str) -> str:
    """`The problem` and `s-the-problem` are both the heading's `s-the-problem`."""
    name = unicodedata.normalize("NFC", fragment.strip())
    if name.startswith(OWN_ANCHORS):
        return re.sub(r"\s+", "-", name)
    return f"s-{headings.slug(name)}"


def stored(work: Work, attributes: dict[str, str]) -> str:
    """Bring one of our links to its stored form, after the sanitiser; its slug, or else ""."""
    address = attributes.get("href", "")
    if not address.startswith(work.marker):
        return ""
    del attributes["href"]
    named = address.removeprefix(work.marker)
    attributes["data-note"] = NOTE_MARK + named
    return named.partition("#")[0]


def slugs_in(*texts: str) -> list[str]:
    """The notes that stored html links to, each once, in order."""
    found = (
        escaping.unescape(match[2])
        for text in texts
        if NOTE_MARK in text
        for match in NOTE_LINK.finditer(text)
    )
    return list(dict.fromkeys(found))


def resolve_note_links(html: str, targets: Mapping[str, NoteTarget]) -> str:
    """Stored html with its links to notes: to those in ``targets``; the others leave their text.

    A bare `[[slug]]` shows the title of its target. `place()` still has to write the roots.
    """
    if NOTE_MARK not in html:
        return html

    def resolved(match: re.Match[str]) -> str:
        untitled, slug, anchor, text = match[1], escaping.unescape(match[2]), match[3], match[4]
        target = targets.get(slug)
        if target is None:
            return text
        shown = escapeHtml(target.title) if untitled and target.title else text
        return f'<a href="{escapeHtml(target.address)}{anchor or ""}">{shown}</a>'

    return NOTE_LINK.sub(resolved, html)

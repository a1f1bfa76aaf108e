"""Links between notes: `[[slug]]`, `[[slug#anchor]]`, `[[slug|text]]`.

Whether the target is public, and what it is called, is a question for the moment a page is built.
So a link is stored without address or title, marked by a noncharacter that no author can write:

    <a class="note-link untitled" data-note="MARKslug#s-anchor">slug</a>

`resolve_note_links` makes a link of it where the target may be seen, and else leaves the author's
text. `place()` does that too, for whatever has not been resolved.

Whether the site has such a note at all, in whatever state, is told to the render: what names none
is a problem, and so is an anchor that the note hasn't.
"""

import html as escaping
import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml, normalizeReference
from markdown_it.rules_inline import StateInline

from notes.markdown import headings, links
from notes.markdown.links import OWN_ANCHORS
from notes.markdown.roots import NOTE_LINK, NOTE_MARK
from notes.markdown.work import PageLink, Work

# In a table's cell the bar is written `\|`; the table takes the backslash away, or leaves it.
WRITTEN = re.compile(
    r"\[\[[ \t]*([^\s\[\]|#\\]{1,200})(?:#([^\[\]|\n]{0,200}))?(?:\\?\|([^\[\]\n]{1,500}))?\]\]"
)

ADDRESS = re.compile(r"notes/([^\s()<>\"'/?#\\]{1,600})/?(#?)")


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
    slug = canonical(match[1])
    if not is_slug(slug) or normalizeReference(match[1]) in state.env.get("references", {}):
        return False
    work: Work = state.env["work"]
    anchor = f"#{anchor_of(match[2])}" if match[2] and match[2].strip() else ""
    classes = f"{work.marker}note-link" + ("" if match[3] else f" {work.marker}untitled")
    opening = state.push("note_link_open", "a", 1)
    opening.meta = {"slug": slug, "anchor": anchor[1:], "written": match[0]}
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


def canonical(slug: str) -> str:
    """The form in which slugs are stored: `[[Größe]]` names `größe`."""
    return unicodedata.normalize("NFC", slug).lower()


def is_slug(text: str) -> bool:
    """Letters, their marks, digits and hyphens, as every address of a note has them."""
    return bool(text) and all(
        one.isalnum() or one == "-" or unicodedata.category(one)[0] == "M" for one in text
    )


def anchor_of(fragment: str) -> str:
    """`The problem` and `s-the-problem` are both the heading's `s-the-problem`."""
    name = unicodedata.normalize("NFC", fragment.strip())
    if name.startswith(OWN_ANCHORS):
        return re.sub(r"\s+", "-", name)
    return f"s-{headings.slug(name)}"


def notes_named(source: str) -> dict[str, bool]:
    """Every note that a text may link to, and whether it names an anchor there: to be looked up."""
    named: dict[str, bool] = {}
    for match in WRITTEN.finditer(source):
        slug = canonical(match[1])
        named[slug] = named.get(slug, False) or bool(match[2])
    for match in ADDRESS.finditer(source):
        slug = canonical(unquote(match[1]))
        named[slug] = named.get(slug, False) or bool(match[2])
    return {slug: anchored for slug, anchored in named.items() if is_slug(slug)}


def check(work: Work, meta: Mapping[str, str], place: Callable[[], tuple[int, int]]) -> None:
    """Name the link whose note or anchor is not there; its place is asked for only then."""
    slug, anchor = meta["slug"], meta["anchor"]
    note = work.inputs.notes.get(slug)
    if note is None or note.is_elsewhere:
        work.problems.add("unknown-note", *place(), written=meta["written"])
    elif note.is_own and anchor:
        work.page_links.append(PageLink(anchor, *place()))
    elif anchor and note.anchors is not None and anchor not in note.anchors:
        work.problems.add("unknown-note-anchor", *place(), slug=slug, anchor=anchor)


def check_address(work: Work, address: str, place: Callable[[], tuple[int, int]]) -> None:
    """The same of an address of this site, `/notes/x/#s-why`; only our own anchors are known."""
    if "notes/" not in address:  # what `notes_named` doesn't see was not looked up
        return
    target = links.resolve(address)
    slug = links.note_of(target)
    note = work.inputs.notes.get(slug)
    if is_slug(slug) and not (note and note.is_elsewhere):
        fragment = unquote(target.address.partition("#")[2])
        anchor = fragment if fragment.startswith(OWN_ANCHORS) else ""
        check(work, {"slug": slug, "anchor": anchor, "written": address}, place)


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

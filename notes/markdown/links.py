"""Where an address leads: to this site (with a marked root), another, into the page, nowhere.

`/notes/x/` → SITE_MARK + `notes/x/`; `javascript:…` → refused, whatever hides the scheme.
"""

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal
from urllib.parse import unquote, urljoin

from notes.markdown.roots import SITE_MARK
from notes.markdown.work import Work, children_of, line_in

SCHEMES = frozenset({"http", "https", "mailto", "tel", "ftp"})
SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.I)
NOTE = re.compile(rf"{SITE_MARK}notes/([^/?#]+)/?(?:[?#].*)?", re.DOTALL)
OWN_ANCHORS = ("s-", "fn-", "fig-", "tbl-", "eq-", "t-", "c-", "cite-", "x-")
TOP = "top"
# A note is read at /notes/<slug>/: `../other/` is another note, whatever this one's slug is.
A_NOTE = "/notes/\ufffe/"


@dataclass(frozen=True, slots=True)
class Target:
    """An address and the kind of place it leads to."""

    kind: Literal["site", "external", "page", "relative", "refused"]
    address: str


def resolve(address: str) -> Target:
    """Judge one address as a browser would read it."""
    visible = "".join(
        character
        for character in address
        if not character.isspace()
        and unicodedata.category(character) not in ("Cc", "Cf", "Zs", "Zl", "Zp")
    )
    address = address.strip()
    if scheme := SCHEME.match(visible):
        if scheme[1].lower() not in SCHEMES or not SCHEME.match(address):
            return Target("refused", "")
        return Target("external", address)
    # Browsers read a backslash as a slash: `/\evil.example` is another host.
    slashed = visible.replace("\\", "/")
    if slashed.startswith("//"):
        return Target("external", "https:" + slashed)
    if visible.startswith("#"):
        return Target("page", address[1:])
    if slashed.startswith("/"):
        return Target("site", SITE_MARK + slashed[1:])
    joined = urljoin(A_NOTE, slashed)
    if joined.startswith(A_NOTE):
        return Target("relative", address)
    return Target("site", SITE_MARK + joined.lstrip("/"))


def check(work: Work) -> None:
    """Name the addresses that will be dropped; the sanitiser and the last stage drop them."""
    for block, token in children_of(work.tokens):
        address = token.attrs.get("href") if token.type == "link_open" else token.attrs.get("src")
        if address and resolve(str(address)).kind == "refused":
            work.problems.add("dropped-link", line_in(block), address=str(address))


def note_of(target: Target) -> str:
    """The slug of the note that a link leads to, or ""."""
    match = NOTE.fullmatch(target.address) if target.kind == "site" else None
    return unicodedata.normalize("NFC", unquote(match[1])).lower() if match else ""


def anchor_in_page(fragment: str, headings: set[str]) -> str:
    """`#setup` is our heading `s-setup` if there is one, else an id of the author's (`x-setup`).

    `#top` is the top of the page, as every browser has it, unless a heading has this name.
    """
    name = unicodedata.normalize("NFC", unquote(fragment))
    if not name or name.startswith(OWN_ANCHORS):
        return name
    if f"s-{name}" in headings:
        return f"s-{name}"
    return name if name.lower() == TOP else f"x-{name}"

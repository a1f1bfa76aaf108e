"""Raw HTML before the sanitiser: unknown tags are shown, frames become links, losses named."""

import html
import re

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from notes.markdown import links
from notes.markdown.elements import ALLOWED, HARMLESS, REFUSED
from notes.markdown.work import Work, children_of, line_in

TAG = re.compile(r"<(/?)([A-Za-z][^\s/>]{0,60})")
FRAME = re.compile(r"<(iframe|embed|object|frame|video|audio|source)\b([^<>]{0,2000})>", re.I)
ADDRESS = re.compile(
    r"""(?<![\w-])(?:href|src|data)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))""", re.I
)
HANDLER = re.compile(r"""[\s"'/](on[a-z]{3,40}|srcdoc|formaction)\s*=""", re.I)


def extend(markdown: MarkdownIt) -> None:
    """Right after the inline text has been read."""
    markdown.core.ruler.after("inline", "raw_html", prepare)


def prepare(state: StateCore) -> None:
    """Rewrite every piece of raw HTML; the sanitiser still reads all of it."""
    work: Work = state.env["work"]
    for token in state.tokens:
        if token.type == "html_block":
            token.content = rewritten(work, token, token)
    for block, token in children_of(state.tokens):
        if token.type == "html_inline":
            token.content = rewritten(work, block, token)


def rewritten(work: Work, block: Token, token: Token) -> str:
    """One piece: `<iframe src="https://…">` → a link, `<T>` → its own text."""
    content = token.content
    line = line_in(block)
    if content.startswith("<!--") and content.endswith("-->"):
        return ""
    for match in ADDRESS.finditer(content):
        address = html.unescape(match[1] or match[2] or match[3] or "")
        if address and links.resolve(address).kind == "refused":
            work.problems.add("dropped-link", line, address=address)
    for match in HANDLER.finditer(content):
        work.problems.add("unsafe-html", line, name=match[1].lower())
    content = FRAME.sub(lambda match: link_to_frame(work, line, match), content)
    return TAG.sub(lambda match: known_tag(work, line, match), content)


def link_to_frame(work: Work, line: int, match: re.Match[str]) -> str:
    """A frame's address as a link, if it can be one; the frame itself goes either way."""
    found = ADDRESS.search(match[2])
    address = (found[1] or found[2] or found[3] or "").strip() if found else ""
    if address.startswith("//"):
        address = "https:" + address
    if not re.match(r"https?://", address, re.I):
        return match[0]
    work.problems.add("frame", line, address=address)
    quoted = address.replace('"', "%22")
    return f'<a href="{quoted}">{escapeHtml(address)}</a>'


def known_tag(work: Work, line: int, match: re.Match[str]) -> str:
    """A tag that no browser knows is what the author wants to show."""
    name = match[2].lower()
    if name in ALLOWED or name in HARMLESS:
        return match[0]
    if name in REFUSED:
        if not match[1]:
            work.problems.add("unsafe-html", line, name=name)
        return match[0]
    return f"&lt;{match[1]}{escapeHtml(match[2])}"

"""Raw HTML before the sanitiser: unknown tags are shown, frames become links, losses named."""

import html
import re
from collections import Counter

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from notes.markdown import bounds, links
from notes.markdown.elements import (
    ALLOWED,
    ENDED_BY_OTHERS,
    HARMLESS,
    REFUSED,
    SWALLOWING,
    VOID,
    names,
)
from notes.markdown.work import Work, children_of, line_in

TAG = re.compile(r"<(/?)([A-Za-z][^\s/>]{0,60})")
FRAME = re.compile(r"<(iframe|embed|object|frame|video|audio|source)\b([^<>]{0,2000})>", re.I)
ADDRESS = re.compile(
    r"""(?<![\w-])(?:href|src|data)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))""", re.I
)
# `if a<b and c>d` is no element b: a browser knows none of its attributes.
COMPARISON = re.compile(r"<[A-Za-z][A-Za-z0-9]*((?:\s+[A-Za-z_]\w*)+)\s*>")
FLAGS = names("checked compact controls disabled hidden inert itemscope nowrap open reversed")
# A tag with its attributes; what stands between tags is the author's text.
WHOLE_TAG = re.compile(r"""<[A-Za-z](?:[^<>"']++|"[^"]{0,2000}+"|'[^']{0,2000}+'|["'])*+>?""")
HANDLER = re.compile(r"""[\s"'/](on[a-z]{3,40}|srcdoc|formaction)\s*=""", re.I)


def extend(markdown: MarkdownIt) -> None:
    """Right after the inline text has been read."""
    markdown.core.ruler.after("inline", "raw_html", prepare)


def prepare(state: StateCore) -> None:
    """Rewrite every piece of raw HTML; the sanitiser still reads all of it."""
    work: Work = state.env["work"]
    nesting = Nesting()
    for token in state.tokens:
        if token.type == "html_block":
            token.content = rewritten(work, nesting, token, token)
        for block, child in children_of([token]):
            if child.type == "html_inline" and is_comparison(child.content):
                child.content = escapeHtml(child.content)
            elif child.type == "html_inline":
                child.content = rewritten(work, nesting, block, child)


def is_comparison(tag: str) -> bool:
    """Whether a tag is but words between two signs."""
    match = COMPARISON.fullmatch(tag)
    if match is None or TAG.match(tag)[2].lower() not in ALLOWED:  # type: ignore[index]
        return False
    return not FLAGS & set(match[1].lower().split())


class Nesting:
    """How deep the author's own elements lie; a parser of HTML is slow where they lie deep."""

    def __init__(self) -> None:
        self.open: Counter[str] = Counter()
        self.depth = 0
        self.cells = 0

    def takes(self, name: str, *, closes: bool) -> bool:
        """Whether this tag may stay a tag."""
        if name in {"td", "th"}:
            self.cells += not closes
            return self.cells <= bounds.TABLE_CELLS
        if name in VOID or name in ENDED_BY_OTHERS:
            return True
        if closes:
            if self.open[name]:
                self.open[name] -= 1
                self.depth -= 1
            return True
        if self.depth >= bounds.ELEMENT_DEPTH:
            return False
        self.open[name] += 1
        self.depth += 1
        return True


def rewritten(work: Work, nesting: Nesting, block: Token, token: Token) -> str:
    """One piece: `<iframe src="https://…">` → a link, `<T>` → its own text."""
    content = token.content
    line = line_in(block)
    if content.startswith("<!--") and content.endswith("-->"):
        return ""
    for tag in WHOLE_TAG.findall(content):
        for match in ADDRESS.finditer(tag):
            address = html.unescape(match[1] or match[2] or match[3] or "")
            if address and links.resolve(address).kind == "refused":
                work.problems.add("dropped-link", line, address=address)
        for match in HANDLER.finditer(tag):
            work.problems.add("unsafe-html", line, name=match[1].lower())
    content = FRAME.sub(lambda match: link_to_frame(work, line, match), content)
    content = show_unpaired(work, line, content)
    return TAG.sub(lambda match: known_tag(work, nesting, line, match), content)


def show_unpaired(work: Work, line: int, content: str) -> str:
    """`<title>` without its end would swallow the rest of the note: it is shown instead.

    As GFM's tag filter does; one that is whole goes, content and all.
    """
    folded = content.lower()
    ends = {name: folded.rfind(f"</{name}") for name in SWALLOWING}
    starts = {name: folded.find(f"<{name}") for name in SWALLOWING}

    def shown(match: re.Match[str]) -> str:
        name = match[2].lower()
        if name not in SWALLOWING:
            return match[0]
        if match[1]:  # a frame may have become a link
            paired = 0 <= starts[name] < match.start() or name == "iframe"
        else:
            paired = ends[name] > match.start() and name != "plaintext"
        if paired:
            return match[0]
        work.problems.add("unsafe-html", line, name=name)
        return f"&lt;{match[1]}{match[2]}"

    return TAG.sub(shown, content) if "<" in content else content


def link_to_frame(work: Work, line: int, match: re.Match[str]) -> str:
    """A frame's address as a link, if it can be one; the frame itself goes either way."""
    found = ADDRESS.search(match[2])
    address = html.unescape(found[1] or found[2] or found[3] or "").strip() if found else ""
    if address.startswith("//"):
        address = "https:" + address
    if not re.match(r"https?://", address, re.I):
        return match[0]
    work.problems.add("frame", line, address=address)
    return f'<a href="{escapeHtml(address)}">{escapeHtml(address)}</a>'


def known_tag(work: Work, nesting: Nesting, line: int, match: re.Match[str]) -> str:
    """A tag that no browser knows is what the author wants to show; one too deep is shown too."""
    name = match[2].lower()
    if not nesting.takes(name, closes=bool(match[1])):
        cell = name in {"td", "th"}
        what = "The tables have too many cells" if cell else "HTML elements are nested too deeply"
        limit = bounds.TABLE_CELLS if cell else bounds.ELEMENT_DEPTH
        work.problems.add("past-bound", line, what=what, limit=limit)
        return f"&lt;{match[1]}{escapeHtml(match[2])}"
    if name in ALLOWED or name in HARMLESS:
        return match[0]
    if name in REFUSED:
        if not match[1]:
            work.problems.add("unsafe-html", line, name=name)
        return match[0]
    return f"&lt;{match[1]}{escapeHtml(match[2])}"

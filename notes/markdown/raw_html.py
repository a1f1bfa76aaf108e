"""Raw HTML before the sanitiser: unknown tags are shown, frames become links, what will go is named."""

import re

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from notes.markdown.sanitize import TAGS
from notes.markdown.work import Work, children_of, line_in

# Elements that a browser knows and we take out, with what they do. Others (`List<T>`) are text.
REFUSED = frozenset(
    "script style link meta base title head body html noscript template frame frameset noframes noembed "
    "iframe object embed applet param form fieldset legend label button select option optgroup textarea "
    "datalist output progress meter dialog slot portal svg math video audio source track picture canvas "
    "map area marquee blink plaintext xmp listing font center nav main header footer article hgroup "
    "address search menu bgsound isindex keygen basefont dir acronym big tt strike data nobr".split()
)
# Elements among them that only mark up text; taking these out needs no word.
HARMLESS = frozenset(
    "body html head font center nav main header footer article hgroup address search menu acronym big tt "
    "strike data nobr picture label".split()
)
TAG = re.compile(r"<(/?)([A-Za-z][^\s/>]{0,60})")
FRAME = re.compile(r"<(iframe|embed|object|frame|video|audio|source)\b([^<>]{0,2000})>", re.I)
ADDRESS = re.compile(r"""(?<![\w-])(?:src|data)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))""", re.I)
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
    return f'<a href="{quoted}">{escapeHtml(address)}</a>{match[0]}'


def known_tag(work: Work, line: int, match: re.Match[str]) -> str:
    """A tag that no browser knows is what the author wants to show."""
    name = match[2].lower()
    if name in TAGS:
        return match[0]
    if name in REFUSED:
        if name not in HARMLESS and not match[1]:
            work.problems.add("unsafe-html", line, name=name)
        return match[0]
    return f"&lt;{match[1]}{escapeHtml(match[2])}"

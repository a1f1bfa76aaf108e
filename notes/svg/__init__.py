"""Drawings: an SVG file in, the same picture out with nothing but what the allowlist names.

What could run, load, link out of the file or tell of its author is left out: scripts, events,
foreign content, links, comments, editors' own data. Styles become attributes. What would take
something visible away, or can't be read safely, is refused with the cure. Cleaning what was cleaned
changes no byte.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable
from dataclasses import dataclass

from django.utils.translation import gettext as _

from notes.svg import styles
from notes.svg.allowlist import (
    ANIMATED,
    ANIMATIONS,
    ATTRIBUTES,
    EMBEDDED,
    FUNCTIONS,
    REFERRING,
)
from notes.svg.tree import NAMESPACE, Node, NotADrawing, Refused, read, write

__all__ = ["Drawing", "NotADrawing", "Refused", "clean"]

MAX_SIDE = 16_383
MAX_SHOWN = 500_000  # elements when everything that is referred to is counted each time
MAX_CHAIN = 200
DEFAULT_SIZE = (300.0, 150.0)  # a browser's, for a drawing that doesn't say

FUNCTION = re.compile(r"([^\s(),;:/'\"+*]*)\s*\(")
URL = re.compile(r"url\(\s*(['\"]?)#([^'\"()\s\\]+)\1\s*\)", re.I)
FRAGMENT = re.compile(r"#[^\s'\"()\\<>]+")
NAME = re.compile(r"[^\s'\"()\\<>&]+")
DATA = re.compile(r"data:(image/[a-z]+);base64,(.*)", re.S | re.I)
NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?", re.I)
PIXELS = {"": 1, "px": 1, "pt": 4 / 3, "pc": 16, "in": 96, "cm": 96 / 2.54, "mm": 96 / 25.4}
PIXELS |= {"em": 16, "rem": 16, "ex": 8, "q": 96 / 101.6}

# A picture inside the drawing: its bytes in, its type and clean bytes out, None to leave it out.
Embed = Callable[[bytes], tuple[str, bytes] | None]


@dataclass(frozen=True, slots=True)
class Drawing:
    """A clean file, and the size in pixels at which it was drawn."""

    bytes: bytes
    width: int
    height: int


def clean(data: bytes, embed: Embed) -> Drawing:
    """Clean a drawing, or raise `Refused`; pictures inside it go through ``embed``."""
    document = read(data)
    styles.apply(document)
    root = document.root
    _check_elements(root, embed)
    _check_references(root)
    width, height = _measure(root)
    root.attributes = {"xmlns": NAMESPACE, **root.attributes}
    return Drawing((write(root) + "\n").encode(), width, height)


def _check_elements(root: Node, embed: Embed) -> None:
    for node in root.walk():
        node.attributes = {
            name: kept
            for name, value in node.attributes.items()
            if (kept := _attribute(node.name, name, value, embed)) is not None
        }
        node.children = [
            child for child in node.children if isinstance(child, str) or _is_kept(child)
        ]


def _is_kept(node: Node) -> bool:
    """An animation of what is no attribute of a drawing would be one of a link or an event."""
    if node.name in ANIMATIONS:
        return node.attributes.get("attributeName") in ANIMATED
    return True


def _attribute(element: str, name: str, value: str, embed: Embed) -> str | None:
    """The value as it may stand; None to leave the attribute out."""
    if name == "href":
        if element == "image":
            return _embedded(value, embed)
        value = value.strip()
        return value if element in REFERRING and FRAGMENT.fullmatch(value) else None
    if name == "id":
        return value if NAME.fullmatch(value) else None
    if name == "xml:space":
        return value if value == "preserve" else None
    if name not in ATTRIBUTES or "\\" in value:
        return None
    if name in ("begin", "end") and not re.fullmatch(r"[\w\s.;:+-]*", value):
        return None
    if name in ("by", "from", "to", "values") and ":" in value:
        return None
    if "(" in value:
        functions = {function.lower().lstrip("-") for function in FUNCTION.findall(value)}
        if not functions <= FUNCTIONS | {""}:
            return None
        inside = URL.sub("", value)
        if "url" in inside.lower():
            return None
        value = URL.sub(r"url(#\2)", value)
    return value


def _embedded(value: str, embed: Embed) -> str | None:
    match = DATA.fullmatch(value.strip())
    if not match or match[1].lower().replace("jpg", "jpeg") not in EMBEDDED:
        return None
    try:
        data = base64.b64decode("".join(match[2].split()), validate=True)
    except (binascii.Error, ValueError):
        return None
    embedded = embed(data)
    if embedded is None:
        return None
    kind, data = embedded
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"


def _check_references(root: Node) -> None:
    """Refuse a drawing that shows itself, or that a few lines of `<use>` would blow up."""
    by_id: dict[str, Node] = {}
    for node in root.walk():
        by_id.setdefault(node.attributes.get("id", ""), node)
    counted: dict[int, int] = {}
    under_way: set[int] = set()

    def count(node: Node, chain: int) -> int:
        if id(node) in counted:
            return counted[id(node)]
        if id(node) in under_way or chain > MAX_CHAIN:
            raise Refused(
                _("This drawing shows a part inside itself. Mend it, or export it as PNG.")
            )
        under_way.add(id(node))
        total = 1 + sum(count(child, chain + 1) for child in node.nodes)
        for name in _references(node):
            if name in by_id:
                total += count(by_id[name], chain + 1)
        under_way.discard(id(node))
        if total > MAX_SHOWN:
            raise Refused(
                _(
                    "This drawing repeats its parts more than %(count)d times in all. "
                    "Export it as PNG."
                )
                % {"count": MAX_SHOWN}
            )
        counted[id(node)] = total
        return total

    count(root, 0)


def _references(node: Node) -> list[str]:
    found = [
        name
        for value in node.attributes.values()
        if "url(#" in value
        for _quote, name in URL.findall(value)
    ]
    if node.name != "image" and "href" in node.attributes:
        found.append(node.attributes["href"].removeprefix("#"))
    return found


def _measure(root: Node) -> tuple[int, int]:
    """The size in whole pixels; the root gets a viewBox, so that it scales wherever it is shown."""
    attributes = root.attributes
    box = [float(number) for number in NUMBER.findall(attributes.get("viewBox", ""))]
    if len(box) != 4 or min(box[2:]) <= 0 or max(map(abs, box)) > 1e9:
        attributes.pop("viewBox", None)
        box = []
    lengths = {}
    for side in ("width", "height"):
        lengths[side] = _pixels(attributes.get(side, ""))
        if lengths[side] is None:
            attributes.pop(side, None)
    width, height = lengths["width"], lengths["height"]
    if box:
        ratio = box[3] / box[2]
        width = width or (height / ratio if height else box[2])
        height = height or width * ratio
    else:
        width, height = width or DEFAULT_SIZE[0], height or DEFAULT_SIZE[1]
        attributes["viewBox"] = f"0 0 {width:g} {height:g}"
    scale = min(1.0, MAX_SIDE / max(width, height))
    return max(1, round(width * scale)), max(1, round(height * scale))


def _pixels(length: str) -> float | None:
    match = re.fullmatch(rf"\s*({NUMBER.pattern})\s*([a-z]*)\s*", length, re.I)
    if not match or match[2].lower() not in PIXELS:
        return None
    pixels = float(match[1]) * PIXELS[match[2].lower()]
    return pixels if 0 < pixels < 1e9 else None

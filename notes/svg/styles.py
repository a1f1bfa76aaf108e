"""Style sheets and style attributes brought into presentation attributes.

A drawing is served under a policy without styles, and shown by readers that know no style sheets;
as attributes the same declarations hold in both. Rules with simple selectors (`*`, names, classes,
ids, one inside another) are resolved; at-rules and everything else that CSS knows is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _

from notes.svg.allowlist import GEOMETRY, INHERITED, PROPERTIES
from notes.svg.tree import Document, Node, Refused

MAX_COMPARISONS = 1_000_000

COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.S)
COMPOUND = re.compile(r"(\*|[A-Za-z][\w-]*)?((?:[.#][\w-]+)*)")
SIZE = re.compile(r"(?:^|\s)(\d*\.?\d+(?:px|pt|pc|em|rem|ex|mm|cm|in|%)?)(?:\s*/\s*\S+)?\s+(.+)$")
WEIGHT = re.compile(r"bold|bolder|lighter|[1-9]00")
LENGTH = re.compile(r"(?<=\d)(?:px|deg)(?![\w%])")


@dataclass(frozen=True, slots=True)
class Compound:
    """One element's part of a selector: ``path.curve#a``."""

    name: str
    classes: frozenset[str]
    ids: frozenset[str]

    def matches(self, node: Node) -> bool:
        return (
            self.name in ("", "*", node.name)
            and self.ids <= {node.attributes.get("id", "")}
            and self.classes <= frozenset(node.attributes.get("class", "").split())
        )


Selector = tuple[tuple[Compound, bool], ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """A selector (outermost first; True where the next must be a child) and what it declares."""

    selector: Selector
    declarations: tuple[tuple[str, str, bool], ...]

    @property
    def specificity(self) -> tuple[int, int, int]:
        parts = [compound for compound, _child in self.selector]
        return (
            sum(len(part.ids) for part in parts),
            sum(len(part.classes) for part in parts),
            sum(part.name not in ("", "*") for part in parts),
        )


class Matcher:
    """Compares selectors with elements, up to a bound: selectors can be made to try every way."""

    def __init__(self) -> None:
        self.left = MAX_COMPARISONS

    def is_meant(self, rule: Rule, line: list[Node]) -> bool:
        """Whether a rule is meant for the last of these nested elements."""
        return self._matches(rule.selector, line, len(rule.selector), len(line))

    def _matches(self, selector: Selector, line: list[Node], parts: int, depth: int) -> bool:
        self.left -= 1
        if not self.left:
            raise Refused(
                _("The style sheet of this drawing is too long. Save it as plain SVG, or as PNG.")
            )
        if not depth or not selector[parts - 1][0].matches(line[depth - 1]):
            return False
        if parts == 1:
            return True
        if selector[parts - 2][1]:
            return self._matches(selector, line, parts - 1, depth - 1)
        outer = range(depth - 1, 0, -1)
        return any(self._matches(selector, line, parts - 1, end) for end in outer)


def apply(document: Document) -> None:
    """Turn all styles of a drawing into attributes; nothing is left of sheets and classes."""
    rules = sorted(_rules("\n".join(document.styles)), key=lambda rule: rule.specificity)
    shown = {
        node.attributes.get("href", "").removeprefix("#")
        for node in document.root.walk()
        if node.name == "use"
    }
    matcher = Matcher()
    waiting: list[tuple[list[Node], dict[str, str], bool]] = [([document.root], {}, False)]
    while waiting:
        line, inherited, is_shown_elsewhere = waiting.pop()
        node = line[-1]
        is_shown_elsewhere = is_shown_elsewhere or node.attributes.get("id", "") in shown
        of_sheets = [d for rule in rules if matcher.is_meant(rule, line) for d in rule.declarations]
        own = list(_declarations(node.attributes.get("style", "")))
        is_root = len(line) == 1
        declared = _cascade(of_sheets, own, is_root=is_root)
        declared_here = {name for name, *_rest in own}
        for name, value in declared.items():
            # What comes to an element anyway needn't stand on each of thousands.
            is_repeated = inherited.get(name) == value and name not in declared_here
            if is_repeated and not is_shown_elsewhere and name in INHERITED:
                node.attributes.pop(name, None)
            else:
                node.attributes[name] = value
        inherited = inherited | {
            name: value for name, value in node.attributes.items() if name in INHERITED
        }
        waiting += [([*line, child], inherited, is_shown_elsewhere) for child in node.nodes]
    for node in document.root.walk():
        node.attributes.pop("style", None)
        node.attributes.pop("class", None)


def _cascade(
    of_sheets: list[tuple[str, str, bool]], own: list[tuple[str, str, bool]], *, is_root: bool
) -> dict[str, str]:
    declared: dict[str, str] = {}
    both = [*of_sheets, *own]
    for is_important in (False, True):
        for name, value, important in both:
            # How large a page shows the drawing is not the drawing's to say.
            if important == is_important and not (is_root and name in GEOMETRY):
                declared.pop(name, None)
                declared[name] = value
    return declared


def _rules(sheet: str) -> Iterable[Rule]:
    sheet = COMMENT.sub(" ", sheet).replace("<!--", " ").replace("-->", " ")
    position = 0
    while (start := sheet.find("{", position)) >= 0:
        head = sheet[position:start].rpartition(";")[2].strip()  # after an @import or @charset
        end = _end_of_block(sheet, start)
        if not head.startswith("@"):
            declarations = tuple(_declarations(sheet[start + 1 : end]))
            for text in head.split(","):
                selector = _selector(text)
                if selector and declarations:
                    yield Rule(selector, declarations)
        position = end + 1


def _end_of_block(sheet: str, start: int) -> int:
    depth = 0
    for match in re.compile(r"[{}]").finditer(sheet, start):
        depth += 1 if match[0] == "{" else -1
        if not depth:
            return match.start()
    return len(sheet)


def _selector(text: str) -> Selector:
    parts: list[tuple[Compound, bool]] = []
    for word in text.replace(">", " > ").split():
        if word == ">":
            if not parts:
                return ()
            parts[-1] = (parts[-1][0], True)
            continue
        match = COMPOUND.fullmatch(word)
        if not match or not word:
            return ()
        marks = re.findall(r"([.#])([\w-]+)", match[2])
        classes = frozenset(name for mark, name in marks if mark == ".")
        ids = frozenset(name for mark, name in marks if mark == "#")
        parts.append((Compound(match[1] or "", classes, ids), False))
    return tuple(parts) if len(parts) <= 8 and parts and not parts[-1][1] else ()


def _declarations(text: str) -> Iterable[tuple[str, str, bool]]:
    """(property, value, important) of what can be an attribute; shorthands taken apart."""
    for declaration in COMMENT.sub(" ", text).split(";"):
        name, colon, value = declaration.partition(":")
        name, value = name.strip().lower(), " ".join(value.split())
        bare = re.sub(r"\s*!\s*important$", "", value, flags=re.I)
        important = bare != value
        if not colon or not bare:
            continue
        if name == "font":
            yield from ((key, text, important) for key, text in _font(bare))
        elif name == "marker":
            yield from ((f"marker-{end}", bare, important) for end in ("start", "mid", "end"))
        elif name == "transform":
            yield name, LENGTH.sub("", bare), important
        elif name in PROPERTIES | GEOMETRY:
            yield name, bare, important


def _font(value: str) -> Iterable[tuple[str, str]]:
    """``italic bold 10px/1.2 'DejaVu Sans'`` as single properties."""
    match = SIZE.search(value)
    if not match:
        return
    for word in value[: match.start()].split():
        if word in ("italic", "oblique"):
            yield "font-style", word
        elif word == "small-caps":
            yield "font-variant", word
        elif WEIGHT.fullmatch(word):
            yield "font-weight", word
        elif word.endswith(("condensed", "expanded")):
            yield "font-stretch", word
    yield "font-size", match[1]
    yield "font-family", match[2]

"""A drawing read into a small tree of what may stay, and written out in one form.

Read with expat itself, which xml.etree and defusedxml are built on: a declared entity, an
undeclared one and a document type with declarations of its own are refused where they are met, so
nothing is ever expanded or fetched.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from django.utils.translation import gettext as _

from notes.svg.allowlist import ELEMENTS, TEXTS

NAMESPACE = "http://www.w3.org/2000/svg"
XLINK_HREF = "http://www.w3.org/1999/xlink href"
XML_SPACE = "http://www.w3.org/XML/1998/namespace space"
MAX_ELEMENTS = 50_000  # more than a reader sees; refusing them takes half a second
MAX_DEPTH = 100


class Refused(Exception):
    """Why a drawing is not taken, in a sentence for the author, with the cure."""


class NotADrawing(Refused):
    """The file is no SVG at all."""


@dataclass(slots=True)
class Node:
    """An element by its local name; `attributes` are still the author's until they are checked."""

    name: str
    attributes: dict[str, str]
    children: list[Node | str] = field(default_factory=list)

    @property
    def nodes(self) -> Iterator[Node]:
        return (child for child in self.children if isinstance(child, Node))

    def walk(self) -> Iterator[Node]:
        """This element and all below it, in the order of the file."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += reversed(list(node.nodes))


@dataclass(slots=True)
class Document:
    root: Node
    styles: list[str]


class Reader:
    """Expat's events: what is allowed becomes a node, the rest goes with all that it holds."""

    def __init__(self) -> None:
        self.root: Node | None = None
        self.open: list[Node] = []
        self.styles: list[str] = []
        self.skipped = 0  # how deep inside something that goes
        self.skipped_name = ""
        self.in_style = False
        self.count = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self.count += 1
        if self.count > MAX_ELEMENTS or len(self.open) + self.skipped >= MAX_DEPTH:
            raise Refused(
                _(
                    "This drawing has more than %(count)d elements or nests them too deeply. "
                    "Export it as PNG."
                )
                % {"count": MAX_ELEMENTS}
            )
        if self.skipped:
            self.skipped += 1
            return
        namespace, _blank, local = name.rpartition(" ")
        is_ours = namespace == NAMESPACE
        if self.root is None and not (is_ours and local == "svg"):
            raise NotADrawing(
                _("This file is no SVG drawing: its first element is no <svg> of %(namespace)s.")
                % {"namespace": NAMESPACE}
            )
        if is_ours and local == "style":
            self.in_style, self.skipped, self.skipped_name = True, 1, "style"
            self.styles.append("")
            return
        # A link inside a picture leads nowhere; what it holds is drawn all the same.
        local = "g" if local == "a" and not self._is_text() else local
        local = "tspan" if local == "a" else local
        if not is_ours or local not in ELEMENTS:
            self.skipped, self.skipped_name = 1, local
            return
        node = Node(local, {_local(key): value for key, value in attributes.items() if _local(key)})
        if self.open:
            self.open[-1].children.append(node)
        else:
            self.root = node
        self.open.append(node)

    def end(self, _name: str) -> None:
        if self.skipped:
            self.skipped -= 1
            self.in_style = self.in_style and self.skipped > 0
            return
        self.open.pop()

    def text(self, text: str) -> None:
        if self.in_style:
            self.styles[-1] += text
        elif self.skipped:
            is_label = self.skipped_name == "foreignObject" and self.open[-1].name != "switch"
            if is_label and text.strip():
                raise Refused(
                    _(
                        "This drawing holds words as HTML, which a picture can't show. Export it "
                        "with its labels as text or paths, or as PNG."
                    )
                )
        elif self._is_text():
            self.open[-1].children.append(text)

    def doctype(
        self, _name: str, _system: str | None, _public: str | None, has_declarations: bool
    ) -> None:
        if has_declarations:
            raise Refused(
                _("This drawing declares entities of its own. Save it as plain SVG and try again.")
            )

    def entity(self, *_about: object) -> None:
        raise Refused(_("This drawing uses entities that XML doesn't know. Save it as plain SVG."))

    def _is_text(self) -> bool:
        return bool(self.open) and self.open[-1].name in TEXTS


def _local(key: str) -> str:
    """An attribute's name; "" for one of a namespace that drawings don't need."""
    if key == XLINK_HREF:
        return "href"
    if key == XML_SPACE:
        return "xml:space"
    return "" if " " in key else key


def read(data: bytes) -> Document:
    """The tree of a drawing, or `Refused`."""
    reader = Reader()
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.text
    parser.StartDoctypeDeclHandler = reader.doctype
    parser.EntityDeclHandler = reader.entity
    parser.SkippedEntityHandler = reader.entity
    parser.ExternalEntityRefHandler = None
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise Refused(
            _("This SVG file is damaged: line %(line)d, %(reason)s. Export the drawing again.")
            % {"line": error.lineno, "reason": expat.ErrorString(error.code)}
        ) from error
    except (ValueError, LookupError) as error:  # an encoding that Python doesn't know
        raise Refused(_("This SVG file is damaged. Export the drawing again as UTF-8.")) from error
    if reader.root is None:
        raise NotADrawing(_("This file is no SVG drawing, whatever its name says."))
    return Document(reader.root, reader.styles)


def write(root: Node) -> str:
    """The one form: an element a line but inside texts, attributes in their order."""
    out: list[str] = []
    _write(root, out, in_text=False)
    return "".join(out)


def _write(node: Node, out: list[str], *, in_text: bool) -> None:
    attributes = "".join(f" {key}={quoteattr(value)}" for key, value in node.attributes.items())
    in_text = in_text or node.name in TEXTS
    newline = "" if in_text else "\n"
    if not node.children:
        out.append(f"<{node.name}{attributes}/>")
    else:
        out.append(f"<{node.name}{attributes}>{newline}")
        for child in node.children:
            if isinstance(child, Node):
                _write(child, out, in_text=in_text)
                out.append(newline)
            else:
                out.append(escape(child, {"\r": "&#13;"}))
        out.append(f"</{node.name}>")

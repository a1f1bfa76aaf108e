"""The walk over the clean html: our own names lose their marker, addresses are resolved, wide
things get their boxes, formulas are put in, and the text is gathered section by section.
"""

import html
import re
from dataclasses import dataclass, field

from markdown_it.common.utils import escapeHtml

from notes.markdown import bounds, citations, figures, links, note_links
from notes.markdown.boxes import boxes
from notes.markdown.elements import AUTHORS_CLASSES, BLOCKS, DIRECTED, VOID
from notes.markdown.roots import unmarked
from notes.markdown.sentences import sentence_around
from notes.markdown.values import Heading, Section, TakeAway
from notes.markdown.work import Work

# The sanitiser writes every tag in this form, so a tag-like text inside an attribute is never one.
TAG = re.compile(r'<(/?)([a-z][a-z0-9]*)((?: [^\s=">]+="[^"]*")*)>')
ATTRIBUTE = re.compile(r' ([^\s=">]+)="([^"]*)"')
CJK = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
ID = re.compile(r' id="([^"]*)"')
WORD = re.compile(r"[^\W_]+(?:[-'’.,_][^\W_]+)*")


def authors_id(value: str) -> str:
    """An id as the page has it that the text gave an element, or ""."""
    name = re.sub(r"[^\w.:-]+", "-", value).strip("-")[: bounds.ANCHOR_CHARACTERS]
    return f"x-{name}" if name else ""


@dataclass(slots=True)
class Element:
    """An open element: what closes it, and what was special about it."""

    name: str
    closing: str
    silent: bool = False
    take_away: str = ""
    start: int = 0
    text_start: int = 0


@dataclass(slots=True)
class OpenSection:
    """A section while its text is gathered; prose is the text without code blocks."""

    anchor: str
    heading: str
    part: str
    text: list[str] = field(default_factory=list)
    prose: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Assembled:
    """What the walk found."""

    html: str
    sections: tuple[Section, ...]
    take_aways: tuple[TakeAway, ...]
    sentences: tuple[tuple[str, str], ...]
    words: dict[str, int]
    all_words: int
    cjk: int


class Assembly:
    """One walk over one note."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.marker = work.marker
        self.boxes = boxes(work.words)
        self.placeholder = re.compile(rf"{work.marker}(\d+)-")
        self.headings: dict[str, Heading] = {one.anchor: one for one in work.headings}
        self.heading_anchors = set(self.headings)
        self.out: list[str] = []
        self.stack: list[Element] = []
        self.ids: set[str] = set()
        self.authors_ids: set[str] = set()  # all that the text gives, prefixed
        self.sections = [OpenSection("", "", "")]
        self.take_aways: list[TakeAway] = []
        self.mentions: dict[str, tuple[OpenSection, int]] = {}
        self.part = ""
        self.silent = 0  # inside a heading, which the contents have, or a footnote's number
        self.preformatted = 0
        self.links_open = 0

    def walk(self, clean: str) -> Assembled:
        """From the sanitiser's html to the note's."""
        clean = unmarked(clean)
        self.authors_ids = {authors_id(html.unescape(one)) for one in ID.findall(clean)}
        position = 0
        for match in TAG.finditer(clean):
            if match.start() > position:
                self.text(clean[position : match.start()])
            position = match.end()
            if match[1]:
                self.close()
            else:
                self.open(match[2], match[3])
        if position < len(clean):
            self.text(clean[position:])
        return self.result()

    def text(self, escaped: str) -> None:
        """Text between tags, with formulas in the place of their placeholders."""
        plain = html.unescape(escaped)
        if self.marker in escaped:
            formulas = self.work.formulas
            self.out.append(
                self.placeholder.sub(lambda match: formulas[int(match[1])].html, escaped)
            )
            words = self.placeholder.sub(" x ", plain)
            plain = self.placeholder.sub(lambda match: formulas[int(match[1])].text, plain)
        else:
            self.out.append(escaped)
            words = plain
        self.note(plain, words)

    def note(self, plain: str, words: str) -> None:
        """Gather text for search and for counting."""
        if self.silent:
            return
        section = self.sections[-1]
        section.text.append(plain)
        if not self.preformatted:
            section.prose.append(words)

    def open(self, name: str, raw: str) -> None:
        """An opening tag, or one that stands alone."""
        attributes = {key: html.unescape(value) for key, value in ATTRIBUTE.findall(raw)}
        ours, classes = self.classes_of(attributes.pop("class", ""))
        if name in BLOCKS:
            self.note("\n", "\n")
        line = next((int(one[1:]) for one in ours if re.fullmatch(r"L\d+", one)), 0)
        ours = [one for one in ours if not re.fullmatch(r"L\d+", one)]
        if name == "img":
            line = line or self.work.line_of(attributes.get("src", ""))
            markup, alt = figures.image(self.work, attributes, line, linked=self.links_open > 0)
            self.out.append(markup)
            self.note(f" {alt} ", f" {alt} ")
        elif name == "input":
            if attributes.get("type") != "checkbox":
                return
            done = "checked" in attributes
            label = escapeHtml(self.work.words.done if done else self.work.words.open)
            checked = " checked" if done else ""
            self.out.append(f'<input type="checkbox" disabled{checked} aria-label="{label}">')
        elif name in VOID:
            self.out.append(f"<{name}{self.written(name, attributes, [], ours + classes)}>")
        elif len(self.stack) >= bounds.ELEMENT_DEPTH:
            self.too_deep()
            self.stack.append(Element(name, ""))
        else:
            self.open_element(name, attributes, ours, classes)

    def open_element(
        self, name: str, attributes: dict[str, str], ours: list[str], classes: list[str]
    ) -> None:
        """An element that will be closed."""
        element = Element(name, f"</{name}>")
        if name == "a" and not self.link(attributes):
            self.stack.append(Element("", ""))
            return
        if name == "a":
            self.links_open += 1
        identifier = self.id_of(attributes.pop("id", ""))
        if identifier in self.headings and name[0] == "h":
            element.silent = True
            self.begin_section(self.headings[identifier])
        # The list of references is no text of the note: nobody reads or searches it as such.
        if ours in (["footnote-ref"], ["footnote-back"], ["references"]):
            element.silent = True
        self.silent += element.silent
        if ours == ["footnotes"]:
            self.sections.append(OpenSection("fn-1", "", ""))
            self.part = ""
        if name == "pre":
            self.preformatted += 1
        before = ""
        if name in ("table", "pre") and not any(one.name == "table" for one in self.stack):
            box = "table" if name == "table" else "code"
            before = f'<div class="{box}"{self.boxes[box]}>'
            element.closing += "</div>"
        self.out.append(before)
        element.start = len(self.out) + 1
        element.text_start = len(self.sections[-1].text)
        identity = [f' id="{escapeHtml(identifier)}"'] if identifier else []
        self.out.append(f"<{name}{self.written(name, attributes, identity, ours + classes)}>")
        if re.fullmatch(r"t-\d+", identifier):
            element.take_away = identifier
        self.stack.append(element)

    def written(
        self, name: str, attributes: dict[str, str], identity: list[str], classes: list[str]
    ) -> str:
        """The attributes as they stand in the page."""
        written = list(identity)
        if classes:
            joined = " ".join(classes)
            written.append(f' class="{escapeHtml(joined)}"')
            written.append(self.boxes.get(joined, ""))
        if self.work.right_to_left and name in DIRECTED and "dir" not in attributes:
            written.append(' dir="auto"')
        if name == "h1":
            written.append(' aria-level="2"')
        attributes.pop("id", None)
        written += [f' {key}="{escapeHtml(value)}"' for key, value in attributes.items()]
        return "".join(written)

    def close(self) -> None:
        """The end of the innermost element."""
        element = self.stack.pop()
        if element.take_away:
            self.keep_take_away(element)
        self.out.append(element.closing)
        self.silent -= element.silent
        if element.name == "pre":
            self.preformatted -= 1
        elif element.name == "a":
            self.links_open -= 1
        if element.name in BLOCKS:
            self.note("\n", "\n")

    def classes_of(self, value: str) -> tuple[list[str], list[str]]:
        """Our own classes without their marker, and those that an author may use."""
        names = value.split()
        ours = [one.removeprefix(self.marker) for one in names if one.startswith(self.marker)]
        return ours, [one for one in names if one in AUTHORS_CLASSES]

    def id_of(self, value: str) -> str:
        """Our own id, or the author's with a prefix; each once."""
        if value.startswith(self.marker):
            identifier = value.removeprefix(self.marker)
        else:
            identifier = authors_id(value)
        if identifier in self.ids:
            return ""
        if identifier:
            self.ids.add(identifier)
        return identifier

    def link(self, attributes: dict[str, str]) -> bool:
        """Resolve a link's address; False if the element must go and only its text stay."""
        if "href" not in attributes:
            return bool(attributes.get("id"))
        if citations.stored(self.work, attributes):
            return True
        if slug := note_links.stored(self.work, attributes):
            self.mention(slug)
            return True
        address = attributes["href"]
        target = links.resolve(address)
        if target.kind == "refused":
            return False
        if target.kind == "page":
            anchor = links.anchor_in_page(target.address, self.heading_anchors)
            if anchor.startswith("x-") and anchor not in self.authors_ids:
                anchor = target.address  # nothing here has it: as written
            attributes["href"] = f"#{anchor}"
            return True
        if slug := links.note_of(target):
            self.mention(slug)
        attributes["href"] = target.address
        return True

    def mention(self, slug: str) -> None:
        """Another note is linked to: remember where it was first."""
        self.work.links.setdefault(slug)
        self.mentions.setdefault(slug, (self.sections[-1], len(self.sections[-1].text)))

    def begin_section(self, heading: Heading) -> None:
        """Text now belongs to this heading; a part lasts until the next of second level."""
        if heading.level <= 2:
            self.part = heading.part
        self.sections.append(OpenSection(heading.anchor, heading.text, self.part))

    def keep_take_away(self, element: Element) -> None:
        """The inside of an item as data: no ids, no footnote calls."""
        inside = "".join(self.out[element.start :]).strip()
        inside = re.sub(r'<sup><a id="[^"]*" class="footnote-ref".*?</a></sup>', "", inside)
        inside = re.sub(r'<a id="[^"]*" class="citation"[^>]*>(.*?)</a>', r"\1", inside)
        inside = re.sub(r'(<[a-z][^<>]*?) id="[^"]*"', r"\1", inside)
        text = "".join(self.sections[-1].text[element.text_start :])
        self.take_aways.append(TakeAway(element.take_away, inside, " ".join(text.split())))

    def too_deep(self) -> None:
        """Say once that elements were left out, whose text stays."""
        what = "HTML elements are nested too deeply"
        self.work.problems.add("past-bound", 1, what=what, limit=bounds.ELEMENT_DEPTH)

    def result(self) -> Assembled:
        """What the walk found, counted."""
        sections: list[Section] = []
        words: dict[str, int] = {}
        all_words = cjk = 0
        for one in self.sections:
            text = " ".join("".join(one.text).split())
            prose = "".join(one.prose)
            signs = len(CJK.findall(prose))
            count = len(WORD.findall(CJK.sub(" ", prose)))
            all_words += count
            cjk += signs
            words[one.part] = words.get(one.part, 0) + count + signs
            if one.anchor or text:
                sections.append(Section(one.anchor, one.heading, one.part, text))
        sentences = tuple(
            (slug, sentence_around(section.text, index))
            for slug, (section, index) in self.mentions.items()
        )
        return Assembled(
            html="".join(self.out),
            sections=tuple(sections),
            take_aways=tuple(self.take_aways),
            sentences=sentences,
            words=words,
            all_words=all_words,
            cjk=cjk,
        )

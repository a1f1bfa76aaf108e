"""One note while it is being rendered: what the stages read and fill."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from markdown_it.token import Token

from notes.markdown.problems import Problems, shortened
from notes.markdown.roots import unmarked
from notes.markdown.values import Heading, Inputs
from notes.markdown.vocabulary import Vocabulary, vocabulary_of

RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdcf\ufdf0-\ufdff\ufe70-\ufefc\u202a-\u202e\u2066-\u2069]"
)
UNPRINTABLE = re.compile("[\ud800-\udfff\ufdd2-\ufdef\ufffe\uffff]")


@dataclass(slots=True)
class Formula:
    """One formula of the note; `html` and `text` are filled in by the math stage."""

    source: str
    display: bool
    block: bool
    line: int
    html: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class PageLink:
    """A link into the page, `#fragment`, and where it stands."""

    fragment: str
    line: int
    column: int


@dataclass(slots=True)
class Label:
    """What a label stands for: "figure", `1`, `fig-x`; a section's anchor is its heading's."""

    kind: str
    number: str
    anchor: str
    heading: Token | None = None


@dataclass(slots=True)
class Work:
    """The note between source and `Rendered`."""

    source: str
    inputs: Inputs
    marker: str
    tokens: list[Token] = field(default_factory=list)
    env: dict[str, object] = field(default_factory=dict)
    problems: Problems = field(default_factory=Problems)
    formulas: list[Formula] = field(default_factory=list)
    headings: list[Heading] = field(default_factory=list)
    figures: dict[str, None] = field(default_factory=dict)
    links: dict[str, None] = field(default_factory=dict)
    page_links: list[PageLink] = field(default_factory=list)
    citations: dict[str, None] = field(default_factory=dict)
    labels: dict[str, Label] = field(default_factory=dict)
    right_to_left: bool = False
    inline_notes: int = 0
    quote_readings: int = 0

    @classmethod
    def begin(cls, source: str, inputs: Inputs) -> Work:
        """Bring the source to the form that the stages expect, and make the render's marker."""
        text = normalised(source)
        work = cls(
            source=text,
            inputs=inputs,
            marker=marker_of(text, inputs),
            problems=Problems(text),
        )
        work.right_to_left = RIGHT_TO_LEFT.search(text) is not None
        work.env["work"] = work
        return work

    @property
    def words(self) -> Vocabulary:
        """Our own words in the note's language."""
        return vocabulary_of(self.inputs.language)

    def label(self, name: str, label: Label, block: Token) -> bool:
        """Set a label, if nothing has it yet."""
        if name in self.labels:
            self.problems.add("repeated-label", line_of_block(block), name=name)
            return False
        self.labels[name] = label
        return True

    def heading_text(self, anchor: str) -> str:
        """What the heading with this anchor says, as far as a hint beside a link needs it."""
        if "heading_texts" not in self.env:
            self.env["heading_texts"] = {one.anchor: shortened(one.text) for one in self.headings}
        texts: dict[str, str] = self.env["heading_texts"]  # type: ignore[assignment]
        return texts.get(anchor, "")

    def line_of(self, words: str) -> int:
        """The line on which these words first stand, for what is found after parsing."""
        position = self.source.find(words) if words else -1
        return self.source.count("\n", 0, position) + 1 if position >= 0 else 1


def normalised(source: str) -> str:
    """LF only, no byte order mark, nothing that html or our marks could trip over."""
    text = source.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")
    return UNPRINTABLE.sub("\ufffd", unmarked(text).replace("\0", "\ufffd"))


def marker_of(source: str, inputs: Inputs) -> str:
    """What marks our own names and placeholders while they pass the sanitiser.

    A hash of all that goes in: equal for equal input, and no text can hold its own hash.
    """
    everything = repr(
        (
            source,
            sorted((name, repr(figure)) for name, figure in inputs.figures.items()),
            inputs.anchors,
            sorted(inputs.synonyms.items()),
            sorted(inputs.macros.items()),
            inputs.language,
            inputs.smart_quotes,
            sorted((key, repr(entry)) for key, entry in inputs.references.items()),
            inputs.citation_style,
            sorted((slug, repr(note)) for slug, note in inputs.notes.items()),
            inputs.is_short,
        )
    )
    digest = hashlib.blake2b(
        everything.encode("utf-8", "surrogatepass"), digest_size=10, person=b"notesite"
    )
    return f"m{digest.hexdigest()}-"


def children_of(tokens: list[Token]) -> Iterator[tuple[Token, Token]]:
    """Every inline token with the block that holds it, those inside images and notes too."""
    for block in tokens:
        pending = list(reversed(block.children or ()))
        while pending:
            child = pending.pop()
            yield block, child
            pending.extend(reversed(child.children or ()))


def line_of_block(block: Token) -> int:
    """The line of the source that a block begins on."""
    return block.map[0] + 1 if block.map else 1


def line_in(block: Token, position: int = 0) -> int:
    """The line of the source that a position inside a block's text is on."""
    return line_of_block(block) + block.content.count("\n", 0, position)


def plain_text(work: Work, tokens: list[Token]) -> str:
    """Inline tokens as plain text: code and alternative texts as they are, formulas readable."""
    words: list[str] = []
    for token in tokens:
        match token.type:
            case "text" | "code_inline" | "text_special":
                words.append(token.content)
            case "softbreak" | "hardbreak":
                words.append(" ")
            case "citation" | "cross_reference":
                words.append(str(token.meta.get("text") or token.content))
            case "image":
                words.append(plain_text(work, token.children or []))
            case "math_inline" | "math_block":
                formula = work.formulas[token.meta["formula"]] if "formula" in token.meta else None
                words.append(formula.text if formula else token.content)
            case _:
                pass
    return "".join(words)

"""The values that go into a render and come out of it; all frozen, all plain data."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

PARTS = ("problem", "mechanism", "evidence", "take-aways")

DEFAULT_SYNONYMS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "problem": ("The problem", "Problem", "The question", "Motivation"),
        "mechanism": ("The mechanism", "Mechanism", "The method", "Method", "How it works"),
        "evidence": ("The evidence", "Evidence", "Results", "Experiments"),
        "take-aways": (
            "What to take away",
            "Take-aways",
            "Takeaways",
            "The take-aways",
            "Key take-aways",
            "Key takeaways",
        ),
    }
)

WORDS_A_MINUTE = 230
CJK_CHARACTERS_A_MINUTE = 400


@dataclass(frozen=True, slots=True)
class Variant:
    """A copy of a figure's file in another type or width, stored beside it."""

    path: str
    width: int
    type: str


@dataclass(frozen=True, slots=True)
class FigureFile:
    """One uploaded figure; `path` is relative to the media root and carries the file's hash."""

    name: str
    path: str
    width: int
    height: int
    alt: str = ""
    caption: str = ""
    credit: str = ""
    variants: tuple[Variant, ...] = ()


@dataclass(frozen=True, slots=True)
class ReferenceEntry:
    """One work that a note may cite, as text; `families` are the names that a citation shows."""

    key: str
    families: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    year: str = ""
    title: str = ""
    container: str = ""
    url: str = ""
    doi: str = ""


@dataclass(frozen=True, slots=True)
class NamedNote:
    """A note that a text names, whatever its state; `anchors` of None are not to be judged."""

    anchors: tuple[str, ...] | None = None
    is_own: bool = False  # the text's own note, whose anchors this render makes
    is_elsewhere: bool = False  # no note, but its address leads on


@dataclass(frozen=True, slots=True)
class Inputs:
    """Everything a render may depend on besides the source."""

    figures: Mapping[str, FigureFile] = field(default_factory=dict)
    anchors: tuple[tuple[str, str], ...] = ()
    synonyms: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: DEFAULT_SYNONYMS)
    macros: Mapping[str, str] = field(default_factory=dict)
    language: str = "en"
    smart_quotes: bool = True
    references: Mapping[str, ReferenceEntry] = field(default_factory=dict)
    citation_style: str = "author-year"  # or "numbered"
    notes: Mapping[str, NamedNote] = field(default_factory=dict)
    is_short: bool = False  # a text beside the notes: no list of references, no four parts


@dataclass(frozen=True, slots=True)
class Problem:
    """Something an author should know about; severity is "error", "warning" or "notice"."""

    code: str
    severity: str
    line: int
    column: int
    message: str
    cure: str


@dataclass(frozen=True, slots=True)
class Heading:
    """An entry of the contents; `part` is "" unless the wording names one of the four parts."""

    level: int
    anchor: str
    text: str
    part: str


@dataclass(frozen=True, slots=True)
class Section:
    """Plain text between two headings, for search; the text before any heading has anchor ""."""

    anchor: str
    heading: str
    part: str
    text: str


@dataclass(frozen=True, slots=True)
class Part:
    """One of the four parts, found in the note."""

    name: str
    anchor: str
    words: int


@dataclass(frozen=True, slots=True)
class TakeAway:
    """One item of the take-aways part; its html holds marked roots and no ids."""

    anchor: str
    html: str
    text: str


@dataclass(frozen=True, slots=True)
class Rendered:
    """What became of one source; equal input gives an equal value."""

    html: str
    sections: tuple[Section, ...]
    contents: tuple[Heading, ...]
    anatomy: tuple[Part, ...]
    takeaways: tuple[TakeAway, ...]
    anchors: tuple[tuple[str, str], ...]
    citations: tuple[str, ...]
    links: tuple[str, ...]
    sentences: tuple[tuple[str, str], ...]  # of each link, its note and the sentence around it
    figures: tuple[str, ...]
    problems: tuple[Problem, ...]
    words: int
    cjk: int
    has_math: bool

    def minutes(self) -> int:
        """Reading time, never less than a minute."""
        minutes = self.words / WORDS_A_MINUTE + self.cjk / CJK_CHARACTERS_A_MINUTE
        return max(1, round(minutes))

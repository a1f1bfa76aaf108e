"""The neutral values that every dialect yields and every writer takes; no model, no file.

An attribute has the name of its key in the content folder. Times are aware, in whole seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands: the file, relative to the folder, and the line (0: the whole)."""

    file: str
    line: int = 0
    key_lines: Mapping[str, int] = field(default_factory=dict)

    def line_of(self, key: str) -> int:
        """The line at which ``key`` stands, else that of the whole."""
        return self.key_lines.get(key, self.line)


NOWHERE = Place("")


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteDocument:
    place: Place = field(default=NOWHERE, compare=False)
    name: str | None = None  # None: the key is absent, the site's default stands
    author: str = ""
    tagline: str = ""
    intro: str = ""
    about: str = ""
    licence: str = ""
    links: tuple[dict[str, str], ...] = ()
    contact: str = ""
    language: str | None = None
    time_zone: str | None = None
    citation_style: str | None = None
    smart_quotes: bool | None = None
    macros: dict[str, str] = field(default_factory=dict)
    synonyms: dict[str, tuple[str, ...]] = field(default_factory=dict)
    start_text: str | None = None
    accent_colour: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicDocument:
    place: Place = field(default=NOWHERE, compare=False)
    slug: str
    name: str
    description: str = ""
    is_implied: bool = False  # named by a note of another dialect: made only if it is missing


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceDocument:
    place: Place = field(default=NOWHERE, compare=False)
    key: str
    bibtex: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureDocument:
    place: Place = field(default=NOWHERE, compare=False)
    name: str
    alt: str = ""
    caption: str = ""
    credit: str = ""
    read: Callable[[], bytes] = field(compare=False)


@dataclass(frozen=True, slots=True)
class Withdrawal:
    at: datetime
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionDocument:
    """The fields that a note, a pending version and a public state can have in common."""

    place: Place = field(default=NOWHERE, compare=False)
    title: str = ""
    short_name: str = ""
    dek: str = ""
    topics: tuple[str, ...] = ()
    authors: tuple[dict[str, str | bool], ...] = ()
    about: tuple[str, ...] = ()
    lang: str = ""
    doi: str = ""
    canonical: str = ""
    key: str = ""
    macros: dict[str, str] = field(default_factory=dict)
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingDocument(VersionDocument):
    release: datetime | None = None
    kind: str = ""
    sentence: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StateDocument(VersionDocument):
    """Public state ``number`` of a note."""

    number: int
    kind: str = ""
    sentence: str = ""
    date: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteDocument(VersionDocument):
    slug: str
    published: datetime | None = None
    first_published: datetime | None = None
    revised: datetime | None = None
    withdrawn: Withdrawal | None = None
    pinned: bool = False
    id: str = ""
    anchors: tuple[tuple[str, str], ...] = ()
    pending: PendingDocument | None = None
    history: tuple[StateDocument, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StepDocument:
    place: Place = field(default=NOWHERE, compare=False)
    note: str
    bridge: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PathDocument:
    place: Place = field(default=NOWHERE, compare=False)
    slug: str
    title: str
    line: str = ""
    order: int | None = None  # None: after all others
    published: datetime | None = None
    first_published: datetime | None = None
    id: str = ""
    steps: tuple[StepDocument, ...] = ()
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RedirectDocument:
    place: Place = field(default=NOWHERE, compare=False)
    kind: str
    slug: str  # the key "from", which Python keeps for itself
    target: str = ""  # the key "to"
    sentence: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """A whole site. Notes and figures may be made one at a time, while somebody iterates."""

    site: SiteDocument | None = None
    topics: tuple[TopicDocument, ...] = ()
    references: tuple[ReferenceDocument, ...] = ()
    figures: Iterable[FigureDocument] = ()
    notes: Iterable[NoteDocument] = ()
    paths: tuple[PathDocument, ...] = ()
    redirects: tuple[RedirectDocument, ...] = ()

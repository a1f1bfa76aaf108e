"""How to write a note: chapters whose examples are rendered by the pipeline, source beside result.

A chapter is a Markdown file: `# Title`, text, and examples in fences of four backticks:
"````example math, cross_references" names the modules of `notes.markdown` that the example shows;
"mistake" among them says that its problems are what it shows.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from django.conf import settings
from django.templatetags.static import static
from django.urls import reverse

from notes.markdown import (
    FigureFile,
    Inputs,
    NamedNote,
    NoteTarget,
    Problem,
    ReferenceEntry,
    place,
    render,
    resolve_note_links,
)
from notes.markdown.ids import with_prefix

FOLDER = Path(__file__).with_name("chapters")
EXAMPLE = re.compile(r"^````example (?P<shows>[^\n]*)\n(?P<source>.*?)^````$", re.M | re.S)
REFERENCES_LANDMARK = re.compile(r' role="doc-bibliography" aria-label="[^"]*"')
TITLE = re.compile(r"\A# (.+)\n")

REFERENCES = {
    entry.key: entry
    for entry in (
        ReferenceEntry(
            "williams1992",
            ("Williams",),
            ("R. J. Williams",),
            "1992",
            "Simple Statistical Gradient-Following Algorithms for Connectionist "
            "Reinforcement Learning",
            "Machine Learning",
        ),
        ReferenceEntry(
            "little1961",
            ("Little",),
            ("John D. C. Little",),
            "1961",
            "A Proof for the Queuing Formula: L = λW",
            "Operations Research",
            doi="10.1287/opre.9.3.383",
        ),
    )
}
MACROS = {"\\E": "\\mathbb{E}"}


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text (no source), or an example: its source, its result and what it shows."""

    html: str
    source: str = ""
    shows: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class Chapter:
    """One subject; `name` is its anchor."""

    name: str
    title: str
    pieces: tuple[Piece, ...]

    @property
    def examples(self) -> list[Piece]:
        return [piece for piece in self.pieces if piece.source]


@cache
def chapters() -> tuple[Chapter, ...]:
    """The whole handbook; rendering depends on nothing but the files, so once is enough."""
    return tuple(read(file) for file in sorted(FOLDER.glob("*.md")))


def read(file: Path) -> Chapter:
    """A file as a chapter."""
    name = file.stem.partition("-")[2]
    text = file.read_text(encoding="utf-8")
    title = TITLE.match(text)
    if title is None:
        raise ValueError(f"{file}: a chapter begins with “# ” and its title.")
    text = text[title.end() :]
    pieces: list[Piece] = []
    position = 0
    for number, match in enumerate(EXAMPLE.finditer(text), start=1):
        pieces.append(piece(text[position : match.start()], f"{name}-text-{number}--"))
        shows = tuple(match["shows"].replace(",", " ").split())
        pieces.append(piece(match["source"], f"{name}-{number}--", shows))
        position = match.end()
    pieces.append(piece(text[position:], f"{name}-text--"))
    return Chapter(name, title[1], tuple(one for one in pieces if one.html))


def piece(source: str, prefix: str, shows: tuple[str, ...] = ()) -> Piece:
    """Text or example, rendered; its ids get a prefix, as many stand on one page."""
    rendered = render(source, inputs())
    html = resolve_note_links(rendered.html, {"sketches": note_target()})
    # A landmark of a page, which an example is not.
    html = REFERENCES_LANDMARK.sub("", html)
    placed = place(with_prefix(html, prefix), media_root=settings.STATIC_URL)
    if not shows:
        return Piece(placed if source.strip() else "")
    return Piece(placed, source, shows, rendered.problems)


def inputs() -> Inputs:
    """What the examples may use: a figure, two references, a macro."""
    path = static("handbook/loss.svg").removeprefix(settings.STATIC_URL)
    figure = FigureFile("loss.svg", path, 640, 320, alt="A curve that falls and levels off.")
    return Inputs(
        figures={"loss.svg": figure},
        references=REFERENCES,
        macros=MACROS,
        notes={"sketches": NamedNote(("s-evidence",))},
    )


def note_target() -> NoteTarget:
    """The note that the examples link to: this page plays its part."""
    return NoteTarget(reverse("handbook") + "#links", "Small sketches, measured steps")

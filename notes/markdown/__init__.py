"""Markdown source in, one frozen value out: `render(source, inputs)` gives a `Rendered`.

Imports no model, request or setting: what a note depends on besides its text is handed in as
`Inputs`.
"""

from notes.markdown.citations import keys_in, references_in, resolve_citations
from notes.markdown.figures import figure_names
from notes.markdown.ids import ids_in
from notes.markdown.note_links import NoteTarget, notes_named, resolve_note_links, slugs_in
from notes.markdown.pipeline import RENDERER_VERSION, render
from notes.markdown.roots import place
from notes.markdown.values import (
    DEFAULT_SYNONYMS,
    PARTS,
    FigureFile,
    Heading,
    Inputs,
    NamedNote,
    Part,
    Problem,
    ReferenceEntry,
    Rendered,
    Section,
    TakeAway,
    Variant,
)

__all__ = [
    "DEFAULT_SYNONYMS",
    "PARTS",
    "RENDERER_VERSION",
    "FigureFile",
    "Heading",
    "Inputs",
    "NamedNote",
    "NoteTarget",
    "Part",
    "Problem",
    "ReferenceEntry",
    "Rendered",
    "Section",
    "TakeAway",
    "figure_names",
    "ids_in",
    "keys_in",
    "notes_named",
    "Variant",
    "place",
    "references_in",
    "render",
    "resolve_citations",
    "resolve_note_links",
    "slugs_in",
]

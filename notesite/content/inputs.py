"""What a render takes from a content folder: figures, macros and settings, without a database."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from django.utils.translation import gettext as _

from notes import images
from notes.citing import read
from notes.markdown import (
    DEFAULT_SYNONYMS,
    PARTS,
    FigureFile,
    Inputs,
    NamedNote,
    figure_names,
    notes_named,
)
from notesite.content import form, own_form
from notesite.content.document import NoteDocument, SiteDocument
from notesite.content.folder import SourceFolder
from notesite.content.report import Outcome, Refusal, Report

_FIGURES_KEPT = 1000


class FolderInputs:
    """A content folder as the inputs of renders; its figures are read when a text names them."""

    def __init__(self, root: Path) -> None:
        folder = SourceFolder(root)
        if not own_form.is_own_form(folder):
            raise Refusal(
                _("This is no content folder."),
                file=str(root),
                cure=_("Give a folder that export_content wrote, or one of its form."),
            )
        self.report = Report()
        library = own_form.read(folder, self.report)
        self.site = library.site or SiteDocument()
        self.figures = {figure.name: figure for figure in library.figures}
        entries = [read(reference.bibtex) for reference in library.references]
        self.references = {entry.key: entry for entry in entries if entry}
        self.notes = {
            *(entry.name.removesuffix(".md") for entry in folder.entries("notes")),
            *(one.slug for one in library.redirects if one.kind == "note" and one.target),
        }
        self.figure = lru_cache(_FIGURES_KEPT)(self._figure)

    def inputs_for(self, source: str, note: NoteDocument | None = None) -> Inputs:
        """The inputs of one text, as publishing would make them from the database."""
        names = figure_names(source) & self.figures.keys()
        found = {name: self.figure(name) for name in sorted(names)}
        smart_quotes = self.site.smart_quotes
        return Inputs(
            figures={name: file for name, file in found.items() if file},
            anchors=note.anchors if note else (),
            synonyms={
                part: (*DEFAULT_SYNONYMS[part], *self.site.synonyms.get(part, ())) for part in PARTS
            },
            macros=self.site.macros | (note.macros if note else {}),
            language=(note.lang if note else "") or self.site.language or "en",
            smart_quotes=True if smart_quotes is None else smart_quotes,
            references=self.references,
            citation_style=self.site.citation_style or "author-year",
            # Their anchors are not judged: that would take a rendering of each.
            notes={slug: NamedNote() for slug in sorted(notes_named(source).keys() & self.notes)},
        )

    def note_in(self, text: str) -> tuple[NoteDocument, int]:
        """A note's file: what its front matter says, and how many lines stand above the source."""
        _front_matter, _source, first_line = form.split_front_matter(text)
        return form.read_note(text, "", ""), first_line - 1

    def _figure(self, name: str) -> FigureFile | None:
        """One figure as the site would store it; one that it would refuse is reported."""
        document = self.figures[name]
        try:
            image = images.prepare(document.read(), keep_clean=True)
        except (images.ImageRefused, Refusal) as refusal:
            self.report.add(Outcome.REFUSED, "figure", document.place.file, message=str(refusal))
            return None
        return FigureFile(
            name=name,
            path=image.path,
            width=image.width,
            height=image.height,
            alt=document.alt,
            caption=document.caption,
            credit=document.credit,
        )

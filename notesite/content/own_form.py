"""notesite's own form: a content folder read into a library, and a library written as one."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _

from notes import bibtex
from notesite.content import form
from notesite.content.document import (
    FigureDocument,
    Library,
    NoteDocument,
    PathDocument,
    Place,
    ReferenceDocument,
    StateDocument,
)
from notesite.content.folder import (
    OWN_NAMES,
    FolderEntry,
    SourceFolder,
    TargetFolder,
    readable,
    stem_of,
)
from notesite.content.report import Outcome, Refusal, Report

_STATE_NAME = re.compile(r"[1-9][0-9]{0,5}\.md")


def is_own_form(folder: SourceFolder) -> bool:
    names = {entry.name for entry in folder.entries()}
    return bool(names & set(OWN_NAMES))


def read(folder: SourceFolder, report: Report) -> Library:
    """Everything that can be read; what can't stands in the report, with file and line."""
    reader = _Reader(folder, report)
    for entry in folder.entries():
        if entry.name not in OWN_NAMES:
            message = _("This is no part of a content folder; it was left alone.")
            report.add(Outcome.NOTICE, "file", readable(entry.path), 0, message)
    site = reader.one("site.yaml", "site", form.read_site)
    return Library(
        site=site,
        topics=tuple(
            reader.unique("topic", reader.one("topics.yaml", "topic", form.read_topics) or [])
        ),
        references=tuple(reader.references()),
        figures=reader.figures(),
        notes=reader.notes(),
        paths=tuple(reader.paths()),
        redirects=tuple(reader.one("redirects.yaml", "redirect", form.read_redirects) or []),
    )


def write(library: Library, target: TargetFolder) -> None:
    """The library's files; a file that would be empty is left out."""
    figures = list(library.figures)
    texts = {
        "site.yaml": form.write_site(library.site) if library.site else "",
        "topics.yaml": form.write_topics(library.topics),
        "references.bib": bibtex.write(reference.bibtex for reference in library.references),
        "figures/figures.yaml": form.write_figure_texts(figures),
        "redirects.yaml": form.write_redirects(library.redirects),
    }
    for path, text in texts.items():
        if text:
            target.write(path, text.encode())
    for note in library.notes:
        for path, text in note_files(note):
            target.write(path, text.encode())
    for reading_path in library.paths:
        target.write(f"paths/{reading_path.slug}.md", form.write_path(reading_path).encode())
    for figure in figures:
        target.write(f"figures/{figure.name}", figure.read())


def note_files(note: NoteDocument) -> Iterator[tuple[str, str]]:
    """A note's own file, its pending version's and its public states'."""
    yield f"notes/{note.slug}.md", form.write_note(note)
    if note.pending:
        yield f"pending/{note.slug}.md", form.write_pending(note.pending)
    for state in note.history:
        yield f"history/{note.slug}/{state.number}.md", form.write_state(state)


class _Reader:
    def __init__(self, folder: SourceFolder, report: Report) -> None:
        self.folder, self.report = folder, report

    def one(self, path: str, kind: str, parse: Callable[[str, str], Any]) -> Any:
        """A file that may be missing, parsed; None if it is missing or refused."""
        if not any(entry.path == path for entry in self.folder.entries(path.rpartition("/")[0])):
            return None
        try:
            return parse(self.folder.read_text(path), path)
        except Refusal as refusal:
            self.report.refuse(kind, refusal.within(path))
            return None

    def references(self) -> Iterator[ReferenceDocument]:
        path = "references.bib"
        entries, failures = self.one(path, "reference", lambda text, _file: bibtex.parse(text)) or (
            [],
            [],
        )
        for failure in failures:
            message = _("This entry can't be read: %(reason)s") % {"reason": failure.message}
            if failure.noticed:
                message += " " + _("It shows in line %(line)d.") % {"line": failure.noticed}
            self.report.add(Outcome.REFUSED, "reference", path, failure.line, message, failure.cure)
        for entry in entries:
            yield ReferenceDocument(place=Place(path), key=entry.key, bibtex=entry.bibtex)

    def figures(self) -> Iterator[FigureDocument]:
        texts_path = "figures/figures.yaml"
        texts: dict[str, dict[str, Any]] = {}
        for values in self.one(texts_path, "figure", form.read_figure_texts) or []:
            if values["name"] in texts:
                self._refuse_twice("figure", texts_path, values["line"], values["name"])
            texts.setdefault(values["name"], values)
        names: dict[str, str] = {}
        for entry in self.folder.entries("figures"):
            if entry.path == texts_path or self._is_nested("figure", entry):
                continue
            name = stem_of(entry.name, "")
            if other := names.get(name.casefold()):
                message = _("Its name differs from “%(other)s” only in case.") % {"other": other}
                cure = _("Rename one of the two, here and in the notes.")
                self.report.refuse("figure", Refusal(message, file=readable(entry.path), cure=cure))
                continue
            names[name.casefold()] = name
            values = {key: text for key, text in texts.pop(name, {}).items() if key != "line"}
            yield FigureDocument(
                place=Place(readable(entry.path)),
                read=functools.partial(self.folder.read_bytes, entry.path),
                **({"name": name} | values),
            )
        for name, values in texts.items():
            message = _("There is no file “%(name)s” in figures/.") % {"name": name}
            cure = _("Add the file, or take these lines out.")
            self.report.add(Outcome.REFUSED, "figure", texts_path, values["line"], message, cure)

    def notes(self) -> Iterator[NoteDocument]:
        pinned = ""
        slugs = set()
        for entry, slug in self._documents("notes", "note"):
            slugs.add(slug)
            path = readable(entry.path)
            try:
                note = form.read_note(self.folder.read_text(entry.path), slug, path)
                note = replace(note, pending=self._pending(slug), history=self._history(slug))
                if note.pinned and pinned:
                    raise Refusal(
                        _("“%(slug)s” is pinned already; one note is.") % {"slug": pinned},
                        line=note.place.line_of("pinned"),
                        cure=_("Take the line out of one of the two."),
                    )
            except Refusal as refusal:
                self.report.refuse("note", refusal.within(path))
                continue
            pinned = slug if note.pinned else pinned
            yield note
        self._refuse_strays(slugs)

    def paths(self) -> Iterator[PathDocument]:
        for entry, slug in self._documents("paths", "path"):
            path = readable(entry.path)
            try:
                yield form.read_path(self.folder.read_text(entry.path), slug, path)
            except Refusal as refusal:
                self.report.refuse("path", refusal.within(path))

    def unique(self, kind: str, documents: list[Any]) -> Iterator[Any]:
        seen: set[str] = set()
        for document in documents:
            if document.slug in seen:
                self._refuse_twice(kind, document.place.file, document.place.line, document.slug)
            else:
                seen.add(document.slug)
                yield document

    def _documents(self, under: str, kind: str) -> Iterator[tuple[FolderEntry, str]]:
        """The Markdown files of a folder with their slugs; a name that can't be one is refused."""
        seen: set[str] = set()
        for entry in self.folder.entries(under):
            if self._is_nested(kind, entry):
                continue
            path = readable(entry.path)
            if not entry.name.endswith(".md"):
                message = _("Only files that end in .md are read here; it was left alone.")
                self.report.add(Outcome.NOTICE, "file", path, 0, message)
                continue
            slug = stem_of(entry.name)
            try:
                form.check_slug(slug)
            except Refusal as refusal:
                refusal.cure = _("Rename the file. %(rule)s") % {"rule": refusal.cure}
                self.report.refuse(kind, refusal.within(path))
                continue
            if slug in seen:
                self._refuse_twice(kind, path, 0, slug)
                continue
            seen.add(slug)
            yield entry, slug

    def _pending(self, slug: str) -> Any:
        path = f"pending/{slug}.md"
        if not self.folder.exists(path):
            return None
        try:
            return form.read_pending(self.folder.read_text(path), path)
        except Refusal as refusal:
            raise refusal.within(path) from refusal

    def _history(self, slug: str) -> tuple[StateDocument, ...]:
        states = []
        for entry in self.folder.entries(f"history/{slug}"):
            path = readable(entry.path)
            if entry.is_folder or not _STATE_NAME.fullmatch(entry.name):
                raise Refusal(
                    _("A public state's file has its number as its name."),
                    file=path,
                    cure=_("Name it 1.md, 2.md and so on, or take it out."),
                )
            number = int(entry.name.removesuffix(".md"))
            try:
                states.append(form.read_state(self.folder.read_text(entry.path), number, path))
            except Refusal as refusal:
                raise refusal.within(path) from refusal
        return tuple(sorted(states, key=lambda state: state.number))

    def _refuse_strays(self, slugs: set[str]) -> None:
        """Pending versions and histories of notes that aren't there."""
        for under, kind in (("pending", "pending"), ("history", "history")):
            for entry in self.folder.entries(under):
                if stem_of(entry.name) not in slugs:
                    message = _("There is no file for this note in notes/.")
                    cure = _("Add the note, or take this out.")
                    self.report.refuse(kind, Refusal(message, file=readable(entry.path), cure=cure))

    def _is_nested(self, kind: str, entry: FolderEntry) -> bool:
        if entry.is_folder:
            message = _("A folder here is not read.")
            cure = _("Move its files one level up.")
            self.report.refuse(kind, Refusal(message, file=readable(entry.path), cure=cure))
        return entry.is_folder

    def _refuse_twice(self, kind: str, file: str, line: int, name: str) -> None:
        message = _("“%(name)s” is there already.") % {"name": name}
        cure = _("Keep one of the two.")
        self.report.refuse(kind, Refusal(message, file=file, line=line, cure=cure))

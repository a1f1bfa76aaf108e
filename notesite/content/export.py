"""The site written as a content folder."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

from notesite.content import own_form
from notesite.content.collect import collect
from notesite.content.document import NoteDocument
from notesite.content.folder import TargetFolder


def export_content(path: Path) -> Counter[str]:
    """Write the whole site as a content folder at ``path``; how many of each kind.

    Raises Refusal, and leaves what was at ``path`` as it was.
    """
    library = collect()
    figures = list(library.figures)
    tally: Counter[str] = Counter(
        site=1 if library.site else 0,
        topics=len(library.topics),
        references=len(library.references),
        figures=len(figures),
        notes=0,
        paths=len(library.paths),
        redirects=len(library.redirects),
    )

    def counted(note: NoteDocument) -> NoteDocument:
        tally["notes"] += 1
        return note

    with TargetFolder(path) as target:
        notes = (counted(note) for note in library.notes)
        own_form.write(replace(library, figures=figures, notes=notes), target)
    return tally

"""The sample library: a content folder that goes through the same import as any other."""

from __future__ import annotations

from pathlib import Path

from notes.models import Note
from notesite.content import import_content
from notesite.content.report import Report
from notesite.models import ImportRecord
from series.models import ReadingPath

FOLDER = Path(__file__).resolve().parent.parent / "notes" / "sample"


def load(folder: Path = FOLDER) -> Report | None:
    """Load the sample library into a site without notes and paths; None if there is something.

    A site that has had it once doesn't get it again: who removed it meant it.
    """
    if (
        Note.objects.exists()
        or ReadingPath.objects.exists()
        or ImportRecord.objects.filter(origin=ImportRecord.SAMPLE).exists()
    ):
        return None
    return import_content(folder, origin=ImportRecord.SAMPLE, dialect="notesite")

"""Export, import into an empty site, export again: the same bytes, whatever the site holds."""

from __future__ import annotations

from pathlib import Path

from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis.extra.django import TestCase

from notesite.content import export_content, form, import_content, own_form
from notesite.content.document import Library
from notesite.content.folder import TargetFolder
from notesite.text import clean_line, clean_text
from tests.notesite.content.folders import files_of, temporary_folder
from tests.notesite.content.generated import libraries


class RoundTripTests(TestCase):
    @given(libraries())
    @settings(
        max_examples=25, deadline=None, database=None, suppress_health_check=list(HealthCheck)
    )
    def test_a_generated_site_comes_out_as_it_went_in(self, library: Library):
        with temporary_folder() as folder:
            with TargetFolder(folder / "made") as target:
                own_form.write(library, target)
            first = carried(folder / "made", folder / "first")
            second = carried(folder / "first", folder / "second")
        assert first == second
        assert {path for path in first if path.startswith("notes/")} == {
            f"notes/{note.slug}.md" for note in library.notes
        }
        for note in library.notes:
            text = first[f"notes/{note.slug}.md"].decode()
            read = form.read_note(text, note.slug, "")
            assert read.title == clean_line(note.title)
            assert read.source == clean_text(note.source)
            assert read.id == note.id


def carried(source: Path, target: Path) -> dict[str, bytes]:
    """The files of an export from a site that was empty before ``source`` was imported."""
    with transaction.atomic():
        report = import_content(source)
        assert not report.exit_code or not files_of(source), report.as_text()
        export_content(target)
        transaction.set_rollback(True)
    return files_of(target)

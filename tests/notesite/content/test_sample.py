"""The sample library: loaded once, through the import, and out again as it came in."""

from pathlib import Path

from django.test import TestCase

from notes.models import Note
from notesite import sample
from notesite.content import export_content
from notesite.models import ImportRecord, Site
from notesite.text import clean_text
from series.models import ReadingPath
from tests.factories import make_note
from tests.notesite.content.folders import files_of, temporary_folder

# What the exporter writes besides: its mark, the site's defaults, and each note's first state.
ADDED = {".notesite", "site.yaml"}


class SampleTests(TestCase):
    def test_an_empty_site_gets_the_library_without_a_refusal(self):
        report = sample.load()
        assert report is not None
        assert report.exit_code == 0, report.as_text()
        assert Site.objects.current().author == "Hao Zhang"
        assert Note.objects.published().count() == len(list(sample.FOLDER.glob("notes/*.md")))
        assert ReadingPath.objects.published().exists()

    def test_a_second_start_loads_nothing(self):
        sample.load()
        before = list(Note.objects.values_list("pk", "version", "updated_at"))
        assert sample.load() is None
        assert list(Note.objects.values_list("pk", "version", "updated_at")) == before

    def test_a_site_with_a_note_of_its_own_gets_no_sample(self):
        make_note()
        assert sample.load() is None
        assert not ImportRecord.objects.exists()

    def test_every_file_of_the_library_goes_out_as_it_came_in(self):
        sample.load()
        with temporary_folder() as folder:
            export_content(folder / "out")
            exported = files_of(folder / "out")
        library = {
            path: data
            for path, data in files_of(sample.FOLDER).items()
            if not path.startswith("scripts/") and path not in ("README.md", "SOURCES.md")
        }
        assert {
            path
            for path in exported.keys() | library.keys()
            if exported.get(path) != library.get(path) and not path.startswith("history/")
        } <= ADDED
        for path in exported:
            if path.startswith("history/"):
                assert Path(path).name == "1.md"
                assert clean_text(exported[path].decode()) == exported[path].decode()

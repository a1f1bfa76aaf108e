"""The sample library: loaded once, through the import, and out again as it came in."""

import io
from pathlib import Path
from unittest import mock

from django.core.management import call_command
from django.test import TestCase
from django.urls import reverse

from notes.models import Figure, Note, Reference, Revision, Topic
from notes.publishing import save_note
from notesite import sample
from notesite.content import export_content
from notesite.models import ImportRecord, Redirect, Site
from notesite.text import clean_text
from series.models import ReadingPath
from series.publishing import save_path
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


class NoIndexTests(TestCase):
    """Search engines shall find what the site's owner wrote, not copies of a sample."""

    MARK = '<meta name="robots" content="noindex">'

    def setUp(self):
        sample.load()
        note = Note.objects.get(slug="polar")
        path = ReadingPath.objects.get(slug="from-action-to-learner")
        self.note, self.step = note, note.steps.get(path=path).get_absolute_url()
        self.pages = [
            note.get_absolute_url(),
            path.get_absolute_url(),
            self.step,
            note.topics.get().get_absolute_url(),
            reverse("notes:reference", kwargs={"key": "polar2026"}),
            *(reverse(name) for name in ("home", "archive", "series:paths")),
        ]

    def test_pages_of_the_library_alone_ask_engines_to_leave_them_out(self):
        for address in self.pages:
            assert self.MARK in self.client.get(address).content.decode(), address

    def test_lists_that_show_a_note_of_the_site_s_own_don_t(self):
        mine = make_note(topics=[self.note.topics.get()])
        for address in (mine.get_absolute_url(), *self.pages[3:4], reverse("home")):
            assert self.MARK not in self.client.get(address).content.decode(), address

    def test_the_same_text_imported_as_the_site_s_own_is_indexed(self):
        ImportRecord.objects.all().update(origin="folder")
        for address in self.pages:
            assert self.MARK not in self.client.get(address).content.decode(), address


class RemovingTests(TestCase):
    def setUp(self):
        sample.load()

    def remove(self, answer: str = "") -> str:
        out = io.StringIO()
        with mock.patch("builtins.input", return_value=answer):
            call_command("remove_sample", stdout=out)
        return out.getvalue()

    def test_an_untouched_library_leaves_nothing_behind(self):
        count = Note.objects.count()
        assert f"note: {count}" in self.remove()
        for model in (Note, ReadingPath, Topic, Reference, Figure, Redirect, Revision):
            assert not model.objects.exists(), model
        assert not sample.is_here()
        make_note(slug="polar")

    def test_what_was_removed_doesn_t_come_back_with_the_next_start(self):
        self.remove()
        assert sample.load() is None
        assert not Note.objects.exists()

    def test_an_edited_note_is_listed_and_stays_with_what_it_uses(self):
        note = Note.objects.get(slug="polar")
        note.source += "\nMine.\n"
        save_note(note)
        output = self.remove(answer="no")
        assert f"note “{note}”" in output
        assert list(Note.objects.all()) == [note]
        assert [topic.slug for topic in Topic.objects.all()] == [
            topic.slug for topic in note.topics.all()
        ]
        assert Figure.objects.exists() and sample.is_here()

    def test_an_edited_note_goes_when_asked_for(self):
        note = Note.objects.get(slug="polar")
        note.source += "\nMine.\n"
        save_note(note)
        self.remove(answer="yes")
        assert not Note.objects.exists() and not Topic.objects.exists()

    def test_what_the_site_s_own_leans_on_stays(self):
        polar = Note.objects.get(slug="polar")
        save_path(ReadingPath(title="Mine", slug="mine"), [(polar, "Mine.")])
        output = self.remove()
        assert "kept: note" in output and "“Mine”" in output
        assert list(Note.objects.all()) == [polar]
        assert ReadingPath.objects.get().slug == "mine"

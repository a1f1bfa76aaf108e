"""Importing notesite's own form: what is carried, and what is left alone."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping

import pytest
from django.core.management import call_command
from django.db import transaction
from django.test import TestCase

from notes import publishing
from notes.models import Figure, Note, Topic
from notes.publishing import save_note, save_topic
from notesite import publishing as site_publishing
from notesite.content import export_content, import_content
from notesite.content.report import Outcome
from notesite.content.store import Store
from notesite.content.writers import Kind
from notesite.models import Redirect, Site
from series.models import ReadingPath
from tests.factories import make_note
from tests.notes.drawings import HOSTILE, REFUSED
from tests.notes.image_files import encode, photo
from tests.notesite.content.folders import files_of, temporary_folder, write_files
from tests.notesite.content.imports import LIBRARY, NOTE, imported, refusals, rows


class CarryingTests(TestCase):
    def test_a_whole_folder_is_carried(self):
        report = imported(LIBRARY)
        assert report.exit_code == 0, report.as_text()
        first = Note.objects.get(slug="first")
        assert [topic.slug for topic in first.topics.all()] == ["agents"]
        assert "<figure" in first.html and 'alt="A plot"' in first.html
        assert first.about_cards[0]["title"] == "A"
        assert str(Site.objects.current()) == "A. Author · Notes of ours"
        path = ReadingPath.objects.get()
        assert [(step.note, step.bridge) for step in path.steps.all()] == [(first, "Begin.\n")]
        assert Redirect.objects.get().target == "first"

    def test_a_second_run_changes_nothing(self):
        imported(LIBRARY)
        before = rows()
        report = imported(LIBRARY)
        assert report.exit_code == 0
        assert {outcome for _kind, outcome in report.tally()} == {"unchanged"}
        assert rows() == before

    def test_a_dry_run_says_what_it_would_do_and_changes_nothing(self):
        before = rows()
        report = imported(LIBRARY, dry_run=True)
        assert report.tally()["note", "created"] == 2
        assert report.tally()["figure", "created"] == 1
        assert rows() == before

    def test_changing_one_file_updates_one_note(self):
        imported(LIBRARY)
        first = Note.objects.get(slug="first")
        report = imported(LIBRARY | {"notes/second.md": NOTE.format(title="Second", text="New.")})
        assert report.tally()["note", "updated"] == 1
        assert Note.objects.get(slug="second").source == "New.\n"
        assert Note.objects.get(slug="first").version == first.version

    def test_a_drawing_is_cleaned_once_and_then_kept_byte_for_byte(self):
        hostile = {"figures/plot.svg": HOSTILE["script"][0]}
        assert imported(hostile).exit_code == 0
        with temporary_folder() as folder:
            export_content(folder / "first")
            cleaned = (folder / "first/figures/plot.svg").read_bytes()
            assert b"alert" not in cleaned
            publishing.delete_figure(Figure.objects.get())
            import_content(folder / "first", origin="again")
            export_content(folder / "second")
            assert files_of(folder / "second") == files_of(folder / "first")
        assert imported(hostile).tally()["figure", "unchanged"] == 1

    def test_a_refused_drawing_costs_only_itself(self):
        bomb = {"figures/bomb.svg": REFUSED["entities"][0]}
        assert refusals(imported(LIBRARY | bomb)) == [("figures/bomb.svg", 0)]
        assert Note.objects.count() == 2

    def test_a_figure_comes_with_its_copies(self):
        imported({"figures/photo.jpg": encode(photo(), "JPEG", quality=92)})
        figure = Figure.objects.get()
        assert {copy["type"] for copy in figure.variants} == {"image/avif", "image/webp"}
        assert publishing.missing_files(figure) == []

    def test_a_changed_order_of_topics_is_followed_once(self):
        imported(LIBRARY)
        turned = "- slug: evidence\n  name: Evidence\n- slug: agents\n  name: Agents\n"
        imported(LIBRARY | {"topics.yaml": turned})
        assert [topic.slug for topic in Topic.objects.order_by("position")] == [
            "evidence",
            "agents",
        ]
        publishing.order_topics([Topic.objects.get(slug="agents").pk])
        imported(LIBRARY | {"topics.yaml": turned})
        assert Topic.objects.order_by("position").first().slug == "agents"

    def test_history_and_pending_versions_come_with_their_note(self):
        report = imported(
            LIBRARY
            | {
                "history/first/1.md": (
                    "---\nkind: publication\ndate: 2026-04-07T09:00:00Z\ntitle: F\n---\n\nOld.\n"
                ),
                "history/first/2.md": (
                    "---\nkind: correction\nsentence: A sign was wrong.\n"
                    "date: 2026-05-01T09:00:00Z\ntitle: First\n---\n\nNewer.\n"
                ),
                "pending/first.md": (
                    "---\ntitle: First, again\nrelease: 2099-01-01T00:00:00Z\nkind: revision\n"
                    "sentence: A part was added.\n---\n\nNewest.\n"
                ),
            }
        )
        assert report.exit_code == 0, report.as_text()
        first = Note.objects.get(slug="first")
        states = first.revisions.filter(number__isnull=False).order_by("number")
        assert [(state.number, state.source) for state in states] == [
            (1, "Old.\n"),
            (2, "Newer.\n"),
        ]
        assert "Old." in states[0].html
        assert first.pending_version.source == "Newest.\n"
        assert first.source.startswith("## The problem")

    def test_a_reworded_heading_keeps_the_anchor_it_had(self):
        imported(
            {
                "notes/a.md": (
                    "---\ntitle: A\nanchors:\n- - New words\n  - s-old-words\n---\n\n"
                    "## Other\n\n## New words\n"
                )
            }
        )
        assert Note.objects.get().anchors == [["Other", "s-other"], ["New words", "s-old-words"]]

    def test_windows_line_ends_a_mark_and_decomposed_letters_are_brought_to_one_form(self):
        text = "\ufeff---\r\ntitle: Cafe\u0301\r\n---\r\n\r\nTwo\r\nlines"
        assert imported({"notes/a.md": text}).exit_code == 0
        note = Note.objects.get()
        assert (note.title, note.source) == ("Café", "Two\nlines\n")


class LeavingAloneTests(TestCase):
    def test_a_note_edited_since_is_kept_until_overwriting_is_asked_for(self):
        imported(LIBRARY)
        note = Note.objects.get(slug="second")
        note.source = "Edited here.\n"
        save_note(note)
        newer = LIBRARY | {"notes/second.md": NOTE.format(title="Second", text="Edited there.")}
        report = imported(newer)
        assert report.exit_code == 1
        assert refusals(report) == [("notes/second.md", 1)]
        assert "--overwrite" in report.as_text()
        assert Note.objects.get(slug="second").source == "Edited here.\n"
        assert imported(newer, overwrite=True).exit_code == 0
        assert Note.objects.get(slug="second").source == "Edited there.\n"

    def test_an_unchanged_file_doesn_t_undo_an_edit(self):
        imported(LIBRARY)
        note = Note.objects.get(slug="second")
        note.source = "Edited here.\n"
        save_note(note)
        assert imported(LIBRARY).exit_code == 0
        assert Note.objects.get(slug="second").source == "Edited here.\n"

    def test_a_note_deleted_since_doesn_t_come_back(self):
        imported(LIBRARY)
        Note.objects.get(slug="second").delete()
        assert imported(LIBRARY).exit_code == 0
        assert not Note.objects.filter(slug="second").exists()

    def test_a_note_of_the_site_s_own_with_the_same_slug_is_never_overwritten_silently(self):
        make_note(slug="second", source="Mine.\n")
        report = imported(LIBRARY)
        assert refusals(report) == [("notes/second.md", 1)]
        assert "not from this import" in report.as_text()
        assert Note.objects.get(slug="second").source == "Mine.\n"

    def test_a_note_in_the_trash_keeps_its_slug(self):
        make_note(slug="second", trashed=True)
        report = imported(LIBRARY)
        assert refusals(report) == [("notes/second.md", 1)]
        assert "in the trash" in report.as_text()

    def test_the_same_import_as_another_s_is_unchanged_where_it_says_the_same(self):
        imported(LIBRARY)
        before = rows()
        with temporary_folder() as folder:
            again = import_content(write_files(folder, LIBRARY), origin="another")
        assert again.tally()["topic", "unchanged"] == 2
        assert rows()["Topic"] == before["Topic"]

    def test_the_site_s_own_settings_are_kept_and_a_fresh_site_s_are_not(self):
        site = Site.objects.current()
        site.name = "Mine"
        site_publishing.save_site(site)
        report = imported(LIBRARY)
        assert refusals(report) == [("site.yaml", 1)]
        assert Site.objects.current().name == "Mine"

    def test_an_author_s_pinned_note_stays_the_featured_one(self):
        mine = make_note(pinned=True)
        text = "---\ntitle: Second\npinned: true\n---\n"
        report = imported({"notes/second.md": text})
        assert [entry.line for entry in report.of(Outcome.NOTICE)] == [3]
        assert list(Note.objects.filter(pinned=True)) == [mine]

    def test_a_retired_address_is_not_taken(self):
        note = make_note(slug="second")
        note.slug = "renamed"
        save_note(note)
        assert refusals(imported(LIBRARY)) == [("notes/second.md", 1)]


class CommandTests(TestCase):
    def run_import(self, files: Mapping[str, str | bytes], *options: str) -> tuple[int, str, str]:
        out, error = io.StringIO(), io.StringIO()
        code = 0
        with temporary_folder() as folder:
            try:
                call_command(
                    "import_content",
                    str(write_files(folder / "in", files)),
                    *(option.replace("REPORT", str(folder / "report.txt")) for option in options),
                    stdout=out,
                    stderr=error,
                )
            except SystemExit as end:
                code = int(end.code or 0)
            report = folder / "report.txt"
            self.report = report.read_text() if report.exists() else ""
        return code, out.getvalue(), error.getvalue()

    def test_all_carried_is_zero_with_a_tally(self):
        code, out, error = self.run_import(LIBRARY)
        assert (code, error) == (0, "")
        assert "note: 2 created" in out

    def test_a_refusal_is_one_named_on_stderr_and_in_the_report(self):
        files = LIBRARY | {"notes/bad.md": "---\ntitel: A\n---\n"}
        code, out, error = self.run_import(files, "--report", "REPORT")
        assert code == 1
        assert "notes/bad.md:2: “titel” is not a key" in error
        assert "notes/bad.md:2: “titel” is not a key" in self.report
        assert "note: 2 created, 1 refused" in out

    def test_nothing_to_read_is_two(self):
        assert self.run_import({})[0] == 2

    def test_a_dry_run_says_that_it_was_one(self):
        code, out, _error = self.run_import(LIBRARY, "--dry-run")
        assert code == 0
        assert "Nothing was changed" in out
        assert not Note.objects.exists()


@pytest.mark.django_db
def test_one_bad_file_among_many_is_the_only_one_missing():
    files = {f"notes/n{n}.md": f"---\ntitle: N {n}\n---\n" for n in range(60)}
    report = imported(files | {"notes/n30.md": "---\ntitle: [\n---\n"})
    assert refusals(report) == [("notes/n30.md", 3)]
    assert Note.objects.count() == 59


@pytest.mark.django_db
def test_topics_of_the_site_s_own_keep_their_places():
    for name in ("Mine first", "Agents", "Mine last"):
        save_topic(Topic(name=name))
    topics = "- slug: evidence\n  name: Evidence\n- slug: agents\n  name: Agents\n"
    imported({"topics.yaml": topics})
    assert [topic.slug for topic in Topic.objects.order_by("position")] == [
        "mine-first",
        "evidence",
        "mine-last",
        "agents",
    ]


@pytest.mark.django_db
@pytest.mark.parametrize("point", range(1, 11))
def test_an_import_broken_off_and_run_again_ends_as_one_run_does(point: int, monkeypatch):
    files = {
        path: text.replace("\npublished:", f"\nid: urn:{path}\npublished:")
        if isinstance(text, str) and path.startswith("notes/")
        else text
        for path, text in LIBRARY.items()
    }
    with transaction.atomic():
        imported(files)
        whole = exported()
        transaction.set_rollback(True)

    carried = 0

    def carry_until_the_point(store: Store, kind: Kind, document: object) -> None:
        nonlocal carried
        carried += 1
        original(store, kind, document)
        if carried == point:
            raise KeyboardInterrupt

    original = Store.carry
    with monkeypatch.context() as patch:
        patch.setattr(Store, "carry", carry_until_the_point)
        with pytest.raises(KeyboardInterrupt):
            imported(files)
    assert imported(files).exit_code == 0
    assert without_path_ids(exported()) == without_path_ids(whole)


def exported() -> dict[str, bytes]:
    with temporary_folder() as folder:
        export_content(folder / "out")
        return files_of(folder / "out")


def without_path_ids(files: dict[str, bytes]) -> dict[str, bytes]:
    """The path of the test library has no id of its own: each import makes one."""
    return {path: re.sub(rb"id: urn:uuid:\S+\n", b"", data) for path, data in files.items()}

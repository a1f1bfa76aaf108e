"""Exporting: what is written, and what is never touched."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from unittest.mock import patch

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.test import TestCase
from django.utils import timezone

from notes.models import Note
from notes.publishing import add_figure, save_note, save_pending
from notesite.content import export_content
from notesite.content.folder import MARKER
from notesite.content.report import Refusal
from notesite.models import Redirect, Site
from notesite.publishing import save_site
from series.models import ReadingPath
from series.publishing import save_path
from tests.factories import make_note
from tests.notesite.content.folders import files_of, temporary_folder, write_files
from tests.notesite.content.generated import png


def exported() -> dict[str, str]:
    with temporary_folder() as folder:
        export_content(folder / "out")
        return {path: data.decode() for path, data in files_of(folder / "out").items()}


@contextmanager
def failing_renames(numbers: set[int]) -> Iterator[list[Path]]:
    """The renames with these numbers fail, counted from one; yields what was to be renamed."""
    calls: list[Path] = []
    rename = os.rename

    def count(source: Path, target: Path) -> None:
        calls.append(source)
        if len(calls) in numbers:
            raise OSError(errno.ENOSPC, "The disk is full")
        rename(source, target)

    with patch("os.rename", count):
        yield calls


class WhatIsWrittenTests(TestCase):
    def test_drafts_and_scheduled_notes_are_written_and_the_trash_is_not(self):
        make_note(slug="draft", published_at=None)
        make_note(slug="later", published_at=timezone.now() + timedelta(days=1))
        make_note(slug="gone", withdrawn="It was wrong.")
        make_note(slug="thrown-away", trashed=True)
        files = exported()
        assert {path for path in files if path.startswith("notes/")} == {
            "notes/draft.md",
            "notes/later.md",
            "notes/gone.md",
        }
        assert "published:" not in files["notes/draft.md"]
        assert "withdrawn:\n  at: 20" in files["notes/gone.md"]

    def test_private_saves_are_not_written_and_public_states_are(self):
        note = make_note(slug="a", source="One.\n")
        note.source = "Private between.\n"
        save_note(note)
        note.source = "Two.\n"
        save_note(note, kind="revision", sentence="It says two.")
        files = exported()
        assert {path for path in files if path.startswith("history/")} == {
            "history/a/1.md",
            "history/a/2.md",
        }
        assert files["history/a/1.md"].endswith("\n\nOne.\n")
        assert files["history/a/2.md"].startswith("---\nkind: revision\nsentence: It says two.\n")
        assert not any("Private between" in text for text in files.values())

    def test_a_pending_version_is_written_beside_its_note(self):
        note = make_note(slug="a")
        save_pending(note, {"title": "B", "source": "New.\n"}, kind="correction", sentence="Why.")
        assert exported()["pending/a.md"] == (
            "---\ntitle: B\nkind: correction\nsentence: Why.\n---\n\nNew.\n"
        )

    def test_only_anchors_that_a_heading_wouldn_t_get_are_written(self):
        note = make_note(slug="a", source="## One\n\n## Two\n")
        assert "anchors:" not in exported()["notes/a.md"]
        note.source = "## One\n\n## Two, reworded\n"
        save_note(note)
        assert "anchors:\n- - Two, reworded\n  - s-two\n---" in exported()["notes/a.md"]

    def test_a_step_in_the_trash_goes_with_its_note(self):
        kept, thrown = make_note(slug="kept"), make_note(slug="thrown")
        save_path(ReadingPath(title="P", slug="p"), [(thrown, "x"), (kept, "y")])
        thrown.trashed_at = timezone.now()
        save_note(thrown)
        assert "steps:\n- note: kept\n  bridge: |\n    y\n---\n" in exported()["paths/p.md"]

    def test_an_emptied_start_text_stays_empty(self):
        site = Site.objects.current()
        site.start_text = ""
        save_site(site)
        assert "start_text: ''\n" in exported()["site.yaml"]

    def test_an_address_that_is_gone_has_no_target(self):
        Redirect.objects.leave_gone("note", "old", "It was wrong.")
        assert exported()["redirects.yaml"] == (
            "- kind: note\n  from: old\n  sentence: It was wrong.\n"
        )

    def test_the_first_export_of_an_empty_site_is_its_mark_alone(self):
        assert list(exported()) == [MARKER]

    def test_it_takes_two_queries_for_each_note(self):
        make_note()
        with temporary_folder() as folder:
            export_content(folder / "warm")
            counts = []
            for number in (1, 2):
                for _note in range(5):
                    make_note()
                with self.assertNumQueries(8 + 2 * Note.objects.count()):
                    export_content(folder / f"out-{number}")
                counts.append(Note.objects.count())
        assert counts == [6, 11]


class WhereItIsWrittenTests(TestCase):
    def test_a_folder_that_somebody_else_filled_is_not_touched(self):
        make_note()
        with temporary_folder() as folder:
            write_files(folder / "theirs", {"thesis.tex": "years of work"})
            with pytest.raises(Refusal, match="didn't write"):
                export_content(folder / "theirs")
            with pytest.raises(CommandError, match="didn't write"):
                call_command("export_content", str(folder / "theirs"))
            assert files_of(folder) == {"theirs/thesis.tex": b"years of work"}

    def test_a_file_or_a_link_is_no_folder(self):
        with temporary_folder() as folder:
            (folder / "file").write_text("x")
            (folder / "link").symlink_to(folder / "elsewhere")
            for name in ("file", "link"):
                with pytest.raises(Refusal, match="not a folder"):
                    export_content(folder / name)

    def test_an_earlier_export_is_replaced_and_what_lies_beside_it_stays(self):
        note = make_note(slug="a")
        with temporary_folder() as folder:
            export_content(folder / "out")
            write_files(folder / "out", {".git/config": "[core]", "README.md": "ours"})
            note.slug = "b"
            save_note(note)
            export_content(folder / "out")
            files = files_of(folder / "out")
            assert sorted(os.listdir(folder)) == ["out"]
        assert "notes/b.md" in files and "notes/a.md" not in files
        assert files[".git/config"] == b"[core]" and files["README.md"] == b"ours"

    def test_an_export_that_fails_leaves_the_earlier_one(self):
        make_note(slug="a")
        figure = add_figure(png((9, 9, 9)), name="lag.png")
        with temporary_folder() as folder:
            export_content(folder / "out")
            before = files_of(folder / "out")
            (Path(settings.MEDIA_ROOT) / figure.path).unlink()
            make_note(slug="b")
            with pytest.raises(Refusal, match="lag.png"):
                export_content(folder / "out")
            assert files_of(folder / "out") == before
            assert sorted(os.listdir(folder)) == ["out"]

    def test_each_rename_that_fails_leaves_everything_as_it_was(self):
        make_note(slug="a")
        with temporary_folder() as folder:
            export_content(folder / "out")
            write_files(folder / "out", {".git/config": "[core]", "README.md": "ours"})
            before = files_of(folder / "out")
            make_note(slug="b")
            for number in range(1, 5):  # two folders and two entries change places
                with failing_renames({number}) as calls, pytest.raises(Refusal, match="full"):
                    export_content(folder / "out")
                assert len(calls) >= number
                assert files_of(folder / "out") == before
                assert sorted(os.listdir(folder)) == ["out"]
            with failing_renames(set()) as calls:
                export_content(folder / "out")
            assert len(calls) == 4
            assert files_of(folder / "out").items() > before.items()

    def test_what_can_t_be_moved_back_is_kept_and_its_place_is_said(self):
        make_note(slug="a")
        with temporary_folder() as folder:
            for number in range(2, 5):
                out = folder / str(number) / "out"
                export_content(out)
                theirs = {".git/config": "[core]", "README.md": "ours"}
                write_files(out, theirs)
                everything = set(range(number, 10))
                with failing_renames(everything), pytest.raises(Refusal) as caught:
                    export_content(out)
                kept = files_of(out.parent)
                assert {text.encode() for text in theirs.values()} <= set(kept.values())
                (old,) = out.parent.glob(".out.old-*")
                assert str(old) in caught.value.cure
                assert (old / "notes" / "a.md").is_file()

    def test_what_came_into_the_replaced_folder_meanwhile_is_not_deleted(self):
        make_note(slug="a")
        with temporary_folder() as folder:
            export_content(folder / "out")

            def drop_a_file(_folder: Path) -> None:
                (old,) = folder.glob(".out.old-*")
                (old / "late.txt").write_text("mine")

            with (
                patch("notesite.content.folder._sync_names", drop_a_file),
                pytest.raises(Refusal, match="is written") as caught,
            ):
                export_content(folder / "out")
            assert (Path(caught.value.file) / "late.txt").read_text() == "mine"
            assert (folder / "out" / "notes" / "a.md").is_file()

    def test_an_empty_folder_and_a_deep_new_one_are_filled(self):
        with temporary_folder() as folder:
            (folder / "empty").mkdir()
            export_content(folder / "empty")
            export_content(folder / "a" / "b" / "c")
            assert (folder / "empty" / MARKER).is_file()
            assert (folder / "a" / "b" / "c" / MARKER).is_file()

"""Importing notesite's own form: what is refused, and where."""

from __future__ import annotations

import os
from pathlib import Path

from django.test import TestCase

from notes.models import Note, Reference, Revision
from notesite.content import import_content
from notesite.content.report import Outcome
from series.models import ReadingPath
from tests.notesite.content.folders import temporary_folder, write_files
from tests.notesite.content.generated import png
from tests.notesite.content.imports import LIBRARY, NOTE, imported, refusals


class RefusingTests(TestCase):
    def test_one_bad_file_costs_only_itself(self):
        report = imported(LIBRARY | {"notes/bad.md": "---\ntitle: A: b\n---\n"})
        assert report.exit_code == 1
        assert refusals(report) == [("notes/bad.md", 2)]
        assert Note.objects.count() == 2

    def test_a_note_with_a_bad_state_comes_not_even_in_part(self):
        report = imported(
            {
                "notes/a.md": NOTE.format(title="A", text="x"),
                "history/a/1.md": "---\nkind: revision\ndate: 2026-04-07T09:00:00Z\n---\n\nx\n",
            }
        )
        assert refusals(report) == [("history/a/1.md", 1)]
        assert not Note.objects.exists() and not Revision.objects.exists()

    def test_what_leans_on_something_missing_names_it_at_its_line(self):
        report = imported(
            {
                "notes/a.md": "---\ntitle: A\ntopics:\n- nowhere\n---\n",
                "paths/p.md": "---\ntitle: P\nline: x\nsteps:\n- note: nobody\n---\n",
            }
        )
        assert refusals(report) == [("notes/a.md", 3), ("paths/p.md", 4)]

    def test_a_rule_of_the_site_is_told_at_the_key_s_line(self):
        report = imported({"notes/a.md": "---\ntitle: A\ndoi: nonsense\n---\n"})
        assert refusals(report) == [("notes/a.md", 3)]

    def test_lists_that_name_a_thing_twice_are_refused_there(self):
        report = imported(
            {
                "topics.yaml": "- slug: a\n  name: A\n- slug: a\n  name: B\n",
                "figures/x.png": png((0, 0, 0)),
                "figures/figures.yaml": "- name: x.png\n  alt: A\n- name: gone.png\n  alt: B\n",
                "notes/a.md": "---\ntitle: A\npinned: true\n---\n",
                "notes/b.md": "---\ntitle: B\npinned: true\n---\n",
            }
        )
        assert sorted(refusals(report)) == [
            ("figures/figures.yaml", 3),
            ("notes/b.md", 3),
            ("topics.yaml", 3),
        ]

    def test_a_broken_entry_costs_only_itself(self):
        report = imported(
            {"references.bib": "@misc{a,\n title = {A}\n}\n\n@misc{b,\n title = {B\n"}
        )
        assert [entry.line for entry in report.of(Outcome.REFUSED)] == [5]
        assert Reference.objects.get().key == "a"

    def test_a_fault_in_an_entry_is_named_with_its_line_and_cure(self):
        report = imported(
            {
                "references.bib": "@misc{a,\n title = {A},\n year = 1\n note = {x}\n}\n"
                "@misc{b, title = {B}}\n"
            }
        )
        (entry,) = report.of(Outcome.REFUSED)
        assert (entry.file, entry.line) == ("references.bib", 1)
        assert "A comma is missing behind the field “year”. It shows in line 4." in entry.message
        assert entry.cure
        assert Reference.objects.get().key == "b"

    def test_a_redirect_from_an_address_in_use_is_refused(self):
        report = imported(LIBRARY | {"redirects.yaml": "- kind: note\n  from: first\n"})
        assert refusals(report) == [("redirects.yaml", 1)]

    def test_a_picture_that_is_none_is_refused(self):
        report = imported({"figures/x.png": b"GIF? no", "notes/a.md": "text\n"})
        assert refusals(report) == [("figures/x.png", 0)]

    def test_nothing_to_read_is_said(self):
        for files in ({}, {"readme.txt": "x"}, {"notes/a.md": "---\ndek: x\n---\n"}):
            assert imported(files).exit_code == 2
        assert import_content(Path("no-such-folder")).exit_code == 2


class HostileFolderTests(TestCase):
    def test_links_are_not_followed(self):
        with temporary_folder() as folder:
            (folder / "secret.md").write_text("---\ntitle: Secret\n---\n")
            (folder / "outside").mkdir()
            (folder / "outside" / "o.md").write_text("---\ntitle: Outside\n---\n")
            root = write_files(folder / "in", {"notes/a.md": "text\n", "pending/x": ""})
            (root / "notes" / "b.md").symlink_to(folder / "secret.md")
            (root / "figures").mkdir()
            (root / "figures" / "c.png").symlink_to("/etc/hostname")
            (root / "paths").symlink_to(folder / "outside")
            (root / "site.yaml").symlink_to(folder / "secret.md")
            report = import_content(root)
        assert {file for file, _line in refusals(report)} >= {
            "notes/b.md",
            "figures/c.png",
            "site.yaml",
        }
        assert Note.objects.count() == 1
        assert not ReadingPath.objects.exists()

    def test_a_pipe_doesn_t_keep_the_import_waiting(self):
        with temporary_folder() as folder:
            write_files(folder, {"notes/a.md": "text\n"})
            os.mkfifo(folder / "notes" / "b.md")
            report = import_content(folder)
        assert refusals(report) == [("notes/b.md", 0)]

    def test_too_long_a_file_is_refused_unread(self):
        report = imported({"notes/a.md": b"x" * (6 * 1024 * 1024), "notes/b.md": "text\n"})
        assert refusals(report) == [("notes/a.md", 0)]

    def test_wrong_encodings_are_named_with_their_line(self):
        report = imported(
            {
                "notes/latin.md": "---\ntitle: A\n---\n\nCaf\xe9\n".encode("latin-1"),
                "notes/wide.md": "---\ntitle: A\n---\n".encode("utf-16"),
                "notes/zero.md": b"---\ntitle: A\n---\n\nnull \0 byte\n",
            }
        )
        assert refusals(report) == [("notes/latin.md", 5), ("notes/wide.md", 1)]
        assert Note.objects.get().source == "null  byte\n"

    def test_names_that_clash_or_can_t_be_slugs_are_refused(self):
        report = imported(
            {
                "notes/caf\u00e9.md": "text\n",
                "notes/cafe\u0301.md": "text\n",
                "notes/Polar.md": "text\n",
                "notes/feed.md": "text\n",
                "notes/deep/x.md": "text\n",
                "notes/polar.md": "text\n",
                "figures/A.png": png((0, 0, 0)),
                "figures/a.png": png((1, 1, 1)),
                "pending/nobody.md": "text\n",
                "history/nobody/1.md": "text\n",
            }
        )
        assert sorted(file for file, _line in refusals(report)) == [
            "figures/a.png",
            "history/nobody",
            "notes/Polar.md",
            "notes/caf\u00e9.md",
            "notes/deep",
            "notes/feed.md",
            "pending/nobody.md",
        ]
        assert {note.slug for note in Note.objects.all()} == {"café", "polar"}

    def test_a_file_name_that_is_no_text_can_be_printed(self):
        with temporary_folder() as folder:
            write_files(folder, {"notes/a.md": "text\n"})
            with open(os.fsencode(folder) + b"/notes/\xff.md", "wb") as file:
                file.write(b"text\n")
            report = import_content(folder)
        report.as_text().encode()
        assert refusals(report) == [("notes/\\xff.md", 0)]

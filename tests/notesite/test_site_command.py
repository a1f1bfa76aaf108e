"""The site's own commands: on a data folder that nobody has prepared, and when something is due."""

import os
import subprocess
import sys
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
import time_machine
from django.core.management import call_command
from django.utils import timezone

from notes.models import Note, PendingVersion
from notes.publishing import save_pending
from notesite.preparing import prepare
from tests.factories import make_note

ROOT = Path(__file__).resolve().parents[2]


def manage(data, *arguments):
    environment = os.environ | {"NOTESITE_DATA": str(data), "NOTESITE_URL": "http://127.0.0.1:8000"}
    for name in ("DATABASE_URL", "DJANGO_SETTINGS_MODULE"):  # as an operator has it
        environment.pop(name, None)
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
    )


def test_an_import_may_come_first(tmp_path):
    done = manage(tmp_path / "new", "import_content", "notes/sample")
    assert done.returncode == 0, done.stderr
    assert "note: 3 created" in done.stdout
    assert (tmp_path / "new" / "notesite.sqlite3").is_file()


def test_other_commands_say_how_to_prepare_the_database(tmp_path):
    tmp_path.joinpath("new").mkdir()
    for command in (["export_content", str(tmp_path / "out")], ["sign_in_link"], ["clean_up"]):
        done = manage(tmp_path / "new", *command)
        assert done.returncode == 1
        assert done.stderr.splitlines()[-1].endswith("Run manage.py migrate first."), done.stderr
        assert "Traceback" not in done.stderr


@pytest.fixture
def due(db):
    """A note whose new text came due an hour ago, while nobody asked for a page."""
    with time_machine.travel(timezone.now() - timedelta(days=1), tick=False):
        note = make_note(slug="lag", title="Old", source="Old.\n")
        save_pending(
            note,
            {"title": "New", "source": "New.\n"},
            kind="revision",
            sentence="It is new.",
            release_at=timezone.now() + timedelta(hours=23),
        )
        waiting = make_note(slug="later", title="Old", source="Old.\n")
        save_pending(waiting, {"title": "New"}, release_at=timezone.now() + timedelta(hours=25))
    return note


def test_a_command_reads_what_is_due_as_released(due, tmp_path):
    out = StringIO()
    call_command("export_content", str(tmp_path / "out"), stdout=out)
    assert "2 notes, 0 paths" in out.getvalue()
    assert "title: New\n" in (tmp_path / "out" / "notes" / "lag.md").read_text()
    assert not (tmp_path / "out" / "pending" / "lag.md").exists()
    assert (tmp_path / "out" / "pending" / "later.md").exists()


@pytest.mark.parametrize("command", ["clean_up", "rerender"])
def test_any_command_releases_what_is_due_and_nothing_else(due, command):
    call_command(command, stdout=StringIO())
    assert Note.objects.get(slug="lag").title == "New"
    assert Note.objects.get(slug="later").title == "Old"
    assert PendingVersion.objects.get().note.slug == "later"


def test_a_start_releases_what_is_due(due, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    settings.MEDIA_ROOT, settings.STATIC_ROOT = tmp_path / "media", tmp_path / "static"
    prepare(lambda _line: None, with_sample=False)
    assert Note.objects.get(slug="lag").title == "New"

"""Many writers on one SQLite file: each save reads first, and none may fail or be lost.

The writers are real processes on a database of their own, as gunicorn's workers are.
"""

import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NOTES = 4

_PREPARE = f"""
from django.core.management import call_command
call_command("migrate", verbosity=0)
from notes.models import Note
from notes.publishing import save_note
for number in range({NOTES}):
    save_note(Note(title=f"Note {{number}}", source="Counts:\\n"))
"""

# Reads a note, adds one to the writer's own count in it, saves; a conflict is read and done again.
_WRITE = f"""
import re, sys
from notes.models import Note
from notes.publishing import Conflict, save_note
writer, saves = sys.argv[1], int(sys.argv[2])
for number in range(saves):
    while True:
        note = Note.objects.order_by("pk")[number % {NOTES}]
        found = re.search(rf"^- {{writer}}: (\\d+)$", note.source, re.M)
        count = int(found[1]) if found else 0
        rest = re.sub(rf"^- {{writer}}: \\d+\\n", "", note.source, flags=re.M)
        note.source = f"{{rest}}- {{writer}}: {{count + 1}}\\n"
        try:
            save_note(note)
        except Conflict:
            continue
        break
    print("saved", flush=True)
"""

_READ = """
import re
from django.db import connection
from notes.models import Note, Revision
counts = [int(n) for note in Note.objects.all() for n in re.findall(r": (\\d+)", note.source)]
with connection.cursor() as cursor:
    state = cursor.execute("PRAGMA integrity_check").fetchone()[0]
print(sum(counts), Revision.objects.count(), state)
"""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Saves that were acknowledged, counted in the texts, kept as revisions; what SQLite says."""

    acknowledged: int
    counted: int
    revisions: int
    integrity: str = "ok"


def run_writers(data: Path, *, writers: int, saves: int) -> Outcome:
    """Let the writers save; an AssertionError with the first traceback if any of them fails."""
    data.mkdir(exist_ok=True)
    _run(data, _PREPARE)
    running = [_start(data, _WRITE, f"w{writer}", str(saves)) for writer in range(writers)]
    acknowledged, failures = 0, []
    for process in running:
        output, errors = process.communicate(timeout=600)
        acknowledged += output.count(b"saved")
        if process.returncode:
            failures.append(errors)
    if failures:
        raise AssertionError(f"{len(failures)} of {writers} writers failed: {failures[0].decode()}")
    return _outcome(data, acknowledged)


def run_killed_writers(data: Path, *, writers: int, kills: int) -> Outcome:
    """Let writers save, and kill -9 one after the other at random moments, ``kills`` in all."""
    data.mkdir(exist_ok=True)
    _run(data, _PREPARE)
    chance = random.Random(kills)  # noqa: S311 - when to kill is no secret
    running = [_start(data, _WRITE, f"w{writer}", "1000000") for writer in range(writers)]
    acknowledged = 0
    for kill in range(kills):
        place = kill % writers
        acknowledged += _kill_at_work(running[place], chance.uniform(0, 0.3))
        running[place] = _start(data, _WRITE, f"w{place}", "1000000")
    acknowledged += sum(_kill_at_work(process, 0) for process in running)
    return _outcome(data, acknowledged)


def _kill_at_work(process: subprocess.Popen[bytes], after: float) -> int:
    """Kill a writer some time after its first save was acknowledged; how many were."""
    assert process.stdout is not None
    first = process.stdout.readline()
    time.sleep(after)
    process.send_signal(signal.SIGKILL)
    rest = process.stdout.read()
    process.communicate(timeout=60)
    return (first + rest).count(b"saved\n")


def _outcome(data: Path, acknowledged: int) -> Outcome:
    counted, revisions, state = _run(data, _READ).split()
    return Outcome(acknowledged, int(counted), int(revisions) - NOTES, state)


def _run(data: Path, code: str) -> str:
    process = _start(data, code)
    output, errors = process.communicate(timeout=300)
    if process.returncode:
        raise AssertionError(errors.decode())
    return output.decode()


def _start(data: Path, code: str, *arguments: str) -> subprocess.Popen[bytes]:
    environment = os.environ | {
        "NOTESITE_DATA": str(data),
        "NOTESITE_URL": "http://127.0.0.1:8000",
        "DJANGO_SETTINGS_MODULE": "notesite.settings",
    }
    environment.pop("DATABASE_URL", None)
    return subprocess.Popen(
        [sys.executable, "-c", f"import django; django.setup()\n{code}", *arguments],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )

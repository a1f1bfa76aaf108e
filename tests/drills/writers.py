"""Many writers on one SQLite file: each save reads first, and none may fail or be lost.

``run_writers`` starts real processes on a database of its own, as gunicorn's workers are.
"""

import os
import subprocess
import sys
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
from notes.models import Note, Revision
counts = [int(n) for note in Note.objects.all() for n in re.findall(r": (\\d+)", note.source)]
print(sum(counts), Revision.objects.count())
"""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Saves that were acknowledged, counted in the texts, and kept as revisions."""

    acknowledged: int
    counted: int
    revisions: int


def run_writers(data: Path, *, writers: int, saves: int) -> Outcome:
    """Let the writers save; an AssertionError with the first traceback if any of them fails."""
    _run(data, _PREPARE)
    running = [_start(data, _WRITE, f"w{writer}", str(saves)) for writer in range(writers)]
    acknowledged, failures = 0, []
    for process in running:
        output, errors = process.communicate(timeout=600)
        acknowledged += output.count("saved")
        if process.returncode:
            failures.append(errors)
    if failures:
        raise AssertionError(f"{len(failures)} of {writers} writers failed: {failures[0]}")
    counted, revisions = (int(number) for number in _run(data, _READ).split())
    return Outcome(acknowledged, counted, revisions - NOTES)


def _run(data: Path, code: str) -> str:
    process = _start(data, code)
    output, errors = process.communicate(timeout=300)
    if process.returncode:
        raise AssertionError(errors)
    return output


def _start(data: Path, code: str, *arguments: str) -> subprocess.Popen[str]:
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
        text=True,
    )

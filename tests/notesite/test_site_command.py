"""Commands on a data folder that nobody has prepared yet."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def manage(data, *arguments):
    environment = os.environ | {"NOTESITE_DATA": str(data), "NOTESITE_URL": "http://127.0.0.1:8000"}
    environment.pop("DATABASE_URL", None)
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


def test_other_commands_say_how_to_prepare_the_database(tmp_path):
    tmp_path.joinpath("new").mkdir()
    for command in (["export_content", str(tmp_path / "out")], ["sign_in_link"], ["clean_up"]):
        done = manage(tmp_path / "new", *command)
        assert done.returncode == 1
        assert done.stderr.splitlines()[-1].endswith("Run manage.py migrate first."), done.stderr
        assert "Traceback" not in done.stderr

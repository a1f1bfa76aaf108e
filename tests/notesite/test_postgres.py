"""The tests of models, writes and pages once more, on PostgreSQL."""

import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.programs import postgres_programs

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = "-c fsync=off -c full_page_writes=off -c listen_addresses= -c max_connections=50"
# Each group has a cluster of its own, so that they share the cores.
WHAT_ASKS_THE_DATABASE = {
    "notes and paths": [
        "tests/notes/publishing",
        "tests/notes/test_citations.py",
        "tests/notes/test_feeds.py",
        "tests/notes/test_note_links.py",
        "tests/notes/test_querysets.py",
        "tests/notes/test_reference_views.py",
        "tests/notes/test_views.py",
        "tests/series/test_feeds.py",
        "tests/series/test_views.py",
    ],
    "writing": [
        *sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("tests/*/test_admin*.py")),
        "tests/notes/test_editor.py",
    ],
    "site": [
        "tests/notesite/test_check_notes.py",
        "tests/notesite/test_clean_up.py",
        "tests/notesite/test_health.py",
        "tests/notesite/test_middleware.py",
        "tests/notesite/test_sign_in.py",
        "tests/notesite/test_sitemap.py",
        "tests/notesite/test_views.py",
        "tests/notesite/test_visibility.py",
    ],
    "content": [
        "tests/notesite/content/test_exporting.py",
        "tests/notesite/content/test_importing.py",
        "tests/notesite/content/test_refusing.py",
        "tests/notesite/content/test_round_trip.py",
        "tests/notesite/content/test_sample.py",
    ],
}


@pytest.fixture
def database_url():
    """A cluster of its own that only this test reaches, through a socket in its folder."""
    programs = Path(str(postgres_programs()))
    folder = Path(tempfile.mkdtemp(prefix="notesite-pg-"))  # a short path: sockets need one
    account = {}
    if os.geteuid() == 0:  # PostgreSQL refuses to run as root; its package made an account
        account = {"user": "postgres", "group": pwd.getpwnam("postgres").pw_gid}
        shutil.chown(folder, "postgres")

    def run(program, *arguments):
        subprocess.run(
            [programs / program, *arguments],
            check=True,
            cwd=folder,
            stdout=subprocess.DEVNULL,
            **account,
        )

    cluster = folder / "cluster"
    run("initdb", "-D", cluster, "-U", "notesite", "-A", "trust", "-E", "UTF8", "--no-sync")
    options = f"{SETTINGS} -k {folder}"
    run("pg_ctl", "-D", cluster, "-w", "-s", "-l", folder / "log", "-o", options, "start")
    try:
        yield f"postgres://notesite@{str(folder).replace('/', '%2F')}/postgres"
    finally:
        run("pg_ctl", "-D", cluster, "-s", "-m", "immediate", "stop")
        shutil.rmtree(folder)


@pytest.mark.postgres
@pytest.mark.parametrize("group", WHAT_ASKS_THE_DATABASE)
def test_the_site_works_on_postgresql(database_url, group):
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *WHAT_ASKS_THE_DATABASE[group]]
        + ["-m", "not browser and not postgres", "-p", "no:cacheprovider", "-n", "0"],
        cwd=ROOT,
        env=os.environ | {"NOTESITE_TEST_DATABASE_URL": database_url},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]

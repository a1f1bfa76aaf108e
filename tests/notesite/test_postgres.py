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
WHAT_ASKS_THE_DATABASE = [
    "tests/notes/publishing",
    "tests/notes/test_querysets.py",
    "tests/notes/test_views.py",
    "tests/series/test_views.py",
    "tests/notesite/content/test_sample.py",
    "tests/notesite/test_cleaning.py",
    "tests/notesite/test_health.py",
    "tests/notesite/test_middleware.py",
    "tests/notesite/test_sign_in.py",
]


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
def test_the_site_works_on_postgresql(database_url):
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *WHAT_ASKS_THE_DATABASE]
        + ["-m", "not browser and not postgres", "-p", "no:cacheprovider", "-n", "0"],
        cwd=ROOT,
        env=os.environ | {"NOTESITE_TEST_DATABASE_URL": database_url},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]

"""Programs beside Python that some tests drive, and what installs them."""

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Program:
    name: str
    mark: str
    install: str
    find: Callable[[], str | None]


def chromium() -> str | None:
    names = ("chromium", "chromium-browser", "google-chrome")
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


def postgres_programs() -> str | None:
    """The folder of initdb and postgres; Debian keeps it off the path."""
    found = shutil.which("initdb")
    folders = [Path(found).resolve().parent] if found else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((str(folder) for folder in folders if (folder / "initdb").exists()), None)


PROGRAMS = [
    Program("Chromium", "browser", "apt-get install chromium", chromium),
    Program("PostgreSQL", "postgres", "apt-get install postgresql", postgres_programs),
]


def missing() -> list[Program]:
    return [program for program in PROGRAMS if not program.find()]

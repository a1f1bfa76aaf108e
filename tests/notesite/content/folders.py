"""Folders for the tests: made from a mapping, and read back as one."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def temporary_folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="notesite-content-") as name:
        yield Path(name)


def write_files(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write each text or bytes at its path below ``root``."""
    for path, content in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content.encode() if isinstance(content, str) else content)
    return root


def files_of(root: Path) -> dict[str, bytes]:
    """Every file below ``root`` by its path."""
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }

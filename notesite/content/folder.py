"""A content folder on disk: read without following a link out of it, written beside and renamed."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import tempfile
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from django.utils.translation import gettext as _

from notesite.content.report import Refusal

MARKER = ".notesite"
MARKER_TEXT = "A content folder written by notesite; the next export replaces its files.\n"
# What a content folder consists of; anything else in it belongs to somebody else.
OWN_NAMES = (
    MARKER,
    "site.yaml",
    "topics.yaml",
    "references.bib",
    "notes",
    "pending",
    "paths",
    "history",
    "figures",
    "redirects.yaml",
)
TEXT_LIMIT = 5 * 1024 * 1024 + 128 * 1024  # the longest source, and its front matter
FIGURE_LIMIT = 64 * 1024 * 1024  # more than any image that is taken: those say their own bound
ENTRY_LIMIT = 100_000
DEPTH_LIMIT = 50


@dataclass(frozen=True, slots=True)
class FolderEntry:
    name: str
    path: str  # relative to the folder, with slashes
    is_folder: bool


class SourceFolder:
    """Files below one folder. Nothing is opened that is, or lies behind, a symbolic link."""

    def __init__(self, root: Path) -> None:
        self.root = root
        if not root.is_dir():
            raise Refusal(
                _("This is not a folder."),
                file=readable(str(root)),
                cure=_("Give the folder that holds the content."),
            )

    def entries(self, under: str = "") -> list[FolderEntry]:
        """What lies in a folder, by name, hidden files left out; a link is refused when opened."""
        path = self._path(under) if under else self.root
        if not path.is_dir() or (under and self._has_link(under)):
            return []
        with os.scandir(path) as listing:
            found = [
                FolderEntry(
                    entry.name,
                    f"{under}/{entry.name}" if under else entry.name,
                    entry.is_dir(follow_symlinks=False),
                )
                for entry in listing
                if not entry.name.startswith(".")
            ]
        if len(found) > ENTRY_LIMIT:
            raise Refusal(
                _("This folder has more than %(limit)d entries.") % {"limit": ENTRY_LIMIT},
                file=readable(under),
            )
        return sorted(found, key=lambda entry: entry.name)

    def walk(self, under: str = "", depth: int = 0) -> Iterator[FolderEntry]:
        """Every file below ``under``, down to a bound that no blog comes near."""
        if depth > DEPTH_LIMIT:
            raise Refusal(_("Folders are nested too deeply here."), file=readable(under))
        for entry in self.entries(under):
            if entry.is_folder:
                yield from self.walk(entry.path, depth + 1)
            else:
                yield entry

    def exists(self, path: str) -> bool:
        """Whether a file can be read there; a link can't."""
        target = self._path(path)
        return not self._has_link(path) and target.is_file()

    def read_bytes(self, path: str, limit: int = FIGURE_LIMIT) -> bytes:
        """The bytes of a regular file inside the folder."""
        label = readable(path)
        if self._has_link(path):
            raise Refusal(
                _("This is a symbolic link; links are not followed."),
                file=label,
                cure=_("Put the file itself there."),
            )
        try:
            # Opened without following a link and without waiting for a pipe's other end.
            handle = os.open(self._path(path), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            with os.fdopen(handle, "rb") as file:
                status = os.fstat(file.fileno())
                if not stat.S_ISREG(status.st_mode):
                    raise Refusal(_("This is not a regular file."), file=label)
                if status.st_size > limit:
                    raise Refusal(
                        _("This file has %(size)d kB; %(limit)d kB are the most that is read.")
                        % {"size": status.st_size // 1024, "limit": limit // 1024},
                        file=label,
                        cure=_("Split it, or make it smaller."),
                    )
                return file.read(limit)
        except OSError as error:
            raise Refusal(
                _("This file can't be read: %(reason)s.") % {"reason": error.strerror}, file=label
            ) from error

    def read_text(self, path: str) -> str:
        """A UTF-8 file with LF at its line ends, whatever they were."""
        data = self.read_bytes(path, TEXT_LIMIT).removeprefix(b"\xef\xbb\xbf")
        try:
            text = data.decode()
        except UnicodeDecodeError as error:
            raise Refusal(
                _("This file is not in UTF-8."),
                file=readable(path),
                line=data.count(b"\n", 0, error.start) + 1,
                cure=_("Save it as UTF-8 in your editor."),
            ) from error
        return text.replace("\r\n", "\n").replace("\r", "\n")

    def _path(self, relative: str) -> Path:
        parts = relative.split("/")
        if any(part in ("", ".", "..") or "\0" in part or "\\" in part for part in parts):
            raise Refusal(_("This path leads out of the folder."), file=readable(relative))
        return self.root.joinpath(*parts)

    def _has_link(self, relative: str) -> bool:
        path = self._path(relative)
        return any(
            part.is_symlink()
            for part in (path, *path.parents)
            if part.is_relative_to(self.root) and part != self.root
        )


def readable(name: str) -> str:
    """A file name that can be printed, also where its bytes are not UTF-8."""
    return name.encode(errors="surrogateescape").decode(errors="backslashreplace")


def stem_of(name: str, ending: str = ".md") -> str:
    """The slug a file name gives: NFC, since some file systems decompose what they are given."""
    return unicodedata.normalize("NFC", readable(name).removesuffix(ending))


class TargetFolder:
    """A content folder being written: beside its place first, then put there by renaming.

    Use it as a context manager; an error inside leaves what was there before as it was.
    """

    def __init__(self, path: Path) -> None:
        self.path = Path(os.path.abspath(path))

    def __enter__(self) -> TargetFolder:
        refuse_foreign_folder(self.path)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.beside = Path(
                tempfile.mkdtemp(dir=self.path.parent, prefix=f".{self.path.name}.new-")
            )
        except OSError as error:
            raise _cannot_write(self.path, error) from error
        self.write(MARKER, MARKER_TEXT.encode())
        return self

    def write(self, relative: str, data: bytes) -> None:
        target = self.beside / relative
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        except OSError as error:
            raise _cannot_write(self.path / relative, error) from error

    def __exit__(self, kind: type[BaseException] | None, *_details: object) -> None:
        try:
            if kind is None:
                self._put_in_place()
        except OSError as error:
            raise _cannot_write(self.path, error) from error
        finally:
            shutil.rmtree(self.beside, ignore_errors=True)

    def _put_in_place(self) -> None:
        os.chmod(self.beside, 0o755)  # noqa: S103 - as a folder is made; mkdtemp made it private
        os.sync()  # every file is on the disk before the names change
        if not self.path.exists():
            os.rename(self.beside, self.path)
            _sync_names(self.path.parent)
            return
        before = self.beside.with_name(self.beside.name.replace(".new-", ".old-"))
        moves: list[tuple[Path, Path]] = []
        try:
            for move in self._moves(before):
                os.rename(*move)
                moves.append(move)
            _sync_names(self.path.parent)
        except (OSError, KeyboardInterrupt) as error:
            _move_back(moves, error)
            raise
        _remove_replaced(before)

    def _moves(self, before: Path) -> Iterator[tuple[Path, Path]]:
        """The folders change names; then what isn't ours (.git, a README) follows, one by one.

        Never into ``beside``, which is deleted on failure.
        """
        yield self.path, before
        yield self.beside, self.path
        for entry in sorted(before.iterdir()):
            if entry.name not in OWN_NAMES:
                yield entry, self.path / entry.name


def _move_back(moves: list[tuple[Path, Path]], cause: BaseException) -> None:
    """Undo the moves, the last first; where one can't be undone the earlier ones stand too."""
    for source, target in reversed(moves):
        try:
            os.rename(target, source)
        except OSError as error:
            first_source, first_target = moves[0]
            raise Refusal(
                _("This can't be written: %(reason)s.")
                % {"reason": getattr(cause, "strerror", "") or _("it was broken off")},
                file=readable(str(first_source)),
                cure=_("Nothing was deleted; what was there before lies in %(path)s.")
                % {"path": readable(str(first_target))},
            ) from error


def _remove_replaced(before: Path) -> None:
    """Delete what an earlier export wrote, and the folder once nothing else is in it."""
    for name in OWN_NAMES:
        entry = before / name
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry, ignore_errors=True)
        else:
            with contextlib.suppress(OSError):
                entry.unlink(missing_ok=True)
    try:
        before.rmdir()
    except OSError as error:
        raise Refusal(
            _("The export is written, but what it replaced can't be removed: %(reason)s.")
            % {"reason": error.strerror or error},
            file=readable(str(before)),
            cure=_("Look at what is left there, and delete it."),
        ) from error


def _sync_names(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def refuse_foreign_folder(path: Path) -> None:
    """Refuse to export into a file, a link, or a folder with things that notesite didn't write."""
    if path.is_symlink() or (path.exists() and not path.is_dir()):
        raise Refusal(
            _("This is not a folder."),
            file=readable(str(path)),
            cure=_("Name a folder that doesn't exist yet."),
        )
    if path.is_dir() and any(path.iterdir()) and not (path / MARKER).is_file():
        raise Refusal(
            _("This folder holds files that notesite didn't write; nothing was touched."),
            file=readable(str(path)),
            cure=_("Name a folder that doesn't exist yet, or an empty one."),
        )


def _cannot_write(path: Path, error: OSError) -> Refusal:
    return Refusal(
        _("This can't be written: %(reason)s.") % {"reason": error.strerror or error},
        file=readable(str(path)),
        cure=_("Nothing of the export was kept; what was there before is as it was."),
    )

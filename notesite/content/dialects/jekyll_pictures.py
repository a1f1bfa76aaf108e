"""The pictures of a Jekyll site that its posts show: found in its folder, named as figures."""

from __future__ import annotations

import functools
import posixpath
import re
from pathlib import PurePosixPath

from notesite.content.document import FigureDocument, Place
from notesite.content.folder import SourceFolder, readable
from notesite.content.report import Refusal

ENDINGS = {".png", ".jpg", ".jpeg", ".webp", ".gif", ".avif", ".svg"}


class Pictures:
    """Hands out a figure's name for a file that is there and of a kind that is taken."""

    def __init__(self, folder: SourceFolder) -> None:
        self.folder = folder
        self.names: dict[str, str] = {}  # by path
        self.taken: set[str] = set()

    def exists(self, path: str) -> bool:
        try:
            return self.folder.exists(path)
        except Refusal:
            return False

    def find(self, address: str, beside: str) -> str:
        """The path of the file that an address names: below the site, or beside the post."""
        path = posixpath.normpath(address.lstrip("/"))
        if not address.startswith("/"):
            near = posixpath.normpath(posixpath.join(posixpath.dirname(beside), address))
            if self.exists(near):
                return near
        return path if self.exists(path) else ""

    def name_for(self, path: str) -> str:
        """The figure's name; empty where the file is of no kind that is taken."""
        if path in self.names:
            return self.names[path]
        file = PurePosixPath(path)
        ending = file.suffix.lower()
        if ending not in ENDINGS:
            return ""
        stem = re.sub(r"[^\w.-]+", "-", file.stem).strip("-.")[:120] or "figure"
        name, number = f"{stem}{ending}", 1
        while name.casefold() in self.taken:
            number += 1
            name = f"{stem}-{number}{ending}"
        self.taken.add(name.casefold())
        self.names[path] = name
        return name

    def figures(self) -> list[FigureDocument]:
        """The figures of all names handed out."""
        return [
            FigureDocument(
                place=Place(readable(path)),
                name=name,
                read=functools.partial(self.folder.read_bytes, path),
            )
            for path, name in self.names.items()
        ]

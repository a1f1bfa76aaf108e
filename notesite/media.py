"""Uploaded files, beside Django: only what the image step wrote, under the names it gave.

WhiteNoise knows only the files that were there at its start. A server in front or an object store
may take the place of this layer (NOTESITE_MEDIA_URL).
"""

import os
import re
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

PREFIX = "/media/"
TYPES = {
    "avif": "image/avif",
    "gif": "image/gif",
    "jpg": "image/jpeg",
    "png": "image/png",
    "svg": "image/svg+xml",
    "webp": "image/webp",
}
# A hash, perhaps with a width, below folders of plain words: nothing that can climb or hide.
NAME = re.compile(
    rf"(?:[a-z0-9]+/)*(?P<hash>[0-9a-f]{{16,64}})(?P<width>-[0-9]+)?\.(?P<type>{'|'.join(TYPES)})"
)
BLOCK = 64 * 1024


@dataclass(slots=True)
class Answer:
    status: str
    headers: list[tuple[str, str]] = field(default_factory=list)
    text: bytes = b""
    file: BinaryIO | None = None


def plain(status: str, *headers: tuple[str, str]) -> Answer:
    text = f"{status}\n".encode()
    about = [("Content-Type", "text/plain; charset=utf-8"), ("Content-Length", str(len(text)))]
    return Answer(status, [*about, ("Cache-Control", "no-store"), *headers], text)


def answer(folder: Path, method: str, path: str, if_none_match: str) -> Answer:
    """The answer to a request for a path below PREFIX."""
    if method not in {"GET", "HEAD"}:
        return plain("405 Method Not Allowed", ("Allow", "GET, HEAD"))
    match = NAME.fullmatch(path.removeprefix(PREFIX))
    if not match:
        return plain("404 Not Found")
    try:
        descriptor = os.open(folder / match[0], os.O_RDONLY | os.O_NOFOLLOW)
    except OSError:
        return plain("404 Not Found")
    etag = f'"{match["hash"]}{match["width"] or ""}"'
    headers = [
        ("Cache-Control", "public, max-age=31536000, immutable"),
        ("ETag", etag),
        ("Content-Security-Policy", "default-src 'none'; sandbox"),
        ("X-Content-Type-Options", "nosniff"),
        # Readers of the feed show the figures on pages of their own.
        ("Cross-Origin-Resource-Policy", "cross-origin"),
    ]
    file = os.fdopen(descriptor, "rb")
    if if_none_match.strip() == "*" or etag in re.findall(r'"[^"]*"', if_none_match):
        file.close()
        return Answer("304 Not Modified", headers)
    headers += [
        ("Content-Type", TYPES[match["type"]]),
        ("Content-Length", str(os.fstat(descriptor).st_size)),
    ]
    if method == "HEAD":
        file.close()
        return Answer("200 OK", headers)
    return Answer("200 OK", headers, file=file)


def blocks(file: BinaryIO) -> Iterator[bytes]:
    with file:
        while block := file.read(BLOCK):
            yield block


class Media:
    """A WSGI application that answers for media and hands everything else on."""

    def __init__(self, application: Callable[..., Iterable[bytes]], folder: Path) -> None:
        self.application = application
        self.folder = folder

    def __call__(
        self, environ: dict[str, Any], start_response: Callable[..., Any]
    ) -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "")
        if not path.startswith(PREFIX):
            return self.application(environ, start_response)
        method = environ["REQUEST_METHOD"]
        given = answer(self.folder, method, path, environ.get("HTTP_IF_NONE_MATCH", ""))
        start_response(given.status, given.headers)
        if given.file:
            return environ.get("wsgi.file_wrapper", lambda file, size: blocks(file))(
                given.file, BLOCK
            )
        return [given.text]


class AsyncMedia:
    """The same for ASGI."""

    def __init__(self, application: Callable[..., Awaitable[None]], folder: Path) -> None:
        self.application = application
        self.folder = folder

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        if scope["type"] != "http" or not scope["path"].startswith(PREFIX):
            await self.application(scope, receive, send)
            return
        asked = dict(scope["headers"]).get(b"if-none-match", b"").decode("latin-1")
        given = answer(self.folder, scope["method"], scope["path"], asked)
        await send(
            {
                "type": "http.response.start",
                "status": int(given.status.split()[0]),
                "headers": [(name.lower().encode(), text.encode()) for name, text in given.headers],
            }
        )
        for block in blocks(given.file) if given.file else []:
            await send({"type": "http.response.body", "body": block, "more_body": True})
        text = b"" if scope["method"] == "HEAD" else given.text
        await send({"type": "http.response.body", "body": text})

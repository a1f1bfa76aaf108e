import asyncio
import os

import pytest

from notesite.media import AsyncMedia, Media

NAME = "0123456789abcdef" * 2
PNG = b"\x89PNG\r\n\x1a\n" + bytes(100_000)


@pytest.fixture
def folder(tmp_path):
    media = tmp_path / "media"
    (media / "figures").mkdir(parents=True)
    (media / "figures" / f"{NAME}.png").write_bytes(PNG)
    (media / "figures" / f"{NAME}-640.webp").write_bytes(b"webp")
    (media / "figures" / f"{NAME}.svg").write_text("<svg/>")
    (media / "figures" / f"{NAME}.html").write_text("<script>")
    (media / "plain.png").write_bytes(b"not ours")
    (tmp_path / f"{NAME}.png").write_bytes(b"outside")
    os.symlink(tmp_path / f"{NAME}.png", media / "figures" / f"{'f' * 32}.png")
    return media


@pytest.fixture
def ask(folder):
    def django(environ, start):
        start("200 OK", [])
        return [b"django"]

    def ask(path, method="GET", **environ):
        answers = []
        environ = {"PATH_INFO": path, "REQUEST_METHOD": method} | environ
        body = Media(django, folder)(
            environ, lambda status, headers: answers.append((status, headers))
        )
        status, headers = answers[0]
        return int(status.split()[0]), dict(headers), b"".join(body)

    return ask


def test_a_figure_is_served_for_good_with_the_type_that_we_gave(ask):
    status, headers, content = ask(f"/media/figures/{NAME}.png")
    assert (status, content) == (200, PNG)
    assert headers["Content-Type"] == "image/png"
    assert headers["Content-Length"] == str(len(PNG))
    assert headers["Cache-Control"] == "public, max-age=31536000, immutable"


def test_a_narrower_copy_is_served(ask):
    assert ask(f"/media/figures/{NAME}-640.webp")[2] == b"webp"


def test_a_drawing_can_do_nothing(ask):
    status, headers, content = ask(f"/media/figures/{NAME}.svg")
    assert headers["Content-Type"] == "image/svg+xml"
    assert headers["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    "path",
    [
        "/media/",
        "/media/figures/",
        "/media/plain.png",
        f"/media/figures/{NAME}.html",
        f"/media/../{NAME}.png",
        f"/media/figures/../../{NAME}.png",
        f"/media//{NAME}.png",
        f"/media/figures\\{NAME}.png",
        f"/media/figures/{NAME}.png/",
        f"/media/figures/{NAME}.png\n",
        f"/media/figures/{NAME}.png\0",
        f"/media/figures/{NAME}.PNG",
        f"/media/figures/{'f' * 32}.png",
        f"/media/figures/{'0' * 32}.png",
        "/media/.ready-x",
    ],
)
def test_nothing_but_our_own_files_is_there(ask, path):
    status, headers, content = ask(path)
    assert status == 404
    assert content == b"404 Not Found\n"


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "TRACE", "OPTIONS"])
def test_files_are_read_only(ask, method):
    status, headers, content = ask(f"/media/figures/{NAME}.png", method)
    assert (status, headers["Allow"]) == (405, "GET, HEAD")


@pytest.mark.parametrize("given", [f'"{NAME}"', f'W/"{NAME}"', f'"other", "{NAME}"', "*"])
def test_who_has_the_file_gets_304(ask, given):
    status, headers, content = ask(f"/media/figures/{NAME}.png", HTTP_IF_NONE_MATCH=given)
    assert (status, content) == (304, b"")
    assert headers["ETag"] == f'"{NAME}"'


def test_who_has_another_file_gets_this_one(ask):
    assert ask(f"/media/figures/{NAME}.png", HTTP_IF_NONE_MATCH='"other"')[0] == 200


def test_what_is_not_media_goes_to_django(ask):
    assert ask("/notes/x/")[2] == b"django"
    assert ask("/mediation/")[2] == b"django"


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_asgi_gives_the_same(folder, ask, method):
    sent = []

    async def send(message):
        sent.append(message)

    path = f"/media/figures/{NAME}.png"
    scope = {"type": "http", "path": path, "method": method, "headers": []}
    asyncio.run(AsyncMedia(None, folder)(scope, None, send))
    headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    assert sent[0]["status"] == 200
    assert headers == {name.lower(): value for name, value in ask(path)[1].items()}
    assert b"".join(part["body"] for part in sent[1:]) == (PNG if method == "GET" else b"")

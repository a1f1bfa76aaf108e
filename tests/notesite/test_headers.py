"""Every answer through the whole application, as gunicorn calls it."""

import asyncio

import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.test import RequestFactory

from notesite.headers import AsyncSecurityHeaders, SecurityHeaders
from notesite.media import Media

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.notesite.pages")]

HEADERS = {
    "Content-Security-Policy",
    "Cross-Origin-Opener-Policy",
    "Cross-Origin-Resource-Policy",
    "Permissions-Policy",
    "Referrer-Policy",
    "X-Content-Type-Options",
    "X-Frame-Options",
}


@pytest.fixture
def ask(settings, tmp_path):
    """Ask the application of wsgi.py, made anew for these settings."""
    # As Django's own test client does: the connection is the test's, whose transaction goes on.
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    settings.STATIC_ROOT = tmp_path / "static"
    settings.MEDIA_ROOT = tmp_path / "media"
    (settings.STATIC_ROOT / "css").mkdir(parents=True)
    (settings.STATIC_ROOT / "css" / "base.css").write_text("p { color: black }")
    settings.MEDIA_ROOT.mkdir()
    (settings.MEDIA_ROOT / f"{'a' * 32}.png").write_bytes(b"png")
    application = SecurityHeaders(Media(WSGIHandler(), settings.MEDIA_ROOT))

    def ask(path, method="GET", **headers):
        request = RequestFactory().generic(method, path, headers={"host": "127.0.0.1"} | headers)
        answers = []
        body = application(
            request.environ, lambda status, given, *_: answers.append((status, given))
        )
        content = b"".join(body)
        if hasattr(body, "close"):
            body.close()
        status, given = answers[0]
        names = [name.lower() for name, _value in given]
        assert len([name for name in names if name != "set-cookie"]) == len(set(names)), given
        return int(status.split()[0]), dict(given), content

    yield ask
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/page", {}, 200),
        ("/leads", {}, 302),
        ("/page", {"If-None-Match": "*"}, 304),
        ("/page", {"host": "elsewhere.example"}, 400),
        ("/not-there", {}, 404),
        ("/breaks", {}, 500),
        ("/static/css/base.css", {}, 200),
        ("/static/css/gone.css", {}, 404),
        (f"/media/{'a' * 32}.png", {}, 200),
        (f"/media/{'a' * 32}.png", {"If-None-Match": f'"{"a" * 32}"'}, 304),
        ("/media/gone.png", {}, 404),
    ],
)
def test_every_answer_has_every_security_header(ask, path, headers, status):
    got, given, content = ask(path, **headers)
    assert got == status
    assert set(given) >= HEADERS
    assert given["X-Content-Type-Options"] == "nosniff"
    assert "unsafe" not in given["Content-Security-Policy"]
    assert "default-src 'none'" in given["Content-Security-Policy"]


@pytest.mark.parametrize("method", ["POST", "PUT", "TRACE"])
def test_a_refused_method_has_every_security_header(ask, method):
    status, given, content = ask(f"/media/{'a' * 32}.png", method)
    assert status == 405
    assert set(given) >= HEADERS


def test_pages_can_be_framed_nowhere_and_send_forms_home(ask):
    policy = ask("/page")[1]["Content-Security-Policy"]
    for directive in (
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "object-src 'none'",
        "form-action 'self'",
        "script-src 'self'",
        "style-src 'self'",
    ):
        assert directive in policy


def test_https_is_remembered_for_two_years(ask, settings):
    settings.SECURE_HSTS_SECONDS = 63072000
    application = SecurityHeaders(lambda environ, start: [start("204 No Content", []), b""][1:])
    given = []
    application({"REQUEST_METHOD": "GET"}, lambda status, headers, *_: given.extend(headers))
    assert ("Strict-Transport-Security", "max-age=63072000") in given


def test_a_strange_host_is_not_repeated(ask):
    status, given, content = ask("/page", host="elsewhere.example")
    assert status == 400
    assert b"elsewhere" not in content
    assert "elsewhere" not in str(given)


def test_a_forwarded_host_changes_nothing(ask):
    plain = ask("/leads")
    forged = ask("/leads", **{"X-Forwarded-Host": "elsewhere.example", "X-Forwarded-Port": "1"})
    assert forged == plain


def test_a_broken_page_tells_nothing(ask):
    assert ask("/breaks")[2] == b"Broken."


def test_head_is_get_without_a_body(ask):
    for path in ("/page", "/not-there", "/static/css/base.css", f"/media/{'a' * 32}.png"):
        status, given, content = ask(path, "HEAD")
        assert content == b""
        assert (status, given) == ask(path)[:2]


def test_asgi_answers_have_the_headers_too():
    async def application(scope, receive, send):
        own = [(b"referrer-policy", b"no-referrer")]
        await send({"type": "http.response.start", "status": 200, "headers": own})
        await send({"type": "http.response.body", "body": b""})

    sent = []

    async def send(message):
        sent.append(message)

    asyncio.run(AsyncSecurityHeaders(application)({"type": "http"}, None, send))
    given = dict(sent[0]["headers"])
    assert {name.lower().encode() for name in HEADERS} <= set(given)
    assert given[b"referrer-policy"] == b"no-referrer"

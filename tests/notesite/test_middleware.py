import gzip
from unittest import mock

import pytest
from django.contrib.auth import get_user_model
from django.db import OperationalError
from django.test import Client

from notesite.models import Site

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.notesite.pages")]

PUBLIC = "public, max-age=0, s-maxage=1, must-revalidate"


@pytest.fixture
def author_client(client):
    client.force_login(get_user_model().objects.create_user("author"))
    return client


@pytest.mark.parametrize("path", ["/page", "/who", "/leads", "/not-there"])
def test_a_readers_page_may_be_stored_and_brings_no_cookie(client, path):
    response = client.get(path)
    assert response["Cache-Control"] == PUBLIC
    assert response["Vary"] == "Accept, Accept-Encoding"
    assert not response.cookies


@pytest.mark.parametrize("path", ["/page", "/who", "/not-there"])
def test_an_authors_page_is_stored_nowhere(author_client, path):
    assert author_client.get(path)["Cache-Control"] == "private, no-store"


def test_a_page_asked_for_with_authorization_is_stored_nowhere(client):
    response = client.get("/page", headers={"Authorization": "Basic x"})
    assert response["Cache-Control"] == "private, no-store"


@pytest.mark.parametrize("path", ["/cookie", "/token"])
def test_a_page_with_a_cookie_or_a_token_is_stored_nowhere(client, path):
    assert "no-store" in client.get(path)["Cache-Control"]


def test_a_broken_page_is_stored_nowhere(client):
    client.raise_request_exception = False
    response = client.get("/breaks")
    assert (response.status_code, response["Cache-Control"]) == (500, "private, no-store")


def test_a_reader_who_has_the_page_gets_304(client):
    etag = client.get("/page")["ETag"]
    response = client.get("/page", headers={"If-None-Match": etag})
    assert (response.status_code, response.content) == (304, b"")
    assert response["Cache-Control"] == PUBLIC
    assert response["Vary"] == "Accept, Accept-Encoding"


def test_head_has_the_headers_of_get(client):
    get, head = client.get("/page"), client.head("/page")
    assert dict(head.headers) == dict(get.headers)
    assert client.head("/page", headers={"If-None-Match": get["ETag"]}).status_code == 304


def test_public_text_is_compressed_to_the_same_bytes_each_time(client):
    responses = [client.get("/page", headers={"Accept-Encoding": "gzip"}) for _ in range(2)]
    assert responses[0]["Content-Encoding"] == "gzip"
    assert gzip.decompress(responses[0].content) == b"word " * 500
    assert responses[0].content == responses[1].content


@pytest.mark.parametrize("path", ["/cookie", "/token"])
def test_text_that_may_hold_a_secret_is_not_compressed(client, path):
    response = client.get(path, headers={"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in response


def test_an_authors_page_is_not_compressed(author_client):
    response = author_client.get("/page", headers={"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in response


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "TRACE", "PROPFIND"])
def test_methods_that_the_site_does_not_have_are_refused(client, method):
    response = client.generic(method, "/page")
    assert response.status_code == 405
    assert response["Allow"] == "GET, HEAD, POST, OPTIONS"


def test_a_request_over_twelve_megabytes_is_refused(client):
    response = client.post("/page", CONTENT_LENGTH=str(12 * 1024 * 1024 + 1))
    assert response.status_code == 413


def test_who_sent_too_much_is_told_where_the_text_is(client):
    response = client.post("/page", CONTENT_LENGTH=str(12 * 1024 * 1024 + 1))
    assert response["Content-Type"] == "text/html; charset=utf-8"
    page = response.content.decode()
    assert page.startswith("<!doctype html>")
    assert "may have 12 MB" in page
    assert "Go back with your browser" in page


@pytest.mark.parametrize("length", ["abc", "-1", "+5", "1_000", "١٢", "1" * 5000])
def test_a_strange_length_is_a_bad_request(client, length):
    response = client.post("/page", CONTENT_LENGTH=length)
    assert (response.status_code, response.content) == (400, b"Not understood.")


def test_a_page_knows_the_site_its_zone_and_its_language(client, django_assert_num_queries):
    Site.objects.create(name="Notes on sleep", time_zone="Asia/Tokyo", language="de")
    with django_assert_num_queries(1):
        response = client.get("/clock")
    assert response.content == b"Notes on sleep, Asia/Tokyo, de"


def test_a_language_without_translation_is_no_error(client):
    Site.objects.create(language="tlh")
    assert client.get("/clock").content.endswith(b", en")


def test_a_page_before_the_first_start_has_a_default_site(client):
    assert client.get("/clock").content == b"Research notes, UTC, en"
    assert not Site.objects.exists()


def test_what_is_due_is_released_before_the_page_is_made(client):
    due, released = Site(name="Before"), Site(name="After")
    due.has_due_release, released.has_due_release = True, False
    with (
        mock.patch.object(type(Site.objects), "current", side_effect=[due, released]),
        mock.patch("notesite.middleware.release_due") as release_due,
    ):
        response = client.get("/clock")
    assert release_due.call_count == 1
    assert response.content.startswith(b"After")


def test_without_a_database_the_answer_is_a_500_and_no_crash():
    client = Client(raise_request_exception=False)
    with mock.patch.object(type(Site.objects), "current", side_effect=OperationalError("gone")):
        response = client.get("/clock")
    assert (response.status_code, response.content) == (500, b"Broken.")

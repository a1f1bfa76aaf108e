"""What pages may ask for, and the headers of every kind of answer of the real site."""

import pytest

from tests.browser.pages import PATH
from tests.factories import make_note
from tests.notesite.test_headers import HEADERS

pytestmark = pytest.mark.browser


def test_no_page_asks_another_host_or_breaks_the_policy(open_window, library, complaints):
    page = open_window()
    for address in library.values():
        page.goto(address)
        page.mouse.wheel(0, 20_000)
        assert complaints == [], address


def test_an_authors_image_from_elsewhere_is_a_link(open_window, transactional_db):
    make_note(
        slug="elsewhere",
        source="![A chart](https://elsewhere.example/chart.png)\n\n"
        '<img src="https://elsewhere.example/pixel.gif" alt="A pixel">\n',
    )
    page = open_window()
    page.goto("/notes/elsewhere/")
    assert page.locator("main img").count() == 0
    link = page.get_by_role("link", name="A chart")
    assert link.get_attribute("href") == "https://elsewhere.example/chart.png"


def test_a_request_elsewhere_and_a_policy_report_would_be_heard(open_window, library, complaints):
    page = open_window()
    page.goto("/about/")
    page.evaluate("""
        document.body.append(Object.assign(new Image(), { src: "http://127.0.0.1:9/pixel.gif" }));
        document.body.setAttribute("onclick", "null");
    """)
    page.evaluate("fetch('/not-there/').then(() => null)")
    page.evaluate("setTimeout(() => missing(), 0)")
    page.wait_for_timeout(200)
    heard = "\n".join(complaints)
    complaints.clear()
    assert "policy: img-src refused http://127.0.0.1:9/pixel.gif" in heard
    assert "policy: script-src-attr refused inline" in heard
    assert "404 for" in heard
    assert "missing is not defined" in heard


def test_every_kind_of_answer_has_the_security_headers(
    open_window, library, monkeypatch, live_server
):
    """As the layers stand around the whole site; each address by what it is to answer."""

    def breaks(*arguments, **options):
        raise ValueError("for the test")

    page = open_window()
    page.goto(library["note"])
    image = page.locator("main img").first.evaluate("image => image.currentSrc")
    etag = page.request.get("/").headers["etag"]
    answers = [
        ("/", {}, 200),
        ("/feed.atom", {}, 200),
        ("/sitemap.xml", {}, 200),
        ("/static/css/base.css", {}, 200),
        (image, {}, 200),
        ("/page/1/", {}, 301),
        (f"{PATH}taken-back/", {}, 410),
        ("/admin/", {}, 302),
        ("/admin/login/", {}, 200),
        ("/", {"If-None-Match": etag}, 304),
        ("/", {"Host": "elsewhere.example"}, 400),
        ("/not-there/", {}, 404),
        ("/static/not-there.css", {}, 404),
        ("/media/not-there.png", {}, 404),
        (library["withdrawn"], {}, 410),
        ("/about/", {}, 500),
    ]
    for address, headers, status in answers:
        if status == 500:
            monkeypatch.setattr("notesite.views.render", breaks)
        response = page.request.get(address, headers=headers, max_redirects=0)
        assert response.status == status, address
        given = {name.lower() for name in response.headers}
        assert {name.lower() for name in HEADERS} <= given, address
        assert "unsafe" not in response.headers["content-security-policy"]

"""What axe-core finds on the pages, light and dark, wide and narrow."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.test import Client
from django.urls import reverse

from notes.models import Note
from notesite.models import Site
from notesite.sign_in import make_link
from series.models import ReadingPath
from tests.factories import make_author, make_note

pytestmark = pytest.mark.browser

PUBLIC = ["index", "note", "path", "last note in a path", "topic", "archive", "about", "not found"]

# Colours that are on their way from light to dark are neither. Without preloading, axe-core puts
# no style elements of its own into the page, which the policy would refuse and report.
LOOK = """
    async () => {
      await Promise.all(document.getAnimations().map((animation) => animation.finished));
      return axe.run({ preload: false, resultTypes: ["violations"] });
    }
"""


def findings(page, addresses):
    """Every violation on these pages, once for each look at which it is there."""
    found = []
    for address in addresses:
        page.goto(address)
        assert page.url.endswith(address)
        page.evaluate(Axe().axe_script)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            for width in (1280, 390):
                page.set_viewport_size({"width": width, "height": 900})
                results = page.evaluate(LOOK)
                found += [
                    f"{address} {scheme} {width}: {violation['id']}: {node['html'][:200]}"
                    for violation in results["violations"]
                    for node in violation["nodes"]
                ]
    return found


def test_axe_finds_what_is_wrong(open_window, library):
    page = open_window()
    page.goto("/about/")
    page.evaluate("document.body.append(new Image())")
    page.evaluate(Axe().axe_script)
    results = page.evaluate(LOOK)
    assert "image-alt" in [violation["id"] for violation in results["violations"]]


def test_public_pages(open_window, library):
    found = findings(open_window(), [library[name] for name in PUBLIC])
    assert not found, "\n".join(found)


def test_things_that_scroll(open_window, wide):
    found = findings(open_window(), [wide["wide note"]])
    assert not found, "\n".join(found)


def test_signing_in(open_window, library):
    link = make_link(make_author()).removeprefix(settings.SITE_URL)
    found = findings(open_window(), [reverse("admin:login"), link])
    assert not found, "\n".join(found)


def test_pages_for_writing(open_window, library, live_server):
    make_note(title="A draft", slug="draft", published_at=None, source="$\\nope$ and $x$\n")
    client = Client()
    client.force_login(make_author())
    page = open_window()
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    cookie = {"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_server.url}
    page.context.add_cookies([cookie])
    note, path = Note.objects.get(slug="draft"), ReadingPath.objects.get()
    found = findings(
        page,
        [
            reverse("admin:notes_note_changelist"),
            reverse("admin:notes_note_add"),
            reverse("admin:notes_note_change", args=[note.pk]),
            reverse("admin:notes_note_publication", args=[note.pk]),
            reverse("admin:series_readingpath_change", args=[path.pk]),
            reverse("admin:notesite_site_change", args=[Site.objects.current().pk]),
        ],
    )
    assert not found, "\n".join(found)

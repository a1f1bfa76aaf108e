"""One walk over every public address, linked and guessed: no trace of what isn't public."""

from datetime import timedelta
from itertools import product
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from notes.publishing import save_reference
from tests.factories import make_author, make_many_notes, make_note, make_path, make_topic
from tests.notesite.crawling import crawl

STATES = ("draft", "scheduled", "withdrawn", "trash")
MARKER = "qzxv"  # in every text that isn't public, and nowhere else
SENTENCE = "The measurements were wrong."
BELOW_A_NOTE = (
    "",
    "history/",
    "history/1/",
    "card.png",
    "feed.atom",
    "index.html",
    "page/2/",
    "all/",
)
ENDINGS = (".md", ".bib", ".ris", ".csl.json", ".json", ".html", ".txt", "")


def marked_note(state, number=1, **fields):
    """A note in ``state`` with the marker in every text field it has."""
    mark = f"{MARKER}{state}{number}"
    save_reference(f"@book{{{mark}, title = {{{mark} title}}, author = {{{mark}, A}}}}\n")
    dates: dict[str, dict[str, Any]] = {
        "draft": {"published_at": None},
        "scheduled": {"published_at": timezone.now() + timedelta(days=1)},
        "withdrawn": {"withdrawn": SENTENCE},
        "trash": {"trashed": True},
        "published": {},
    }
    return make_note(
        title=f"{mark} title: with more",
        short_name=f"{mark} short",
        slug=fields.pop("slug", f"{mark}-slug"),
        dek=f"{mark} dek",
        source=f"## The problem\n\n{mark} text, [linking](/notes/shown/).\n\n"
        f"[[shown]] [@{mark}; @shown-key]\n\n"
        f"## {mark} heading\n\n## What to take away\n\n- {mark} take-away\n",
        authors=[{"name": f"{mark} author", "url": f"https://{mark}.example/"}],
        about=[mark],
        canonical=f"https://example.org/{mark}",
        doi=f"10.1234/{mark}",
        key=f"{mark}key",
        macros={f"\\{MARKER}": f"{mark} macro"},
        **dates[state] | fields,
    )


@pytest.fixture
def site(db):
    """Public notes on more than one page of every list, and among them what isn't public."""
    topic, other = make_topic(slug="shown-topic"), make_topic(slug="many")
    unseen = make_topic(name=f"{MARKER} topic", slug=f"{MARKER}-topic", description=MARKER)
    make_many_notes(65, topics=[other])
    before = make_note(slug="before", topics=[topic])
    save_reference("@book{shown-key, title = {A shown work}}\n")
    links = " ".join(f"[[kept-{state}]] [[kept-{state}|so]]" for state in STATES)
    shown = make_note(
        slug="shown",
        topics=[topic],
        source=f"Shown text {links} [@shown-key].\n\n## What to take away\n\n- {links}\n",
    )
    hidden = [marked_note(state, topics=[topic, unseen]) for state in STATES]
    hidden.append(marked_note("draft", 2, topics=[unseen], pinned=True))
    # Their slugs stand in a text that readers see; what is behind them must not.
    hidden += [marked_note(state, 3, topics=[topic], slug=f"kept-{state}") for state in STATES]
    after = make_note(slug="after", topics=[topic])
    path = make_path(
        before, *hidden, shown, after,
        slug="shown-path",
        bridges=["", *[f"{MARKER} bridge"] * len(hidden), "", ""],
    )  # fmt: skip
    texts = {
        "title": f"{MARKER} path",
        "line": f"{MARKER} line",
        "description": f"{MARKER} description",
    }
    make_path(shown, slug=f"{MARKER}-draft", published_at=None, bridges=[MARKER], **texts)
    later = timezone.now() + timedelta(days=1)
    make_path(shown, slug=f"{MARKER}-later", published_at=later, bridges=[MARKER], **texts)
    make_path(*hidden, slug=f"{MARKER}-hollow", bridges=[MARKER] * len(hidden), **texts)
    return {"hidden": hidden, "path": path}


def guessed_addresses(site):
    notes = [note.slug for note in site["hidden"]]
    paths = [f"{MARKER}-{name}" for name in ("draft", "later", "hollow")]
    for slug, below in product(notes, BELOW_A_NOTE):
        yield f"/notes/{slug}/{below}"
        yield f"/paths/shown-path/{slug}/{below}"
    for slug, ending in product(notes, ENDINGS):
        yield f"/notes/{slug}{ending}"
    for slug, below in product([*paths, "shown-path"], ["", "all/", "feed.atom", "page/2/"]):
        yield f"/paths/{slug}/{below}"
    for path, note in product(paths, [*notes, "shown", "before"]):
        yield f"/paths/{path}/{note}/"
    for below in ("", "feed.atom", "page/2/", "card.png"):
        yield f"/topics/{MARKER}-topic/{below}"
    for note in site["hidden"]:
        yield f"/references/{note.about[0]}/"
        yield f"/references/{note.about[0]}/page/2/"
    for slug in (*notes, *paths):
        yield f"/references/{slug}/"
        yield f"/search/?q={slug}"
        yield f"/feed.atom?q={slug}"
        yield f"/{slug.upper()}/"
        yield f"/notes/{slug.upper()}/"


LISTS = (
    "/",
    "/page/2/",
    "/archive/",
    "/archive/page/2/",
    "/topics/",
    "/topics/many/page/2/",
    "/topics/shown-topic/feed.atom",
    "/topics/many/feed.atom?page=2",
    "/paths/",
    "/paths/shown-path/feed.atom",
    "/about/",
    "/feed.atom",
    "/feed.atom?page=2",
    "/feed.atom?page=3",
    "/feed.json",
    "/revisions.atom",
    "/sitemap.xml",
    "/sitemap-1.xml",
    "/robots.txt",
    "/llms.txt",
    "/references/",
    "/take-aways/",
    "/accent.css",
    "/no-such-page/",
)


def walk(client, site, check):
    """Every page that links lead to, and every address that somebody might try."""
    visited = crawl(client, LISTS, check)
    for address in guessed_addresses(site):
        if address not in visited:
            check(address, client.get(address), "a guess")
    return visited


def assert_no_trace(address, response, source):
    assert response.status_code in {200, 301, 302, 404, 410}, (address, source)
    assert MARKER not in response.text, (address, source)
    # What somebody asked for may stand in where they are led; nothing else may.
    for name, value in response.headers.items():
        assert MARKER not in value or (name == "Location" and MARKER in address), (address, name)


def test_the_walk_finds_no_trace_before_and_after_an_author_has_looked(site):
    reader, author = Client(), Client()
    visited = walk(reader, site, assert_no_trace)
    # It went where it should: else it would have found nothing for the wrong reason.
    assert {"/notes/shown/", "/paths/shown-path/shown/", "/archive/page/2/"} <= visited
    assert "/references/shown-key/" in visited
    author.force_login(make_author())
    found = []
    walk(
        author, site, lambda address, response, _: found.append(MARKER.encode() in response.content)
    )
    assert sum(found) > 10
    walk(Client(), site, assert_no_trace)


def test_an_account_without_rights_finds_no_trace(site):
    client = Client()
    client.force_login(make_author(is_staff=False))
    walk(client, site, assert_no_trace)


def test_a_guess_is_answered_like_a_miss(site):
    client = Client()
    missing = client.get("/notes/never-there/")
    gone = client.get(f"/notes/{MARKER}withdrawn1-slug/")
    assert SENTENCE in gone.text
    assert gone.status_code == 410
    for note in site["hidden"]:
        if note.state == "withdrawn":
            continue
        response = client.get(note.get_absolute_url())
        assert (response.status_code, response.content) == (404, missing.content)
        assert response.headers == missing.headers


def test_a_scheduled_note_is_everywhere_in_its_second(db):
    at = timezone.now().replace(microsecond=0) + timedelta(days=1)
    topic, own = make_topic(slug="lag"), make_topic(slug="own", name=f"{MARKER} topic")
    first = make_note(slug="first", topics=[topic])
    note = marked_note("scheduled", topics=[topic, own], published_at=at)
    shown = make_note(slug="shown", topics=[topic])
    make_path(first, note, shown, slug="way")
    make_path(note, slug="waiting", title=f"{MARKER} path")
    make_path(shown, slug="timed", title=f"{MARKER} path", published_at=at)
    places = (
        "/",
        "/archive/",
        "/topics/",
        "/topics/lag/",
        "/topics/lag/feed.atom",
        "/paths/",
        "/paths/way/",
        "/paths/way/first/",
        "/paths/way/feed.atom",
        "/notes/shown/",
        "/feed.atom",
        "/sitemap.xml",
    )
    own_places = (
        note.get_absolute_url(),
        f"/paths/way/{note.slug}/",
        "/topics/own/",
        "/topics/own/feed.atom",
        "/paths/waiting/",
        f"/paths/waiting/{note.slug}/",
        "/paths/waiting/feed.atom",
        "/paths/timed/",
        "/paths/timed/shown/",
    )
    client = Client()
    with time_machine.travel(at - timedelta(milliseconds=1), tick=False):
        for place in places:
            assert MARKER not in client.get(place).text, place
        for place in own_places:
            assert client.get(place).status_code == 404, place
    with time_machine.travel(at, tick=False):
        for place in (*places, *own_places):
            response = client.get(place)
            assert response.status_code == 200, place
            assert MARKER in response.text, place

"""Every internal link on every public page leads to a page, and every anchor is there."""

from io import BytesIO
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import Client

from notes.markdown.ids import REFERENCES
from notes.publishing import add_figure, save_note, save_reference
from notesite.models import Site
from notesite.publishing import save_site
from series.publishing import save_path
from tests.factories import make_many_notes, make_note, make_path, make_topic
from tests.notes.image_files import photo
from tests.notesite.crawling import candidates, crawl, fragment_is_there, internal_links

TEXT = """\
## The problem

It lags, as $\\pi_\\theta$ says[^1], and [the other](/notes/gr%C3%B6%C3%9Fe/) knows.

![A plot](figures/plot.jpg "What was measured")

## The mechanism

See [above](#s-the-problem), [the topic](/topics/lag/) and [the way](/paths/way/).

| a | b |
|---|---|
| 1 | 2 |

## What to take away

- Be early, as [said](#s-the-mechanism)[^1].
- Be [here](/notes/lag/).

[^1]: Really.
"""
BRIDGE = """\
## The problem

[On](/topics/lag/), but [first](#s-the-problem) this[^1].

$$\\begin{equation} a = b \\label{lag} \\end{equation}$$

See $\\eqref{lag}$.

[^1]: Bring time.
"""


@pytest.fixture
def site(db, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    picture = BytesIO()
    photo().save(picture, "JPEG", quality=92)
    add_figure(picture.getvalue(), name="plot.jpg", alt="A plot")
    save_reference("@article{lag, title = {On lag}, author = {A. Late}, year = {2024}}\n")
    lag, size = make_topic(slug="lag"), make_topic(slug="größe")
    note = make_note(slug="lag", topics=[lag, size], about=["lag"], source=TEXT)
    other = make_note(slug="größe", topics=[size], source=TEXT)
    make_note(published_at=None, topics=[lag])
    make_many_notes(65, topics=[lag])
    renamed = make_note(slug="former", topics=[lag], source="See [it](/notes/former/).\n")
    renamed.slug = "latter"
    save_note(renamed)
    path = make_path(
        note, other, renamed, slug="former-way", bridges=[BRIDGE] * 3, description=BRIDGE
    )
    path.slug = "way"
    save_path(path)
    make_path(other, note, slug="zurück", bridges=[BRIDGE] * 2)
    row = Site.objects.current()
    row.about, row.intro = (
        f"See [the notes](/notes/).\n\n{BRIDGE}",
        "Begin [here](/paths/way/)[^1].\n\n[^1]: Now.",
    )
    row.contact, row.links = "me@example.org", [{"name": "Code", "url": "https://example.org/"}]
    save_site(row)
    return row


def test_every_internal_link_answers(site):
    """Following at most one redirect, and those only where a page's former name is linked."""
    pages, redirects = {}, {}

    def seen(address, response, source):
        if response.status_code == 301:
            redirects[address] = response["Location"]
        else:
            assert response.status_code == 200, (address, source)
            pages[address] = response

    client = Client()
    crawl(client, ["/"], seen)
    # Only what an author wrote leads over a former name, and it is one hop.
    assert redirects == {"/notes/former/": "/notes/latter/", "/notes/": "/archive/"}
    assert not set(redirects.values()) & set(redirects)
    for linked in (
        "/page/2/",
        "/archive/page/2/",
        "/topics/lag/page/2/",
        "/topics/gr%C3%B6%C3%9Fe/",
        "/paths/way/latter/",
        "/paths/zur%C3%BCck/lag/",
        "/feed.atom",
        "/feed.atom?page=3",
        "/topics/lag/feed.atom",
        "/paths/way/feed.atom",
    ):
        assert linked in pages, linked
    for address, response in pages.items():
        for link in internal_links(address, response):
            target = link.partition("#")[0]
            target = redirects.get(target, target)
            assert fragment_is_there(link, pages[target]), (link, address)


def test_every_id_is_once_on_its_page_and_what_refers_to_one_finds_it(site):
    pages = []

    def seen(address, response, source):
        if not response.get("Content-Type", "").startswith("text/html"):
            return
        soup = BeautifulSoup(response.content, "html.parser")
        ids = [str(tag["id"]) for tag in soup.find_all(id=True)]
        assert len(ids) == len(set(ids)), (address, sorted({i for i in ids if ids.count(i) > 1}))
        for name in REFERENCES:
            for tag in soup.find_all(attrs={name: True}):
                assert set(str(tag[name]).split()) <= set(ids), (address, tag)
        pages.append(address)
        if address == "/paths/zur%C3%BCck/lag/":
            assert {"fn-1", "bridge-lag--fn-1", "bridge-lag--eq-lag"} <= set(ids)
            assert soup.find(href="#bridge-lag--fn-1") and soup.find(href="#bridge-lag--eq-lag")
        if address == "/paths/way/":
            assert {"path--fn-1", "bridge-größe--fn-1", "bridge-latter--fn-1"} <= set(ids)

    crawl(Client(), ["/"], seen)
    assert {"/", "/about/", "/paths/way/", "/paths/zur%C3%BCck/lag/"} <= set(pages)


def test_every_file_that_pages_name_is_there(site):
    files: set[str] = set()

    def seen(address, response, source):
        if response.get("Content-Type", "").startswith("text/html"):
            soup = BeautifulSoup(response.content, "html.parser")
            for name, attribute in (("img", "src"), ("link", "href"), ("script", "src")):
                files.update(
                    str(tag[attribute]) for tag in soup.find_all(name, attrs={attribute: True})
                )
            files.update(candidates(soup))

    crawl(Client(), ["/"], seen)
    static = {file for file in files if file.startswith(settings.STATIC_URL)}
    media = {file for file in files if file.startswith(settings.MEDIA_URL)}
    assert static
    assert {Path(file).suffix for file in media} == {".jpg", ".webp", ".avif"}
    for file in static:
        assert finders.find(file.removeprefix(settings.STATIC_URL)), file
    for file in media:
        assert (settings.MEDIA_ROOT / file.removeprefix(settings.MEDIA_URL)).is_file(), file


def test_no_page_names_a_third_party_to_load_from(site):
    def seen(address, response, source):
        if not response.get("Content-Type", "").startswith("text/html"):
            return
        soup = BeautifulSoup(response.content, "html.parser")
        loaded = [str(tag["src"]) for tag in soup.find_all(src=True)]
        loaded += [str(tag["href"]) for tag in soup.find_all("link", rel=["stylesheet", "preload"])]
        assert all(file.startswith("/") and not file.startswith("//") for file in loaded), address

    crawl(Client(), ["/"], seen)

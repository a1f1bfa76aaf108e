"""A path's description and bridges, the site's intro and about: what a note holds, they hold."""

import pytest
from django.urls import reverse

from notes.publishing import (
    delete_reference,
    save_figure,
    save_note,
    save_reference,
    trash,
    withdraw,
)
from notes.publishing.figures import add_figure
from notesite.models import Site
from notesite.publishing import rerender, save_site
from series.models import ReadingPath
from series.publishing import save_path
from tests.factories import make_author, make_note, make_path
from tests.notes.publishing.saved import PICTURE

pytestmark = pytest.mark.django_db
ENTRY = "@article{smith2020, author = {Smith, Ada}, title = {On Birds}, year = {2020}}"
TEXT = "See [[other]], [[none|*so*]], [@smith2020] and $\\R$ ^[foot].\n"
LINK = 'See <a href="/notes/other/">The other</a>'
CITED = '(<a class="citation" role="doc-biblioref" href="/references/smith2020/">Smith 2020</a>)'


def write_site(**fields):
    site = Site.objects.first() or Site()
    for name, value in fields.items():
        setattr(site, name, value)
    return save_site(site)


@pytest.fixture
def other():
    """A public note that cites, and a site with every short text, on each page that shows one."""
    save_reference(ENTRY)
    write_site(intro=TEXT, about=TEXT, macros={"\\R": "\\mathbb{R}"})
    other = make_note(slug="other", title="The other", source="[@smith2020]\n")
    make_path(make_note(slug="one"), slug="way", description=TEXT, bridges=[TEXT])
    return other


PAGES = {"/": 1, "/about/": 1, "/paths/way/": 2, "/paths/way/one/": 1}


def test_they_link_cite_and_typeset_as_a_note_does(client, other):
    for address, times in PAGES.items():
        page = client.get(address).text
        assert page.count(LINK) == times, address
        assert page.count(CITED) == times, address
        assert page.count(">ℝ</mi>") == times, address
        assert "<em>so</em>" in page
        assert 'class="references"' not in page
        assert 'class="footnote-ref"' in page


def test_they_name_only_what_readers_may_see(client, other):
    withdraw(other, "It was wrong.")
    for address in PAGES:
        page = client.get(address).text
        assert "See other, <em>so</em>, (Smith 2020) and" in page, address
        assert "/notes/other/" not in page
        assert "/references/smith2020/" not in page
        assert "data-reference" not in page


def test_on_a_path_they_lead_to_its_steps(client, other):
    one = make_note(slug="another")
    make_path(one, other, slug="long", description="[[other|a]]", bridges=["[[other|b]]"])
    assert [
        client.get("/paths/long/").text.count(f'<a href="/paths/long/other/">{one}</a>')
        for one in "ab"
    ] == [1, 1]
    assert '<a href="/paths/long/other/">b</a>' in client.get("/paths/long/another/").text


def test_they_follow_a_note_by_every_name_it_had(client, other):
    for slug in ("second", "third"):
        other.slug = slug
        save_note(other)
        for address in PAGES:
            assert f'<a href="/notes/{slug}/">The other</a>' in client.get(address).text, address
    other.slug = "other"
    save_note(other)
    assert LINK in client.get("/about/").text


def test_a_reference_that_comes_changes_or_goes_reaches_them(client, other):
    reference = save_reference(ENTRY.replace("2020}}", "2021}}"))
    for address in PAGES:
        assert ">Smith 2021</a>" in client.get(address).text, address
    delete_reference(reference)
    for address in PAGES:
        assert '<span class="missing">[@smith2020]</span>' in client.get(address).text, address
    save_reference(ENTRY)
    for address in PAGES:
        assert CITED in client.get(address).text, address


def test_a_figure_and_the_sites_macros_reach_them(client, other):
    figure = add_figure(PICTURE, name="lag.png", alt="Once")
    path = ReadingPath.objects.get(slug="way")
    path.description = "![](figures/lag.png)\n"
    save_path(path)
    figure.alt = "Twice"
    save_figure(figure)
    assert 'alt="Twice"' in client.get("/paths/way/").text
    write_site(macros={"\\R": "\\mathbb{Q}"})
    assert ">ℚ</mi>" in client.get("/about/").text
    assert ">ℚ</mi>" in client.get("/paths/way/one/").text


def test_they_cite_by_author_and_year_where_notes_have_numbers(client, other):
    write_site(citation_style="numbered")
    for address in PAGES:
        assert CITED in client.get(address).text, address


def test_the_sites_texts_are_brought_up_to_date_by_a_command(other):
    Site.objects.update(intro_html="old")
    revision = Site.objects.get().revision
    assert rerender() == 1
    site = Site.objects.get()
    assert "data-note" in site.intro_html
    assert site.revision == revision + 1
    assert rerender() == 0


def test_a_page_asks_once_for_all_its_notes_and_once_for_its_references(
    client, other, django_assert_num_queries
):
    for address, number in {"/": 8, "/about/": 3, "/paths/way/": 5, "/paths/way/one/": 9}.items():
        with django_assert_num_queries(number):
            client.get(address)


def test_the_admin_counts_them_among_the_uses(client, other):
    figure = add_figure(PICTURE, name="lag.png", alt="A")
    add_figure(PICTURE, name="la.png", alt="A")
    make_path(make_note(title="Step"), slug="second", bridges=["![](figures/lag.png)"])
    write_site(about="![](figures/lag.png) [@smith2020]\n")
    client.force_login(make_author())
    page = client.get(reverse("admin:notes_figure_change", args=[figure.pk])).text
    assert "bridge to “Step” in the path “" in page
    assert "about page of the site" in page
    shown = client.get(reverse("admin:notes_figure_changelist") + "?use=none").text
    assert "lag.png" not in shown
    assert "la.png" in shown
    reference = save_reference(ENTRY)
    page = client.get(reverse("admin:notes_reference_change", args=[reference.pk])).text
    for text in ("The other", "intro of the site", "about page of the site", "description of the"):
        assert text in page
    trash(other)
    assert (
        "The other" in client.get(reverse("admin:notes_reference_change", args=[reference.pk])).text
    )

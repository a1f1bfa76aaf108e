"""The handbook in a browser: wide and narrow, light and dark, printed, and without scripts."""

import pytest
from django.urls import reverse

from tests.browser.test_axe import findings

pytestmark = pytest.mark.browser


def test_axe_finds_nothing(author_page):
    found = findings(author_page, [reverse("handbook")])
    assert not found, "\n".join(found)


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_nothing_runs_over_the_edge(author_page, width):
    page = author_page
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(reverse("handbook"))
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    # A result that is wider than its box must scroll in it; what is cut off cannot be read.
    cut = page.evaluate(
        """[...document.querySelectorAll(".example-result")]
            .filter((one) => one.scrollWidth > one.clientWidth + 1)
            .map((one) => one.textContent.trim().slice(0, 60))"""
    )
    assert cut == []


def test_a_chapter_is_reached_from_the_contents(author_page):
    page = author_page
    page.goto(reverse("handbook"))
    page.get_by_role("navigation", name="Chapters").get_by_role("link", name="Citations").click()
    assert page.url.endswith("#citations")
    top = page.get_by_role("heading", name="Citations").evaluate(
        "(heading) => heading.getBoundingClientRect().top"
    )
    assert 0 <= top < 200

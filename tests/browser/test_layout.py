"""Pages that fit: on the narrowest screen, with the widest things in a note, and on paper."""

import re

import pytest
from django.urls import reverse

from notes.models import Note
from series.models import ReadingPath
from tests.factories import make_note
from tests.notes.markdown.expectations import case

pytestmark = pytest.mark.browser

# How far the page scrolls sideways and what sticks out of it; null if it doesn't.
TOO_WIDE = """
    () => {
      const root = document.scrollingElement;
      scrollTo(10000, 0);
      const over = root.scrollWidth - root.clientWidth;
      if (over <= 0 && scrollX === 0) return null;
      const sticksOut = (one) =>
        !one.closest(".math.display, .table, .code, math") &&
        one.getBoundingClientRect().right + scrollX > root.clientWidth + 1;
      const out = [...document.querySelectorAll("body *")].filter(sticksOut).slice(-3);
      return `${over}px: ${out.map((one) => one.outerHTML.slice(0, 120)).join(" … ")}`;
    }
"""


def test_no_page_scrolls_sideways(open_window, wide):
    page = open_window(320)
    found = {}
    for name, address in wide.items():
        page.goto(address)
        for width in (320, 390, 1280):
            page.set_viewport_size({"width": width, "height": 900})
            if over := page.evaluate(TOO_WIDE):
                found[name, width] = over
    assert not found, "\n".join(f"{key}: {over}" for key, over in found.items())


def test_nothing_hides_what_is_too_wide(open_window, wide):
    page = open_window(320)
    page.goto(wide["wide note"])
    for root in ("html", "body", "main"):
        overflow = page.locator(root).evaluate("one => getComputedStyle(one).overflowX")
        assert overflow == "visible", root


def test_wide_things_scroll_in_a_box_that_the_keyboard_reaches(open_window, wide):
    page = open_window(320)
    page.goto(wide["wide note"])
    for kind in (".math.display", ".table", ".code"):
        boxes = page.locator(f".note-text {kind}")
        assert boxes.count() >= 1, kind
        for box in boxes.all():
            assert box.evaluate("box => box.scrollWidth > box.clientWidth"), kind
            assert box.get_attribute("role") == "group"
            assert box.get_attribute("aria-label")
            box.focus()
            assert box.evaluate("box => box === document.activeElement"), kind
            page.keyboard.press("ArrowRight")
            page.wait_for_function(
                "box => box.scrollLeft > 0", arg=box.element_handle(), timeout=2000
            )


def test_a_formula_wider_than_its_line_scrolls_there(open_window, wide):
    page = open_window(320)
    page.goto(wide["wide note"])
    formula = page.locator(".note-text p math").first
    assert formula.evaluate("one => one.scrollWidth > one.clientWidth")
    formula.focus()
    assert formula.evaluate("one => one === document.activeElement")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("one => one.scrollLeft > 0", arg=formula.element_handle())


def test_a_sized_parenthesis_with_a_script_stands_beside_its_partner(open_window, wide):
    page = open_window()
    page.goto(wide["wide note"])
    sized = page.locator(".note-text math").filter(has_text="χ").locator("mo[minsize='1.2em']")
    tops = sized.evaluate_all("all => all.map((one) => one.getBoundingClientRect().top)")
    assert len(tops) == 2
    assert abs(tops[0] - tops[1]) < 1


def test_the_widest_note_reads_the_same_without_scripts(open_window, wide):
    texts = []
    for scripts in (True, False):
        page = open_window(390, java_script_enabled=scripts)
        page.goto(wide["wide note"])
        texts.append(page.locator("main").inner_text())
    assert texts[0] == texts[1]


def test_text_of_twice_the_size_still_fits(open_window, wide):
    """400 % on a screen of 1280 is 320 wide; this is only larger text, as a browser is set to."""
    page = open_window(640)
    found = {}
    for name, address in wide.items():
        page.goto(address)
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        if over := page.evaluate(TOO_WIDE):
            found[name] = over
    assert not found, "\n".join(f"{key}: {over}" for key, over in found.items())


def test_paper_holds_the_note_and_nothing_around_it(open_window, wide):
    page = open_window()
    page.emulate_media(media="print")
    for name in ("note", "last note in a path", "wide note"):
        page.goto(wide[name])
        for gone in (".site-nav", ".theme-choice", ".contents", ".rail", ".site-footer ul"):
            assert not page.locator(gone).first.is_visible(), f"{gone} on {name}"
        for kept in ("h1", ".note-text", ".short-version", ".brand"):
            assert page.locator(kept).first.is_visible(), f"{kept} on {name}"


def test_paper_cuts_no_code_and_shows_where_links_lead(open_window, wide):
    page = open_window(700)
    page.emulate_media(media="print", color_scheme="dark")
    page.goto(wide["wide note"])
    code = page.locator(".note-text .code")
    assert code.evaluate("box => box.scrollWidth <= box.clientWidth + 1")
    link = page.locator(".note-text a[href^=http]").first
    assert "example.org" in link.evaluate("link => getComputedStyle(link, '::after').content")
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == "rgb(255, 255, 255)"


# Fields of a form that end outside the fieldset they stand in.
OUTSIDE = """
    () => {
      const fields = document.querySelectorAll(
        "fieldset :is(input, select, textarea, button, .select2-container, .markdownx-preview)",
      );
      return [...fields]
        .filter((field) => field.checkVisibility() && field.type !== "file")
        .filter((field) => !field.matches(".select2-hidden-accessible, .select2-container *"))
        .filter((field) => {
          const box = field.closest("fieldset").getBoundingClientRect();
          const own = field.getBoundingClientRect();
          return own.right > box.right + 0.5 || own.left < box.left - 0.5;
        })
        .map((field) => `${location.pathname}: ${field.outerHTML.slice(0, 120)}`);
    }
"""


def test_no_field_of_the_admin_ends_outside_its_fieldset(author_page, wide):
    page = author_page
    note, path = Note.objects.get(slug="wide"), ReadingPath.objects.get(slug="wide")
    found = []
    for width in (390, 320):
        page.set_viewport_size({"width": width, "height": 900})
        for address in (
            reverse("admin:notes_note_change", args=[note.pk]),
            reverse("admin:notes_note_publication", args=[note.pk]),
            reverse("admin:series_readingpath_change", args=[path.pk]),
            reverse("admin:notesite_site_change", args=[1]),
            reverse("admin:notes_figure_add"),
            reverse("admin:notes_reference_add"),
            reverse("admin:notes_topic_add"),
        ):
            page.goto(address)
            if "readingpath" in address:
                page.get_by_role("button", name="Add another Step").click()
            page.locator("summary").evaluate_all("all => all.forEach((one) => one.click())")
            found += [f"{width} {field}" for field in page.evaluate(OUTSIDE)]
            if over := page.evaluate(TOO_WIDE):
                found.append(f"{width} {address}: {over}")
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "name", ["layout-long-code-line", "layout-long-display", "layout-long-word", "table-wide"]
)
def test_a_case_s_page_is_no_wider_than_its_window(open_window, library, name):
    asked = re.search(r"browser:no-page-overflow@(\d+)", " ".join(case(name).must_have))
    page = open_window(int(asked[1]))
    page.goto(make_note(source=case(name).source).get_absolute_url())
    assert page.evaluate(TOO_WIDE) is None

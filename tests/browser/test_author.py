"""An author's whole session: signing in, writing, scheduling, and what readers then see."""

import base64
import io
from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone
from PIL import Image

from notes.models import Note
from tests.browser.test_reader import tab_to

pytestmark = pytest.mark.browser

TITLE = "Sketches that keep their length"
DEK = "What a random projection leaves of a gradient."
SOURCE = """## The problem

A gradient is long, and its length is $\\|\\hat G\\|$.

$$
\\|\\hat G\\|\\approx\\sqrt{\\frac{r+k-1}{r}}\\,\\|G\\|
$$

## The mechanism

A random projection keeps it, on average.

## The evidence

None yet.

## What to take away

1. Measure what the sketch adds.

"""

# What a browser does when somebody pastes a picture, or drops a file.
GIVE_FILE = """
    (editor, [kind, name, content]) => {
      const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
      const files = new DataTransfer();
      files.items.add(new File([bytes], name, { type: "image/png" }));
      const options = { bubbles: true, cancelable: true };
      editor.dispatchEvent(
        kind === "paste"
          ? new ClipboardEvent("paste", { ...options, clipboardData: files })
          : new DragEvent("drop", { ...options, dataTransfer: files }),
      );
    }
"""


def picture(colour):
    file = io.BytesIO()
    Image.new("RGB", (320, 200), colour).save(file, "PNG")
    return base64.b64encode(file.getvalue()).decode()


def start_note(page):
    page.goto("/admin/")
    page.locator(".model-note").get_by_role("link", name="Add").click()
    return page.get_by_label("Text:", exact=True)


def is_loaded(image):
    image.wait_for()
    return image.evaluate("async (image) => { await image.decode(); return image.naturalWidth; }")


def mentions(page):
    """On which of the places where readers find notes this one's title stands."""
    places = ["/", "/topics/evaluation/", "/archive/", "/feed.atom"]
    found = {place for place in places if TITLE in page.request.get(place).text()}
    if "/notes/sketches/" in page.request.get("/sitemap.xml").text():
        found.add("/sitemap.xml")
    return found


def test_a_note_is_written_scheduled_and_there_in_its_second(author_page, open_window, settings):
    page, reader = author_page, open_window(390)
    source = start_note(page)
    page.get_by_label("Title").fill(TITLE)
    page.get_by_label("Dek").fill(DEK)
    page.get_by_label("Evaluation").check()
    page.get_by_label("Slug").fill("sketches")
    source.fill(SOURCE)
    source.press("Control+End")
    source.evaluate(GIVE_FILE, ["paste", "chart.png", picture("teal")])
    page.get_by_text("is in the text").wait_for()
    assert "![](figures/chart" in source.input_value()
    source.fill(source.input_value().replace("![](", "![A teal field](", 1))

    preview = page.get_by_role("region", name="The note as readers will see it")
    preview.locator("math[display=block]").wait_for()
    assert preview.locator("math msqrt mfrac").count() == 1
    assert is_loaded(preview.get_by_role("img", name="A teal field")) > 0
    page.get_by_text("No problems.").wait_for()

    page.get_by_role("button", name="Save and go to publishing").click()
    due = timezone.localtime() + timedelta(days=1)
    page.get_by_label("Date and time").fill(due.strftime("%Y-%m-%dT%H:%M"))
    page.get_by_role("button", name="Publish at this time").click()
    page.get_by_text("The date is set.").wait_for()
    note = Note.objects.get(slug="sketches")
    assert note.state == "scheduled"

    assert reader.goto("/notes/sketches/").status == 404
    assert mentions(reader) == set()
    page.goto("/notes/sketches/")
    assert page.get_by_text("Scheduled: readers will see it from").is_visible()

    with time_machine.travel(note.published_at - timedelta(seconds=2), tick=False):
        assert mentions(reader) == set()
    with time_machine.travel(note.published_at, tick=False):
        assert reader.goto("/notes/sketches/").status == 200
        assert mentions(reader) == {
            "/", "/topics/evaluation/", "/archive/", "/feed.atom", "/sitemap.xml",
        }  # fmt: skip
        assert reader.get_by_role("heading", level=1).inner_text() == TITLE
        assert reader.locator("main math[display=block]").is_visible()
        assert is_loaded(reader.get_by_role("img", name="A teal field")) > 0
        reader.goto("/")
        featured = reader.get_by_role("region", name=TITLE)
        assert featured.get_by_text(DEK).is_visible()


def test_an_image_is_dropped_and_one_that_is_none_is_refused(author_page, complaints):
    page = author_page
    source = start_note(page)
    source.evaluate(GIVE_FILE, ["drop", "chart.png", picture("teal")])
    page.get_by_text("is in the text").wait_for()
    text = source.input_value()
    assert "![](figures/chart" in text

    nothing = base64.b64encode(b"<script>alert(1)</script>").decode()
    source.evaluate(GIVE_FILE, ["drop", "false.png", nothing])
    page.get_by_text("“false.png” was not uploaded.").wait_for()
    assert source.input_value() == text
    # The refusal is an answer of 415, as it should be.
    assert [complaint.split()[0] for complaint in complaints] == ["415"]
    complaints.clear()


def test_the_source_lets_the_keyboard_go_and_undoes(author_page):
    page = author_page
    source = start_note(page)
    source.fill("")
    source.press_sequentially("One. ")
    source.evaluate(GIVE_FILE, ["paste", "chart.png", picture("teal")])
    page.get_by_text("is in the text").wait_for()
    for _ in range(10):
        source.press("Control+z")
    assert "figures/" not in source.input_value()
    source.press("Tab")
    assert not source.evaluate("source => source === document.activeElement")
    assert "\t" not in source.input_value()


def test_steps_are_put_in_order_by_keys(author_page):
    page = author_page
    page.goto("/admin/")
    page.get_by_role("link", name="Reading paths").first.click()
    page.get_by_role("link", name="From action to learner").click()
    page.get_by_role("button", name="Move down").first.focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Save", exact=True).click()
    page.goto("/paths/from-action-to-learner/")
    stops = page.locator(".station-title").all_inner_texts()
    assert [stop.split(":")[0] for stop in stops] == ["Polar", "ProRL Agent", "Molt"]


@pytest.mark.parametrize("width", [1280, 390])
def test_the_focus_is_seen_on_its_way_through_the_form(author_page, width):
    page = author_page
    page.set_viewport_size({"width": width, "height": 700})
    page.goto(f"/admin/notes/note/{Note.objects.get(slug='molt').pk}/change/")
    page.get_by_label("Title:").focus()
    stops = tab_to(page, page.get_by_role("button", name="Save", exact=True))
    assert len(stops) > 15

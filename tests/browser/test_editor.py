"""The preview beside the text: with the form's settings, in order, and frank when it fails."""

import pytest
from django.conf import settings as site_settings

from notesite.sign_in import make_link
from tests.browser.test_author import start_note
from tests.factories import make_author, make_note

pytestmark = pytest.mark.browser

PREVIEW = "**/admin/editor/preview/**"


def preview_of(page):
    return page.get_by_role("region", name="The note as readers will see it")


def test_the_preview_knows_macros_and_language_as_they_are_typed(author_page):
    page = author_page
    start_note(page).fill('$\\Real$ and "x".\n')
    preview_of(page).get_by_text("“x”").wait_for()
    page.locator("summary", has_text="More").click()
    page.get_by_label("Macros").fill("\\Real = \\mathbb{Q}")
    page.get_by_label("Language").fill("de")
    preview_of(page).get_by_text("„x“").wait_for()
    assert "ℚ" in preview_of(page).locator("math").text_content()
    assert preview_of(page).locator(".prose").get_attribute("lang") == "de"


def test_an_answer_that_comes_late_takes_the_place_of_no_newer_one(author_page):
    page, held = author_page, []
    source = start_note(page)
    preview_of(page).get_by_role("heading").first.wait_for()

    def hold_the_first(route):
        if not held:
            held.append(route)
        else:
            route.continue_()

    page.route(PREVIEW, hold_the_first)
    with page.expect_request(PREVIEW):
        source.fill("one word")
    source.fill("two word")
    preview_of(page).get_by_text("two word").wait_for()
    with page.expect_response(PREVIEW):
        held[0].continue_()
    page.wait_for_timeout(200)
    assert preview_of(page).locator(".prose").inner_text() == "two word"


def test_a_refusal_is_told_in_the_words_of_the_server(author_page, complaints):
    page = author_page
    source = start_note(page)
    preview_of(page).get_by_role("heading").first.wait_for()
    page.context.clear_cookies(name="session")
    source.fill("More words.")
    page.get_by_text("You are not signed in as an author.").wait_for()
    assert source.input_value() == "More words."
    assert [complaint.split()[0] for complaint in complaints] == ["403"]
    complaints.clear()


def test_without_an_answer_it_says_that_the_text_is_still_there(author_page, complaints):
    page = author_page
    source = start_note(page)
    preview_of(page).get_by_role("heading").first.wait_for()
    page.route(PREVIEW, lambda route: route.abort())
    source.fill("More words.")
    page.get_by_text("The preview could not be made. The text is still here").wait_for()
    page.unroute(PREVIEW)
    source.fill("Still more words.")
    preview_of(page).get_by_text("Still more words.").wait_for()
    assert not page.get_by_text("The preview could not be made.").is_visible()
    complaints.clear()  # the console repeats what gave no answer


def test_an_image_that_is_too_large_is_refused_before_it_is_sent(author_page):
    page = author_page
    source = start_note(page)
    before = source.input_value()
    large = {"name": "large.png", "mimeType": "image/png", "buffer": bytes(13 * 1024 * 1024)}
    page.get_by_label("Insert images").set_input_files(large)
    page.get_by_text("“large.png” was not uploaded. It has more than 10 MB.").wait_for()
    assert source.input_value() == before


def test_without_scripts_too_long_a_text_is_still_there_on_the_way_back(
    open_window, library, settings
):
    settings.LARGEST_REQUEST = 100_000
    page = open_window(java_script_enabled=False)
    page.goto(make_link(make_author()).removeprefix(site_settings.SITE_URL))
    page.get_by_role("button", name="Sign in").click()
    text = "word " * 30_000
    start_note(page).fill(text)
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_text("This is more than can be sent at once").wait_for()
    page.go_back()
    assert page.get_by_label("Text:", exact=True).input_value() == text


def test_a_problem_leads_to_its_place_and_has_a_mark_beside_its_line(author_page):
    page = author_page
    source = start_note(page)
    long_line = "word " * 80
    source.fill(f"{long_line}\n\nSee [@nobody2020], as said.\n")
    problem = page.locator(".problem-error", has_text="nobody2020")
    problem.wait_for()
    problem.get_by_role("button", name="line 3").click()
    assert source.evaluate("field => field === document.activeElement")
    before = source.evaluate("field => field.value.slice(0, field.selectionStart)")
    assert before == f"{long_line}\n\nSee ["
    mark = page.locator(".source-mark-error").bounding_box()
    field = source.bounding_box()
    line = source.evaluate("field => parseFloat(getComputedStyle(field).lineHeight)")
    # The long line is wrapped: the mark stands lower than two lines, and inside the field.
    assert mark["y"] - field["y"] > 4 * line
    assert field["x"] <= mark["x"] and mark["y"] < field["y"] + field["height"]


def test_errors_are_asked_about_before_readers_see_them(author_page):
    page = author_page
    note = make_note(source="Right.\n", title="Live")
    page.goto(f"/admin/notes/note/{note.pk}/change/")
    page.get_by_label("Text:", exact=True).fill("See [@nobody2020].\n")
    page.get_by_label("Minor").check()
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_role("heading", name="Errors that readers would see").wait_for()
    assert page.get_by_label("Text:", exact=True).input_value() == "See [@nobody2020].\n"
    page.get_by_label("Minor").check()
    page.get_by_label("Save with these errors").check()
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_text("was changed successfully").wait_for()

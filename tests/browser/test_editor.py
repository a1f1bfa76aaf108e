"""The preview beside the text: with the form's settings, in order, and frank when it fails."""

import pytest
from django.conf import settings as site_settings
from playwright.sync_api import expect

from notesite.sign_in import make_link
from tests.browser.test_author import start_note
from tests.browser.test_axe import findings
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


def caret_of(source):
    """What stands before the caret, if nothing is marked and the field has the focus."""
    return source.evaluate("""
        (field) => field === document.activeElement && field.selectionStart === field.selectionEnd
          ? field.value.slice(0, field.selectionStart) : null
    """)


def test_a_problem_leads_to_its_place_and_has_a_mark_beside_its_line(author_page):
    page = author_page
    source = start_note(page)
    # Wrapped lines, and characters of two units before the place.
    before = f"{'word ' * 80}\n\n{'word ' * 60}𝒢 and 𝒢 in ["
    source.fill(f"{before}@nobody], as said.\n{'and more\n' * 60}")
    problem = page.locator(".problem-error", has_text="nobody")
    problem.wait_for()
    assert problem.get_by_text("Error", exact=True).is_visible()
    assert "[@nobody], as said." in problem.locator(".problem-quote").inner_text()

    source.evaluate("field => field.scrollTop = field.scrollHeight")
    button = problem.get_by_role("button", name="line 3: There is no reference “nobody”")
    button.focus()
    page.keyboard.press("Enter")
    assert caret_of(source) == before
    assert source.evaluate("field => field.scrollTop") < 200

    source.evaluate(
        "field => { field.scrollTop = 0; field.setSelectionRange(0, 0); field.blur(); }"
    )
    problem.locator(".problem-cure").click()
    assert caret_of(source) == before

    source.evaluate("field => { field.scrollTop = 20; }")
    # The marks follow with the next frame; where they stood before is no place to measure.
    expect(page.locator(".source-gutter > div")).to_have_css("translate", "0px -20px")
    top, rows = source.evaluate(ROWS_BEFORE_CARET)
    mark = page.locator(".source-mark-error").bounding_box()
    assert abs(mark["y"] - (top - 20)) < rows
    field = source.bounding_box()
    assert field["x"] <= mark["x"] and mark["x"] + mark["width"] < field["x"] + 17
    assert "There is no reference" in page.locator(".source-mark-error").get_attribute("title")
    source.evaluate("field => { field.setSelectionRange(0, 0); field.blur(); }")
    page.locator(".source-mark-error").click()
    assert caret_of(source) == before


# Where the row of the caret begins, found by cutting the text off behind it; and how high a row is.
ROWS_BEFORE_CARET = """
    (field) => {
      const whole = field.value;
      const style = getComputedStyle(field);
      const copy = field.cloneNode();
      copy.style.cssText = `block-size: 0; min-block-size: 0; width: ${field.offsetWidth}px;`;
      copy.style.overflowY = "scroll";
      field.after(copy);
      copy.value = whole.slice(0, field.selectionStart) + "x";
      const row = parseFloat(style.lineHeight);
      const bottom = copy.scrollHeight - parseFloat(style.paddingBottom);
      copy.remove();
      return [field.getBoundingClientRect().top + bottom - row, row];
    }
"""


def test_the_number_of_problems_is_announced_and_marks_wait_for_the_answer(author_page):
    page = author_page
    source = start_note(page)
    count = page.get_by_role("status").filter(has_text="error")
    source.fill("See [@nobody], and TODO.\n")
    count.wait_for()
    assert count.inner_text() == "1 error, 1 warning"
    assert page.locator(".problem-severity").all_inner_texts() == ["Error", "Warning"]
    with page.expect_response(PREVIEW):
        source.press_sequentially("x")
        assert page.locator(".source-gutter.is-outdated").count() == 1
    page.locator(".source-gutter:not(.is-outdated)").wait_for()
    source.fill("See nobody.\n")
    page.get_by_role("status").filter(has_text="No problems.").wait_for()
    assert page.locator(".problem, .source-mark").count() == 0


def test_problems_that_come_late_take_the_place_of_no_newer_ones(author_page):
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
        source.fill("See [@first].\n")
    source.fill("See [@second].\n")
    page.locator(".problem", has_text="second").wait_for()
    with page.expect_response(PREVIEW):
        held[0].continue_()
    page.wait_for_timeout(200)
    assert "second" in page.locator(".problem").inner_text()


def test_errors_are_asked_about_before_readers_see_them(author_page):
    page = author_page
    note = make_note(source="Right.\n", title="Live")
    page.goto(f"/admin/notes/note/{note.pk}/change/")
    page.get_by_label("Text:", exact=True).fill("See [@nobody].\n")
    page.get_by_label("Minor").check()
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_role("heading", name="Errors that readers would see").wait_for()
    source = page.get_by_label("Text:", exact=True)
    assert source.input_value() == "See [@nobody].\n"
    page.locator(".ask-about-errors").get_by_role("button", name="line 1").click()
    assert caret_of(source) == "See ["
    assert page.get_by_label("Minor").is_checked()
    page.get_by_label("Publish with these errors").check()
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_text("was changed successfully").wait_for()


def test_publishing_asks_leads_to_the_error_and_takes_a_confirmation(author_page):
    page = author_page
    note = make_note(source="First.\n\nSee [@nobody].\n", title="A draft", published_at=None)
    publication = f"/admin/notes/note/{note.pk}/publication/"
    page.goto(publication)
    page.get_by_role("link", name="line 3").click()
    source = page.get_by_label("Text:", exact=True)
    assert caret_of(source) == "First.\n\nSee ["
    page.goto(publication)
    page.get_by_role("button", name="Publish now").click()
    page.get_by_text("The text has errors that readers would see").wait_for()
    note.refresh_from_db()
    assert note.published_at is None
    page.get_by_label("Publish with these errors").check()
    page.get_by_role("button", name="Publish now").click()
    page.get_by_text("Published.").wait_for()
    note.refresh_from_db()
    assert note.is_public


def test_axe_finds_nothing_where_problems_stand(author_page):
    text = "## The problem\n\nSee [@nobody] and and $\\frac{1}$.\n"
    draft = make_note(source=text, published_at=None)
    change = f"/admin/notes/note/{draft.pk}/change/"
    found = findings(author_page, [change, f"/admin/notes/note/{draft.pk}/publication/"])
    assert not found, "\n".join(found)

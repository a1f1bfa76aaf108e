"""A reader without a mouse, and one without scripts."""

from urllib.parse import urlsplit

import pytest

from tests.browser.pages import PATH

pytestmark = pytest.mark.browser

# What a sighted person needs to see where the focus is: the thing is in view and has an outline,
# its own or, for a button that is drawn by its label, the label's.
FOCUS = """
    () => {
      let focused = document.activeElement;
      while (focused.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
      const box = focused.getBoundingClientRect();
      const within = (from, to, size) => to > 0 && from < size;
      const inView =
        within(box.top, box.bottom, innerHeight) && within(box.left, box.right, innerWidth);
      const outlined = [focused, focused.closest("label")].filter(Boolean).some((one) => {
        const style = getComputedStyle(one);
        return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
      });
      const [line] = focused.getClientRects();
      const over = focused.getRootNode().elementFromPoint(
        Math.max(line.left, 0) + 2,
        Math.max(line.top, 0) + Math.min(line.height / 2, 10),
      );
      const uncovered = Boolean(over) && (focused.contains(over) || over.contains(focused));
      return {
        name: `${focused.localName} ${focused.textContent.trim().slice(0, 40)}`,
        isSeen: focused === document.body || (inView && outlined && uncovered),
      };
    }
"""


def tab_to(page, link):
    """Press Tab until this link has the focus, which is seen at every stop on the way."""
    link = link.element_handle()
    stops = []
    for _ in range(150):
        page.keyboard.press("Tab")
        stop = page.evaluate(FOCUS)
        assert stop["isSeen"], f"the focus on {stop['name']!r} at {page.url} can't be seen"
        stops.append(stop["name"])
        if link.evaluate("link => link === document.activeElement"):
            return stops
    raise AssertionError(f"not reached by Tab; the stops were {stops}")


def follow(page, link, address):
    stops = tab_to(page, link)
    page.keyboard.press("Enter")
    page.wait_for_url(address)
    return stops


@pytest.mark.parametrize("width", [1280, 390])
def test_a_path_is_read_to_its_end_by_keyboard(open_window, library, width):
    page = open_window(width)
    page.goto("/")
    title = "From action to learner"
    stops = follow(page, page.get_by_role("link", name=title, exact=True), f"**{PATH}")
    assert stops[0] == "a Skip to the content"
    assert page.get_by_role("heading", level=1).inner_text() == title

    follow(page, page.get_by_role("link", name="Start with"), f"**{PATH}prorl-agent/")
    for number, slug in ((1, "polar"), (2, "molt")):
        assert page.get_by_text(f"step {number} of 3").is_visible()
        steps = page.get_by_role("navigation", name="Steps")
        follow(page, steps.locator("[rel=next]"), f"**{PATH}{slug}/")

    assert page.get_by_text("step 3 of 3").is_visible()
    assert page.get_by_role("heading", name="On a path").count() == 0
    closing = page.get_by_role("region", name=f"The end of “{title}”")
    follow(page, closing.get_by_role("link", name="Look back"), f"**{PATH}")


def test_the_first_stop_leads_past_the_navigation(open_window, library):
    page = open_window()
    page.goto(library["note"])
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "content"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('main') !== null")


def test_light_and_dark_are_chosen_by_keyboard_and_kept(open_window, library):
    page = open_window(color_scheme="light")
    page.goto("/")
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.get_by_role("radio", name="As the system").focus()
    page.keyboard.press("ArrowRight")
    dark = page.evaluate(ground)
    assert dark != light
    page.goto(library["note"])
    assert page.evaluate(ground) == dark
    assert page.get_by_role("radio", name="Dark").is_checked()


def read(page, address):
    """The text of the page's main part, and the addresses of pages that it leads to."""
    page.goto(address, wait_until="domcontentloaded")
    hrefs = page.locator("a[href]").evaluate_all("links => links.map((link) => link.href)")
    here = urlsplit(page.url).netloc
    links = [urlsplit(href) for href in hrefs]
    pages = {link.path for link in links if link.netloc == here and link.path.endswith("/")}
    return page.locator("main").inner_text(), pages


def test_every_page_reads_the_same_without_scripts(open_window, library):
    with_scripts, without = open_window(), open_window(java_script_enabled=False)
    texts, waiting = {}, set(library.values())
    while waiting:
        address = waiting.pop()
        texts[address], links = read(without, address)
        waiting |= links - set(texts)
    assert len(texts) > len(library)
    for address, text in texts.items():
        assert len(text) > 60, address
        assert read(with_scripts, address)[0] == text


def test_the_choice_of_light_and_dark_is_not_offered_without_its_script(open_window, library):
    for scripts in (True, False):
        page = open_window(java_script_enabled=scripts)
        page.goto("/")
        assert page.get_by_role("radio", name="Dark").is_visible() is scripts

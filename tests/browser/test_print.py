"""What stands on which sheet of paper, by the links that a PDF keeps."""

import re
from collections import defaultdict

import pytest

from tests.browser.pages import PATH

pytestmark = pytest.mark.browser

# Links at the first and the last letter that paper shows of each element, to be found in the PDF.
MARK = """
    (selectors) => {
      const link = (text, offset, name) => {
        const range = document.createRange();
        range.setStart(text, offset);
        range.setEnd(text, offset + 1);
        const link = document.createElement("a");
        link.href = `mailto:${name}@mark.example`;
        range.surroundContents(link);
      };
      const isShown = (text) => {
        const range = document.createRange();
        range.selectNodeContents(text);
        return text.data.trim() && range.getClientRects().length > 0
          && !text.parentElement.closest(".visually-hidden, math, svg");
      };
      for (const [name, selector] of Object.entries(selectors)) {
        document.querySelectorAll(selector).forEach((element, index) => {
          const texts = [];
          const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
          while (walker.nextNode()) if (isShown(walker.currentNode)) texts.push(walker.currentNode);
          const last = texts.at(-1);
          link(last, last.data.trimEnd().length - 1, `${name}-${index}-end`);
          link(texts[0], texts[0].data.search(/\\S/), `${name}-${index}-start`);
        });
      }
    }
"""


def sheets(pdf):
    """Which sheet each mark is on, from 0, and how many sheets there are."""
    objects = dict(re.findall(rb"^(\d+) 0 obj\n(.*?)^endobj$", pdf, re.MULTILINE | re.DOTALL))
    pages = [one for one in objects.values() if re.search(rb"/Type /Page\b(?!s)", one)]
    found = {}
    for number, page in enumerate(pages):
        annotations = re.search(rb"/Annots \[(.*?)\]", page, re.DOTALL)
        for reference in re.findall(rb"(\d+) 0 R", annotations[1] if annotations else b""):
            if mark := re.search(rb"/URI \(mailto:([\w-]+)@mark\.example", objects[reference]):
                found[mark[1].decode()] = number
    return found, len(pages)


def printed(page, address, selectors, push):
    """The marks when all begins so many millimetres lower on the first sheet."""
    page.goto(address)
    page.emulate_media(media="print")
    page.evaluate(f"document.querySelector('main').style.paddingBlockStart = '{push}mm'")
    page.evaluate(MARK, selectors)
    return sheets(page.pdf(format="A4"))


@pytest.mark.parametrize(("address", "selector"), [("/", ".card, .path-entry"), (PATH, ".station")])
def test_what_is_read_in_one_go_stands_on_one_sheet(open_window, library, address, selector):
    page = open_window()
    breaks = set()
    for push in range(0, 300, 25):
        found, count = printed(page, address, {"one": selector, "title": "main h2, main h3"}, push)
        ones = defaultdict(set)
        for name, sheet in found.items():
            if name.startswith("one-"):
                ones[name.split("-")[1]].add(sheet)
        assert len(ones) >= 3
        for index, on in ones.items():
            assert len(on) == 1, f"number {index} of {selector} is broken when pushed {push} mm"
        breaks.add(tuple(sorted(min(on) for on in ones.values())))
        assert count > 1
    assert len(breaks) > 1, "nothing was ever near the end of a sheet"


def test_a_sheet_begins_with_the_site_and_its_licence_and_none_is_empty(open_window, library):
    page = open_window()
    for push in range(0, 250, 25):
        marks = {"text": ".note-text", "head": ".site-header", "licence": ".on-paper"}
        found, count = printed(page, "/notes/polar/", marks, push)
        assert found["head-0-start"] == found["licence-0-start"] == 0
        assert found["text-0-end"] == count - 1, f"the last sheet is empty when pushed {push} mm"
    assert page.locator(".on-paper").inner_text() == "CC BY 4.0"
    page.emulate_media(media="screen")
    assert not page.locator(".on-paper").is_visible()

"""The CommonMark specification's own examples, plain and in our dialect."""

import json
import re
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from django.conf import settings

from notes.markdown import Inputs, place, render
from notes.markdown.conformance import commonmark

EXAMPLES = json.loads(
    (Path(__file__).parents[2] / "data" / "commonmark" / "spec-0.31.2.json").read_text("utf-8")
)
DIFFERENCES = settings.BASE_DIR / "docs" / "commonmark.md"


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: str(example["example"]))
def test_plain_commonmark_is_byte_for_byte_what_the_specification_says(example: dict) -> None:
    assert commonmark(example["markdown"]) == example["html"]


def test_our_dialect_differs_where_docs_say_and_nowhere_else() -> None:
    rows = re.findall(r"^\| ([\d ]+) \|", DIFFERENCES.read_text("utf-8"), flags=re.M)
    told = [int(number) for row in rows for number in row.split()]
    assert len(told) == len(set(told))
    inputs = Inputs(smart_quotes=False)
    found = {
        example["example"]
        for example in EXAMPLES
        if comparable(str(place(render(example["markdown"], inputs).html)))
        != comparable(example["html"])
    }
    assert found == set(told)


def comparable(html: str) -> str:
    """The html without what our pages add around it, and without white space between blocks."""
    body = BeautifulSoup(html, "html5lib").body
    for wrapper in body.select("div.code, div.table, pre code span"):
        wrapper.unwrap()
    for element in body.select("h1, h2, h3, h4, h5, h6, pre, pre code, img"):
        for name in ("id", "aria-level", "data-language", "loading"):
            element.attrs.pop(name, None)
    for element in body.select("pre code"):
        element.attrs.pop("class", None)
    text = re.sub(r">\s*\n\s*", ">\n", re.sub(r"\s*\n\s*<", "\n<", str(body)))
    return re.sub(r"(<blockquote>)\n", r"\1", text).strip()


def test_nothing_of_the_site_can_reach_the_plain_parser() -> None:
    """It lets through whatever an author writes."""
    users = {
        str(file.relative_to(settings.BASE_DIR))
        for folder in ("notes", "notesite", "series")
        for file in (settings.BASE_DIR / folder).rglob("*.py")
        if "conformance" in file.read_text("utf-8")
    }
    assert users == {
        "notesite/management/commands/render.py",
        "notes/markdown/conformance.py",
    }

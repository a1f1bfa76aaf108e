"""The GFM specification's own examples of its extensions, in our dialect."""

import json
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from notes.markdown import Inputs, place, render
from tests.notes.markdown.test_commonmark import comparable

EXAMPLES = json.loads(
    (Path(__file__).parents[2] / "data" / "gfm" / "spec-0.29.json").read_text("utf-8")
)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: str(example["example"]))
def test_an_extension_gives_what_the_specification_says(example: dict) -> None:
    html = str(place(render(example["markdown"], Inputs(smart_quotes=False)).html))
    assert as_github_writes(html) == comparable(example["html"])


def as_github_writes(html: str) -> str:
    """Ours with GitHub's names: `<del>` for `<s>`, `align` for a class; without names for ears."""
    soup = BeautifulSoup(comparable(html), "html5lib")
    for struck in soup.select("s"):
        struck.name = "del"
    for box in soup.select("input, th"):
        box.attrs.pop("aria-label", None)
        box.attrs.pop("scope", None)
    for cell in soup.select("[class^=align-]"):
        cell["align"] = cell.attrs.pop("class")[0].removeprefix("align-")
    return comparable(str(soup))


def test_the_suite_is_whole() -> None:
    kinds = [example["extension"] for example in EXAMPLES]
    assert {kind: kinds.count(kind) for kind in kinds} == {
        "table": 8,
        "tasklist": 2,
        "strikethrough": 2,
        "autolink": 11,
        "tagfilter": 1,
    }

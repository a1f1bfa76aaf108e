"""What the documents name is there: links, images, and the places on the map."""

import re
from pathlib import Path
from urllib.parse import unquote

import pytest
from markdown_it import MarkdownIt

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = sorted(
    str(path.relative_to(ROOT))
    for pattern in ("*.md", "docs/**/*.md", "deploy/*.md")
    for path in ROOT.glob(pattern)
)
MAPS = ("README.md", "ARCHITECTURE.md")


def addresses_in(text):
    """Where the links and images of a document lead, outside of code."""
    for block in MarkdownIt("commonmark").enable("table").parse(text):
        for token in block.children or []:
            if token.type in ("link_open", "image"):
                yield str(token.attrs.get("href") or token.attrs["src"])


def relative(address):
    return not re.match(r"[a-z][a-z0-9+.-]*:|//|#", address)


def places_in(text):
    """The paths in the first column of a document's tables."""
    for row in re.findall(r"^\| (.*?) \|", text, re.MULTILINE):
        yield from re.findall("`([^`]+)`", row)


def test_the_documents_are_found():
    assert {"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "docs/drills.md"} <= set(DOCUMENTS)
    assert list(addresses_in("![a](b.png) [c](d.md) `[e](f.md)`")) == ["b.png", "d.md"]
    assert [one for one in ("a.md", "/b", "https://c.example", "#d") if relative(one)] == [
        "a.md",
        "/b",
    ]
    assert list(places_in("| a | b |\n|---|---|\n| `c/`, `d.py` | `e` |\n")) == ["c/", "d.py"]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_link_and_image_leads_to_a_file(name):
    document = ROOT / name
    for address in filter(relative, addresses_in(document.read_text())):
        target = document.parent / unquote(address.partition("#")[0])
        assert target.resolve().is_relative_to(ROOT), address
        assert target.exists(), address


@pytest.mark.parametrize("name", MAPS)
def test_every_place_on_the_map_is_there(name):
    places = list(places_in((ROOT / name).read_text()))
    assert len(places) > 10
    for place in places:
        assert (ROOT / place).exists(), place
        assert (ROOT / place).is_dir() == place.endswith("/"), place

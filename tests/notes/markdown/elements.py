"""What a browser would make of a fragment, for tests that ask what is in it."""

from bs4 import BeautifulSoup, Tag

FORBIDDEN = (
    "script, iframe, object, embed, base, meta, link, form, style, frame, frameset, applet, "
    "template, noscript, svg, textarea, select, button, video, audio"
)
ADDRESSES = ("href", "src", "action", "formaction", "data", "xlink:href", "poster", "srcset")


def parsed(html: str) -> Tag:
    """The fragment inside a page, read by html5lib."""
    page = f"<!doctype html><body><div id='around'>{html}</div><p id='after'>after</p>"
    soup = BeautifulSoup(page, "html5lib")
    around, after = soup.find(id="around"), soup.find(id="after")
    assert isinstance(around, Tag)
    assert isinstance(after, Tag)
    assert after.parent is not None
    assert after.parent.name == "body", "the fragment swallows what follows it"
    return around


def assert_harmless(html: str) -> None:
    """No element, attribute or address that could run, and every id once."""
    root = parsed(html)
    found = [element.name for element in root.select(FORBIDDEN)]
    assert not found, found
    ids = [str(element["id"]) for element in root.find_all(id=True)]
    assert len(ids) == len(set(ids)), ids
    assert all(one.strip() for one in ids)
    for element in root.find_all(True):
        for name, value in element.attrs.items():
            assert not name.lower().startswith("on"), name
            assert name.lower() not in ("style", "srcdoc", "target", "name"), name
            if name.lower() in ADDRESSES:
                address = "".join(str(value).split()).lower()
                assert not address.startswith(("javascript:", "vbscript:", "data:")), value

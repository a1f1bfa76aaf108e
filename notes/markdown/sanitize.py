"""The one allowlist, for everything an author wrote; the last stage but the formulas.

What passes cannot run, restyle or submit anything. Ids and classes pass here and are sorted by the
stage after, which knows our own by their marker.
"""

import nh3

from notes.markdown.elements import ALLOWED, WITH_CONTENT

ATTRIBUTES = {
    "*": {"class", "dir", "id", "lang", "title"},
    "a": {"href"},
    "details": {"open"},
    "img": {"alt", "height", "src", "width"},
    "input": {"checked"},
    "li": {"value"},
    "ol": {"reversed", "start"},
    "pre": {"data-language"},
    "span": {"data-line"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan", "scope"},
    "time": {"datetime"},
}

_cleaner = nh3.Cleaner(
    tags=set(ALLOWED),
    clean_content_tags=set(WITH_CONTENT),
    attributes=ATTRIBUTES,
    tag_attribute_values={"input": {"type": {"checkbox"}}},
    url_schemes={"http", "https", "mailto", "tel", "ftp"},
    link_rel=None,
)


def sanitize(html: str) -> str:
    """Well-formed html of allowed elements and attributes; a second pass changes nothing."""
    # Its parser takes a byte order mark at the beginning for what it is named after.
    return _cleaner.clean(html).lstrip("\ufeff")

"""The one allowlist, for everything an author wrote; the last stage but the formulas.

What passes cannot run, restyle or submit anything. Ids and classes pass here and are sorted by the stage
after, which knows our own by their marker.
"""

import nh3

TAGS = frozenset(
    "a abbr aside b bdi bdo blockquote br caption cite code col colgroup dd del details dfn div dl dt em "
    "figcaption figure h1 h2 h3 h4 h5 h6 hr i img input ins kbd li mark ol p pre q rp rt ruby s samp "
    "section small span strong sub summary sup table tbody td tfoot th thead time tr u ul var wbr".split()
)
ATTRIBUTES = {
    "*": {"class", "dir", "id", "lang", "title"},
    "a": {"href"},
    "details": {"open"},
    "img": {"alt", "height", "src", "width"},
    "input": {"checked"},
    "li": {"value"},
    "ol": {"reversed", "start"},
    "pre": {"data-language"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan", "scope"},
    "time": {"datetime"},
}
# With their content: what stands in these is not text for a reader.
WITH_CONTENT = frozenset({"script", "style", "template", "noscript", "iframe", "title", "noembed"})

_cleaner = nh3.Cleaner(
    tags=set(TAGS),
    clean_content_tags=set(WITH_CONTENT),
    attributes=ATTRIBUTES,
    tag_attribute_values={"input": {"type": {"checkbox"}}},
    url_schemes={"http", "https", "mailto", "tel"},
    link_rel=None,
)


def sanitize(html: str) -> str:
    """Well-formed html of allowed elements and attributes; a second pass changes nothing."""
    return _cleaner.clean(html)

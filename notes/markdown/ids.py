"""Ids where several texts share a page: `with_prefix(html, "bridge-lag--")` keeps them apart."""

import html as escaping
import re
from collections.abc import Callable

# The assembly writes every tag in this form, quotes and angles inside a value as entities.
_TAG = re.compile(r"<[a-zA-Z][^<>]*>")
_ATTRIBUTE = re.compile(r' ([^\s=">]+)="([^"]*)"')
# What names one id of the page, or several with spaces between.
REFERENCES = {
    "aria-controls",
    "aria-describedby",
    "aria-details",
    "aria-flowto",
    "aria-labelledby",
    "aria-owns",
    "for",
    "headers",
}


def ids_in(html: str) -> tuple[str, ...]:
    """Every id of rendered html, in order: where a link can lead."""
    return tuple(
        escaping.unescape(value)
        for tag in _TAG.findall(html)
        if ' id="' in tag
        for name, value in _ATTRIBUTE.findall(tag)
        if name == "id"
    )


def with_prefix(html: str, prefix: str) -> str:
    """Rendered html with ``prefix`` before its ids, and before what refers to these."""
    own = {
        value
        for tag in _TAG.findall(html)
        for name, value in _ATTRIBUTE.findall(tag)
        if name == "id"
    }

    def prefixed(name: str, value: str) -> str:
        if name == "id":
            return prefix + value
        if name == "href" and value.startswith("#") and value[1:] in own:
            return f"#{prefix}{value[1:]}"
        if name in REFERENCES:
            return " ".join(prefix + one if one in own else one for one in value.split())
        return value

    return _with_values(html, prefixed)


def with_fragments_at(html: str, address: str) -> str:
    """Rendered html on another page than its own: ``#fn-1`` leads to ``address``, and there."""

    def led(name: str, value: str) -> str:
        return address + value if name == "href" and value.startswith("#") else value

    return _with_values(html, led)


def _with_values(html: str, value_of: Callable[[str, str], str]) -> str:
    """The html with each attribute's value as ``value_of(name, value)`` has it; text as it is."""

    def attribute(match: re.Match[str]) -> str:
        return f' {match[1]}="{value_of(match[1], match[2])}"'

    return _TAG.sub(lambda tag: _ATTRIBUTE.sub(attribute, tag[0]), html)

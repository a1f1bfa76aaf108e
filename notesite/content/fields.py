"""How one value of the content folder is read from a YAML node and written as a plain value."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from notesite.content.document import Withdrawal
from notesite.content.report import Refusal
from notesite.content.yaml import Items, Node, Plain, Text
from notesite.content.yaml import Mapping as YamlMapping
from notesite.text import clean_line, clean_text


@dataclass(frozen=True, slots=True)
class Field:
    """A key: how it is read and written; ``attribute`` where Python needs another name.

    An empty value is left out, unless None is what an absent key gives.
    """

    read: Callable[[Node], Any]
    write: Callable[[Any], Plain]
    attribute: str = ""


type Keys = Mapping[str, Field]


def read_keys(node: Node, keys: Keys) -> dict[str, Any]:
    """The attributes that stand in a mapping; a key that isn't in ``keys`` is refused."""
    if not isinstance(node, YamlMapping):
        raise Refusal(
            _("Keys and values are expected here, such as “title: A note”."),
            line=node.line,
            cure=_("Write one key a line, a colon and a space behind it."),
        )
    values: dict[str, Any] = {}
    for key, value in node.values.items():
        if key not in keys:
            raise Refusal(
                _("“%(key)s” is not a key that is known here.") % {"key": key},
                line=node.key_lines[key],
                cure=_("Take it out, or write one of: %(keys)s.") % {"keys": ", ".join(keys)},
            )
        values[keys[key].attribute or key] = keys[key].read(value)
    return values


def write_keys(document: Any, keys: Keys) -> dict[str, Plain]:
    """The keys of a document in their order, empty ones left out."""
    plain: dict[str, Plain] = {}
    for key, field in keys.items():
        attribute = field.attribute or key
        value = getattr(document, attribute)
        # Where None means "absent", an empty text or False says something.
        says_something = value is not None if _has_default_none(document, attribute) else value
        if says_something:
            plain[key] = field.write(value)
    return plain


def _has_default_none(document: Any, attribute: str) -> bool:
    return type(document).__dataclass_fields__[attribute].default is None


def require(values: dict[str, Any], keys: Keys, key: str, line: int, cure: str) -> None:
    """Refuse what lacks ``key``."""
    if not values.get(keys[key].attribute or key):
        raise Refusal(_("“%(key)s” is missing.") % {"key": key}, line=line, cure=cure)


def _scalar(node: Node) -> str:
    if not isinstance(node, Text):
        raise Refusal(
            _("Text is expected here, not a list or a mapping."),
            line=node.line,
            cure=_("Write it on one line; put it between quotes if it begins with a bracket."),
        )
    return node.value


def _items(node: Node) -> tuple[Node, ...]:
    if node == Text("", node.line):
        return ()
    if not isinstance(node, Items):
        raise Refusal(
            _("A list is expected here."),
            line=node.line,
            cure=_("Write each item on a line of its own, “- ” before it."),
        )
    return node.values


def _read_line(node: Node) -> str:
    return clean_line(_scalar(node))


def _read_text(node: Node) -> str:
    return clean_text(_scalar(node))


def _read_flag(node: Node) -> bool:
    value = _scalar(node)
    if value not in ("true", "false"):
        raise Refusal(_("Write true or false, not “%(value)s”.") % {"value": value}, line=node.line)
    return value == "true"


def _read_number(node: Node) -> int:
    value = _scalar(node)
    if not (value.isascii() and value.isdigit() and len(value) <= 9):
        raise Refusal(
            _("Write a whole number, not “%(value)s”.") % {"value": value}, line=node.line
        )
    return int(value)


def _read_time(node: Node) -> datetime.datetime | None:
    """ISO with Z or an offset: ``2026-04-07T09:00:00Z``."""
    value = _scalar(node)
    if not value:
        return None
    try:
        time = datetime.datetime.fromisoformat(value)
        if time.tzinfo is None:
            raise ValueError(value)
        return time.astimezone(datetime.UTC).replace(microsecond=0)
    except (ValueError, OverflowError) as error:
        raise Refusal(
            _("“%(value)s” is not a time in UTC.") % {"value": value},
            line=node.line,
            cure=_("Write it with Z at the end, such as 2026-04-07T09:00:00Z."),
        ) from error


def _read_lines(node: Node) -> tuple[str, ...]:
    return tuple(line for item in _items(node) if (line := _read_line(item)))


def _read_line_mapping(node: Node) -> dict[str, str]:
    if node == Text("", node.line):
        return {}
    if not isinstance(node, YamlMapping):
        raise Refusal(
            _("Keys and values are expected here."),
            line=node.line,
            cure=_("Write one key a line, a colon and a space behind it."),
        )
    return {clean_line(key): _read_line(value) for key, value in node.values.items()}


def _write_line_mapping(value: dict[str, str]) -> Plain:
    # The order means nothing, and PostgreSQL doesn't keep it.
    return {key: value[key] for key in sorted(value)}


def _read_lists(node: Node) -> dict[str, tuple[str, ...]]:
    if node == Text("", node.line):
        return {}
    if not isinstance(node, YamlMapping):
        raise Refusal(_("A mapping of lists is expected here."), line=node.line)
    return {clean_line(key): _read_lines(value) for key, value in node.values.items()}


def _write_lists(value: dict[str, tuple[str, ...]]) -> Plain:
    return {key: list(value[key]) for key in sorted(value)}


def _read_author(node: Node) -> dict[str, str | bool]:
    if isinstance(node, Text):
        return {"name": _read_line(node)}
    values = read_keys(node, AUTHOR_KEYS)
    require(values, AUTHOR_KEYS, "name", node.line, _("Every author has a name."))
    return {key: value for key, value in values.items() if value}


def _write_author(author: dict[str, str | bool]) -> Plain:
    return {key: author[key] for key in AUTHOR_KEYS if author.get(key)}


def _read_link(node: Node) -> dict[str, str]:
    return {key: value for key, value in read_keys(node, LINK_KEYS).items() if value}


def _write_link(link: dict[str, str]) -> Plain:
    return {key: link[key] for key in LINK_KEYS if link.get(key)}


def _read_withdrawal(node: Node) -> Withdrawal | None:
    if node == Text("", node.line):
        return None
    values = read_keys(node, WITHDRAWAL_KEYS)
    require(values, WITHDRAWAL_KEYS, "at", node.line, _("Write the time of the withdrawal."))
    require(
        values,
        WITHDRAWAL_KEYS,
        "sentence",
        node.line,
        _("Say in one sentence why it was withdrawn."),
    )
    return Withdrawal(**values)


def _read_anchors(node: Node) -> tuple[tuple[str, str], ...]:
    pairs = []
    for item in _items(node):
        pair = [_read_line(value) for value in _items(item)]
        if len(pair) != 2 or not pair[1]:
            raise Refusal(
                _("An anchor is a list of two: the heading and its anchor."), line=item.line
            )
        pairs.append((pair[0], pair[1]))
    return tuple(pairs)


LINE = Field(_read_line, str)
TEXT = Field(_read_text, str)
FLAG = Field(_read_flag, bool)
NUMBER = Field(_read_number, int)
TIME = Field(_read_time, lambda time: time)
LINES = Field(_read_lines, list)
LINE_MAPPING = Field(_read_line_mapping, _write_line_mapping)
LISTS = Field(_read_lists, _write_lists)
AUTHORS = Field(
    lambda node: tuple(_read_author(item) for item in _items(node)),
    lambda authors: [_write_author(author) for author in authors],
)
LINKS = Field(
    lambda node: tuple(_read_link(item) for item in _items(node)),
    lambda links: [_write_link(link) for link in links],
)
WITHDRAWAL = Field(_read_withdrawal, lambda value: write_keys(value, WITHDRAWAL_KEYS))
ANCHORS = Field(_read_anchors, lambda pairs: [list(pair) for pair in pairs])

AUTHOR_KEYS: Keys = {"name": LINE, "url": LINE, "orcid": LINE, "organisation": FLAG}
LINK_KEYS: Keys = {"name": LINE, "url": LINE}
WITHDRAWAL_KEYS: Keys = {"at": TIME, "sentence": LINE}

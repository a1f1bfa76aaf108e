"""YAML as the content folder uses it: strings, lists and mappings; written in one form.

Reading refuses what makes YAML dangerous or surprising: aliases, anchors, tags, repeated keys,
deep nesting, long texts. Every scalar is text; whoever reads a field gives it its type, so that
``title: no`` is the title "no". Every refusal names its line.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass

import yaml
from django.utils.translation import gettext as _
from yaml import events, reader

from notesite.content.report import Refusal

FRONT_MATTER_LIMIT = 64 * 1024
FILE_LIMIT = 4 * 1024 * 1024
DEPTH_LIMIT = 10


@dataclass(frozen=True, slots=True)
class Text:
    value: str
    line: int


@dataclass(frozen=True, slots=True)
class Items:
    values: tuple[Node, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Mapping:
    values: dict[str, Node]
    line: int
    key_lines: dict[str, int]


type Node = Text | Items | Mapping
type Plain = str | int | bool | datetime.datetime | list[Plain] | dict[str, Plain]


def load(text: str, limit: int = FRONT_MATTER_LIMIT) -> Node:
    """The one document in ``text``; an empty text is an empty mapping."""
    if len(text.encode()) > limit:
        raise Refusal(
            _("This YAML has more than %(limit)d kB.") % {"limit": limit // 1024},
            line=1,
            cure=_("Move the text below the front matter, or split the file."),
        )
    try:
        return _build(yaml.parse(text, Loader=yaml.SafeLoader))
    except reader.ReaderError as error:
        raise Refusal(
            _("The character U+%(code)04X can't stand in YAML.") % {"code": error.character},
            line=text.count("\n", 0, error.position) + 1,
            cure=_("Take it out."),
        ) from error
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise Refusal(
            _("This is not valid YAML: %(problem)s.") % {"problem": error.problem or error.context},
            line=mark.line + 1 if mark else 1,
            cure=_("Put the value between quotes if it has a colon, a bracket or a hash in it."),
        ) from error


def _build(stream) -> Node:
    """The tree of the parser's events, without recursion: depth costs a refusal, not the stack."""
    root: Node = Mapping({}, 1, {})
    # Each open collection: its line, what it has so far, and for a mapping the key that waits.
    open_collections: list[_Open] = []
    documents = 0
    for event in stream:
        line = event.start_mark.line + 1
        node: Node
        if isinstance(event, events.DocumentStartEvent):
            documents += 1
            if documents > 1:
                raise Refusal(
                    _("A second YAML document begins here."),
                    line=line,
                    cure=_("Keep one, and take the line --- out."),
                )
            continue
        if isinstance(event, events.AliasEvent) or getattr(event, "anchor", None):
            raise Refusal(
                _("Anchors and aliases (& and *) are not read."),
                line=line,
                cure=_("Write the value out, or put it between quotes."),
            )
        if getattr(event, "tag", None):
            raise Refusal(
                _("Tags (such as !!python or !x) are not read."),
                line=line,
                cure=_("Take the tag out, or put the value between quotes."),
            )
        if isinstance(event, events.CollectionStartEvent):
            if len(open_collections) >= DEPTH_LIMIT:
                raise Refusal(
                    _("This is nested more than %(depth)d deep.") % {"depth": DEPTH_LIMIT},
                    line=line,
                    cure=_("Put the value between quotes if the brackets are text."),
                )
            is_mapping = isinstance(event, events.MappingStartEvent)
            open_collections.append(_Open(line, is_mapping, [], {}, {}))
            continue
        if isinstance(event, events.CollectionEndEvent):
            node = open_collections.pop().closed()
        elif isinstance(event, events.ScalarEvent):
            node = Text(event.value, line)
        else:
            continue
        if open_collections:
            open_collections[-1].take(node)
        else:
            root = node
    if root == Text("", root.line):
        return Mapping({}, 1, {})
    return root


@dataclass(slots=True)
class _Open:
    line: int
    is_mapping: bool
    items: list[Node]
    values: dict[str, Node]
    key_lines: dict[str, int]
    key: str | None = None

    def take(self, node: Node) -> None:
        if not self.is_mapping:
            self.items.append(node)
        elif self.key is not None:
            self.values[self.key], self.key = node, None
        elif not isinstance(node, Text):
            raise Refusal(_("A key must be text."), line=node.line, cure=_("Put it in quotes."))
        elif node.value in self.key_lines:
            raise Refusal(
                _("The key “%(key)s” stands here a second time.") % {"key": node.value},
                line=node.line,
                cure=_("It stands in line %(line)d; keep one of the two.")
                % {"line": self.key_lines[node.value]},
            )
        else:
            self.key, self.key_lines[node.value] = node.value, node.line

    def closed(self) -> Node:
        if self.is_mapping:
            return Mapping(self.values, self.line, self.key_lines)
        return Items(tuple(self.items), self.line)


class _Dumper(yaml.SafeDumper):
    def ignore_aliases(self, data: object) -> bool:
        return True


def _represent_text(dumper: yaml.SafeDumper, text: str) -> yaml.Node:
    # Without a style, text of several lines would be written with every line feed doubled.
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


def _represent_time(dumper: yaml.SafeDumper, time: datetime.datetime) -> yaml.Node:
    return dumper.represent_scalar("tag:yaml.org,2002:timestamp", write_time(time))


_Dumper.add_representer(str, _represent_text)
_Dumper.add_representer(datetime.datetime, _represent_time)


def dump(value: Plain) -> str:
    """Block style, keys in the order given, no folding; nothing for an empty list or mapping."""
    if not value:
        return ""
    return yaml.dump(
        value,
        Dumper=_Dumper,
        default_flow_style=False,
        allow_unicode=True,
        sort_keys=False,
        width=float("inf"),
    )


def write_time(time: datetime.datetime) -> str:
    """ISO in UTC with Z, whole seconds: ``2026-04-07T09:00:00Z``."""
    utc = time.astimezone(datetime.UTC).replace(microsecond=0, tzinfo=None)
    return f"{utc.isoformat()}Z"

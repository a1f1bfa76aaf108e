"""A Jekyll post's header: any key may be missing, and any scalar of any type."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from notesite.content.report import Refusal
from notesite.content.yaml import Items, Mapping, Node, Text
from notesite.text import clean_line

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
TIME_OF_DAY = (
    r"(?:[T ]+(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:\.\d+)?)?)?"
    r"\s*(?P<zone>Z|UTC|GMT|[+-]\d{2}:?\d{2})?"
)
DATES = (
    re.compile(r"(?P<year>\d{4})[-/](?P<month>\d{1,2})[-/](?P<day>\d{1,2})" + TIME_OF_DAY),
    re.compile(r"(?P<month>[A-Za-z]+)\.? (?P<day>\d{1,2}),? (?P<year>\d{4})" + TIME_OF_DAY),
    re.compile(r"(?P<day>\d{1,2}) (?P<month>[A-Za-z]+)\.?,? (?P<year>\d{4})" + TIME_OF_DAY),
)
CARRIED = {
    "title", "date", "tags", "tag", "categories", "category", "author", "authors", "slug",
    "excerpt", "description", "summary", "subtitle", "permalink", "redirect_from", "published",
    "draft", "lang", "language", "canonical_url",
}  # fmt: skip
# How a theme shows a post says nothing of the post itself.
OF_THE_THEME = {
    "layout", "comments", "mathjax", "math", "katex", "toc", "excerpt_separator", "sitemap",
    "share", "sidebar", "classes", "read_time", "show_date", "hidden", "last_modified_at",
}  # fmt: skip


class Header:
    """The values of a header as text, by key; ``line_of`` counts from the file's first line."""

    def __init__(self, node: Node) -> None:
        if not isinstance(node, Mapping):
            raise Refusal(
                _("The header is not made of keys and values."),
                line=node.line,
                cure=_("Write one key a line, a colon and a space behind it."),
            )
        self.values, self.key_lines = node.values, node.key_lines

    def __iter__(self) -> Iterator[str]:
        return iter(self.values)

    def line_of(self, key: str) -> int:
        return self.key_lines[key] + 1 if key in self.key_lines else 1

    def line(self, key: str) -> str:
        """A scalar; nothing where a list or a mapping stands."""
        value = self.values.get(key)
        return clean_line(value.value) if isinstance(value, Text) else ""

    def lines(self, key: str) -> tuple[str, ...]:
        """A list's scalars; a single scalar is a list of one."""
        value = self.values.get(key)
        nodes = value.values if isinstance(value, Items) else (value,)
        texts = (clean_line(node.value) for node in nodes if isinstance(node, Text))
        return tuple(text for text in texts if text)

    def tags(self) -> tuple[str, ...]:
        """Tags, then categories."""
        return tuple(dict.fromkeys((*self._words("tags"), *self.lines("tag"), *self.categories())))

    def categories(self) -> tuple[str, ...]:
        return (*self._words("categories"), *self.lines("category"))

    def time(self, key: str, zone: tzinfo) -> datetime | None:
        text = self.line(key)
        if not text:
            return None
        try:
            return read_time(text, zone)
        except Refusal as refusal:
            refusal.line = self.key_lines[key]
            raise

    def is_switched_off(self) -> bool:
        return self.line("published").lower() in ("false", "no", "off") or self.line(
            "draft"
        ).lower() in ("true", "yes", "on")

    def authors(self) -> tuple[dict[str, str | bool], ...]:
        found: list[dict[str, str | bool]] = []
        for key in ("authors", "author"):
            value = self.values.get(key)
            for node in value.values if isinstance(value, Items) else (value,):
                if isinstance(node, Text) and node.value.strip():
                    found.append({"name": clean_line(node.value)})
                elif isinstance(node, Mapping):
                    person = Header(node)
                    if name := person.line("name"):
                        found.append({"name": name})
                        if url := person.address("url"):
                            found[-1]["url"] = url
        return tuple({author["name"]: author for author in reversed(found)}.values())[::-1]

    def language(self) -> str:
        tag = self.line("lang") or self.line("language")
        return tag if re.fullmatch(r"[a-zA-Z]{2,3}(-[a-zA-Z0-9]{2,8})*", tag) else ""

    def address(self, key: str) -> str:
        value = self.line(key)
        return value if re.fullmatch(r"https?://\S+", value) else ""

    def left_behind(self) -> list[str]:
        return [key for key in self.values if key not in CARRIED | OF_THE_THEME]

    def _words(self, key: str) -> tuple[str, ...]:
        """A list as it is; a text split at its commas, or at its spaces if it has none."""
        value = self.values.get(key)
        if not isinstance(value, Text):
            return self.lines(key)
        parts = value.value.split(",") if "," in value.value else value.value.split()
        return tuple(word for part in parts if (word := clean_line(part)))


def read_time(text: str, zone: tzinfo) -> datetime:
    """A date in one of the forms met, a time without an offset read in ``zone``; in UTC."""
    for form in DATES:
        if found := form.fullmatch(text.strip()):
            break
    else:
        raise _not_a_date(text)
    month = found["month"]
    if not month.isdigit():
        if month[:3].lower() not in MONTHS:
            raise _not_a_date(text)
        month = str(MONTHS.index(month[:3].lower()) + 1)
    try:
        time = datetime(
            int(found["year"]), int(month), int(found["day"]),
            int(found["hour"] or 0), int(found["minute"] or 0), int(found["second"] or 0),
            tzinfo=UTC,
        )  # fmt: skip
        if found["zone"]:
            return time - _offset(found["zone"])
        local = time.replace(tzinfo=zone)
        in_utc = local.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise _not_a_date(text) from error
    if found["hour"] and not _happens_once(local):
        raise Refusal(
            _("“%(time)s” doesn't exist or comes twice in %(zone)s, where clocks change.")
            % {"time": text, "zone": zone if isinstance(zone, ZoneInfo) else "UTC"},
            cure=_("Write the offset behind the time, such as +0100."),
        )
    return in_utc


def _happens_once(local: datetime) -> bool:
    return local.utcoffset() == local.replace(fold=1).utcoffset()


def _offset(zone: str) -> timedelta:
    if zone in ("Z", "UTC", "GMT"):
        return timedelta()
    offset = timedelta(hours=int(zone[1:3]), minutes=int(zone[-2:]))
    return -offset if zone[0] == "-" else offset


def _not_a_date(text: str) -> Refusal:
    return Refusal(
        _("“%(text)s” is not a date that is understood.") % {"text": text},
        cure=_("Write it as 2026-04-07 or 2026-04-07 09:00:00 +0200."),
    )

"""Many references at once: first what would happen, entry by entry, then what was chosen of it."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import batched

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from notes.bibtex import Entry, Failure, Placed, Reading, family_of, names_in_short, read
from notes.models import Mention, Reference
from notes.publishing.references import MENTIONED_AS, describe
from notes.publishing.rendering import mark_stale_notes
from notes.publishing.short_texts import render_short_texts_with, short_texts
from notesite.models import Redirect, Site

NAMES_AT_ONCE = 500  # a database takes only so many names in one question
TEXTS_AT_ONCE = 100  # each name is a condition of its own there
_TELLING = re.compile(
    r"^  (doi|eprint|archiveprefix|eprinttype|url|journal|note|howpublished|author|editor)"
    r" = \{(.*)\},$",
    re.MULTILINE,
)


class Status(StrEnum):
    NEW = "new"
    SAME = "same"  # as the stored one: nothing to do
    DIFFERS = "differs"  # from the stored one that has its key
    LIKE = "like"  # another one, stored or above: probably the same work
    AGAIN = "again"  # what stands above, word for word
    TWICE = "twice"  # the key of an entry above, with other content


@dataclass(frozen=True, slots=True)
class Change:
    """One field in which two entries differ."""

    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Planned:
    """What can be done with one entry; the first choice is what happens unless one asks."""

    number: int
    placed: Placed
    status: Status
    choices: tuple[str, ...] = ()  # "add", "leave", "keep", "replace-<version>"
    other: Entry | None = None  # the one that it differs from, or is like
    other_line: int = 0  # 0: it is stored
    reason: str = ""  # what makes it like the other
    changes: tuple[Change, ...] = ()

    @property
    def entry(self) -> Entry:
        return self.placed.entry

    @property
    def summary(self) -> str:
        """Who, what and when, as far as the entry says it."""
        names = names_in_short(self.entry.authors)
        told = (names, self.entry.get("title")[:300], self.entry.get("year", "date")[:20])
        return ". ".join(one for one in told if one) or f"@{self.entry.entry_type}"


@dataclass(frozen=True, slots=True)
class Plan:
    items: tuple[Planned, ...]
    failures: tuple[Failure, ...]
    strings: tuple[str, ...]

    @property
    def unread(self) -> str:
        """What could not be read as it was typed, with the abbreviations that it may need."""
        broken = [failure.raw for failure in self.failures if failure.raw]
        return "\n\n".join([*self.strings, *broken]) + "\n" if broken else ""


@dataclass(frozen=True, slots=True)
class Added:
    """What a batch did: the saved keys by whether they are new, and what was left to be mended."""

    new: tuple[str, ...]
    replaced: tuple[str, ...]
    plan: Plan


@dataclass(frozen=True, slots=True)
class _Stored:
    key: str
    title: str
    year: str
    bibtex: str
    version: int


def plan_references(text: str) -> Plan:
    """What adding this text would do: two queries, however many entries there are."""
    return _plan(read(text))


@transaction.atomic
def add_references(text: str, chosen: Mapping[int, str]) -> Added:
    """Save what is chosen of a text, by the numbers in its plan; all of it or nothing.

    A choice that the site doesn't offer any more, as somebody has saved meanwhile, is refused.
    """
    Site.objects.hold()
    plan = plan_references(text)
    versions: dict[str, int] = {}
    entries: dict[str, Entry] = {}
    for item in plan.items:
        choice = chosen.get(item.number) or next(iter(item.choices), "")
        if choice and choice not in item.choices:
            raise ValidationError(
                _("“%(key)s” was saved by somebody meanwhile. Nothing was written; choose again.")
                % {"key": item.entry.key},
                code="outdated",
            )
        verb, _dash, version = choice.partition("-")
        if verb in ("add", "replace"):
            entries[item.entry.key] = item.entry
            versions[item.entry.key] = int(version or 0) + 1
    _write(entries, versions)
    new = tuple(key for key, version in versions.items() if version == 1)
    replaced = tuple(key for key, version in versions.items() if version > 1)
    return Added(new, replaced, plan)


def _write(entries: Mapping[str, Entry], versions: Mapping[str, int]) -> None:
    """The rows, and once for all of them what shows them: not a render for each."""
    if not entries:
        return
    rows = []
    for key, entry in entries.items():
        reference = Reference(version=versions[key])
        describe(reference, entry)
        reference.clean_fields(exclude=["id"])
        rows.append(reference)
    written = [field.name for field in Reference._meta.concrete_fields if not field.primary_key]
    Reference.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["key"],
        update_fields=[name for name in written if name != "key"],
    )
    stale: set[int] = set()
    for keys in batched(entries, NAMES_AT_ONCE):
        mentions = Mention.objects.filter(kind__in=MENTIONED_AS, name__in=keys)
        stale.update(mentions.order_by().values_list("note_id", flat=True))
    mark_stale_notes(sorted(stale))
    sources = [text.source for text in short_texts()]
    shown = [key for key in entries if any(key in source for source in sources)]
    for keys in batched(shown, TEXTS_AT_ONCE):
        render_short_texts_with(keys)
    Site.objects.move_revision()


def _plan(reading: Reading) -> Plan:
    rows = {
        row[0]: _Stored(*row)
        for row in Reference.objects.order_by().values_list(
            "key", "title", "year", "bibtex", "version"
        )
    }
    retired = Redirect.objects.filter(kind=Redirect.Kind.REFERENCE)
    leading = dict(retired.values_list("slug", "target"))
    others = _Others(rows)
    failures, items = list(reading.failures), []
    above: dict[str, list[Placed]] = defaultdict(list)
    for number, placed in enumerate(reading.entries, start=1):
        key = placed.entry.key
        if reason := _refusal(placed.entry, leading, rows):
            failures.append(Failure(placed.line, *reason, raw=placed.raw))
            continue
        items.append(_planned(number, placed, rows.get(key), above[key], others))
        above[key].append(placed)
        others.add(placed)
    failures.sort(key=lambda failure: failure.line)
    return Plan(tuple(items), tuple(failures), reading.strings)


def _planned(
    number: int, placed: Placed, row: _Stored | None, above: list[Placed], others: _Others
) -> Planned:
    entry = placed.entry
    write = f"replace-{row.version}" if row else "add"
    for one in above:
        if _alike(entry, one.entry):
            return Planned(number, placed, Status.AGAIN, other=one.entry, other_line=one.line)
    if above:
        first = above[0]
        changes = changes_between(first.entry, entry)
        return Planned(
            number,
            placed,
            Status.TWICE,
            ("leave", write),
            first.entry,
            first.line,
            changes=changes,
        )
    if row:
        stored = _entry_of(row)
        if _alike(entry, stored):
            return Planned(number, placed, Status.SAME, other=stored)
        changes = changes_between(stored, entry)
        return Planned(number, placed, Status.DIFFERS, ("keep", write), stored, changes=changes)
    if found := others.like(entry):
        other, line, reason = found
        return Planned(
            number, placed, Status.LIKE, ("leave", write), other, line, reason,
            changes_between(other, entry),
        )  # fmt: skip
    return Planned(number, placed, Status.NEW, (write, "leave"))


def changes_between(before: Entry, after: Entry) -> tuple[Change, ...]:
    """The fields in which they differ, the type among them; order is no difference."""
    one, two = dict(before.fields), dict(after.fields)
    changes = [Change("@", before.entry_type, after.entry_type)]
    changes += [Change(name, one.get(name, ""), two.get(name, "")) for name in one | two]
    return tuple(change for change in changes if change.before != change.after)


def _alike(one: Entry, two: Entry) -> bool:
    return one.entry_type == two.entry_type and dict(one.fields) == dict(two.fields)


def _entry_of(row: _Stored) -> Entry:
    found = read(row.bibtex).entries
    # A row that was written by other means may hold anything.
    return found[0].entry if found else Entry("misc", row.key, (("note", row.bibtex),))


def _refusal(
    entry: Entry, leading: Mapping[str, str], rows: Mapping[str, _Stored]
) -> tuple[str, str] | None:
    """Why an entry that can be read can't be stored, and the cure."""
    if entry.key in leading and entry.key not in rows:
        where = leading[entry.key] or _("nothing: it is gone")
        return (
            _("“%(key)s” is the earlier key of a reference and leads to %(target)s.")
            % {"key": entry.key, "target": where},
            _("Give it another key, or add it alone, where the key can change hands."),
        )
    reference = Reference()
    try:
        describe(reference, entry)
        reference.clean_fields(exclude=["id"])
    except ValidationError as error:
        return " ".join(error.messages), _("Shorten it, or correct the entry.")
    return None


class _Others:
    """What is stored and what stands above, by all that tells that two entries are one work."""

    def __init__(self, rows: Mapping[str, _Stored]) -> None:
        self.by_number: dict[tuple[str, str], tuple[str, int]] = {}
        self.by_title: dict[tuple[str, str], list[tuple[str, int]]] = defaultdict(list)
        self.rows, self.entries = rows, dict[str, Entry]()
        self.families: dict[str, str] = {}  # read when first asked for: names cost time
        for row in rows.values():
            entry = Entry("misc", row.key, tuple(_TELLING.findall(row.bibtex)))
            self._note(entry, row.title, row.year, 0)

    def add(self, placed: Placed) -> None:
        entry = placed.entry
        if entry.key not in self.rows:
            self.entries.setdefault(entry.key, entry)
            self._note(entry, entry.get("title"), entry.get("year", "date"), placed.line)

    def like(self, entry: Entry) -> tuple[Entry, int, str] | None:
        """Another key's entry that is probably the same work, its line, and what says so."""
        for number in _numbers(entry):
            if number in self.by_number:
                key, line = self.by_number[number]
                return self._entry(key), line, f"{number[0]} {number[1]}"
        family = _first_family(entry)
        for key, line in self.by_title.get(_title_and_year(entry), ()):
            if family == self._family(key):
                return self._entry(key), line, _("title, year and first author")
        return None

    def _family(self, key: str) -> str:
        if key not in self.families:
            self.families[key] = _first_family(self._entry(key))
        return self.families[key]

    def _note(self, entry: Entry, title: str, year: str, line: int) -> None:
        for number in _numbers(entry):
            self.by_number.setdefault(number, (entry.key, line))
        if folded := _folded(title):
            self.by_title[folded, _year(year)].append((entry.key, line))

    def _entry(self, key: str) -> Entry:
        return self.entries[key] if key in self.entries else _entry_of(self.rows[key])


def _numbers(entry: Entry) -> Iterator[tuple[str, str]]:
    if entry.arxiv:
        yield "arXiv", entry.arxiv
    if entry.doi and "arxiv" not in entry.doi.lower():
        yield "DOI", entry.doi.lower()


def _title_and_year(entry: Entry) -> tuple[str, str]:
    return _folded(entry.get("title")), _year(entry.get("year", "date"))


def _first_family(entry: Entry) -> str:
    return _folded(family_of(entry.people[0])) if entry.people else ""


def _year(text: str) -> str:
    found = re.search(r"\d{4}", text)
    return found[0] if found else ""


def _folded(text: str) -> str:
    """Letters and digits alone, without accents and capitals."""
    plain = unicodedata.normalize("NFKD", text[:500]).casefold()
    return "".join(one for one in plain if one.isalnum())

"""What a citation and an entry of the reference list say: numbered, or by author and year.

Numbered: in the order of the first calls, `[1]`. By author and year: sorted by authors, year and
title, `(Smith and Jones 2020a)`; entries that would be cited alike are told apart by a letter.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

from markdown_it.common.utils import escapeHtml

from notes.markdown import links
from notes.markdown.values import ReferenceEntry
from notes.markdown.vocabulary import ENGLISH, Vocabulary

MOST_AUTHORS = 10
AUTHORS_OF_MANY = 7
SHOWN_ADDRESS = 60


@dataclass(frozen=True, slots=True)
class Listed:
    """An entry with its place in the list."""

    entry: ReferenceEntry
    number: int
    letter: str
    numbered: bool
    words: Vocabulary = ENGLISH

    @property
    def year(self) -> str:
        """`2020`, `2020a`, `n.d.`, `n.d.-a`."""
        if year := year_of(self.entry):
            return year + self.letter
        return f"{self.words.undated}-{self.letter}" if self.letter else self.words.undated

    def call(self, form: str) -> str:
        """What a call shows: in brackets, in the text, or without its authors."""
        if self.numbered:
            short = f"{short_authors(self.entry, self.words)} [{self.number}]"
            return short if form == "in-text" else str(self.number)
        if form == "year":
            return self.year
        authors = short_authors(self.entry, self.words)
        return f"{authors} ({self.year})" if form == "in-text" else f"{authors} {self.year}"

    def html(self) -> str:
        """The entry: authors, year, title (leading to its page here), where it stands."""
        authors = all_authors(self.entry, self.words, inverted=not self.numbered)
        title = escapeHtml(self.entry.title or self.entry.key)
        page = escapeHtml(f"/references/{quote(self.entry.key, safe='')}/")
        link = f'<a href="{page}"><cite>{title}</cite></a>'
        year = escapeHtml(self.year)
        said = [f"{escapeHtml(authors)} ({year})", link] if authors else [f"{link} ({year})"]
        if self.entry.container:
            said.append(f"<em>{escapeHtml(self.entry.container)}</em>")
        if address := address_of(self.entry):
            said.append(address)
        return " ".join(one if one.endswith((".", "!", "?")) else f"{one}." for one in said)


def arrange(
    entries: Sequence[ReferenceEntry], style: str, words: Vocabulary = ENGLISH
) -> list[Listed]:
    """The entries, given in the order of their first calls, as the list has them."""
    if style == "numbered":
        return [Listed(one, number, "", True, words) for number, one in enumerate(entries, start=1)]
    ordered = sorted(entries, key=sorting_key)
    alike = Counter(likeness(one) for one in ordered)
    seen: Counter[tuple[str, str]] = Counter()
    listed = []
    for number, one in enumerate(ordered, start=1):
        letter = ""
        if alike[likeness(one)] > 1:
            letter = letters(seen[likeness(one)])
            seen[likeness(one)] += 1
        listed.append(Listed(one, number, letter, False, words))
    return listed


def letters(number: int) -> str:
    """0 → a, 25 → z, 26 → aa."""
    text = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        text = chr(ord("a") + rest) + text
    return text


def likeness(entry: ReferenceEntry) -> tuple[str, str]:
    """Entries with equal ones would be cited alike."""
    return folded(short_authors(entry)), year_of(entry)


def sorting_key(entry: ReferenceEntry) -> tuple[tuple[str, ...], str, str, str]:
    """By authors, then year, title and key; without authors by the title."""
    names = tuple(folded(one) for one in entry.families) or (folded(entry.title or entry.key),)
    return names, year_of(entry) or "n.d.", folded(entry.title), entry.key


def folded(text: str) -> str:
    """For sorting: `Ångström` stands with A, small letters with capitals."""
    plain = unicodedata.normalize("NFKD", text)
    return "".join(one for one in plain if not unicodedata.combining(one)).casefold()


def year_of(entry: ReferenceEntry) -> str:
    """`2020` of `2020-05-01`; other words (`in press`) stay."""
    year = re.search(r"\d{4}", entry.year)
    return year[0] if year else entry.year


def short_authors(entry: ReferenceEntry, said: Vocabulary = ENGLISH) -> str:
    """`Smith`, `Smith and Jones`, `Smith et al.`; the title's beginning where there are none."""
    match entry.families:
        case ():
            words = (entry.title or entry.key).split()
            return " ".join(words[:4]) + ("…" if len(words) > 4 else "")
        case (one,):
            return one
        case (one, two) if two != "others":
            return f"{one}{said.last}{two}"
        case (one, *_):
            return f"{one} {said.others}"
    return ""


def all_authors(entry: ReferenceEntry, said: Vocabulary, *, inverted: bool) -> str:
    """`Smith, Ada, Bo Jones and Cy Lee`: by author and year, the first is filed by family name."""
    names = list(entry.authors)
    if inverted and names and entry.families:
        family = entry.families[0]
        given = names[0].removesuffix(family).strip()
        if given and names[0].endswith(family):
            names[0] = f"{family}, {given}"
    if len(names) > MOST_AUTHORS:
        return f"{', '.join(names[:AUTHORS_OF_MANY])} {said.others}"
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])}{said.last}{names[-1]}"


def address_of(entry: ReferenceEntry) -> str:
    """The DOI or the address, as a link to it; BibTeX may hold an address that is none."""
    if entry.doi:
        address, shown = f"https://doi.org/{quote(entry.doi, safe='/:;()')}", f"doi:{entry.doi}"
    elif links.resolve(entry.url).kind == "external":
        address = entry.url
        shown = re.sub(r"^https?://(?:www\.)?", "", entry.url).rstrip("/")
        if len(shown) > SHOWN_ADDRESS:
            shown = shown[: SHOWN_ADDRESS - 1] + "…"
    else:
        return ""
    return f'<a href="{escapeHtml(address)}">{escapeHtml(shown)}</a>'

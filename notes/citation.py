"""How a note is cited, in the four forms that reference managers and people read.

BibTeX; RIS as its 2011 specification has it; CSL-JSON of the schema 1.0.2; and one line of text.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from notes.addresses import absolute
from notes.bibtex import family_of
from notes.models import Note, Revision
from notesite.models import Site

# What TeX reads as a sign of its own.
_TEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        **{sign: f"\\{sign}" for sign in "&%$#_"},
    }
)


@dataclass(frozen=True, slots=True)
class Author:
    """A byline; ``given`` is empty where a name is one whole, as an organisation's is."""

    family: str
    given: str = ""

    @classmethod
    def of(cls, byline: dict) -> Author:
        name = byline["name"]
        family = name if byline.get("organisation") else family_of(name)
        if not family or family == name or not name.endswith(family):
            return cls(name)
        return cls(family, name.removesuffix(family).strip())

    @property
    def inverted(self) -> str:
        return f"{self.family}, {self.given}" if self.given else self.family

    @property
    def readable(self) -> str:
        return f"{self.given} {self.family}".strip()


@dataclass(frozen=True, slots=True)
class Citation:
    """What is said of a note, or of one of its public states, in every form."""

    key: str
    title: str
    authors: tuple[Author, ...]
    site: str
    address: str
    language: str
    dek: str = ""
    doi: str = ""
    published: datetime | None = None
    revised: datetime | None = None
    state: int | None = None

    @property
    def bibtex(self) -> str:
        """One ``@misc``: the type that every style knows."""
        fields = {
            "author": " and ".join(
                one.inverted.translate(_TEX) if one.given else f"{{{one.family.translate(_TEX)}}}"
                for one in self.authors
            ),
            "title": f"{{{self.title.translate(_TEX)}}}",
            "howpublished": self.site.translate(_TEX),
            "year": f"{self.published:%Y}" if self.published else "",
            "month": f"{self.published:%b}".lower() if self.published else "",
            "note": self._state_in_words.translate(_TEX),
            "doi": self.doi,
            "url": self.address,
        }
        lines = [
            f"  {name} = {value if name == 'month' else f'{{{value}}}'},"
            for name, value in fields.items()
            if value
        ]
        return "\n".join([f"@misc{{{self.key},", *lines, "}"]) + "\n"

    @property
    def ris(self) -> str:
        dates = (
            [("PY", f"{self.published:%Y}"), ("DA", f"{self.published:%Y/%m/%d}/")]
            if self.published
            else []
        )
        rows = [
            ("TY", "BLOG"),
            ("ID", self.key),
            *[("AU", one.inverted) for one in self.authors],
            ("TI", self.title),
            ("T2", self.site),
            *dates,
            ("ET", self._state_in_words),
            ("AB", self.dek),
            ("LA", self.language),
            ("DO", self.doi),
            ("UR", self.address),
        ]
        lines = [f"{tag}  - {value}" for tag, value in rows if value]
        return "\r\n".join([*lines, "ER  - ", ""])

    @property
    def csl(self) -> str:
        item = {
            "id": self.key,
            "type": "post-weblog",
            "title": self.title,
            "author": [
                {"family": one.family, "given": one.given} if one.given else {"literal": one.family}
                for one in self.authors
            ],
            "container-title": self.site,
            "issued": self._date_parts(self.published),
            "version": str(self.state or ""),
            "abstract": self.dek,
            "language": self.language,
            "DOI": self.doi,
            "URL": self.address,
        }
        kept = {name: value for name, value in item.items() if value}
        return json.dumps([kept], ensure_ascii=False, indent=2) + "\n"

    @property
    def text(self) -> str:
        """“Ada Lovelace (2026). Title. Research notes. Public state 2, 3 May 2026. https://…”"""
        names = ", ".join(one.readable for one in self.authors)
        year = f"({self.published:%Y})" if self.published else ""
        where = f"https://doi.org/{self.doi}" if self.doi else self.address
        parts = [" ".join(part for part in (names, year) if part), self.title, self.site]
        parts.append(self._state_in_words)
        return "".join(_sentence(part) for part in parts if part) + where

    @property
    def _state_in_words(self) -> str:
        if not self.state or not self.revised:
            return ""
        date = date_format(self.revised, "DATE_FORMAT")
        return _("Public state %(number)d, %(date)s") % {"number": self.state, "date": date}

    @staticmethod
    def _date_parts(moment: datetime | None) -> dict:
        return {"date-parts": [[moment.year, moment.month, moment.day]]} if moment else {}


def citation_of(note: Note, site: Site, state: Revision | None = None) -> Citation:
    """How ``note`` is cited; or a public ``state`` of it, at the address that keeps its text.

    A note that was never revised is cited without a state.
    """
    shown: Note | Revision = state or note
    bylines = shown.authors or ([{"name": site.author}] if site.author else [])
    number = state.number if state else getattr(note, "last_state", None)
    revised = state.public_at if state else note.revised_at
    address = f"{note.get_absolute_url()}history/{state.number}/" if state else ""
    return Citation(
        key=note.key or note.slug,
        title=shown.title or note.display_title,
        authors=tuple(Author.of(byline) for byline in bylines),
        site=site.name,
        address=absolute(address)
        if address
        else note.canonical or absolute(note.get_absolute_url()),
        language=note.lang or site.language,
        dek=shown.dek,
        doi=shown.doi,
        published=_local(note.first_published_at or note.published_at),
        revised=_local(revised),
        state=number if state or (number or 0) > 1 else None,
    )


def _local(moment: datetime | None) -> datetime | None:
    return timezone.localtime(moment) if moment else None


def _sentence(part: str) -> str:
    return f"{part} " if part.endswith((".", "!", "?", "…")) else f"{part}. "

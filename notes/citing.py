"""A reference as a citation shows it: its BibTeX record read as text."""

from __future__ import annotations

from functools import lru_cache

from notes.bibtex import Entry, family_of, parse
from notes.markdown import ReferenceEntry
from notes.models import Reference

CONTAINERS = (
    "journal", "journaltitle", "booktitle", "publisher", "institution", "school", "howpublished",
)  # fmt: skip


def citable(reference: Reference) -> ReferenceEntry:
    """What a note is told of a reference that it may cite."""
    found = read(reference.bibtex)
    if found is not None and found.key == reference.key:
        return found
    authors = tuple(str(name) for name in reference.authors)
    return ReferenceEntry(
        key=reference.key,
        families=tuple(name.split()[-1] for name in authors if name.split()),
        authors=authors,
        year=reference.year,
        title=reference.title,
        url=reference.url,
    )


@lru_cache(maxsize=2048)
def read(bibtex: str) -> ReferenceEntry | None:
    """One record; the same text is read once in a process, as notes cite the same works."""
    entries, _ = parse(bibtex)
    if len(entries) != 1:
        return None
    entry = entries[0]
    return ReferenceEntry(
        key=entry.key,
        families=families_of(entry),
        authors=tuple(entry.authors),
        year=entry.get("year", "date"),
        title=entry.get("title"),
        container=container_of(entry),
        url=entry.url,
        doi=entry.doi,
    )


def families_of(entry: Entry) -> tuple[str, ...]:
    """`van Rossum, Guido` → `van Rossum`; a name in braces is whole."""
    return tuple(name for person in entry.people if (name := family_of(person)))


def container_of(entry: Entry) -> str:
    """The journal, proceedings or house that it appeared in, or its number at arXiv."""
    if container := entry.get(*CONTAINERS):
        return container
    eprint = entry.get("eprint")
    kind = entry.get("archiveprefix", "eprinttype") or "arXiv"
    return f"{kind}:{eprint}" if eprint else ""

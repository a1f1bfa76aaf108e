"""One hash for what a document says: of a source as it was read, and of what a site holds."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

from notesite.content import form
from notesite.content.document import (
    FigureDocument,
    NoteDocument,
    PathDocument,
    RedirectDocument,
    ReferenceDocument,
    SiteDocument,
    TopicDocument,
)
from notesite.content.own_form import note_files

type Document = (
    SiteDocument
    | TopicDocument
    | ReferenceDocument
    | FigureDocument
    | NoteDocument
    | PathDocument
    | RedirectDocument
)


def fingerprint(document: Document) -> str:
    """Equal for equal documents: the hash of the files that they would be written as."""
    return _hash(_parts(document))


def fingerprint_of_order(slugs: Iterable[str]) -> str:
    return _hash(slug.encode() for slug in slugs)


def _parts(document: Any) -> Iterable[bytes]:
    match document:
        case NoteDocument():
            return [part.encode() for file in note_files(document) for part in file]
        case FigureDocument():
            return [form.write_figure_texts([document]).encode(), document.read()]
        case SiteDocument():
            return [form.write_site(document).encode()]
        case TopicDocument():
            return [form.write_topics([document]).encode()]
        case PathDocument():
            return [document.slug.encode(), form.write_path(document).encode()]
        case RedirectDocument():
            return [form.write_redirects([document]).encode()]
        case _:
            return [document.bibtex.encode()]


def _hash(parts: Iterable[bytes]) -> str:
    whole = hashlib.sha256()
    for part in parts:
        # The length keeps two parts from being taken for one.
        whole.update(len(part).to_bytes(8))
        whole.update(part)
    return whole.hexdigest()

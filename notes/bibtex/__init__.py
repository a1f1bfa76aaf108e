"""BibTeX in and out: one broken entry costs only itself.

What is stored is the canonical form written here, so that ``references.bib`` goes out as it came
in. It is a fixed point: read again, it gives the same entry and the same text.
"""

from notes.bibtex.entry import Entry
from notes.bibtex.latex import decode, family_of, names_in_short, readable_name, split_people
from notes.bibtex.reading import Failure, Placed, Reading, parse, read, write
from notes.bibtex.scanning import has_more_than

__all__ = [
    "Entry",
    "Failure",
    "Placed",
    "Reading",
    "decode",
    "family_of",
    "has_more_than",
    "names_in_short",
    "parse",
    "read",
    "readable_name",
    "split_people",
    "write",
]

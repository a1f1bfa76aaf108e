"""One entry of a bibliography, and the canonical form that is stored of it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from notes.bibtex.latex import decode, decode_address, readable_name, split_people

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")

_ARXIV_ID = r"(\d{4}\.\d{4,5}|[a-z][a-z.-]*/\d{7})(?:v\d+)?"
_IN_ARXIV = re.compile(rf"(?:arxiv\.org/(?:abs|pdf)/|arxiv[:.]\s*){_ARXIV_ID}", re.IGNORECASE)
_DOI = re.compile(r"^(?:https?://(?:dx\.)?doi\.org/|doi:)\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry: its type, key and fields in order, values as written between the outer braces."""

    entry_type: str
    key: str
    fields: tuple[tuple[str, str], ...]

    @property
    def bibtex(self) -> str:
        """The canonical form: one field a line, two spaces in, values in braces."""
        lines = [f"@{self.entry_type}{{{self.key},"]
        lines += [f"  {name} = {{{value}}}," for name, value in self.fields]
        return "\n".join([*lines, "}"]) + "\n"

    def get(self, *names: str) -> str:
        """The first of the named fields that is there, decoded from LaTeX, else nothing."""
        values = dict(self.fields)
        for name in names:
            if values.get(name):
                return decode(values[name])
        return ""

    @property
    def people(self) -> list[str]:
        """The authors, else the editors, each as written."""
        return split_people(self._raw("author") or self._raw("editor"))

    @property
    def authors(self) -> list[str]:
        """Names as one reads them, given name first; a name in braces stays whole."""
        return [name for person in self.people if (name := readable_name(person))]

    @property
    def doi(self) -> str:
        """The number alone, without the address that it may stand in."""
        return _DOI.sub("", decode_address(self._raw("doi")))

    @property
    def arxiv(self) -> str:
        """The number at arXiv without its version, wherever the entry says it."""
        kind = self._raw("archiveprefix", "eprinttype")
        if kind.lower() in ("", "arxiv"):
            eprint = re.sub(r"^arxiv:\s*", "", self._raw("eprint"), flags=re.IGNORECASE)
            if found := re.match(_ARXIV_ID, eprint, re.IGNORECASE):
                return found[1].lower()
        for name in ("doi", "url", "journal", "note", "howpublished"):
            if found := _IN_ARXIV.search(self._raw(name)[:1000]):
                return found[1].lower()
        return ""

    @property
    def url(self) -> str:
        """The address to follow: as given, else by DOI, else by arXiv number."""
        if url := decode_address(self._raw("url")):
            return url
        if self.doi:
            return f"https://doi.org/{self.doi}"
        eprint = self._raw("eprint")
        is_at_arxiv = self._raw("archiveprefix", "eprinttype").lower() in ("", "arxiv")
        return f"https://arxiv.org/abs/{eprint}" if eprint and is_at_arxiv else ""

    def _raw(self, *names: str) -> str:
        values = dict(self.fields)
        return next((values[name] for name in names if values.get(name)), "")

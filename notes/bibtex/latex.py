"""LaTeX in a bibliography as people read it: accents, dashes, formulas, names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from bibtexparser.middlewares.names import (
    InvalidNameError,
    NameParts,
    parse_single_name_into_parts,
    split_multiple_persons_names,
)
from pylatexenc.latex2text import (
    LatexNodes2Text,
    MacroTextSpec,
    SpecialsTextSpec,
    get_default_latex_context_db,
)

from notesite.text import clean_line

LONGEST_DECODED = 10_000  # characters; nobody reads more of one value as text

_HAS_LATEX = re.compile(r"[\\{}$~%&]|--|``|''")
# Alone in a value they stand for themselves; LaTeX would drop what is behind them.
_BARE_SIGN = re.compile(r"(\\.)|([%&])", re.DOTALL)
# Two dollars hold a formula as in a note: “$5 and $10” are prices.
_DOLLARS = re.compile(r"\\.|\$(?![\s$])((?:\\.|[^$\\])+?)(?<!\s)\$(?!\d)|\$", re.DOTALL)
_PUNCTUATION_OF_ADDRESSES = re.compile(r"\{?\\([_%&#~$])\}?(?:\{\})?")
_EAST_ASIAN = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af\U00020000-\U0003ffff]+"
)


def decode(value: str) -> str:
    """LaTeX accents as letters, protecting braces dropped: ``M{\\"u}ller`` is ``Müller``."""
    value = value[:LONGEST_DECODED]
    if not _HAS_LATEX.search(value):
        return clean_line(value)
    plain = _BARE_SIGN.sub(lambda found: found[1] or f"\\{found[2]}", value)
    plain = _DOLLARS.sub(
        lambda found: r"\$" if found[0] == "$" else found[0],
        plain,
    )
    try:
        text = _decoder().latex_to_text(plain)
    except Exception:  # whatever it can't read is shown as it was written
        text = re.sub(r"[{}]", "", value)
    return clean_line(text)


def decode_address(value: str) -> str:
    """An address or DOI: only what LaTeX had to be kept from is brought back."""
    value = value[:LONGEST_DECODED]
    return clean_line(_PUNCTUATION_OF_ADDRESSES.sub(r"\1", value).strip("{}"))


def split_people(value: str) -> list[str]:
    """The names of a list that is joined by “and”, as written."""
    return [one.strip() for one in split_multiple_persons_names(value) if one.strip()]


def readable_name(person: str) -> str:
    """A name as one says it: ``von der X, Jr, Y`` is ``Y von der X Jr``; in braces it is whole."""
    parts = _parts_of(person)
    if parts is None:
        return decode(person)
    given, family = decode(" ".join(parts.first)), decode(" ".join([*parts.von, *parts.last]))
    if _EAST_ASIAN.fullmatch(given) and _EAST_ASIAN.fullmatch(family):
        return family + given
    return " ".join(one for one in (given, family, decode(" ".join(parts.jr))) if one)


def names_in_short(names: Sequence[str]) -> str:
    """The first two; “…” stands for more, and for the “others” that ends a list in BibTeX."""
    named = [name for name in names if name != "others"]
    return ", ".join(named[:2]) + (" …" if len(named) > 2 or len(named) < len(names) else "")


def family_of(person: str) -> str:
    """`van Rossum, Guido` → `van Rossum`; a name in braces is whole."""
    parts = _parts_of(person)
    return decode(" ".join([*parts.von, *parts.last]) or person if parts else person)


def _parts_of(person: str) -> NameParts | None:
    try:
        return parse_single_name_into_parts(person, strict=False)
    except InvalidNameError:
        return None


@cache
def _decoder() -> LatexNodes2Text:
    context = get_default_latex_context_db()
    context.add_context_category(
        "bibliographies",
        prepend=True,
        macros=[
            MacroTextSpec("url", simplify_repl="%s"),
            *(MacroTextSpec(name, name) for name in ("LaTeX", "TeX", "BibTeX")),
        ],
        specials=[SpecialsTextSpec("&", "&")],
    )
    return LatexNodes2Text(latex_context=context, math_mode="text")

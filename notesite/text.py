"""Text as notesite stores it: one form for every door, the slugs made from it, what it must not be.

``publishing.py`` calls ``clean_text`` and ``clean_line`` for forms, imports and commands alike, so
that nothing is stored which a feed, a database or a YAML file can't hold.
"""

import re
import unicodedata
from collections.abc import Callable
from datetime import datetime

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

SLUG_MAX_CHARACTERS = 80
SLUG_MAX_BYTES = 200
RESERVED_SLUGS = frozenset({"all", "page", "history", "feed"})

# C0 but tab and newline, DEL, C1, byte order marks, surrogates; noncharacters, which mark roots.
_REMOVED = re.compile(
    "[\ufeff\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff"
    + "".join(
        f"{chr(plane * 0x10000 + 0xFFFE)}-{chr(plane * 0x10000 + 0xFFFF)}" for plane in range(1, 17)
    )
    + "]"
)
_LINE_ENDS = re.compile("\r\n|[\r\x85\u2028\u2029]")
_WHITE_SPACE = re.compile(r"\s+")


def clean_text(text: str) -> str:
    """Text of several lines: LF, NFC, no control characters, one final newline or nothing."""
    text = _REMOVED.sub("", _LINE_ENDS.sub("\n", text))
    text = unicodedata.normalize("NFC", text).rstrip("\n")
    return f"{text}\n" if text.strip() else ""


def clean_line(text: str) -> str:
    """Text of one line: as ``clean_text``, white space folded to single spaces."""
    return _WHITE_SPACE.sub(" ", clean_text(text)).strip()


def clean_json(value: object) -> object:
    """A JSON value with every string in it, keys too, cleaned as a line; empty strings stay."""
    if isinstance(value, str):
        return clean_line(value)
    if isinstance(value, dict):
        return {clean_line(str(key)): clean_json(item) for key, item in value.items()}
    if isinstance(value, list):
        return [clean_json(item) for item in value]
    return value


def slugify(text: str) -> str:
    """Lower-case letters, digits and hyphens of any script, within the bounds; may be empty.

    >>> slugify("Policy lag: who is late?")
    'policy-lag-who-is-late'
    """
    text = unicodedata.normalize("NFC", unicodedata.normalize("NFKC", text).lower())
    kept = "".join(character if _is_slug_character(character) else "-" for character in text)
    return _cut(re.sub("-{2,}", "-", kept).strip("-"), SLUG_MAX_CHARACTERS, SLUG_MAX_BYTES)


def unique_slug(text: str, fallback: str, is_taken: Callable[[str], bool]) -> str:
    """A free slug for ``text``: its own, else with the lowest free number behind it."""
    base = slugify(text) or fallback
    slug, number = base, 1
    while slug in RESERVED_SLUGS or is_taken(slug):
        number += 1
        suffix = f"-{number}"
        slug = _cut(base, SLUG_MAX_CHARACTERS - len(suffix), SLUG_MAX_BYTES - len(suffix)) + suffix
    return slug


def validate_slug(slug: str) -> None:
    """Refuse a slug that ``slugify`` would change, or that an address of ours needs."""
    if slug in RESERVED_SLUGS:
        raise ValidationError(
            _("“%(slug)s” is reserved for an address of the site; choose another one."),
            code="reserved",
            params={"slug": slug},
        )
    if slug != slugify(slug):
        raise ValidationError(
            _("Use at most 80 lower-case letters, digits and hyphens, for example “%(slug)s”."),
            code="invalid",
            params={"slug": slugify(slug) or "my-note"},
        )


def validate_key(key: str) -> None:
    """Refuse a citation key that BibTeX or a note's ``[@key]`` could not hold."""
    if not re.fullmatch(r"""[^\s{}()\[\],;=#%~\\"'@]+""", key):
        raise ValidationError(
            _("A key has no spaces, commas, brackets, quotes or any of ; = # % ~ @ in it."),
            code="invalid",
        )


def validate_moment(moment: datetime) -> None:
    """Refuse a time so far off that another zone's calendar could not hold it."""
    if not 1000 <= moment.year <= 9000:
        raise ValidationError(
            _("The year %(year)d is out of bounds: write one from 1000 to 9000."),
            params={"year": moment.year},
        )


def is_web_address(address: str) -> bool:
    """Whether a link to it leads to a page, and can do nothing else."""
    return re.fullmatch(r"https?://[^\s<>\"]+", address, re.IGNORECASE) is not None


def validate_web_address(address: str) -> None:
    """Refuse what a link must not lead to, ``javascript:`` among it."""
    if not is_web_address(address):
        raise ValidationError(_("Write an address that begins with https:// or http://."))


def validate_macros(macros: object) -> None:
    """Refuse what is not ``{"\\name": "TeX"}``."""
    if not isinstance(macros, dict):
        raise ValidationError(_("Macros are names with their TeX."))
    for name, tex in macros.items():
        if not re.fullmatch(r"\\[A-Za-z]+", str(name)) or not isinstance(tex, str):
            raise ValidationError(
                _("“%(name)s” is no macro: write a backslash, letters, and its TeX."),
                params={"name": name},
            )


def _is_slug_character(character: str) -> bool:
    # Marks (category M) belong to their letters in Indic scripts and Thai.
    return character.isalnum() or unicodedata.category(character).startswith("M")


def _cut(slug: str, characters: int, size: int) -> str:
    slug = slug[:characters]
    return slug.encode()[:size].decode(errors="ignore").rstrip("-")

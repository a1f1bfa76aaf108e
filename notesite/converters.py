"""What stands for a slug and for a page's number in an address; imported by urls.py to register."""

import unicodedata

from django.core.exceptions import ValidationError
from django.urls import register_converter

from notes.addresses import canonical_slug
from notesite.text import slugify, validate_key


class UnicodeSlugConverter:
    """A slug of any script, however it was typed: the view leads on to the stored form."""

    regex = r"[^/.]+"

    def to_python(self, value: str) -> str:
        slug = canonical_slug(value)
        if slug != slugify(slug):
            raise ValueError  # no slug has this form, so nothing is asked: NUL never gets further
        return value

    def to_url(self, value: str) -> str:
        return value


class KeyConverter:
    """The key of a reference, which may hold slashes and dots."""

    regex = r".{1,100}"

    def to_python(self, value: str) -> str:
        try:
            validate_key(value)
        except ValidationError as error:
            raise ValueError from error
        if not value.isprintable():
            raise ValueError  # NUL never gets further
        return unicodedata.normalize("NFC", value)

    def to_url(self, value: str) -> str:
        return value


class PageConverter:
    """The number of a page, in its one form."""

    regex = r"[1-9][0-9]{0,5}"

    def to_python(self, value: str) -> int:
        return int(value)

    def to_url(self, value: int) -> str:
        return str(value)


register_converter(UnicodeSlugConverter, "unicode")
register_converter(KeyConverter, "key")
register_converter(PageConverter, "page")

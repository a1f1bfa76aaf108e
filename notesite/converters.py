"""What stands for a slug and for a page's number in an address; imported by urls.py to register."""

from django.urls import register_converter

from notes.addresses import canonical_slug
from notesite.text import slugify


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


class PageConverter:
    """The number of a page, in its one form."""

    regex = r"[1-9][0-9]{0,5}"

    def to_python(self, value: str) -> int:
        return int(value)

    def to_url(self, value: int) -> str:
        return str(value)


register_converter(UnicodeSlugConverter, "unicode")
register_converter(PageConverter, "page")

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from notesite.text import validate_key, validate_web_address


def followable(address: str) -> str:
    """The address, if it leads to a page of the web."""
    return address if address.lower().startswith(("https://", "http://")) else ""


class Reference(models.Model):
    """One entry of the bibliography; ``bibtex`` is the record, other columns are read from it."""

    key = models.CharField(
        _("key"),
        max_length=100,
        unique=True,
        validators=[validate_key],
        error_messages={"unique": _("Another reference has this key.")},
    )
    bibtex = models.TextField(_("BibTeX"))
    entry_type = models.CharField(_("type"), max_length=50, editable=False)
    title = models.CharField(_("title"), max_length=500, blank=True, editable=False)
    authors = models.JSONField(_("authors"), default=list, editable=False)
    year = models.CharField(_("year"), max_length=20, blank=True, editable=False)
    url = models.CharField(
        _("address"), max_length=500, blank=True, editable=False, validators=[validate_web_address]
    )
    code_url = models.CharField(
        _("code"), max_length=500, blank=True, editable=False, validators=[validate_web_address]
    )
    version = models.PositiveIntegerField(default=1, editable=False)

    class Meta:
        verbose_name = _("reference")
        ordering: ClassVar = ["key"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=~Q(key="") & ~Q(bibtex=""),
                name="reference_has_key_and_entry",
                violation_error_message=_("A reference needs a key and its BibTeX entry."),
            ),
        ]

    def __str__(self) -> str:
        return self.key

    def get_absolute_url(self) -> str:
        return reverse("notes:reference", kwargs={"key": self.key})

    def card(self) -> dict[str, object]:
        """What a note's About shows of it: ``{key, title, authors, year, url, code_url}``.

        An address that no link may have is left out: BibTeX can say anything.
        """
        return {
            "key": self.key,
            "title": self.title,
            "authors": self.authors,
            "year": self.year,
            "url": followable(self.url),
            "code_url": followable(self.code_url),
        }

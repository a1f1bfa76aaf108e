"""The site itself, redirects and import records: what spans notes and series."""

from __future__ import annotations

import re
import zoneinfo
from typing import ClassVar

from django.apps import apps
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import EmailValidator, MinLengthValidator, RegexValidator
from django.db import models
from django.db.models import Exists, F, Q
from django.utils.translation import gettext_lazy as _

from notesite.text import validate_macros, validate_web_address

PARTS = ("problem", "mechanism", "evidence", "take-aways")

DEFAULT_START_TEXT = """\
## The problem

## The mechanism

## The evidence

## What to take away
"""


def validate_time_zone(name: str) -> None:
    if name not in zoneinfo.available_timezones():
        raise ValidationError(
            _("“%(name)s” is not a time zone; write one such as Europe/Berlin or UTC."),
            params={"name": name},
        )


def relative_luminance(colour: str) -> float:
    """Relative luminance of ``#rrggbb``, from 0 to 1 (WCAG 2.2)."""
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in channels
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two ``#rrggbb`` colours, from 1 to 21 (WCAG 2.2)."""
    darker, lighter = sorted((relative_luminance(one), relative_luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def validate_accent(colour: str) -> None:
    """Refuse an accent that cannot be read as a link on the light paper (WCAG 2.2 AA, 4.5:1)."""
    if not re.fullmatch("#[0-9a-fA-F]{6}", colour):
        raise ValidationError(
            _("Write the colour as # and six hexadecimal digits, for example #8a3324.")
        )
    if (ratio := contrast(colour, Site.PAPER)) < 4.5:
        raise ValidationError(
            _("Links need a contrast of 4.5:1; this colour has %(ratio).1f:1. Take a darker one."),
            params={"ratio": ratio},
        )


def validate_links(links: object) -> None:
    """Refuse what is not ``[{"name", "url"}]`` with addresses that a link may lead to."""
    if not isinstance(links, list):
        raise ValidationError(_("Links are a list, each with a name and an address."))
    for link in links:
        if not isinstance(link, dict) or set(link) != {"name", "url"} or not link["name"]:
            raise ValidationError(_("Every link has a name and an address, and nothing else."))
        if not str(link["url"]).startswith("mailto:"):
            validate_web_address(str(link["url"]))


def validate_synonyms(synonyms: object) -> None:
    """Refuse what is not ``{part: [headings]}``."""
    if not isinstance(synonyms, dict) or not set(synonyms) <= set(PARTS):
        raise ValidationError(
            _("Headings belong to one of the parts: %(parts)s."), params={"parts": ", ".join(PARTS)}
        )
    for headings in synonyms.values():
        if not isinstance(headings, list) or not all(isinstance(one, str) for one in headings):
            raise ValidationError(_("Each part has a list of headings."))


class SiteManager(models.Manager["Site"]):
    def current(self) -> Site:
        """The site's row (unsaved if there is none), with ``has_due_release``: one query."""
        pending_versions = apps.get_model("notes", "PendingVersion").objects
        site = self.annotate(release_is_due=Exists(pending_versions.due())).first()
        if site is None:
            return Site()
        site.has_due_release = site.release_is_due
        return site

    def hold(self) -> None:
        """Let one write go after the other, on every database; call it first in a transaction.

        SQLite's writers wait for each other anyway; elsewhere two could find the same slug free.
        """
        self.select_for_update().values_list("pk").first()

    def move_revision(self) -> None:
        """Say that something visible changed; call it in the transaction of the change."""
        self.update(revision=F("revision") + 1)


class Site(models.Model):
    """The site's own fields: a single row."""

    PAPER: ClassVar[str] = "#fbfaf7"
    DEFAULT_ACCENT: ClassVar[str] = "#8a3324"

    class CitationStyle(models.TextChoices):
        NUMBERED = "numbered", _("numbered: [1]")
        AUTHOR_YEAR = "author-year", _("author and year: (Williams 1992)")

    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    name = models.CharField(_("name"), max_length=100, default="Research notes")
    author = models.CharField(
        _("author"),
        max_length=100,
        blank=True,
        help_text=_("Stands before the name in the header."),
    )
    tagline = models.CharField(_("tagline"), max_length=300, blank=True)
    intro = models.TextField(
        _("intro"), blank=True, help_text=_("Markdown, shown above the index.")
    )
    about = models.TextField(_("about"), blank=True, help_text=_("Markdown, the site's own page."))
    licence = models.CharField(
        _("licence"), max_length=200, blank=True, help_text=_("For example CC BY 4.0.")
    )
    links = models.JSONField(_("links"), default=list, blank=True, validators=[validate_links])
    contact = models.CharField(
        _("contact address"), max_length=254, blank=True, validators=[EmailValidator()]
    )
    language = models.CharField(
        _("language"),
        max_length=35,
        default="en",
        validators=[
            RegexValidator(
                r"^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{2,8})*$",
                _("Write a language tag such as en or zh-Hans."),
            )
        ],
    )
    time_zone = models.CharField(
        _("time zone"), max_length=64, default="UTC", validators=[validate_time_zone]
    )
    citation_style = models.CharField(
        _("citation style"),
        max_length=20,
        choices=CitationStyle.choices,
        default=CitationStyle.AUTHOR_YEAR,
    )
    smart_quotes = models.BooleanField(_("smart quotes"), default=True)
    macros = models.JSONField(
        _("macros"),
        default=dict,
        blank=True,
        validators=[validate_macros],
        help_text=_("TeX macros for every note."),
    )
    synonyms = models.JSONField(
        _("headings of the four parts"),
        default=dict,
        blank=True,
        validators=[validate_synonyms],
    )
    start_text = models.TextField(
        _("start text of a new note"), blank=True, default=DEFAULT_START_TEXT
    )
    accent_colour = models.CharField(
        _("accent colour"),
        max_length=7,
        default=DEFAULT_ACCENT,
        validators=[MinLengthValidator(7), validate_accent],
    )

    intro_html = models.TextField(editable=False, blank=True)
    about_html = models.TextField(editable=False, blank=True)
    version = models.PositiveIntegerField(editable=False, default=1)
    revision = models.PositiveBigIntegerField(editable=False, default=1)

    objects = SiteManager()
    has_due_release = False

    class Meta:
        verbose_name = _("site")
        verbose_name_plural = _("site")
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(id=1),
                name="site_is_one_row",
                violation_error_message=_("There is one site only."),
            ),
            models.CheckConstraint(
                condition=~Q(name=""),
                name="site_has_a_name",
                violation_error_message=_("Give the site a name."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.author} · {self.name}" if self.author else self.name

    @property
    def has_default_accent(self) -> bool:
        """Whether the sheets hold the site's accent already."""
        return self.accent_colour.lower() == self.DEFAULT_ACCENT


class RedirectManager(models.Manager["Redirect"]):
    def leave(self, kind: str, old: str, new: str) -> None:
        """Lead ``old``, and whatever led to it, to ``new`` in one hop; ``new`` leads nowhere."""
        self.filter(kind=kind, slug=new).delete()
        self.filter(kind=kind, target=old).update(target=new)
        self.update_or_create(kind=kind, slug=old, defaults={"target": new, "sentence": ""})

    def leave_gone(self, kind: str, slug: str, sentence: str = "") -> None:
        """Answer 410 at ``slug`` and at whatever led to it."""
        self.filter(kind=kind, target=slug).update(target="", sentence=sentence)
        self.update_or_create(kind=kind, slug=slug, defaults={"target": "", "sentence": sentence})


class Redirect(models.Model):
    """A retired address: where it leads now, or that it is gone."""

    class Kind(models.TextChoices):
        NOTE = "note", _("note")
        TOPIC = "topic", _("topic")
        PATH = "path", _("reading path")
        REFERENCE = "reference", _("reference")
        ADDRESS = "address", _("address")

    kind = models.CharField(_("kind"), max_length=20, choices=Kind.choices)
    slug = models.CharField(_("from"), max_length=300)
    target = models.CharField(
        _("to"), max_length=300, blank=True, help_text=_("Empty: the address is gone.")
    )
    sentence = models.CharField(_("sentence"), max_length=500, blank=True)

    objects = RedirectManager()

    class Meta:
        verbose_name = _("redirect")
        ordering: ClassVar = ["kind", "slug"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["kind", "slug"],
                name="redirect_is_unique",
                violation_error_message=_("This address leads somewhere already."),
            ),
            models.CheckConstraint(
                condition=~Q(slug=F("target")),
                name="redirect_leads_elsewhere",
                violation_error_message=_("An address cannot lead to itself."),
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["kind", "target"], name="redirect_target")]

    def __str__(self) -> str:
        return f"{self.slug} → {self.target or '410'}"


class ImportRecord(models.Model):
    """What an import wrote, so that a second run changes nothing and a sample can be removed."""

    SAMPLE: ClassVar[str] = "sample"

    origin = models.CharField(max_length=200, help_text=_("“sample”, or the import's name."))
    source_path = models.CharField(max_length=500)
    source_hash = models.CharField(max_length=64)
    kind = models.CharField(max_length=20)
    object_id = models.PositiveBigIntegerField()
    written_hash = models.CharField(max_length=64)
    imported_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = _("import record")
        ordering: ClassVar = ["origin", "source_path"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["origin", "source_path", "kind"], name="import_record_is_unique"
            )
        ]
        indexes: ClassVar = [
            models.Index(fields=["kind", "object_id"], name="import_record_object")
        ]

    def __str__(self) -> str:
        return f"{self.origin}: {self.source_path}"


class SignInLink(models.Model):
    """A link that signs its user in once, instead of a password; a newer one takes its place."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    token_hash = models.CharField(max_length=64, unique=True)
    expires_at = models.DateTimeField()

    class Meta:
        verbose_name = _("sign-in link")

    def __str__(self) -> str:
        return f"{self.user}, until {self.expires_at:%H:%M}"

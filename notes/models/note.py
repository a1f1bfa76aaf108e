from __future__ import annotations

import re
import uuid
from typing import ClassVar

from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator, RegexValidator, URLValidator
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from notes.models.topic import Topic
from notes.querysets import NoteQuerySet
from notesite.text import (
    RESERVED_SLUGS,
    validate_key,
    validate_macros,
    validate_moment,
    validate_slug,
)

SOURCE_MAX_BYTES = 5 * 1024 * 1024


def new_uid() -> str:
    """An id for feeds that never changes, whatever becomes of the address (RFC 9562)."""
    return f"urn:uuid:{uuid.uuid4()}"


def validate_authors(authors: object) -> None:
    """Refuse bylines that are not ``[{"name", "url"?, "orcid"?, "organisation"?}]``."""
    if not isinstance(authors, list):
        raise ValidationError(_("Authors are a list, each with a name."))
    for author in authors:
        if not isinstance(author, dict) or not author.get("name"):
            raise ValidationError(_("Every author has a name."))
        if unknown := set(author) - {"name", "url", "orcid", "organisation"}:
            raise ValidationError(
                _("An author has name, url, orcid and organisation, but no “%(field)s”."),
                params={"field": sorted(unknown)[0]},
            )
        if not isinstance(author.get("organisation", True), bool):
            raise ValidationError(_("“organisation” of an author is true or left out."))
        if url := author.get("url"):
            URLValidator(schemes=["http", "https"])(url)
        if (orcid := author.get("orcid")) and not re.fullmatch(
            r"(\d{4}-){3}\d{3}[\dX]", str(orcid)
        ):
            raise ValidationError(_("Write an ORCID as 0000-0000-0000-0000."))


def validate_keys(keys: object) -> None:
    """Refuse what is not a list of different reference keys."""
    if not isinstance(keys, list) or not all(isinstance(key, str) and key for key in keys):
        raise ValidationError(_("About is a list of reference keys."))
    if len(set(keys)) != len(keys):
        raise ValidationError(_("About names a reference twice."))


class NoteFields(models.Model):
    """The versioned fields: what a note, a revision and a pending version share."""

    title = models.CharField(_("title"), max_length=300, blank=True)
    short_name = models.CharField(
        _("short name"),
        max_length=100,
        blank=True,
        help_text=_("What a path lists; by default the title up to its colon."),
    )
    dek = models.CharField(
        _("dek"), max_length=500, blank=True, help_text=_("One sentence under the title.")
    )
    source = models.TextField(
        _("text"),
        blank=True,
        validators=[MaxLengthValidator(SOURCE_MAX_BYTES)],
        help_text=_("Markdown."),
    )
    authors = models.JSONField(
        _("authors"),
        default=list,
        blank=True,
        validators=[validate_authors],
        help_text=_("In order; by default the site's author."),
    )
    about = models.JSONField(
        _("about"),
        default=list,
        blank=True,
        validators=[validate_keys],
        help_text=_("Keys of the references this note is about, in order."),
    )
    lang = models.CharField(
        _("language"),
        max_length=35,
        blank=True,
        validators=[
            RegexValidator(
                r"^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{2,8})*\Z",
                _("Write a language tag such as en or zh-Hans."),
            )
        ],
        help_text=_("If it isn't the site's."),
    )
    doi = models.CharField(
        "DOI",
        max_length=200,
        blank=True,
        validators=[
            RegexValidator(r"^10\.\d{4,9}/\S+\Z", _("Write the DOI without its address: 10.…/…"))
        ],
    )
    canonical = models.CharField(
        _("canonical address"),
        max_length=500,
        blank=True,
        validators=[URLValidator(schemes=["http", "https"])],
        help_text=_("If the note was first published elsewhere."),
    )
    key = models.CharField(
        _("citation key"),
        max_length=100,
        blank=True,
        validators=[validate_key],
        help_text=_("Stable; made on publishing if empty."),
    )
    macros = models.JSONField(
        _("macros"),
        default=dict,
        blank=True,
        validators=[validate_macros],
        help_text=_("TeX macros for this note alone."),
    )

    class Meta:
        abstract = True


# Topics come beside them: as slugs wherever a version stands outside the note's own row.
VERSIONED_FIELDS = tuple(field.name for field in NoteFields._meta.local_fields)


class Note(NoteFields):
    """A text about research, with its state and what was rendered from it on save."""

    class State(models.TextChoices):
        DRAFT = "draft", _("draft")
        SCHEDULED = "scheduled", _("scheduled")
        PUBLISHED = "published", _("published")
        WITHDRAWN = "withdrawn", _("withdrawn")
        TRASH = "trash", _("trash")

    slug = models.CharField(
        _("slug"),
        max_length=80,
        unique=True,
        validators=[validate_slug],
        error_messages={"unique": _("Another note has this slug.")},
    )
    topics = models.ManyToManyField(
        Topic, verbose_name=_("topics"), blank=True, related_name="notes"
    )
    pinned = models.BooleanField(
        _("pinned"), default=False, help_text=_("The featured note of the index; one at a time.")
    )
    uid = models.CharField(max_length=200, unique=True, default=new_uid, editable=False)

    published_at = models.DateTimeField(
        _("published"),
        validators=[validate_moment],
        null=True,
        blank=True,
        help_text=_("Empty: a draft. Ahead: scheduled."),
    )
    first_published_at = models.DateTimeField(
        _("first published"), validators=[validate_moment], null=True, blank=True, editable=False
    )
    revised_at = models.DateTimeField(
        _("revised"), validators=[validate_moment], null=True, blank=True, editable=False
    )
    withdrawn_at = models.DateTimeField(
        _("withdrawn"), validators=[validate_moment], null=True, blank=True, editable=False
    )
    withdrawn_sentence = models.CharField(
        _("why it was withdrawn"), max_length=500, blank=True, editable=False
    )
    trashed_at = models.DateTimeField(
        _("in the trash since"), null=True, blank=True, editable=False
    )
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)
    updated_at = models.DateTimeField(_("saved"), auto_now=True)
    version = models.PositiveIntegerField(
        default=1, editable=False, help_text="Every write compares and moves it."
    )

    # Rendered from the fields above by publishing.py, and from nothing else.
    html = models.TextField(blank=True, editable=False)
    sections = models.JSONField(default=list, editable=False)
    contents = models.JSONField(default=list, editable=False)
    anatomy = models.JSONField(default=list, editable=False)
    takeaways = models.JSONField(default=list, editable=False)
    anchors = models.JSONField(default=list, editable=False)
    problems = models.JSONField(default=list, editable=False)
    about_cards = models.JSONField(default=list, editable=False)
    words = models.PositiveIntegerField(_("words"), default=0, editable=False)
    minutes = models.PositiveIntegerField(_("minutes"), default=1, editable=False)
    has_math = models.BooleanField(default=False, editable=False)
    renderer_version = models.PositiveIntegerField(default=0, editable=False)
    stale_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = NoteQuerySet.as_manager()

    class Meta:
        verbose_name = _("note")
        ordering: ClassVar = [F("published_at").desc(nulls_first=True), "-pk"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=~(Q(title="") & Q(source="")),
                name="note_has_title_or_text",
                violation_error_message=_("Give the note a title or a text."),
            ),
            models.CheckConstraint(
                condition=~Q(slug="") & ~Q(slug__in=sorted(RESERVED_SLUGS)),
                name="note_has_its_own_slug",
                violation_error_message=_(
                    "Give the note a slug that is not reserved (all, page, history, feed)."
                ),
            ),
            models.CheckConstraint(
                condition=Q(withdrawn_at=None)
                | (~Q(withdrawn_sentence="") & Q(first_published_at__isnull=False)),
                name="note_withdrawn_with_a_sentence",
                violation_error_message=_(
                    "Withdraw only what was published, and say why in one sentence."
                ),
            ),
            models.CheckConstraint(
                condition=Q(published_at=None) | Q(first_published_at__isnull=False),
                name="note_published_was_first_published",
                violation_error_message=_(
                    "A published note keeps the date of its first publication."
                ),
            ),
            models.UniqueConstraint(
                fields=["pinned"],
                condition=Q(pinned=True),
                name="note_pinned_is_one",
                violation_error_message=_(
                    "Another note is pinned; one note is featured at a time."
                ),
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                F("published_at").desc(),
                F("id").desc(),
                name="note_public",
                condition=Q(withdrawn_at=None, trashed_at=None, published_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return self.display_title

    def get_absolute_url(self) -> str:
        return reverse("notes:detail", kwargs={"slug": self.slug})

    @property
    def state(self) -> str:
        """Trash wins over withdrawn, withdrawn over the date."""
        if self.trashed_at:
            return self.State.TRASH
        if self.withdrawn_at:
            return self.State.WITHDRAWN
        if self.published_at is None:
            return self.State.DRAFT
        return self.State.SCHEDULED if self.published_at > timezone.now() else self.State.PUBLISHED

    @property
    def is_public(self) -> bool:
        return self.state == self.State.PUBLISHED

    @property
    def was_public(self) -> bool:
        """Whether a reader may ever have seen its address."""
        return self.first_published_at is not None and self.first_published_at <= timezone.now()

    @property
    def display_title(self) -> str:
        """The title, or the first words of the text."""
        if self.title:
            return self.title
        words = re.sub(r"[#*_`>\[\]$]+", " ", self.source[:400]).split()
        return " ".join(words[:8]) or str(_("Untitled note"))

    @property
    def display_short_name(self) -> str:
        return self.short_name or self.display_title.split(":")[0].strip() or self.display_title

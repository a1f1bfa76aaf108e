"""Curated reading paths; series knows notes, notes does not know series."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from notes.models import Note
from notes.models.note import new_uid
from notesite.text import RESERVED_SLUGS, validate_moment, validate_slug
from series.querysets import ReadingPathQuerySet, StepQuerySet


class ReadingPath(models.Model):
    """An ordered, curated list of notes."""

    title = models.CharField(_("title"), max_length=200)
    slug = models.CharField(
        _("slug"),
        max_length=80,
        unique=True,
        validators=[validate_slug],
        error_messages={"unique": _("Another path has this slug.")},
    )
    line = models.CharField(
        _("line"), max_length=300, blank=True, help_text=_("One sentence, shown on the index.")
    )
    description = models.TextField(
        _("description"), blank=True, help_text=_("Markdown, shown on the path's page.")
    )
    position = models.PositiveIntegerField(_("position"), default=0)
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
    trashed_at = models.DateTimeField(
        _("in the trash since"), null=True, blank=True, editable=False
    )
    version = models.PositiveIntegerField(default=1, editable=False)

    description_html = models.TextField(blank=True, editable=False)
    renderer_version = models.PositiveIntegerField(default=0, editable=False)

    objects = ReadingPathQuerySet.as_manager()

    class Meta:
        verbose_name = _("reading path")
        ordering: ClassVar = ["position", "slug"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=~Q(title=""),
                name="path_has_a_title",
                violation_error_message=_("Give the path a title."),
            ),
            models.CheckConstraint(
                condition=~Q(slug="") & ~Q(slug__in=sorted(RESERVED_SLUGS)),
                name="path_has_its_own_slug",
                violation_error_message=_(
                    "Give the path a slug that is not reserved (all, page, history, feed)."
                ),
            ),
            models.CheckConstraint(
                condition=Q(published_at=None) | Q(first_published_at__isnull=False),
                name="path_published_was_first_published",
                violation_error_message=_(
                    "A published path keeps the date of its first publication."
                ),
            ),
        ]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("series:path", kwargs={"slug": self.slug})

    @property
    def state(self) -> str:
        """As a note's, but a path is never withdrawn."""
        if self.trashed_at:
            return Note.State.TRASH
        if self.published_at is None:
            return Note.State.DRAFT
        return Note.State.SCHEDULED if self.published_at > timezone.now() else Note.State.PUBLISHED

    @property
    def was_public(self) -> bool:
        return self.first_published_at is not None and self.first_published_at <= timezone.now()


class Step(models.Model):
    """A note's place in a path, with the curator's bridge to it."""

    path = models.ForeignKey(ReadingPath, models.CASCADE, related_name="steps")
    note = models.ForeignKey(Note, models.CASCADE, related_name="steps", verbose_name=_("note"))
    position = models.PositiveIntegerField(_("position"), default=0)
    bridge = models.TextField(
        _("bridge"),
        blank=True,
        help_text=_("Short Markdown: why this now, what to bring along, when to skip."),
    )
    bridge_html = models.TextField(blank=True, editable=False)

    objects = StepQuerySet.as_manager()

    class Meta:
        verbose_name = _("step")
        ordering: ClassVar = ["position", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["path", "note"],
                name="step_is_once_in_a_path",
                violation_error_message=_("This note is in the path already."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.path} {self.position}"

    def get_absolute_url(self) -> str:
        """The note's address inside the path; both rows should be loaded."""
        return reverse(
            "series:path_note", kwargs={"path_slug": self.path.slug, "slug": self.note.slug}
        )

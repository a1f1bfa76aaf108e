from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from notes.models.note import Note, NoteFields
from notes.querysets import PendingVersionQuerySet
from notesite.text import validate_moment


class Revision(NoteFields):
    """One explicit save of a note.

    ``public_at`` is when readers came to see this text, if they did; ``number`` is set where it is
    a public state, one that they are told of.
    """

    class Kind(models.TextChoices):
        MINOR = "minor", _("minor")
        PUBLICATION = "publication", _("publication")
        REVISION = "revision", _("revision")
        CORRECTION = "correction", _("correction")

    note = models.ForeignKey(Note, models.CASCADE, related_name="revisions")
    number = models.PositiveIntegerField(_("public state"), null=True, blank=True)
    public_at = models.DateTimeField(
        _("public since"), validators=[validate_moment], null=True, blank=True
    )
    kind = models.CharField(_("kind"), max_length=20, choices=Kind.choices, default=Kind.MINOR)
    sentence = models.CharField(_("sentence for readers"), max_length=500, blank=True)
    saved_at = models.DateTimeField(_("saved"), default=timezone.now)
    saved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    topics = models.JSONField(default=list, blank=True)
    html = models.TextField(blank=True, editable=False)
    anchors = models.JSONField(default=list, blank=True, editable=False)

    class Meta:
        verbose_name = _("revision")
        ordering: ClassVar = ["-saved_at", "-pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["note", "number"],
                name="revision_number_is_unique",
                violation_error_message=_("This public state exists already."),
            ),
            models.CheckConstraint(
                condition=Q(number=None) | Q(number__gte=1, public_at__isnull=False),
                name="revision_number_has_a_date",
                violation_error_message=_("A public state has a number from 1 and a date."),
            ),
            models.CheckConstraint(
                condition=~Q(kind__in=["revision", "correction"]) | ~Q(sentence=""),
                name="revision_has_a_sentence",
                violation_error_message=_("Say in one sentence for readers what changed."),
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["note", "-saved_at"], name="revision_of_note")]

    def __str__(self) -> str:
        return f"{self.note_id}/{self.number or '–'} {self.saved_at:%Y-%m-%d %H:%M}"


class PendingVersion(NoteFields):
    """A public note's next version: a full copy of its fields, released by hand or in time."""

    note = models.OneToOneField(Note, models.CASCADE, related_name="pending_version")
    topics = models.JSONField(default=list, blank=True)
    kind = models.CharField(
        _("kind"),
        max_length=20,
        choices=[c for c in Revision.Kind.choices if c[0] != "publication"],
        default=Revision.Kind.MINOR,
    )
    sentence = models.CharField(_("sentence for readers"), max_length=500, blank=True)
    release_at = models.DateTimeField(
        _("release at"), validators=[validate_moment], null=True, blank=True, db_index=True
    )
    saved_at = models.DateTimeField(_("saved"), default=timezone.now)
    saved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    version = models.PositiveIntegerField(default=1, editable=False)

    objects = PendingVersionQuerySet.as_manager()

    class Meta:
        verbose_name = _("pending version")
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=~(Q(title="") & Q(source="")),
                name="pending_has_title_or_text",
                violation_error_message=_("Give the note a title or a text."),
            ),
            models.CheckConstraint(
                condition=~Q(kind__in=["revision", "correction"]) | ~Q(sentence=""),
                name="pending_has_a_sentence",
                violation_error_message=_("Say in one sentence for readers what changed."),
            ),
        ]

    def __str__(self) -> str:
        return f"pending {self.note_id}"

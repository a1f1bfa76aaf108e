from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _


class Mention(models.Model):
    """A name that a note uses, found or looked for in vain; written with the note."""

    class Kind(models.TextChoices):
        NOTE = "note", _("note")
        FIGURE = "figure", _("figure")
        REFERENCE = "reference", _("reference")
        ABOUT = "about", _("about")

    note = models.ForeignKey("notes.Note", models.CASCADE, related_name="mentions")
    kind = models.CharField(max_length=20, choices=Kind.choices)
    name = models.CharField(max_length=200)
    sentence = models.TextField(
        blank=True, help_text=_("The sentence around the first link to a note.")
    )

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["note", "kind", "name"], name="mention_is_unique")
        ]
        indexes: ClassVar = [models.Index(fields=["kind", "name"], name="mention_name")]

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"

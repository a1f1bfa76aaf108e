from typing import ClassVar

from django.conf import settings
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _


class Figure(models.Model):
    """An image that notes show by its name; ``path`` is its hashed file below the media root.

    ``variants`` are its stored copies: [{path, width, type}], the better type first.
    """

    name = models.CharField(
        _("name"),
        max_length=150,
        unique=True,
        validators=[
            RegexValidator(
                r"^[\w-][\w.-]*\.(png|jpg|jpeg|webp|gif|avif|svg)\Z",
                _("Use letters, digits, dots, hyphens and the image's ending: “lag-plot.png”."),
            )
        ],
        help_text=_("A note shows it as ![…](figures/NAME). Kept for good."),
        error_messages={"unique": _("Another figure has this name.")},
    )
    path = models.CharField(_("file"), max_length=200, editable=False)
    sha256 = models.CharField(max_length=64, editable=False, db_index=True)
    width = models.PositiveIntegerField(_("width"), editable=False)
    height = models.PositiveIntegerField(_("height"), editable=False)
    size = models.PositiveIntegerField(_("bytes"), editable=False)
    variants = models.JSONField(_("copies"), default=list, blank=True, editable=False)
    alt = models.CharField(_("alternative text"), max_length=1000, blank=True)
    caption = models.CharField(_("caption"), max_length=2000, blank=True)
    credit = models.CharField(_("credit"), max_length=500, blank=True)
    uploaded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        editable=False,
        related_name="+",
    )
    uploaded_at = models.DateTimeField(_("uploaded"), auto_now_add=True)
    version = models.PositiveIntegerField(default=1, editable=False)

    class Meta:
        verbose_name = _("figure")
        ordering: ClassVar = ["-uploaded_at", "name"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=~Q(name="") & ~Q(path=""),
                name="figure_has_a_file",
                violation_error_message=_("A figure needs a name and a file."),
            ),
            models.UniqueConstraint(
                Lower("name"),
                name="figure_name_is_unique_in_any_case",
                violation_error_message=_(
                    "Another figure has this name but for capitals; choose another name."
                ),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def files(self) -> list[str]:
        """Everything that is stored of it, relative to the media root."""
        return list(dict.fromkeys([self.path, *(copy["path"] for copy in self.variants)]))

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from notes.querysets import TopicQuerySet
from notesite.text import RESERVED_SLUGS, validate_slug


class Topic(models.Model):
    """A subject that notes are filed under."""

    name = models.CharField(_("name"), max_length=100)
    slug = models.CharField(
        _("slug"),
        max_length=80,
        unique=True,
        validators=[validate_slug],
        error_messages={"unique": _("Another topic has this slug.")},
    )
    description = models.TextField(_("description"), blank=True)
    position = models.PositiveIntegerField(_("position"), default=0)
    version = models.PositiveIntegerField(default=1, editable=False)

    objects = TopicQuerySet.as_manager()

    class Meta:
        verbose_name = _("topic")
        ordering: ClassVar = ["position", "slug"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=~Q(name=""),
                name="topic_has_a_name",
                violation_error_message=_("Give the topic a name."),
            ),
            models.CheckConstraint(
                condition=~Q(slug="") & ~Q(slug__in=sorted(RESERVED_SLUGS)),
                name="topic_has_its_own_slug",
                violation_error_message=_(
                    "Give the topic a slug that is not reserved (all, page, history, feed)."
                ),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("notes:topic", kwargs={"slug": self.slug})

"""What can stand in the way of a write, and the two checks that every write makes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext as _

from notesite.models import Redirect
from notesite.text import clean_json, clean_line, clean_text


class Conflict(Exception):
    """Somebody saved a newer version; nothing was written. ``current`` is the stored row."""

    def __init__(self, current: Any) -> None:
        super().__init__(_("Somebody saved a newer version meanwhile; nothing was overwritten."))
        self.current = current


class RetiredSlug(ValidationError):
    """The slug leads somewhere already; it is given to something else only after asking."""


def claim(instance: Any) -> Any:
    """Compare the version with the stored row's and move it; the stored row, or None for a new one.

    Call it inside the transaction of the write: the row is locked until the end.
    """
    if instance.pk is None:
        return None
    stored = type(instance)._default_manager.select_for_update().get(pk=instance.pk)
    if stored.version != instance.version:
        raise Conflict(stored)
    instance.version = stored.version + 1
    return stored


@contextmanager
def restored_on_failure(instance: models.Model) -> Iterator[None]:
    """Give the object back as it came in if the write fails: it can be mended and saved again."""
    values = dict(instance.__dict__)
    adding, database = instance._state.adding, instance._state.db
    try:
        yield
    except BaseException:
        instance.__dict__.clear()
        instance.__dict__.update(values)
        instance._state.adding, instance._state.db = adding, database
        raise


def clean_fields(instance: models.Model) -> None:
    """Bring what is written by hand to its stored form; what is derived is left alone."""
    for field in instance._meta.concrete_fields:
        value = getattr(instance, field.attname)
        if isinstance(field, models.TextField) and field.editable:
            setattr(instance, field.attname, clean_text(value))
        elif isinstance(field, models.CharField):
            setattr(instance, field.attname, clean_line(value))
        elif isinstance(field, models.JSONField) and field.editable:
            setattr(instance, field.attname, clean_json(value))
        elif isinstance(field, models.DateTimeField) and value is not None:
            setattr(instance, field.attname, value.replace(microsecond=0))


def settle_address(
    kind: str,
    old: str,
    new: str,
    *,
    was_public: bool,
    take_retired: bool,
    field: str = "slug",
) -> None:
    """Leave a redirect where a public address was; refuse a retired one that may not be taken."""
    if old == new:
        return
    retired = Redirect.objects.filter(kind=kind, slug=new).first()
    if retired is not None and retired.target != old and not take_retired:
        where = retired.target or _("nothing: it is gone")
        raise RetiredSlug(
            {
                field: _(
                    "“%(slug)s” is an earlier address and leads to %(target)s. Choose another "
                    "one, or confirm that the address changes hands."
                )
                % {"slug": new, "target": where}
            }
        )
    if old and was_public:
        Redirect.objects.leave(kind, old, new)
    elif retired is not None:
        retired.delete()

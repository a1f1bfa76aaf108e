"""Figures: decoded, cleaned, stored under a hashed name, and named for good."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from notes import images, variants
from notes.models import Figure
from notes.publishing.conflicts import claim, clean_fields, restored_on_failure
from notes.publishing.rendering import mark_stale
from notes.publishing.short_texts import render_short_texts_with
from notes.variants import MadeVariant
from notesite.models import Site
from notesite.text import slugify


def add_figure(
    data: bytes,
    *,
    name: str = "",
    alt: str = "",
    caption: str = "",
    credit: str = "",
    by: User | None = None,
    keep_clean: bool = False,
    exact_name: bool = False,
) -> Figure:
    """Store an image as a figure. Raises ImageRefused or ValidationError, and stores nothing then.

    ``name`` is a wish (a client's file name) made safe and unique, unless ``exact_name``.
    ``keep_clean`` keeps the bytes of a file that carries nothing but its picture.
    """
    image, copies = _prepare(data, keep_clean)
    with transaction.atomic():
        Site.objects.hold()
        figure = Figure(
            name=name if exact_name else _free_name(name, image.extension),
            alt=alt,
            caption=caption,
            credit=credit,
            uploaded_by=by,
        )
        return _save_with_file(figure, image, copies)


def replace_figure(figure: Figure, data: bytes, *, keep_clean: bool = False) -> Figure:
    """Give a figure another file; its name, and so every source, stays."""
    image, copies = _prepare(data, keep_clean)
    with transaction.atomic():
        return _save_with_file(figure, image, copies)


def renew_copies(figure: Figure) -> Figure:
    """Make the copies of a figure anew from its stored file, which stays. Raises OSError too."""
    data = (Path(settings.MEDIA_ROOT) / figure.path).read_bytes()
    return replace_figure(figure, data, keep_clean=True)


@transaction.atomic
def save_figure(figure: Figure) -> Figure:
    """Save a figure's texts; notes that show it are rendered anew."""
    with restored_on_failure(figure):
        Site.objects.hold()  # before short texts are read, which others may be writing
        claim(figure)
        clean_fields(figure)
        figure.full_clean()
        figure.save()
        mark_stale(["figure"], [figure.name])
        render_short_texts_with([figure.name])
        Site.objects.move_revision()
    return figure


@transaction.atomic
def delete_figure(figure: Figure) -> None:
    """Delete a figure; its file stays as long as a text or a public state shows it (clean_up)."""
    Site.objects.hold()
    name = figure.name
    figure.delete()
    mark_stale(["figure"], [name])
    render_short_texts_with([name])
    Site.objects.move_revision()


def missing_files(figure: Figure) -> list[str]:
    """The files of a figure that are not where readers would get them."""
    return [path for path in figure.files if not (Path(settings.MEDIA_ROOT) / path).is_file()]


def _prepare(data: bytes, keep_clean: bool) -> tuple[images.Image, tuple[MadeVariant, ...]]:
    """The picture and its copies, made before any lock is taken."""
    image = images.prepare(data, keep_clean)
    return image, variants.make(image)


def _save_with_file(figure: Figure, image: images.Image, copies: Sequence[MadeVariant]) -> Figure:
    """Refuse what can't be saved before the files are written."""
    figure.path = image.path
    figure.sha256, figure.size = image.sha256, len(image.bytes)
    figure.width, figure.height = image.width, image.height
    figure.variants = [
        {"path": copy.path, "width": copy.width, "type": copy.type} for copy in copies
    ]
    clean_fields(figure)
    figure.full_clean()
    _store(figure.path, image.bytes)
    for copy in copies:
        _store(copy.path, copy.bytes)
    return save_figure(figure)


def _store(path: str, data: bytes) -> None:
    """Write beside, flush to the disk, rename: a file is there whole or not at all."""
    target = Path(settings.MEDIA_ROOT) / path
    if target.exists() and target.stat().st_size == len(data):
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, beside = tempfile.mkstemp(dir=target.parent, prefix=".new-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(beside, 0o644)  # noqa: S103 - served by a front server under another account
        os.replace(beside, target)
    except OSError as error:
        Path(beside).unlink(missing_ok=True)
        raise ValidationError(
            _("The image could not be stored: %(reason)s. Nothing was kept; try again.")
            % {"reason": error.strerror}
        ) from error


def _free_name(wish: str, extension: str) -> str:
    stem = slugify(re.sub(r"\.[A-Za-z0-9]{1,5}$", "", PurePosixPath(wish.replace("\\", "/")).name))
    stem = stem or "figure"
    name, number = f"{stem}.{extension}", 1
    while Figure.objects.filter(name__iexact=name).exists():
        number += 1
        name = f"{stem}-{number}.{extension}"
    return name

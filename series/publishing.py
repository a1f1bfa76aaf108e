"""Every write to a reading path, each in one transaction with all that follows from it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from notes.markdown import RENDERER_VERSION
from notes.models import Note
from notes.publishing import ShortText, render_short
from notes.publishing.conflicts import (
    claim,
    clean_fields,
    restored_on_failure,
    settle_address,
)
from notes.publishing.states import KEPT_IN_TRASH
from notesite.models import Redirect, Site
from notesite.text import clean_text, unique_slug
from series.models import ReadingPath, Step


@transaction.atomic
def save_path(
    path: ReadingPath,
    steps: Sequence[tuple[Note, str]] | None = None,
    *,
    take_retired_slug: bool = False,
) -> ReadingPath:
    """Save ``path`` and, unless None, its steps: (note, bridge) in order, renumbered in one write.

    Raises ValidationError with sentences for the editor, Conflict where the stored row is newer.
    """
    with restored_on_failure(path):
        Site.objects.hold()
        before = claim(path)
        clean_fields(path)
        if not path.slug:
            path.slug = unique_slug(path.title, "path", _is_taken)
        if before is None and not path.position:
            last = ReadingPath.objects.order_by("-position").first()
            path.position = last.position + 1 if last else 1
        _settle_first_publication(path)
        settle_address(
            Redirect.Kind.PATH,
            before.slug if before else "",
            path.slug,
            was_public=bool(before and before.was_public),
            take_retired=take_retired_slug,
        )
        site = Site.objects.current()
        path.description_html = render_short(path.description, site).html
        path.renderer_version = RENDERER_VERSION
        path.full_clean()
        path.save()
        if steps is not None:
            _write_steps(path, steps, site)
    Site.objects.move_revision()
    return path


@transaction.atomic
def order_paths(pks: Sequence[int]) -> None:
    """Put the paths in the order of ``pks``; those not named follow in their old order."""
    named = {pk: place for place, pk in enumerate(pks)}
    paths = sorted(
        ReadingPath.objects.select_for_update(),
        key=lambda path: (named.get(path.pk, len(named)), path.position, path.slug),
    )
    for position, path in enumerate(paths, start=1):
        path.position = position
    ReadingPath.objects.bulk_update(paths, ["position"])
    Site.objects.move_revision()


def trash_path(path: ReadingPath) -> ReadingPath:
    """Put it in the trash: 404, slug and steps kept, purged after thirty days.

    What was scheduled is so no more: it would come out of the trash straight into the public.
    """
    changes: dict[str, Any] = {"trashed_at": timezone.now().replace(microsecond=0)}
    if path.state == Note.State.SCHEDULED:
        changes["published_at"] = None
    return _change(path, **changes)


def restore_path(path: ReadingPath) -> ReadingPath:
    """Take it out of the trash, in the state it was in."""
    return _change(path, trashed_at=None)


@transaction.atomic
def purge_trash(now: datetime | None = None) -> int:
    """Delete what was trashed thirty days ago; what was ever public answers 410 for good."""
    due = ReadingPath.objects.filter(trashed_at__lte=(now or timezone.now()) - KEPT_IN_TRASH)
    count = 0
    for path in due.select_for_update():
        if path.was_public:
            Redirect.objects.leave_gone(Redirect.Kind.PATH, path.slug)
        path.delete()
        count += 1
    if count:
        Site.objects.move_revision()
    return count


@transaction.atomic
def erase_path(path: ReadingPath) -> None:
    """Delete at once, without trash or redirect: for what was never the site's own, a sample."""
    path.delete()
    Site.objects.move_revision()


@transaction.atomic
def rerender(everything: bool = False) -> int:
    """Render the paths' texts that an older renderer wrote, or all of them; how many paths."""
    stale = ReadingPath.objects.all()
    if not everything:
        stale = stale.filter(renderer_version__lt=RENDERER_VERSION)
    count = _render(stale.select_for_update())
    if count:
        Site.objects.move_revision()
    return count


def find_texts(holding: Collection[str] | None = None) -> Iterator[ShortText]:
    """The descriptions and bridges that hold one of these strings, or all; the trash left out."""
    paths = ReadingPath.objects.filter(trashed_at=None).exclude(description="")
    steps = Step.objects.filter(path__trashed_at=None).exclude(bridge="").with_notes()
    if holding is not None:
        paths = paths.filter(_holds("description", holding))
        steps = steps.filter(_holds("bridge", holding))
    for path in paths.order_by("slug"):
        label = _("description of the path “%(path)s”") % {"path": path.title}
        yield ShortText("path", f"paths/{path.slug}", path.description, label, _admin(path.pk))
    for step in steps.order_by("path__slug", "position", "pk"):
        names = {"note": step.note.display_short_name, "path": step.path.title}
        label = _("bridge to “%(note)s” in the path “%(path)s”") % names
        place = f"paths/{step.path.slug}/{step.note.slug}"
        yield ShortText("bridge", place, step.bridge, label, _admin(step.path_id))


def render_texts_with(names: Collection[str]) -> None:
    """Render the paths whose description or bridges hold one of these names."""
    holding = _holds("description", names) | _holds("steps__bridge", names)
    _render(ReadingPath.objects.filter(holding).distinct())


def _holds(field: str, strings: Collection[str]) -> Q:
    """Whether a text holds one of the strings; no string is in none."""
    held = Q(pk__in=[])
    for string in strings:
        held |= Q(**{f"{field}__contains": string})
    return held


def _admin(pk: int) -> str:
    return reverse("admin:series_readingpath_change", args=[pk])


def _render(paths: Iterable[ReadingPath]) -> int:
    site, count = Site.objects.current(), 0
    for path in paths:
        path.description_html = render_short(path.description, site).html
        path.renderer_version = RENDERER_VERSION
        path.save(update_fields=["description_html", "renderer_version"])
        for step in path.steps.all():
            step.bridge_html = render_short(step.bridge, site).html
            step.save(update_fields=["bridge_html"])
        count += 1
    return count


@transaction.atomic
def _change(path: ReadingPath, **changes: Any) -> ReadingPath:
    with restored_on_failure(path):
        claim(path)
        for name, value in changes.items():
            setattr(path, name, value)
        _settle_first_publication(path)
        path.full_clean()
        path.save()
    Site.objects.move_revision()
    return path


def _settle_first_publication(path: ReadingPath) -> None:
    """The first publication is set once; until it has come, it follows the date."""
    if path.first_published_at is None or path.first_published_at > timezone.now():
        path.first_published_at = path.published_at


def _write_steps(path: ReadingPath, steps: Iterable[tuple[Note, str]], site: Site) -> None:
    """Make the stored steps these ones: kept rows keep their id."""
    stored = {step.note_id: step for step in path.steps.all()}
    wanted: list[Step] = []
    for position, (note, bridge) in enumerate(steps, start=1):
        if any(step.note_id == note.pk for step in wanted):
            raise ValidationError(
                _("“%(note)s” is in the path already; a note is in a path once."),
                params={"note": note.display_title},
            )
        step = stored.pop(note.pk, None) or Step(path=path, note=note)
        step.position, step.bridge = position, clean_text(bridge)
        step.bridge_html = render_short(step.bridge, site).html
        wanted.append(step)
    path.steps.filter(pk__in=[step.pk for step in stored.values()]).delete()
    for step in wanted:
        step.full_clean()
        step.save()


def _is_taken(slug: str) -> bool:
    return (
        ReadingPath.objects.filter(slug=slug).exists()
        or Redirect.objects.filter(kind=Redirect.Kind.PATH, slug=slug).exists()
    )

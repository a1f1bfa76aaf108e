"""The sample library: a content folder that comes through the import and goes without a trace."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from notes.models import Mention, Note
from notes.publishing import delete_figure, delete_reference, delete_topic, erase
from notesite.content import import_content
from notesite.content.fingerprint import fingerprint
from notesite.content.report import Report
from notesite.content.writers import KINDS
from notesite.models import ImportRecord
from series.models import ReadingPath, Step
from series.publishing import erase_path

FOLDER = Path(__file__).resolve().parent.parent / "notes" / "sample"
REMOVED = "removed"  # the kind of the record that stays, so that the sample doesn't come back


@transaction.atomic
def load(folder: Path = FOLDER) -> Report | None:
    """Load the sample library into a site without notes and paths; None if there is something.

    A site that has had it once doesn't get it again: who removed it meant it. One transaction,
    so that a start that is broken off leaves no half of it.
    """
    if (
        Note.objects.exists()
        or ReadingPath.objects.exists()
        or ImportRecord.objects.filter(origin=ImportRecord.SAMPLE).exists()
    ):
        return None
    return import_content(folder, origin=ImportRecord.SAMPLE, dialect="notesite")


def is_here() -> bool:
    """Whether anything of the sample library is still in the site."""
    return ImportRecord.objects.filter(origin=ImportRecord.SAMPLE, kind__in=REMOVERS).exists()


@dataclass(slots=True)
class Removal:
    """What went, and what stayed, each with why: it was edited, or the site's own leans on it."""

    removed: Counter[str] = field(default_factory=Counter)
    edited: list[str] = field(default_factory=list)
    in_use: list[str] = field(default_factory=list)

    @property
    def tally(self) -> str:
        """What went, in one sentence."""
        counts = ", ".join(f"{kind}: {count}" for kind, count in self.removed.items())
        return (
            _("Removed: %(counts)s") % {"counts": counts} if counts else _("Nothing was removed.")
        )


@transaction.atomic
def remove(*, edited_too: bool = False) -> Removal:
    """Take out the sample without trash, redirect or reserved slug; the site's settings stay."""
    removal = Removal()
    for kind in REMOVERS:
        records = ImportRecord.objects.filter(origin=ImportRecord.SAMPLE, kind=kind)
        for record in records.order_by("source_path"):
            stored = KINDS[kind].model._default_manager.filter(pk=record.object_id).first()
            if stored is None:
                record.delete()
                continue
            name = f"{kind} “{stored}”"
            if not edited_too and record.written_hash != fingerprint(KINDS[kind].describe(stored)):
                removal.edited.append(name)
            elif why := _leans_on(kind, stored):
                removal.in_use.append(f"{name}: {why}")
            else:
                REMOVERS[kind](stored)
                record.delete()
                removal.removed[kind] += 1
    if removal.removed:
        ImportRecord.objects.update_or_create(
            origin=ImportRecord.SAMPLE,
            source_path="",
            kind=REMOVED,
            defaults={"source_hash": "", "object_id": 0, "written_hash": ""},
        )
    return removal


def _leans_on(kind: str, stored: Any) -> str:
    """What of the site would lose something; what goes with the sample has gone before it."""
    if kind == "note" and (step := Step.objects.filter(note=stored).first()):
        return _("it is a step of the path “%(path)s”") % {"path": step.path}
    if kind == "topic" and (note := stored.notes.first()):
        return _("the note “%(note)s” is filed under it") % {"note": note}
    names = {"figure": "name", "reference": "key"}
    if kind in names:
        kinds = ["figure"] if kind == "figure" else ["reference", "about"]
        mention = Mention.objects.filter(kind__in=kinds, name=getattr(stored, names[kind])).first()
        if mention:
            return _("the note “%(note)s” uses it") % {"note": mention.note}
    return ""


# In the order in which nothing that goes leans on what has gone.
REMOVERS: dict[str, Callable[[Any], None]] = {
    "path": erase_path,
    "note": erase,
    "topic": delete_topic,
    "reference": delete_reference,
    "figure": delete_figure,
}

"""A folder read and written into the site, in the dialect that it is in."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from django.db import transaction
from django.utils.translation import gettext as _

from notesite.content import own_form
from notesite.content.dialects import jekyll
from notesite.content.document import Library
from notesite.content.folder import SourceFolder, readable
from notesite.content.report import Refusal, Report
from notesite.content.store import Store
from notesite.models import Site


@dataclass(frozen=True, slots=True)
class Dialect:
    """A kind of folder: how it is told from others, and how it is read."""

    is_found_in: Callable[[SourceFolder], bool]
    read: Callable[[SourceFolder, Report, str], Library]  # the site's time zone is the third


# The first that is found in a folder reads it.
DIALECTS = {
    "jekyll": Dialect(jekyll.is_jekyll, jekyll.read),
    "notesite": Dialect(
        own_form.is_own_form, lambda folder, report, _zone: own_form.read(folder, report)
    ),
}


def import_content(
    path: Path,
    *,
    origin: str = "",
    dialect: str = "",
    overwrite: bool = False,
    dry_run: bool = False,
) -> Report:
    """Carry a folder into the site; what became of each thing stands in the report.

    ``origin`` names the import, so that a later run finds what this one wrote; by default it
    follows from the folder's place. A dry run holds the database's write lock until it is undone.
    """
    report = Report()
    try:
        folder = SourceFolder(path.resolve())
        chosen = DIALECTS[dialect] if dialect else _found_in(folder)
        with transaction.atomic() if dry_run else nullcontext():
            store = Store(
                origin or origin_of(folder.root), report, overwrite=overwrite, is_dry=dry_run
            )
            store.write(chosen.read(folder, report, Site.objects.current().time_zone))
            if dry_run:
                transaction.set_rollback(True)
    except Refusal as refusal:
        report.refuse("folder", refusal.within(readable(str(path))))
    return report


def origin_of(root: Path) -> str:
    """The name of an import: the folder's, and a hash that tells two of the same name apart."""
    whole = str(root).encode(errors="surrogateescape")
    return f"{readable(root.name)[:150]} {hashlib.sha256(whole).hexdigest()[:16]}"


def _found_in(folder: SourceFolder) -> Dialect:
    for dialect in DIALECTS.values():
        if dialect.is_found_in(folder):
            return dialect
    raise Refusal(
        _("Nothing here looks like a content folder or a Jekyll site."),
        cure=_(
            "A content folder has notes/ or site.yaml in it, a Jekyll site _posts/. Name the "
            "folder that holds them."
        ),
    )

"""A small library, its import, and what became of it."""

from __future__ import annotations

from collections.abc import Mapping

from notes.models import Figure, Note, Reference, Revision, Topic
from notesite.content import import_content
from notesite.content.report import Outcome, Report
from notesite.models import ImportRecord, Redirect, Site
from series.models import ReadingPath
from tests.notesite.content.folders import temporary_folder, write_files
from tests.notesite.content.generated import png

NOTE = "---\ntitle: {title}\npublished: 2026-04-07T09:00:00Z\n---\n\n{text}\n"
LIBRARY: dict[str, str | bytes] = {
    "site.yaml": "name: Notes of ours\nauthor: A. Author\n",
    "topics.yaml": "- slug: agents\n  name: Agents\n- slug: evidence\n  name: Evidence\n",
    "references.bib": "@misc{a2026,\n  title = {A},\n}\n\n@misc{b2026,\n  title = {B},\n}\n",
    "figures/lag.png": png((1, 2, 3)),
    "figures/figures.yaml": "- name: lag.png\n  alt: A plot\n",
    "notes/first.md": (
        "---\ntitle: First\ntopics:\n- agents\npublished: 2026-04-07T09:00:00Z\nabout:\n- a2026\n"
        "---\n\n## The problem\n\n![](figures/lag.png)\n"
    ),
    "notes/second.md": NOTE.format(title="Second", text="More."),
    "paths/way.md": "---\ntitle: A way\nsteps:\n- note: first\n  bridge: Begin.\n---\n",
    "redirects.yaml": "- kind: note\n  from: old\n  to: first\n",
}


def imported(files: Mapping[str, str | bytes], **options) -> Report:
    with temporary_folder() as folder:
        return import_content(write_files(folder, files), origin="test", **options)


def rows() -> dict[str, list[dict[str, object]]]:
    """Everything that an import could have touched."""
    models = (Site, Topic, Note, Reference, Figure, ReadingPath, Redirect, Revision, ImportRecord)
    return {
        model.__name__: list(model._default_manager.order_by("pk").values()) for model in models
    }


def refusals(report: Report) -> list[tuple[str, int]]:
    return [(entry.file, entry.line) for entry in report.of(Outcome.REFUSED)]

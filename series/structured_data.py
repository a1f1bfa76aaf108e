"""What search engines read of a reading path."""

from collections.abc import Sequence

from django.urls import reverse
from django.utils.translation import gettext as _

from notes.structured_data import Thing, breadcrumbs, item_list
from notesite.models import Site
from series.models import ReadingPath, Step


def of_path(path: ReadingPath, steps: Sequence[Step], site: Site) -> list[Thing]:
    address = path.get_absolute_url()
    rows = [(step.note.display_title, step.get_absolute_url()) for step in steps]
    return [
        item_list(path.title, address, rows, path.line),
        breadcrumbs(site, (_("Paths"), reverse("series:paths")), (path.title, address)),
    ]

"""The addresses of reading paths for search engines; notes in them are canonical elsewhere."""

from notes.sitemaps import Entry, newest_of_each
from series.models import Step


def path_entries() -> list[Entry]:
    """Every public path, as new as the newest note in it: one query."""
    rows = Step.objects.public().values_list(
        "path__slug", "path__published_at", "note__published_at", "note__revised_at"
    )
    return newest_of_each("series:path", rows)

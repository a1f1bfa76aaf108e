from typing import Any

from django.core.management.base import BaseCommand

import notes.publishing
import series.publishing


class Command(BaseCommand):
    help = "Render anew what an older renderer wrote, or what a change has made stale."

    def handle(self, **options: Any) -> None:
        note_count, path_count = notes.publishing.rerender(), series.publishing.rerender()
        self.stdout.write(f"Rendered {note_count} notes and {path_count} paths.")

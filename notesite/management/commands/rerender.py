from typing import Any

import notes.publishing
import series.publishing
from notesite.management.site_command import SiteCommand


class Command(SiteCommand):
    help = "Render anew what an older renderer wrote, or what a change has made stale."

    def handle(self, **options: Any) -> None:
        note_count, path_count = notes.publishing.rerender(), series.publishing.rerender()
        self.stdout.write(f"Rendered {note_count} notes and {path_count} paths.")

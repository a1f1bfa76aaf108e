from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

import notes.publishing
import series.publishing
from notesite import publishing
from notesite.management.site_command import SiteCommand


class Command(SiteCommand):
    help = "Render anew what an older renderer wrote, or what a change has made stale."

    def handle(self, **options: Any) -> None:
        note_count, path_count = notes.publishing.rerender(), series.publishing.rerender()
        publishing.rerender()
        done = {
            "notes": ngettext("%d note", "%d notes", note_count) % note_count,
            "paths": ngettext("%d path", "%d paths", path_count) % path_count,
        }
        self.stdout.write(_("Rendered %(notes)s and %(paths)s.") % done)

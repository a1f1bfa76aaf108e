from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext_lazy

from notesite.clean_up import clean_up
from notesite.management.site_command import SiteCommand

COUNTED = {
    "notes": ngettext_lazy("%d note", "%d notes"),
    "paths": ngettext_lazy("%d path", "%d paths"),
    "sessions": ngettext_lazy("%d session", "%d sessions"),
    "links": ngettext_lazy("%d sign-in link", "%d sign-in links"),
    "files": ngettext_lazy("%d file", "%d files"),
}


class Command(SiteCommand):
    help = "Delete thirty-day-old trash, ended sessions and sign-in links, and broken-off uploads."

    def handle(self, **options: Any) -> None:
        found = ", ".join(COUNTED[name] % count for name, count in clean_up().items())
        self.stdout.write(
            _("Deleted %(found)s.") % {"found": found} if found else _("Nothing to delete.")
        )

from typing import Any

from notesite.clean_up import clean_up
from notesite.management.site_command import SiteCommand


class Command(SiteCommand):
    help = "Delete thirty-day-old trash, ended sessions and sign-in links, and broken-off uploads."

    def handle(self, **options: Any) -> None:
        tally = clean_up()
        found = ", ".join(f"{count} {name}" for name, count in tally.items())
        self.stdout.write(f"Deleted {found}." if found else "Nothing to delete.")

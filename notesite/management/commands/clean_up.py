from typing import Any

from django.core.management.base import BaseCommand

from notesite.cleaning import clean_up


class Command(BaseCommand):
    help = "Delete thirty-day-old trash, ended sessions and sign-in links, and broken-off uploads."

    def handle(self, **options: Any) -> None:
        tally = clean_up()
        found = ", ".join(f"{count} {name}" for name, count in tally.items())
        self.stdout.write(f"Deleted {found}." if found else "Nothing to delete.")

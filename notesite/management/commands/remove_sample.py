from argparse import ArgumentParser
from typing import Any

from django.utils.translation import gettext as _

from notesite import sample
from notesite.management.site_command import SiteCommand


class Command(SiteCommand):
    help = (
        "Take the sample library out, without trash, redirect or reserved slug. What was edited "
        "is listed and asked about; what the site's own notes and paths use stays."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--no-input",
            action="store_false",
            dest="interactive",
            help="ask nothing, and keep what was edited",
        )

    def handle(self, *, interactive: bool, **options: Any) -> None:
        removal = sample.remove()
        self.stdout.write(removal.tally)
        if removal.edited:
            self.stdout.write(_("These were edited, and are still here:"))
            for name in removal.edited:
                self.stdout.write(f"  {name}")
            if interactive and input(_("Remove them too? Type yes: ")).strip() == "yes":
                removal = sample.remove(edited_too=True)
                self.stdout.write(removal.tally)
        for name in removal.in_use:
            self.stdout.write(_("kept: %(name)s") % {"name": name})

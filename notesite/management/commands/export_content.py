from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import ngettext_lazy

from notesite.content import export_content
from notesite.content.report import Refusal
from notesite.management.site_command import SiteCommand

COUNTED = {
    "site": ngettext_lazy("%d site", "%d sites"),
    "topics": ngettext_lazy("%d topic", "%d topics"),
    "references": ngettext_lazy("%d reference", "%d references"),
    "figures": ngettext_lazy("%d figure", "%d figures"),
    "notes": ngettext_lazy("%d note", "%d notes"),
    "paths": ngettext_lazy("%d path", "%d paths"),
    "redirects": ngettext_lazy("%d redirect", "%d redirects"),
}


class Command(SiteCommand):
    help = "Write the whole site as a content folder: drafts too, but not the trash."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", metavar="PATH", type=Path, help="the folder to write")

    def handle(self, *, path: Path, **options: Any) -> None:
        try:
            tally = export_content(path)
        except Refusal as refusal:
            raise CommandError(f"{refusal.file}: {refusal.message} {refusal.cure}") from refusal
        self.stdout.write(", ".join(COUNTED[kind] % count for kind, count in tally.items()))

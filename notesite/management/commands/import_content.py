from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from notesite.content import import_content
from notesite.content.importing import DIALECTS
from notesite.content.report import Outcome
from notesite.management.site_command import SiteCommand


class Command(SiteCommand):
    help = (
        "Carry a content folder, or a Jekyll site, into this site. Exit 0: all was carried; "
        "1: something was refused or a part was lost; 2: nothing could be read."
    )

    prepares_database = True

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", metavar="PATH", type=Path, help="the folder")
        parser.add_argument(
            "--dry-run", action="store_true", help="say what would be done, and change nothing"
        )
        parser.add_argument("--dialect", choices=sorted(DIALECTS), default="")
        parser.add_argument("--report", metavar="FILE", type=Path, help="write every line there")
        parser.add_argument(
            "--overwrite",
            action="store_true",
            help="replace also what was changed here, or what is not from this import",
        )

    def handle(self, *, path: Path, report: Path | None, **options: Any) -> None:
        if report and not report.resolve().parent.is_dir():
            raise CommandError(
                _("There is no folder for the report at %(path)s.") % {"path": report}, returncode=2
            )
        result = import_content(
            path,
            dialect=options["dialect"],
            overwrite=options["overwrite"],
            dry_run=options["dry_run"],
        )
        for entry in result.of(Outcome.REFUSED, Outcome.LOST):
            self.stderr.write(f"{entry.outcome}: {entry}")
        if options["dry_run"]:
            self.stdout.write(_("Nothing was changed. This would be done:"))
        self.stdout.write(result.summary())
        notices = sum(1 for _entry in result.of(Outcome.NOTICE))
        if notices and not report:
            self.stdout.write(_("%(count)d notices; --report FILE has them.") % {"count": notices})
        if report:
            report.write_text(result.as_text(), encoding="utf-8")
        if result.exit_code:
            raise SystemExit(result.exit_code)

import json
from argparse import ArgumentParser
from collections import Counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from notes.checking import problems_everywhere, problems_of_notes
from notes.models import Note


class Command(BaseCommand):
    help = (
        "Name every problem of every note, its pending version, and the texts of paths and site. "
        "Exit 0: no errors; 1: errors; 2: no such note."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="write a JSON list of problems")
        parser.add_argument(
            "--slug",
            metavar="SLUG",
            action="extend",
            nargs="+",
            default=[],
            help="check these notes and their pending versions alone",
        )

    def handle(self, *, slug: list[str], **options: Any) -> None:
        if missing := unknown(slug):
            names = ", ".join(sorted(missing))
            raise CommandError(_("There is no note %(names)s.") % {"names": names}, returncode=2)
        severities: Counter[str] = Counter()
        for found in problems_of_notes(slug) if slug else problems_everywhere():
            if options["json"]:
                before = "," if severities else "["
                self.stdout.write(f"{before}\n{json.dumps(found.as_json())}", ending="")
            else:
                self.stdout.write(str(found))
            severities[found.problem.severity] += 1
        if options["json"]:
            self.stdout.write("\n]" if severities else "[]")
        else:
            self.stderr.write(summary(severities))
        if severities["error"]:
            raise SystemExit(1)


def unknown(slugs: list[str]) -> set[str]:
    """The slugs that are no note's, or of one in the trash."""
    notes = Note.objects.filter(trashed_at=None, slug__in=slugs)
    return set(slugs) - set(notes.values_list("slug", flat=True))


def summary(severities: Counter[str]) -> str:
    """`1 error, 2 warnings, 0 notices`."""
    errors, warnings, notices = (severities[one] for one in ("error", "warning", "notice"))
    return ", ".join(
        (
            ngettext("%(count)d error", "%(count)d errors", errors) % {"count": errors},
            ngettext("%(count)d warning", "%(count)d warnings", warnings) % {"count": warnings},
            ngettext("%(count)d notice", "%(count)d notices", notices) % {"count": notices},
        )
    )

"""What the site's own commands share: they work on a prepared database, or say how to get one."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from notes.publishing import release_due
from notesite.preparing import is_prepared, migrate


class SiteCommand(BaseCommand):
    """A command on the site's rows; one that may come first ``prepares_database`` itself."""

    prepares_database = False

    def execute(self, *args: Any, **options: Any) -> str | None:
        if self.prepares_database:
            migrate(self.stderr.write)
        elif not is_prepared():
            raise CommandError(
                _("The database in this data folder is not prepared. Run manage.py migrate first.")
            )
        release_due()  # as for a request: what is due is released before anything is read
        return super().execute(*args, **options)

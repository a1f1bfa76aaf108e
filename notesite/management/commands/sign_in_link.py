from argparse import ArgumentParser
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from notesite.management.site_command import SiteCommand
from notesite.sign_in import make_link


class Command(SiteCommand):
    help = "Print a link that signs a user in once, within an hour."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("user", nargs="?", help="user name (the first superuser)")

    def handle(self, *, user: str | None, **options: Any) -> None:
        users = get_user_model().objects.filter(is_active=True, is_staff=True)
        if user:
            found = users.filter(username=user).first()
        else:
            found = users.filter(is_superuser=True).order_by("pk").first()
        if found is None:
            names = ", ".join(users.order_by("pk").values_list("username", flat=True)[:20])
            raise CommandError(f"{who_is_missing(user)} {who_may(names)}")
        self.stdout.write(make_link(found))


def who_is_missing(user: str | None) -> str:
    if user:
        return _("Nobody named “%(user)s” may sign in.") % {"user": user}
    return _("There is no superuser.")


def who_may(names: str) -> str:
    if names:
        return _("Those who may: %(names)s") % {"names": names}
    return _("Nobody may yet: run manage.py up first.")

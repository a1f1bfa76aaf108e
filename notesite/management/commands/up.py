import multiprocessing
import signal
import sys
from argparse import ArgumentParser
from multiprocessing.connection import Connection
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from notesite import arguments
from notesite.arguments import Bind
from notesite.preparing import prepare
from notesite.serving import (
    Server,
    is_free,
    is_without_browser,
    next_free,
    port_forwarding,
    wait_until_ready,
)
from notesite.sign_in import administrator_without_password, make_link


class Command(BaseCommand):
    help = "Make what is missing (database, sample, administrator, static files) and serve."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        arguments.add_to(parser)

    def handle(self, *, bind: Bind, workers: int, no_sample: bool, **options: Any) -> None:
        refuse_a_port_in_use(bind)
        link = self.prepare_apart(with_sample=not no_sample)
        Server(bind, workers, lambda: self.announce(bind, link)).run()

    def prepare_apart(self, *, with_sample: bool) -> str:
        """Prepare in a process of its own; the sign-in link, if one is needed, comes back.

        The workers are copies of this process, so it must hold nothing open that they can't
        share: no connection, no typesetter.
        """
        fork = multiprocessing.get_context("fork")
        receiving, sending = fork.Pipe(duplex=False)
        child = fork.Process(target=self.prepare, args=[sending, with_sample])
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
        try:
            child.start()
            child.join()
        except KeyboardInterrupt:
            sys.exit(0)
        finally:
            if child.is_alive():
                child.terminate()
                child.join()
        if child.exitcode:
            sys.exit(1)  # the reason has been said
        return str(receiving.recv())

    def prepare(self, sending: Connection, with_sample: bool) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        try:
            prepare(self.say, with_sample=with_sample)
            administrator = administrator_without_password()
            sending.send(make_link(administrator) if administrator else "")
        except CommandError as error:
            self.stderr.write(str(error))
            sys.exit(1)
        except KeyboardInterrupt:
            sys.exit(1)

    def say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()

    def announce(self, bind: Bind, link: str) -> None:
        trouble = wait_until_ready(bind, settings.SITE_URL)
        if trouble:
            self.stderr.write(_("The site isn't ready: %(why)s") % {"why": trouble})
            return
        lines = [
            _("The site:         %(url)s/"),
            _("Write and manage: %(url)s/admin/"),
        ]
        if link:
            lines.append(_("Sign in with:     %(link)s (once, within an hour)"))
        if settings.IS_LOOPBACK and bind.is_loopback and is_without_browser():
            lines.append(_("No browser here?  On your own machine: %(ssh)s"))
        lines.append(_("Stop with Ctrl-C."))
        values = {"url": settings.SITE_URL, "link": link, "ssh": port_forwarding(bind)}
        self.say("\n" + "\n".join(line % values for line in lines))


def refuse_a_port_in_use(bind: Bind) -> None:
    try:
        if is_free(bind):
            return
        free = next_free(bind)
    except OSError as error:
        reason = {"bind": bind, "reason": error.strerror}
        raise CommandError(_("%(bind)s can't be listened on: %(reason)s.") % reason) from error
    place = {"port": bind.port, "host": bind.host}
    if free is None:
        message = _("Port %(port)d on %(host)s is in use; choose another with --bind")
        raise CommandError(message % place)
    message = _("Port %(port)d on %(host)s is in use; %(free)d is free: add --bind %(bind)s")
    raise CommandError(message % (place | {"free": free.port, "bind": free}))

"""From an empty folder to a site that can be served; on a later start, only what has changed."""

import hashlib
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import django
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

import notes.publishing
import series.publishing
from notesite import publishing, sample
from notesite.clean_up import purge_trash
from notesite.content.report import Outcome
from notesite.installation import note_address

type Say = Callable[[str], object]


def prepare(say: Say, *, with_sample: bool) -> None:
    settings.MEDIA_ROOT.mkdir(parents=True, exist_ok=True)
    migrate(say)
    notes.publishing.release_due()
    User = get_user_model()
    # The administrator is made last, so an interrupted first start is simply begun again.
    if not User.objects.exists():
        if with_sample:
            load_sample(say)
        User.objects.create_superuser("admin")
        say(_("Made the administrator: %(name)s.") % {"name": "admin"})
    purge_trash()
    count = notes.publishing.rerender() + series.publishing.rerender() + publishing.rerender()
    if count:
        say(ngettext("Rendered %d text anew.", "Rendered %d texts anew.", count) % count)
    collect_static(say)
    note_address(settings.DATA_DIR, settings.SITE_URL)


def load_sample(say: Say) -> None:
    report = sample.load()
    if report is None:
        return
    say(_("Loaded the sample library."))
    for entry in report.of(Outcome.REFUSED, Outcome.LOST):
        say(f"{entry.outcome}: {entry}")


def is_prepared() -> bool:
    """Whether every migration is applied."""
    executor = MigrationExecutor(connection)
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())


def migrate(say: Say) -> None:
    settings.DATA_DIR.mkdir(parents=True, exist_ok=True)
    if not is_prepared():
        say(_("Preparing the database …"))
        call_command("migrate", interactive=False, verbosity=0)


def static_stamp() -> str:
    """What the collected files were made from: names, sizes, times, and the programs."""
    digest = hashlib.sha256(f"{django.VERSION} {version('whitenoise')}".encode())
    for finder in get_finders():
        for name, storage in sorted(finder.list([]), key=lambda found: found[0]):
            status = Path(storage.path(name)).stat()
            digest.update(f"{name}\0{status.st_size}\0{status.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def collect_static(say: Say) -> None:
    """Collect when something changed; old files stay, as pages in use still ask for them."""
    noted = settings.DATA_DIR / "static.stamp"
    stamp = static_stamp()
    manifest = settings.STATIC_ROOT / "staticfiles.json"
    if manifest.exists() and noted.exists() and noted.read_text(encoding="ascii") == stamp:
        return
    say(_("Collecting static files …"))
    call_command("collectstatic", interactive=False, verbosity=0)
    noted.write_text(stamp, encoding="ascii")

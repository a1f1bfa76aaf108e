"""What time makes worthless: old trash, ended sessions, links and uploads that were broken off."""

import time
from collections import Counter
from pathlib import Path

from django.conf import settings
from django.contrib.sessions.models import Session
from django.utils import timezone

import notes.publishing
import series.publishing
from notesite.models import SignInLink

BROKEN_OFF_AFTER = 24 * 3600
UNFINISHED = (".new-*", ".ready-*")


def purge_trash() -> Counter[str]:
    """Delete for good what has been in the trash for thirty days."""
    return Counter(notes=notes.publishing.purge_trash(), paths=series.publishing.purge_trash())


def clean_up() -> Counter[str]:
    """Everything of the kind; how many of each. A second run finds nothing."""
    now = timezone.now()
    return purge_trash() + Counter(
        sessions=Session.objects.filter(expire_date__lt=now).delete()[0],
        links=SignInLink.objects.filter(expires_at__lt=now).delete()[0],
        files=delete_unfinished_files(Path(settings.MEDIA_ROOT)),
    )


def delete_unfinished_files(folder: Path) -> int:
    """A file with a name of its own is left alone: a public state may show it."""
    end, count = time.time() - BROKEN_OFF_AFTER, 0
    for pattern in UNFINISHED:
        for path in folder.rglob(pattern):
            if path.lstat().st_mtime < end:
                path.unlink(missing_ok=True)
                count += 1
    return count

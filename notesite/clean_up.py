"""What time makes worthless: old trash, ended sessions, links, and files that nothing shows."""

import json
import re
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.contrib.sessions.models import Session
from django.utils import timezone

import notes.publishing
import series.publishing
from notes.models import Figure, Note, Revision
from notesite.media import NAME
from notesite.models import SignInLink, Site
from series.models import ReadingPath, Step

BROKEN_OFF_AFTER = 24 * 3600
CARDS_KEPT = 90 * 24 * 3600
FIGURE_FILE = re.compile(r"figures/[0-9a-f]+(?:-[0-9]+)?\.[a-z]+")
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
        files=delete_unfinished_files(Path(settings.MEDIA_ROOT))
        + delete_orphans(Path(settings.MEDIA_ROOT))
        + delete_old_cards(Path(settings.CARDS_ROOT)),
    )


def delete_unfinished_files(folder: Path) -> int:
    """Delete what was begun and never given its name."""
    end, count = time.time() - BROKEN_OFF_AFTER, 0
    for pattern in UNFINISHED:
        for path in folder.rglob(pattern):
            if path.lstat().st_mtime < end:
                path.unlink(missing_ok=True)
                count += 1
    return count


def delete_old_cards(folder: Path) -> int:
    """Delete cards drawn months ago; one that is still asked for is drawn anew."""
    old = [path for path in folder.glob("*") if path.stat().st_mtime < time.time() - CARDS_KEPT]
    for path in old:
        path.unlink(missing_ok=True)
    return len(old)


def delete_orphans(folder: Path) -> int:
    """Delete stored figures and copies that no figure has and no text shows, old states included.

    A file younger than a day may belong to a save that is under way.
    """
    end, count = time.time() - BROKEN_OFF_AFTER, 0
    kept = set(_shown_files())
    for path in (folder / "figures").glob("*"):
        name = f"figures/{path.name}"
        if NAME.fullmatch(name) and name not in kept and path.lstat().st_mtime < end:
            path.unlink(missing_ok=True)
            count += 1
    return count


def _shown_files() -> Iterator[str]:
    for figure in Figure.objects.only("path", "variants").iterator():
        yield from figure.files
    for note in Note.objects.only("html", "takeaways").order_by().iterator():
        yield from FIGURE_FILE.findall(note.html + json.dumps(note.takeaways))
    for texts in (
        Revision.objects.order_by().values_list("html"),
        ReadingPath.objects.order_by().values_list("description_html"),
        Step.objects.order_by().values_list("bridge_html"),
        Site.objects.values_list("intro_html", "about_html"),
    ):
        for text in texts.iterator():
            yield from FIGURE_FILE.findall(" ".join(text))

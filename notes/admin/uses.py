"""Where a figure or a reference is used: in notes, and in the short texts of paths and site.

Notes' mentions are stored. Short texts are few, so that these are searched when somebody asks.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from django.urls import reverse
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from notes.models import Note
from notes.publishing import short_texts

SHOWN = 100


def uses(
    kinds: Collection[str], name: str, names_in: Callable[[str], Collection[str]]
) -> SafeString | str:
    """Links to every text that uses ``name``; ``names_in`` tells what a short text names."""
    notes = Note.objects.filter(mentions__kind__in=kinds, mentions__name=name).distinct()
    links = [
        (reverse("admin:notes_note_change", args=[note.pk]), note.display_title)
        for note in notes.only("pk", "title", "source")[:SHOWN]
    ]
    links += [
        (text.admin_address, text.label)
        for text in short_texts([name])
        if name in names_in(text.source)
    ]
    return format_html_join(", ", '<a href="{}">{}</a>', links) or _("nowhere")


def named_in_short_texts(mark: str, names_in: Callable[[str], Collection[str]]) -> set[str]:
    """What short texts name; ``mark`` stands in all that name anything."""
    return {name for text in short_texts([mark]) for name in names_in(text.source)}

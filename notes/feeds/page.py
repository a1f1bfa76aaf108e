"""One page of a feed of notes, whatever form it is written in: thirty, and where the others are."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.http import Http404, HttpRequest
from django.urls import get_script_prefix
from django.utils.html import escape

from notes.addresses import absolute
from notes.markdown import NoteTarget, place, resolve_note_links
from notes.models import Note
from notesite.models import Site

PER_PAGE = 30
_LINK_INTO_PAGE = re.compile(r'(<a(?: [^\s=">]+="[^"]*")*? href=")#')


@dataclass(frozen=True)
class FeedPage:
    """Thirty entries of a feed, and where the other pages are."""

    site: Site
    title: str
    subtitle: str
    link: str
    address: str
    uid: str
    number: int
    entries: Sequence[Any]
    is_last: bool
    targets: Mapping[str, NoteTarget]

    def address_of(self, number: int) -> str:
        return absolute(self.address if number == 1 else f"{self.address}?page={number}")


def number_asked(request: HttpRequest) -> int:
    """The page at ``?page=n``; what is no number asks for the first."""
    asked = request.GET.get("page", "")
    return int(asked) if re.fullmatch("[1-9][0-9]{0,5}", asked) else 1


def entries_of(entries: QuerySet, number: int) -> tuple[list[Any], bool]:
    """The entries of a page, and whether it is the last one: one query."""
    start = (number - 1) * PER_PAGE
    found = list(entries[start : start + PER_PAGE + 1])
    if number > 1 and not found:
        raise Http404
    return found[:PER_PAGE], len(found) <= PER_PAGE


def revised_or_published(note: Note) -> datetime:
    """When readers were last told of a change; a minor edit doesn't move it."""
    assert note.published_at is not None  # noqa: S101  # only public notes come here
    return max(note.revised_at or note.published_at, note.published_at)


def whole_text(note: Note, targets: Mapping[str, NoteTarget]) -> str:
    """The page's own html, with the public origin written into it.

    Few readers know `xml:base`, so links into the page get their page's address as well.
    """
    html = place(
        resolve_note_links(note.html, targets),
        site_root=absolute(get_script_prefix()),
        media_root=absolute(settings.MEDIA_URL),
    )
    page = escape(absolute(note.get_absolute_url()))
    return _LINK_INTO_PAGE.sub(lambda match: f"{match[1]}{page}#", html)

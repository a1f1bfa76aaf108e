"""Feeds of notes, as Atom and as JSON Feed: one page of entries, written in either form."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect

from notes.addresses import absolute
from notes.feeds.atom import NoteFeed
from notes.feeds.json_feed import json_feed
from notes.feeds.page import FeedPage, entries_of, number_asked
from notes.querysets import NoteQuerySet
from notes.targets import targets_of


def feed_of_notes(
    request: Any,
    notes: NoteQuerySet,
    *,
    form: str,
    title: str,
    subtitle: str,
    link: str,
    address: str,
    uid: str = "",
) -> HttpResponse:
    """The newest thirty of ``notes`` as "atom" or "json", or at ``?page=n`` the thirty on that
    page: two queries, and one for all notes that their texts link to.

    The feed stands at ``address`` and belongs to the page ``link``, whose address is its id unless
    one is stored.
    """
    number = number_asked(request)
    if request.GET.get("page") == "1":
        return redirect(address, permanent=True)
    whole = notes.newest_first().with_topics().defer("source", "sections", "contents", "anchors")
    entries, is_last = entries_of(whole, number)
    page = FeedPage(
        site=request.site,
        title=title,
        subtitle=subtitle,
        link=absolute(link),
        address=address,
        uid=uid or absolute(link),
        number=number,
        entries=entries,
        is_last=is_last,
        targets=targets_of(note.html for note in entries),
    )
    if form == "json":
        return json_feed(page)
    response = NoteFeed()(request, page=page)
    # No date tells whether a feed changed: a withdrawn note takes its own along. The ETag does.
    del response["Last-Modified"]
    return response

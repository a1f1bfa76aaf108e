"""The feeds of a topic, and of what was revised."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from notes.addresses import absolute
from notes.feeds import feed_of_notes
from notes.feeds.page import FeedPage, entries_of, number_asked
from notes.feeds.revisions import RevisionFeed, revisions_told_of
from notes.models import Note
from notes.pages import public_page
from notes.views import find_topic


@public_page
def topic_feed(request: Any, slug: str, form: str) -> HttpResponse:
    topic = find_topic(slug)
    name = f"notes:topic_{form}"
    if topic.slug != slug:
        return redirect(name, topic.slug, permanent=True)
    return feed_of_notes(
        request,
        Note.objects.published().on_topic(topic),
        form=form,
        title=f"{topic.name} · {request.site}",
        subtitle=topic.description,
        link=topic.get_absolute_url(),
        address=reverse(name, args=[topic.slug]),
    )


@public_page
def revision_feed(request: Any) -> HttpResponse:
    """Revisions and corrections of public notes, newest first: two queries."""
    number = number_asked(request)
    address = reverse("notes:revisions")
    if request.GET.get("page") == "1":
        return redirect(address, permanent=True)
    entries, is_last = entries_of(revisions_told_of(), number)
    page = FeedPage(
        site=request.site,
        title=_("Revisions · %(site)s") % {"site": request.site},
        subtitle=_("What was revised or corrected, with what changed in one sentence."),
        link=absolute(reverse("home")),
        address=address,
        uid=absolute(address),
        number=number,
        entries=entries,
        is_last=is_last,
        targets={},
    )
    response = RevisionFeed()(request, page=page)
    del response["Last-Modified"]  # as in feed_of_notes
    return response

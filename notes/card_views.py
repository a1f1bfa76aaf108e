"""The cards of notes and topics."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import ngettext

from notes.cards import Card, picture_of
from notes.models import Note
from notes.pages import public_page
from notes.views import find_note, find_topic


@public_page
def note_card(request: Any, slug: str) -> HttpResponse:
    note = find_note(request, slug)
    if note.slug != slug:
        return redirect("notes:card", note.slug, permanent=True)
    names = [byline["name"] for byline in note.authors[:3]]
    date = date_format(localtime(note.published_at), "DATE_FORMAT") if note.published_at else ""
    label = " · ".join(part for part in (", ".join(names), date) if part)
    return answer(request, note.display_title, label)


@public_page
def topic_card(request: Any, slug: str) -> HttpResponse:
    topic = find_topic(slug)
    if topic.slug != slug:
        return redirect("notes:topic_card", topic.slug, permanent=True)
    count = Note.objects.published().on_topic(topic).count()
    label = ngettext("%(number)d note", "%(number)d notes", count) % {"number": count}
    return answer(request, topic.name, label)


def answer(request: Any, title: str, label: str) -> HttpResponse:
    card = Card(str(request.site), title, label, request.site.accent_colour)
    return HttpResponse(picture_of(card), content_type="image/png")

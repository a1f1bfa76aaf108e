"""JSON Feed 1.1 (jsonfeed.org), with the same texts, ids and dates as the Atom feed."""

from __future__ import annotations

import json
from typing import Any

from django.http import HttpResponse
from django.utils.feedgenerator import rfc3339_date

from notes.addresses import absolute
from notes.feeds.page import FeedPage, revised_or_published, whole_text
from notes.models import Note

CONTENT_TYPE = "application/feed+json; charset=utf-8"


def json_feed(page: FeedPage) -> HttpResponse:
    site_author = {"name": page.site.author or page.site.name, "url": absolute("/")}
    feed = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": page.title,
        "home_page_url": page.link,
        "feed_url": page.address_of(page.number),
        "description": page.subtitle,
        "next_url": "" if page.is_last else page.address_of(page.number + 1),
        "authors": [site_author],
        "language": page.site.language,
        "items": [_item(note, page) for note in page.entries],
    }
    kept = {name: value for name, value in feed.items() if value or name == "items"}
    return HttpResponse(json.dumps(kept, ensure_ascii=False), content_type=CONTENT_TYPE)


def _item(note: Note, page: FeedPage) -> dict[str, Any]:
    assert note.published_at is not None  # noqa: S101  # only public notes come here
    item = {
        "id": note.uid,
        "url": absolute(note.get_absolute_url()),
        "title": note.display_title,
        "content_html": whole_text(note, page.targets),
        "summary": note.dek,
        "date_published": rfc3339_date(note.published_at),
        "date_modified": rfc3339_date(revised_or_published(note)),
        "authors": [_author(byline) for byline in note.authors],
        "tags": [topic.name for topic in note.topics_list],  # type: ignore[attr-defined]
        "language": note.lang or page.site.language,
    }
    return {name: value for name, value in item.items() if value or name == "content_html"}


def _author(byline: dict[str, str]) -> dict[str, str]:
    orcid = f"https://orcid.org/{byline['orcid']}" if byline.get("orcid") else ""
    address = byline.get("url") or orcid
    return {"name": byline["name"]} | ({"url": address} if address else {})

"""Atom feeds of notes: whole texts, stored ids, older pages behind the newest (RFC 4287, 5005)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from django.contrib.syndication.views import Feed
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import get_script_prefix, reverse
from django.utils.feedgenerator import Atom1Feed, rfc3339_date
from django.utils.html import escape
from django.utils.xmlutils import SimplerXMLGenerator

from notes.addresses import absolute
from notes.markdown import NoteTarget, place, resolve_note_links
from notes.models import Note
from notes.pages import public_page
from notes.querysets import NoteQuerySet
from notes.targets import targets_of
from notes.views import find_topic
from notesite.models import Site

PER_PAGE = 30
NOTHING_YET = datetime(1970, 1, 1, tzinfo=UTC)
_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LINK_INTO_PAGE = re.compile(r'(<a(?: [^\s=">]+="[^"]*")*? href=")#')


@public_page
def topic_feed(request, slug):
    topic = find_topic(slug)
    if topic.slug != slug:
        return redirect("notes:topic_feed", topic.slug, permanent=True)
    return feed_of_notes(
        request,
        Note.objects.published().on_topic(topic),
        title=f"{topic.name} · {request.site}",
        subtitle=topic.description,
        link=topic.get_absolute_url(),
        address=reverse("notes:topic_feed", args=[topic.slug]),
    )


@dataclass(frozen=True)
class FeedPage:
    """Thirty notes of a feed, and where the other pages are."""

    site: Site
    title: str
    subtitle: str
    link: str
    address: str
    uid: str
    number: int
    notes: list[Note]
    is_last: bool
    targets: Mapping[str, NoteTarget]

    def address_of(self, number: int) -> str:
        return absolute(self.address if number == 1 else f"{self.address}?page={number}")


def feed_of_notes(
    request: Any,
    notes: NoteQuerySet,
    *,
    title: str,
    subtitle: str,
    link: str,
    address: str,
    uid: str = "",
) -> HttpResponse:
    """The newest thirty of ``notes``, or at ``?page=n`` the thirty on that page: two queries, and
    one for all notes that their texts link to.

    The feed stands at ``address`` and belongs to the page ``link``, whose address is its id unless
    one is stored.
    """
    asked = request.GET.get("page", "")
    number = int(asked) if re.fullmatch("[1-9][0-9]{0,5}", asked) else 1
    if asked == "1":
        return redirect(address, permanent=True)
    start = (number - 1) * PER_PAGE
    whole = notes.newest_first().with_topics().defer("source", "sections", "contents", "anchors")
    found = list(whole[start : start + PER_PAGE + 1])
    if number > 1 and not found:
        raise Http404
    page = FeedPage(
        site=request.site,
        title=title,
        subtitle=subtitle,
        link=absolute(link),
        address=address,
        uid=uid or absolute(link),
        number=number,
        notes=found[:PER_PAGE],
        is_last=len(found) <= PER_PAGE,
        targets=targets_of(note.html for note in found[:PER_PAGE]),
    )
    response = NoteFeed()(request, page=page)
    # No date tells whether a feed changed: a withdrawn note takes its own along. The ETag does.
    del response["Last-Modified"]
    return response


def revised_or_published(note: Note) -> datetime:
    """When readers were last told of a change; a minor edit doesn't move it."""
    assert note.published_at is not None  # noqa: S101  # only public notes come here
    return max(note.revised_at or note.published_at, note.published_at)


class CleanXMLGenerator(SimplerXMLGenerator):
    """Leaves out what XML 1.0 cannot hold; text is cleaned on save, and here once more."""

    def characters(self, content):
        super().characters(_NOT_IN_XML.sub("", str(content)))

    def startElement(self, name, attrs):  # noqa: N802  # the name that xml.sax gives it
        clean: Any = {key: _NOT_IN_XML.sub("", str(value)) for key, value in attrs.items()}
        super().startElement(name, clean)


class NoteAtom(Atom1Feed):
    """Django's Atom feed with whole texts, every author, labelled topics and linked pages."""

    def write(self, outfile, encoding):
        handler = CleanXMLGenerator(outfile, encoding, short_empty_elements=True)
        handler.startDocument()
        handler.startElement("feed", self.root_attributes())
        self.add_root_elements(handler)
        self.write_items(handler)
        handler.endElement("feed")

    def latest_post_date(self):
        return super().latest_post_date() if self.items else NOTHING_YET

    def root_attributes(self):
        return {"xmlns": self.ns, "xml:lang": self.feed["page"].site.language}

    def add_root_elements(self, handler):
        super().add_root_elements(handler)
        page = self.feed["page"]
        pages = {"first": 1} if page.number > 1 or not page.is_last else {}
        if page.number > 1:
            pages["previous"] = page.number - 1
        if not page.is_last:
            pages["next"] = page.number + 1
        for relation, number in pages.items():
            handler.addQuickElement("link", "", {"rel": relation, "href": page.address_of(number)})

    def add_item_elements(self, handler, item):
        note, page = item["note"], self.feed["page"]
        handler.addQuickElement("title", item["title"])
        handler.addQuickElement("link", "", {"rel": "alternate", "href": item["link"]})
        handler.addQuickElement("id", item["unique_id"])
        handler.addQuickElement("published", rfc3339_date(item["pubdate"]))
        handler.addQuickElement("updated", rfc3339_date(item["updateddate"]))
        for author in note.authors:
            self.add_author(handler, author)
        for topic in note.topics_list:
            labelled = {"term": topic.slug, "label": topic.name}
            handler.addQuickElement("category", "", labelled)
        if note.dek:
            handler.addQuickElement("summary", note.dek)
        content = {"type": "html", "xml:base": item["link"]}
        if note.lang:
            content["xml:lang"] = note.lang
        handler.addQuickElement("content", whole_text(note, page.targets), content)

    def add_author(self, handler, author):
        """One byline: a person or an organisation; without any, the feed's author holds."""
        handler.startElement("author", {})
        handler.addQuickElement("name", author["name"])
        orcid = f"https://orcid.org/{author['orcid']}" if author.get("orcid") else ""
        if address := author.get("url") or orcid:
            handler.addQuickElement("uri", address)
        handler.endElement("author")


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


class NoteFeed(Feed):
    """What Django's framework asks of a feed, answered from a page of notes."""

    feed_type = NoteAtom

    def get_object(self, request: HttpRequest, *args: Any, page: FeedPage, **kwargs: Any) -> Any:
        return page

    def title(self, page):
        return page.title

    def subtitle(self, page):
        return page.subtitle or None

    def link(self, page):
        return page.link

    def feed_url(self, page):
        return page.address_of(page.number)

    def feed_guid(self, page):
        return page.uid

    def author_name(self, page):
        return page.site.author or page.site.name

    def feed_copyright(self, page):
        return page.site.licence or None

    def feed_extra_kwargs(self, page):
        return {"page": page}

    def items(self, page):
        return page.notes

    def item_title(self, note):
        return note.display_title

    def item_description(self, note):
        return escape(note.dek)

    def item_link(self, note):
        return absolute(note.get_absolute_url())

    def item_guid(self, note):
        return note.uid

    def item_pubdate(self, note):
        return note.published_at

    def item_updateddate(self, note):
        return revised_or_published(note)

    def item_extra_kwargs(self, note):
        return {"note": note}

"""Atom feeds: whole texts, stored ids, older pages behind the newest (RFC 4287, 5005)."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

from django.contrib.syndication.views import Feed
from django.http import HttpRequest
from django.utils.feedgenerator import Atom1Feed, rfc3339_date
from django.utils.html import escape
from django.utils.xmlutils import SimplerXMLGenerator

from notes.addresses import absolute
from notes.feeds.page import FeedPage, revised_or_published, whole_text

NOTHING_YET = datetime(1970, 1, 1, tzinfo=UTC)
_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class CleanXMLGenerator(SimplerXMLGenerator):
    """Leaves out what XML 1.0 cannot hold; text is cleaned on save, and here once more."""

    def characters(self, content):
        super().characters(_NOT_IN_XML.sub("", str(content)))

    def startElement(self, name, attrs):  # noqa: N802  # the name that xml.sax gives it
        clean: Any = {key: _NOT_IN_XML.sub("", str(value)) for key, value in attrs.items()}
        super().startElement(name, clean)


class PagedAtom(Atom1Feed):
    """Django's Atom feed with a date when it is empty, and links to its other pages."""

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


class NoteAtom(PagedAtom):
    """Whole texts, every author and labelled topics."""

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


class PagedFeed(Feed):
    """What Django's framework asks of a feed, answered from a page of it."""

    feed_type: type[Atom1Feed] = PagedAtom

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
        return page.entries


class NoteFeed(PagedFeed):
    feed_type = NoteAtom

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

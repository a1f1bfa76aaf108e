"""A plain Jekyll folder: ``_posts/YYYY-MM-DD-slug.md``, a YAML header above kramdown.

The header's scalars may be of any type; the date may stand in the file's name alone. Tags and
categories become topics. Whatever can't be carried is in the report, at its line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.translation import gettext as _

from notesite.content import yaml
from notesite.content.dialects import kramdown
from notesite.content.dialects.jekyll_header import Header, read_time
from notesite.content.dialects.jekyll_pictures import Pictures
from notesite.content.document import (
    Library,
    NoteDocument,
    Place,
    RedirectDocument,
    TopicDocument,
)
from notesite.content.folder import FolderEntry, SourceFolder, readable, stem_of
from notesite.content.form import split_front_matter
from notesite.content.report import Outcome, Refusal, Report
from notesite.text import clean_text, slugify, unique_slug

_POST = re.compile(r"(\d{4}-\d{1,2}-\d{1,2})-(.+)\.(md|markdown|mkd|mkdown)")
_PERMALINKS = {
    "date": "/:categories/:year/:month/:day/:title.html",
    "pretty": "/:categories/:year/:month/:day/:title/",
    "none": "/:categories/:title.html",
}


@dataclass(frozen=True, slots=True)
class Config:
    """What of ``_config.yml`` bears on the posts."""

    url: str = ""
    baseurl: str = ""
    permalink: str = "date"
    zone: ZoneInfo | None = None


@dataclass(frozen=True, slots=True)
class Post:
    """A post whose header is read; ``first_line`` is that of its body."""

    entry: FolderEntry
    name: str  # as post_url has it: the date, a hyphen, the rest of the file's name
    header: Header
    body: str
    first_line: int
    published: datetime | None
    slug: str
    topics: tuple[str, ...]
    address: str

    @property
    def file(self) -> str:
        return readable(self.entry.path)


def is_jekyll(folder: SourceFolder) -> bool:
    return any(entry.name == "_posts" and entry.is_folder for entry in folder.entries())


def read(folder: SourceFolder, report: Report, time_zone: str) -> Library:
    """Every post, its tags as topics, its pictures as figures, its old address as a redirect."""
    return _Reader(folder, report, ZoneInfo(time_zone)).library()


class _Reader:
    def __init__(self, folder: SourceFolder, report: Report, zone: ZoneInfo) -> None:
        self.folder, self.report = folder, report
        self.config = self._config()
        self.zone = self.config.zone or zone
        self.topics: dict[str, TopicDocument] = {}
        self.topic_slugs: dict[str, str] = {}
        self.redirects: list[RedirectDocument] = []

    def library(self) -> Library:
        posts = list(self._posts())
        pictures = Pictures(self.folder)
        surroundings = kramdown.Surroundings(
            slugs={post.name: post.slug for post in posts},
            addresses={post.address.rstrip("/"): post.slug for post in posts if post.address},
            origin=self.config.url + self.config.baseurl,
            baseurl=self.config.baseurl,
            pictures=pictures,
        )
        notes = [self._note(post, surroundings) for post in posts]
        anchors = {note.slug: kramdown.anchors_of(note.source) for note in notes}
        notes = [self._with_anchors(note, anchors) for note in notes]
        return Library(
            topics=tuple(self.topics.values()),
            figures=pictures.figures(),
            notes=notes,
            redirects=tuple(self.redirects),
        )

    def _posts(self) -> Iterator[Post]:
        """The posts by date, so that of two with one slug the older keeps it."""
        found = []
        entries = [*self.folder.walk("_posts"), *self.folder.walk("_drafts")]
        for entry in entries:
            try:
                if post := self._post(entry):
                    found.append(post)
            except Refusal as refusal:
                self.report.refuse("note", refusal.within(readable(entry.path)))
        taken: set[str] = set()
        latest = datetime.max.replace(tzinfo=UTC)
        for post in sorted(found, key=lambda post: (post.published or latest, post.entry.path)):
            slug = unique_slug(post.slug, "note", taken.__contains__)
            taken.add(slug)
            if slug != post.slug:
                message = _("Its slug “%(slug)s” is taken or can't be one; it became “%(new)s”.")
                self._notice(post.file, 1, message % {"slug": post.slug, "new": slug})
            yield replace(post, slug=slug)

    def _post(self, entry: FolderEntry) -> Post | None:
        file = readable(entry.path)
        is_draft = entry.path.startswith("_drafts/")
        name = _POST.fullmatch(entry.name)
        if name is None and not (is_draft and entry.name.endswith((".md", ".markdown"))):
            message = _("This is not named like a post (2026-04-07-a-title.md); it was left alone.")
            self.report.add(Outcome.NOTICE, "file", file, 0, message)
            return None
        text = clean_text(self.folder.read_text(entry.path))
        front_matter, body, first_line = split_front_matter(text)
        try:
            header = Header(yaml.load(front_matter))
            date_in_header = header.time("date", self.zone)
        except Refusal as refusal:
            refusal.line += 1  # the line --- above the header
            raise
        stem = name[2] if name else stem_of(entry.name).removesuffix(".markdown")
        date = date_in_header
        if date is None and name:
            date = read_time(name[1], self.zone)
        if date is None:
            self._notice(file, 1, _("It has no date, and comes as a draft."))
        published = None if is_draft or header.is_switched_off() else date
        if published and published > timezone.now():
            self._notice(file, header.line_of("date"), _("Its date is ahead: it is scheduled."))
        return Post(
            entry=entry,
            name=f"{name[1]}-{name[2]}" if name else stem,
            header=header,
            body=body,
            first_line=first_line,
            published=published,
            slug=slugify(header.line("slug") or stem),
            topics=tuple(self._topic(tag, file, header) for tag in header.tags()),
            address=self._address(header, stem, date, file),
        )

    def _note(self, post: Post, surroundings: kramdown.Surroundings) -> NoteDocument:
        header = post.header
        title = header.line("title") or post.slug.replace("-", " ").capitalize()
        body = kramdown.Body(surroundings, post.file, post.first_line, title, self.report)
        lines = {key: header.line_of(key) for key in header}
        if post.address:
            target = f"/notes/{post.slug}/"
            place = Place(post.file, header.line_of("permalink"))
            for address in dict.fromkeys((post.address, *header.lines("redirect_from"))):
                self.redirects.append(
                    RedirectDocument(place=place, kind="address", slug=address, target=target)
                )
        for key in header.left_behind():
            message = _("“%(key)s” of the header has no place here and was left behind.")
            self._notice(post.file, header.line_of(key), message % {"key": key})
        return NoteDocument(
            place=Place(post.file, 1, lines),
            slug=post.slug,
            title=title,
            dek=self._dek(post),
            topics=tuple(dict.fromkeys(post.topics)),
            authors=header.authors(),
            published=post.published,
            first_published=post.published,
            lang=header.language(),
            canonical=header.address("canonical_url"),
            source=clean_text(body.convert(post.body)),
        )

    def _with_anchors(
        self, note: NoteDocument, anchors: dict[str, kramdown.Anchors]
    ) -> NoteDocument:
        """The note with the ids that its headings had, and links to headings led to them."""

        def lost(fragment: str) -> None:
            message = _("A link leads to “#%(id)s”, which is no heading there.")
            self._notice(note.place.file, 0, message % {"id": fragment})

        source = kramdown.with_fragments(note.source, note.slug, anchors, lost)
        return replace(note, source=source, anchors=anchors[note.slug].pairs)

    def _dek(self, post: Post) -> str:
        """The first of the header's summaries that is one short sentence."""
        for key in ("excerpt", "description", "summary", "subtitle"):
            text = post.header.line(key)
            if text and len(text) <= 300 and not re.search(r"[.!?。！？]\s+\S", text):
                return text
            if text:
                message = _("“%(key)s” is more than one short sentence; it was left behind.")
                self._notice(post.file, post.header.line_of(key), message % {"key": key})
        return ""

    def _topic(self, tag: str, file: str, header: Header) -> str:
        """The slug of a tag's topic; tags that differ in more than case are different topics."""
        tag = tag[:100]
        known = self.topic_slugs.get(tag.casefold())
        if known is None:
            known = unique_slug(tag, "topic", self.topics.__contains__)
            place = Place(file, header.line_of("tags"))
            self.topics[known] = TopicDocument(place=place, slug=known, name=tag, is_implied=True)
            self.topic_slugs[tag.casefold()] = known
        return known

    def _address(self, header: Header, stem: str, date: datetime | None, file: str) -> str:
        """Where the post was: the header's permalink, else what the site's setting makes of it."""
        pattern = header.line("permalink") or self.config.permalink
        pattern = _PERMALINKS.get(pattern, pattern)
        if date is None:
            return ""
        local = date.astimezone(self.zone)
        values = {
            "categories": "/".join(slugify(one) for one in header.categories()),
            "year": f"{local:%Y}",
            "month": f"{local:%m}",
            "day": f"{local:%d}",
            "title": header.line("slug") or stem,
            "slug": header.line("slug") or slugify(stem),
            "i_month": str(local.month),
            "i_day": str(local.day),
            "y_day": f"{local:%j}",
            "short_year": f"{local:%y}",
        }
        address = re.sub(r":([a-z_]+)", lambda word: values.get(word[1], word[0]), pattern)
        address = re.sub("/{2,}", "/", f"/{address}")
        if ":" in address:
            message = _("The permalink “%(pattern)s” can't be made an address.")
            self._notice(file, header.line_of("permalink"), message % {"pattern": pattern})
            return ""
        return address[:300]

    def _config(self) -> Config:
        path = "_config.yml"
        if not self.folder.exists(path):
            return Config()
        try:
            header = Header(yaml.load(self.folder.read_text(path), yaml.FILE_LIMIT))
        except Refusal as refusal:
            message = _("The site's settings were not read: %(reason)s")
            self._notice(path, refusal.line, message % {"reason": refusal.message})
            return Config()
        try:
            zone = ZoneInfo(header.line("timezone")) if header.line("timezone") else None
        except (ValueError, OSError, KeyError):
            self._notice(path, header.line_of("timezone"), _("This time zone is not known."))
            zone = None
        baseurl = header.line("baseurl").strip("/")
        return Config(
            url=header.line("url").rstrip("/"),
            baseurl=f"/{baseurl}" if baseurl else "",
            permalink=header.line("permalink") or "date",
            zone=zone,
        )

    def _notice(self, file: str, line: int, message: str) -> None:
        self.report.add(Outcome.NOTICE, "note", file, line, message)

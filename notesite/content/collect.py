"""The site as documents: what an export writes, and what an import compares with."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from notes.markdown.headings import anchors_for
from notes.models import Figure, Note, PendingVersion, Reference, Revision, Topic
from notesite.content.document import (
    FigureDocument,
    Library,
    NoteDocument,
    PathDocument,
    PendingDocument,
    RedirectDocument,
    ReferenceDocument,
    SiteDocument,
    StateDocument,
    StepDocument,
    TopicDocument,
    Withdrawal,
)
from notesite.content.form import SITE_KEYS
from notesite.content.report import Refusal
from notesite.models import Redirect, Site
from series.models import ReadingPath

NOTES_AT_ONCE = 200


def collect() -> Library:
    """The whole site but the trash; notes are read while somebody iterates, a few at a time."""
    site = Site.objects.first()
    return Library(
        site=site_document(site) if site else None,
        topics=tuple(topic_document(topic) for topic in Topic.objects.order_by("position", "slug")),
        references=tuple(
            reference_document(reference) for reference in Reference.objects.order_by("key")
        ),
        figures=[figure_document(figure) for figure in Figure.objects.order_by("name")],
        notes=note_documents(),
        paths=tuple(
            path_document(path)
            for path in ReadingPath.objects.filter(trashed_at=None)
            .order_by("position", "slug")
            .prefetch_related("steps__note")
        ),
        redirects=tuple(
            redirect_document(redirect) for redirect in Redirect.objects.order_by("kind", "slug")
        ),
    )


def site_document(site: Site) -> SiteDocument:
    values = {key: getattr(site, key) for key in SITE_KEYS}
    synonyms = {part: tuple(headings) for part, headings in site.synonyms.items()}
    return SiteDocument(**values | {"links": tuple(site.links), "synonyms": synonyms})


def topic_document(topic: Topic) -> TopicDocument:
    return TopicDocument(slug=topic.slug, name=topic.name, description=topic.description)


def reference_document(reference: Reference) -> ReferenceDocument:
    return ReferenceDocument(key=reference.key, bibtex=reference.bibtex)


def figure_document(figure: Figure) -> FigureDocument:
    def read() -> bytes:
        try:
            return (Path(settings.MEDIA_ROOT) / figure.path).read_bytes()
        except OSError as error:
            raise Refusal(
                _("The file of the figure “%(name)s” can't be read: %(reason)s.")
                % {"name": figure.name, "reason": error.strerror},
                file=f"figures/{figure.name}",
                cure=_("Bring it back from a backup, or replace or delete the figure."),
            ) from error

    return FigureDocument(
        name=figure.name,
        alt=figure.alt,
        caption=figure.caption,
        credit=figure.credit,
        read=read,
    )


def note_documents() -> Iterator[NoteDocument]:
    """Every note but the trash, by slug, with its public states and pending version."""
    notes = Note.objects.filter(trashed_at=None).order_by("slug")
    for note in notes.prefetch_related("topics").iterator(NOTES_AT_ONCE):
        yield note_document(note)


def note_document(note: Note) -> NoteDocument:
    """A note with its pending version and its public states."""
    pending = PendingVersion.objects.filter(note=note).first()
    states = note.revisions.filter(number__isnull=False).order_by("number").defer("html")
    return replace(
        readable_document(note),
        pending=pending_document(pending) if pending else None,
        history=tuple(state_document(state) for state in states),
    )


def readable_document(note: Note) -> NoteDocument:
    """A note as readers may have it, without what is waiting and what it was."""
    withdrawn = None
    if note.withdrawn_at:
        withdrawn = Withdrawal(note.withdrawn_at, note.withdrawn_sentence)
    return NoteDocument(
        slug=note.slug,
        topics=tuple(
            topic.slug
            for topic in sorted(note.topics.all(), key=lambda topic: (topic.position, topic.slug))
        ),
        published=_whole_seconds(note.published_at),
        first_published=_whole_seconds(note.first_published_at),
        revised=_whole_seconds(note.revised_at),
        withdrawn=withdrawn,
        pinned=note.pinned,
        id=note.uid,
        anchors=anchors_of_their_own([(text, anchor) for text, anchor in note.anchors]),
        **_version_fields(note),
    )


def pending_document(pending: PendingVersion) -> PendingDocument:
    return PendingDocument(
        topics=tuple(pending.topics),
        release=_whole_seconds(pending.release_at),
        kind="" if pending.kind == Revision.Kind.MINOR else pending.kind,
        sentence=pending.sentence,
        **_version_fields(pending),
    )


def state_document(state: Revision) -> StateDocument:
    return StateDocument(
        number=state.number or 0,  # a public state has one
        kind=state.kind,
        sentence=state.sentence,
        date=_whole_seconds(state.public_at),
        title=state.title,
        dek=state.dek,
        authors=tuple(state.authors),
        about=tuple(state.about),
        doi=state.doi,
        source=state.source,
    )


def path_document(path: ReadingPath) -> PathDocument:
    """A path; a step whose note is in the trash is left out with the note."""
    return PathDocument(
        slug=path.slug,
        title=path.title,
        line=path.line,
        order=path.position,
        published=_whole_seconds(path.published_at),
        first_published=_whole_seconds(path.first_published_at),
        id=path.uid,
        steps=tuple(
            StepDocument(note=step.note.slug, bridge=step.bridge)
            for step in sorted(path.steps.all(), key=lambda step: (step.position, step.pk))
            if step.note.trashed_at is None
        ),
        description=path.description,
    )


def redirect_document(redirect: Redirect) -> RedirectDocument:
    return RedirectDocument(
        kind=redirect.kind,
        slug=redirect.slug,
        target=redirect.target,
        sentence=redirect.sentence,
    )


def anchors_of_their_own(pairs: list[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """The anchors that a heading wouldn't get by itself, in order.

    Where headings share a text, one such anchor brings all of theirs along: the text alone
    wouldn't tell which heading is meant.
    """
    by_themselves = anchors_for([text for text, _anchor in pairs], ())
    differs: dict[str, bool] = defaultdict(bool)
    for (text, anchor), by_itself in zip(pairs, by_themselves, strict=True):
        differs[text] |= anchor != by_itself
    return tuple(pair for pair in pairs if differs[pair[0]])


def _version_fields(version: Any) -> dict[str, Any]:
    return {
        "title": version.title,
        "short_name": version.short_name,
        "dek": version.dek,
        "authors": tuple(version.authors),
        "about": tuple(version.about),
        "lang": version.lang,
        "doi": version.doi,
        "canonical": version.canonical,
        "key": version.key,
        "macros": version.macros,
        "source": version.source,
    }


def _whole_seconds(time: datetime | None) -> datetime | None:
    return time.replace(microsecond=0) if time else None

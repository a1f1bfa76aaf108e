"""How each kind of document is found in the site and written there, through publishing alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from notes import images
from notes import publishing as notes_publishing
from notes.models import Figure, Note, PendingVersion, Reference, Revision, Topic
from notes.models.note import VERSIONED_FIELDS
from notesite import publishing as site_publishing
from notesite.content import collect
from notesite.content.document import (
    FigureDocument,
    NoteDocument,
    PathDocument,
    PendingDocument,
    Place,
    RedirectDocument,
    ReferenceDocument,
    SiteDocument,
    StateDocument,
    TopicDocument,
)
from notesite.content.form import SITE_KEYS
from notesite.content.report import Refusal
from notesite.models import Redirect, Site
from series import publishing as series_publishing
from series.models import ReadingPath

# The rows that an address of a redirect's kind may stand for; "address" is any other address.
ADDRESSED: dict[str, tuple[type[models.Model], str]] = {
    Redirect.Kind.NOTE: (Note, "slug"),
    Redirect.Kind.TOPIC: (Topic, "slug"),
    Redirect.Kind.PATH: (ReadingPath, "slug"),
    Redirect.Kind.REFERENCE: (Reference, "key"),
}


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of document: its word in reports and records, its model, and its ways in and out."""

    name: str
    model: type[models.Model]
    find: Callable[[Any], Any]
    describe: Callable[[Any], Any]
    write: Callable[[Any, Any], Any]


def write_site(document: SiteDocument, site: Site | None) -> Site:
    site = site or Site.objects.first() or Site()
    for key in SITE_KEYS:
        value = getattr(document, key)
        # An absent key is the site's default; a document with None says "absent".
        setattr(site, key, getattr(Site(), key) if value is None else value)
    site.links = list(document.links)
    site.synonyms = {part: list(headings) for part, headings in document.synonyms.items()}
    return site_publishing.save_site(site)


def write_topic(document: TopicDocument, topic: Topic | None) -> Topic:
    topic = topic or Topic(slug=document.slug)
    topic.name, topic.description = document.name, document.description
    return notes_publishing.save_topic(topic)


def write_reference(document: ReferenceDocument, reference: Reference | None) -> Reference:
    return notes_publishing.save_reference(document.bibtex, replaces=reference)


def write_figure(document: FigureDocument, figure: Figure | None) -> Figure:
    data = document.read()
    if figure is None:
        return notes_publishing.add_figure(
            data,
            name=document.name,
            alt=document.alt,
            caption=document.caption,
            credit=document.credit,
            keep_clean=True,
            exact_name=True,
        )
    figure.alt, figure.caption, figure.credit = document.alt, document.caption, document.credit
    if images.prepare(data, keep_clean=True).sha256 == figure.sha256:
        return notes_publishing.save_figure(figure)
    return notes_publishing.replace_figure(figure, data, keep_clean=True)


def check_figure(document: FigureDocument) -> None:
    """What a dry run does instead: everything but putting the file into the media folder."""
    image = images.prepare(document.read(), keep_clean=True)
    figure = Figure(name=document.name, path=f"figures/{image.sha256}", sha256=image.sha256)
    figure.width, figure.height, figure.size = image.width, image.height, len(image.bytes)
    figure.alt, figure.caption, figure.credit = document.alt, document.caption, document.credit
    figure.full_clean(validate_unique=False)


def write_note(document: NoteDocument, note: Note | None) -> Note:
    """A note, then its public states and its pending version: whole or not at all."""
    topics = _topics(document.topics, document.place)
    is_new = note is None
    note = note or Note(slug=document.slug)
    for field in VERSIONED_FIELDS:
        setattr(note, field, _plain(getattr(document, field)))
    if document.id:
        note.uid = document.id
    note.slug, note.pinned = document.slug, document.pinned
    note.published_at, note.first_published_at = document.published, document.first_published
    note.revised_at = document.revised
    note.withdrawn_at = document.withdrawn.at if document.withdrawn else None
    note.withdrawn_sentence = document.withdrawn.sentence if document.withdrawn else ""
    if document.anchors or is_new:
        note.anchors = [list(pair) for pair in document.anchors]
    notes_publishing.save_note(note, topics=topics)
    if document.history:
        states = [_state(state, note) for state in document.history]
        _within(document.history[0].place, notes_publishing.write_public_states, note, states)
    _write_pending(document.pending, note)
    return note


def write_path(document: PathDocument, path: ReadingPath | None) -> ReadingPath:
    path = path or ReadingPath()
    path.slug, path.title, path.line = document.slug, document.title, document.line
    path.description = document.description
    path.published_at, path.first_published_at = document.published, document.first_published
    if document.id:
        path.uid = document.id
    if document.order is not None:
        path.position = document.order
    steps = []
    for step in document.steps:
        note = Note.objects.filter(slug=step.note).first()
        if note is None:
            raise Refusal(
                _("The step “%(slug)s” is no note of this site.") % {"slug": step.note},
                file=document.place.file,
                line=document.place.line_of("steps"),
                cure=_("Add the note to the folder, or take the step out."),
            )
        steps.append((note, step.bridge))
    path = series_publishing.save_path(path, steps)
    if document.order is not None and path.position != document.order:
        # A new path without a position went to the end; 0 is one.
        path.position = document.order
        series_publishing.save_path(path)
    return path


def write_redirect(document: RedirectDocument, redirect: Redirect | None) -> Redirect:
    if document.kind in ADDRESSED:
        model, name = ADDRESSED[document.kind]
        if model._default_manager.filter(**{name: document.slug}).exists():
            raise Refusal(
                _("“%(slug)s” is an address in use; it can't lead elsewhere.")
                % {"slug": document.slug},
                file=document.place.file,
                line=document.place.line,
                cure=_("Take the redirect out, or give what has the address another one."),
            )
    redirect = redirect or Redirect(kind=document.kind, slug=document.slug)
    redirect.target, redirect.sentence = document.target, document.sentence
    return site_publishing.save_redirect(redirect)


def _topics(slugs: tuple[str, ...], place: Place) -> list[Topic]:
    topics = {topic.slug: topic for topic in Topic.objects.filter(slug__in=slugs)}
    for slug in slugs:
        if slug not in topics:
            raise Refusal(
                _("“%(slug)s” is no topic of this site.") % {"slug": slug},
                file=place.file,
                line=place.line_of("topics"),
                cure=_("Add it to topics.yaml, or take it out of the note."),
            )
    return list(topics.values())


def _state(document: StateDocument, note: Note) -> Revision:
    rendered = notes_publishing.render_text(document.source, Site.objects.current(), note)
    fields = {field: _plain(getattr(document, field)) for field in VERSIONED_FIELDS}
    # What a state's file doesn't tell is the note's own: its language and macros.
    return Revision(
        number=document.number,
        kind=document.kind or Revision.Kind.PUBLICATION,
        public_at=document.date,
        html=rendered.html,
        anchors=[list(pair) for pair in rendered.anchors],
        **fields
        | {
            "sentence": document.sentence,
            "lang": note.lang,
            "macros": note.macros,
        },
    )


def _write_pending(document: PendingDocument | None, note: Note) -> None:
    stored = PendingVersion.objects.filter(note=note).first()
    if document is None:
        if stored:
            notes_publishing.discard_pending(note)
        return
    _within(
        document.place,
        notes_publishing.save_pending,
        note,
        {field: _plain(getattr(document, field)) for field in VERSIONED_FIELDS},
        topics=document.topics,
        by=None,
        kind=document.kind or Revision.Kind.MINOR,
        sentence=document.sentence,
        release_at=document.release,
        expected_version=stored.version if stored else None,
    )


def _within(place: Place, write: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """Call ``write``; what it refuses stands in ``place``, not in the note's own file."""
    try:
        return write(*arguments, **options)
    except ValidationError as error:
        raise refusal_of(error, place) from error


def refusal_of(error: ValidationError, place: Place) -> Refusal:
    """What a form would show beside its fields, as a refusal at the first field's line."""
    if not hasattr(error, "error_dict"):
        return Refusal(" ".join(error.messages), file=place.file, line=place.line)
    names = {"published_at": "published", "uid": "id", "pinned": "pinned"}
    first = names.get(next(iter(error.message_dict)), next(iter(error.message_dict)))
    messages = [
        " ".join(texts) if field == "__all__" else f"{names.get(field, field)}: {' '.join(texts)}"
        for field, texts in error.message_dict.items()
    ]
    return Refusal(" ".join(messages), file=place.file, line=place.line_of(first))


def _plain(value: Any) -> Any:
    """A document's value as a JSON column takes it."""
    return list(value) if isinstance(value, tuple) else value


def _by(model: type[models.Model], attribute: str) -> Callable[[Any], Any]:
    def find(document: Any) -> Any:
        value = getattr(document, attribute)
        return model._default_manager.filter(**{attribute: value}).first()

    return find


def _find_site(_document: SiteDocument) -> Site | None:
    """The site's row; one in which nobody has changed a thing counts as none."""
    site = Site.objects.first()
    untouched = replace(collect.site_document(Site()))
    return site if site and collect.site_document(site) != untouched else None


def _find_redirect(document: RedirectDocument) -> Redirect | None:
    return Redirect.objects.filter(kind=document.kind, slug=document.slug).first()


SITE = Kind(gettext_noop("site"), Site, _find_site, collect.site_document, write_site)
TOPIC = Kind(gettext_noop("topic"), Topic, _by(Topic, "slug"), collect.topic_document, write_topic)
REFERENCE = Kind(
    gettext_noop("reference"),
    Reference,
    _by(Reference, "key"),
    collect.reference_document,
    write_reference,
)
FIGURE = Kind(
    gettext_noop("figure"), Figure, _by(Figure, "name"), collect.figure_document, write_figure
)
NOTE = Kind(gettext_noop("note"), Note, _by(Note, "slug"), collect.note_document, write_note)
PATH = Kind(
    gettext_noop("path"), ReadingPath, _by(ReadingPath, "slug"), collect.path_document, write_path
)
REDIRECT = Kind(
    gettext_noop("redirect"), Redirect, _find_redirect, collect.redirect_document, write_redirect
)
KINDS = {kind.name: kind for kind in (SITE, TOPIC, REFERENCE, FIGURE, NOTE, PATH, REDIRECT)}

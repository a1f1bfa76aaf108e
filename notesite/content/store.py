"""A library written into the site: what to do with each document, and a transaction for each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from notes.images import ImageRefused
from notes.models import Note, Topic
from notes.publishing import Conflict, order_topics
from notesite.content import writers
from notesite.content.document import Library, NoteDocument, TopicDocument
from notesite.content.fingerprint import fingerprint, fingerprint_of_order
from notesite.content.report import Outcome, Refusal, Report
from notesite.content.writers import Kind, refusal_of
from notesite.models import ImportRecord

TOPIC_ORDER = "topic order"


class Store:
    """Writes documents under the name of one import; a second run finds its own records.

    What an author has changed since is left alone, and so is what another hand has made, unless
    ``overwrite``. ``is_dry`` keeps files out of the media folder; the caller rolls the rows back.
    """

    def __init__(
        self, origin: str, report: Report, *, overwrite: bool = False, is_dry: bool = False
    ) -> None:
        self.origin, self.report = origin, report
        self.overwrite, self.is_dry = overwrite, is_dry

    def write(self, library: Library) -> None:
        """Everything in the order in which it leans on each other."""
        if library.site:
            self.carry(writers.SITE, library.site)
        self._carry_all(writers.TOPIC, library.topics)
        self._order_topics(library.topics)
        self._carry_all(writers.REFERENCE, library.references)
        self._carry_all(writers.FIGURE, library.figures)
        self._carry_all(writers.NOTE, library.notes)
        self._carry_all(writers.PATH, library.paths)
        self._carry_all(writers.REDIRECT, library.redirects)

    def carry(self, kind: Kind, document: Any) -> None:
        """One document, whole or not at all; what became of it stands in the report."""
        place = document.place
        try:
            with transaction.atomic():
                outcome = self._carry(kind, document)
        except Refusal as refusal:
            self.report.refuse(kind.name, refusal.within(place.file))
        except ValidationError as error:
            self.report.refuse(kind.name, refusal_of(error, place))
        except (ImageRefused, Conflict) as error:
            self.report.refuse(kind.name, Refusal(str(error), file=place.file, line=place.line))
        else:
            self.report.add(outcome, kind.name, place.file, place.line)

    def _carry_all(self, kind: Kind, documents: Iterable[Any]) -> None:
        for document in documents:
            self.carry(kind, document)

    def _carry(self, kind: Kind, document: Any) -> Outcome:
        source_path = source_path_of(kind, document)
        source_hash = fingerprint(document)
        record = ImportRecord.objects.filter(
            origin=self.origin, source_path=source_path, kind=kind.name
        ).first()
        if record:
            stored = kind.model._default_manager.filter(pk=record.object_id).first()
            if not self.overwrite and record.source_hash == source_hash:
                # Deleted here, or changed: either way somebody's decision since.
                return Outcome.UNCHANGED
            if stored and record.written_hash == fingerprint(kind.describe(stored)):
                if record.source_hash == source_hash:
                    return Outcome.UNCHANGED
            elif not self.overwrite:
                raise _edited_since(document)
            stored = stored or kind.find(document)
        else:
            stored = kind.find(document)
            if stored and self._may_be_left(kind, document, stored, source_hash):
                return Outcome.UNCHANGED
        return self._write(kind, document, stored, source_path, source_hash)

    def _may_be_left(self, kind: Kind, document: Any, stored: Any, source_hash: str) -> bool:
        """Whether what somebody else made says the same; if not, refuse to replace it."""
        if isinstance(document, TopicDocument) and document.is_implied:
            return True
        current_hash = fingerprint(kind.describe(stored))
        if current_hash == source_hash and not _is_in_trash(stored):
            return True
        is_untouched_sample_site = (
            kind is writers.SITE
            and ImportRecord.objects.filter(
                origin=ImportRecord.SAMPLE, kind=kind.name, written_hash=current_hash
            ).exists()
        )
        if not self.overwrite and not is_untouched_sample_site:
            raise _not_from_this_import(kind, document, stored)
        return False

    def _write(
        self, kind: Kind, document: Any, stored: Any, source_path: str, source_hash: str
    ) -> Outcome:
        if kind is writers.FIGURE and self.is_dry:
            writers.check_figure(document)
            return Outcome.UPDATED if stored else Outcome.CREATED
        if isinstance(document, NoteDocument):
            document = self._without_second_pin(document, stored)
        written = kind.write(document, stored)
        written.refresh_from_db()
        ImportRecord.objects.update_or_create(
            origin=self.origin,
            source_path=source_path,
            kind=kind.name,
            defaults={
                "source_hash": source_hash,
                "object_id": written.pk,
                "written_hash": fingerprint(kind.describe(written)),
            },
        )
        return Outcome.UPDATED if stored else Outcome.CREATED

    def _without_second_pin(self, document: NoteDocument, stored: Note | None) -> NoteDocument:
        """The author's own pinned note stays the featured one."""
        pinned = (
            Note.objects.filter(pinned=True).exclude(slug=stored.slug if stored else "").first()
        )
        if not document.pinned or pinned is None:
            return document
        message = _("“%(slug)s” is pinned in this site; this note comes unpinned.")
        line = document.place.line_of("pinned")
        self.report.add(
            Outcome.NOTICE, "note", document.place.file, line, message % {"slug": pinned.slug}
        )
        return replace(document, pinned=False)

    def _order_topics(self, documents: Sequence[TopicDocument]) -> None:
        """Bring the topics into the file's order, once for each order that the file has had."""
        slugs = [document.slug for document in documents if not document.is_implied]
        if not slugs:
            return
        source_hash = fingerprint_of_order(slugs)
        key: dict[str, Any] = {
            "origin": self.origin,
            "source_path": "topics.yaml",
            "kind": TOPIC_ORDER,
        }
        if ImportRecord.objects.filter(**key, source_hash=source_hash).exists():
            return
        with transaction.atomic():
            topics = list(Topic.objects.order_by("position", "slug"))
            wanted = [topic for slug in slugs for topic in topics if topic.slug == slug]
            # Each place that one of them has now is filled in the new order; others keep theirs.
            in_turn = iter(wanted)
            ordered = [next(in_turn) if topic in wanted else topic for topic in topics]
            if ordered != topics:
                order_topics([topic.pk for topic in ordered])
            ImportRecord.objects.update_or_create(
                **key,
                defaults={
                    "source_hash": source_hash,
                    "object_id": 0,
                    "written_hash": fingerprint_of_order(topic.slug for topic in ordered),
                },
            )


def source_path_of(kind: Kind, document: Any) -> str:
    """What identifies a document among those of its import: its file, and its name in a list."""
    match kind:
        case writers.TOPIC | writers.REDIRECT:
            name = document.slug if kind is writers.TOPIC else f"{document.kind}:{document.slug}"
            return f"{document.place.file}#{name}"[:500]
        case writers.REFERENCE:
            return f"{document.place.file}#{document.key}"
        case _:
            return document.place.file[:500]


def _is_in_trash(stored: Any) -> bool:
    return getattr(stored, "trashed_at", None) is not None


def _edited_since(document: Any) -> Refusal:
    return Refusal(
        _("This was changed or deleted in the site since it was imported; it was left alone."),
        file=document.place.file,
        line=document.place.line,
        cure=_("Run again with --overwrite to replace it by what the file says."),
    )


def _not_from_this_import(kind: Kind, document: Any, stored: Any) -> Refusal:
    if _is_in_trash(stored):
        return Refusal(
            _("“%(name)s” is in the trash of the site, which keeps its address.")
            % {"name": stored},
            file=document.place.file,
            line=document.place.line,
            cure=_("Restore or purge it there, or rename the file."),
        )
    return Refusal(
        _("The site has a %(kind)s “%(name)s” that is not from this import.")
        % {"kind": _(kind.name), "name": stored},
        file=document.place.file,
        line=document.place.line,
        cure=_("Rename one of the two, or run again with --overwrite to replace what is there."),
    )

"""What is stored of a note's text: rendered on save, and anew when what it used has changed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from urllib.parse import quote

from django.db import OperationalError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from notes.markdown import RENDERER_VERSION, Inputs, Problem, Rendered, ids_in, render
from notes.markdown.roots import NOTE_MARK, SITE_MARK
from notes.models import Mention, Note, Reference
from notes.publishing.inputs import inputs_of
from notes.publishing.locks import without_waiting
from notesite.models import Redirect, Site

RENDERED_AT_ONCE = 50
RENDERED_FIELDS = (
    "html",
    "sections",
    "contents",
    "anatomy",
    "takeaways",
    "anchors",
    "problems",
    "about_cards",
    "words",
    "minutes",
    "has_math",
    "renderer_version",
    "stale_at",
)


@dataclass(frozen=True, slots=True)
class Prepared:
    """A rendering made ahead, with all it depended on."""

    source: str
    inputs: Inputs
    rendered: Rendered


def render_text(source: str, site: Site, note: Note | None = None) -> Rendered:
    """The one rendering of a text: for a note with its macros, language and anchors."""
    return render(source, inputs_of(source, site, note))


def prepare(note: Note, site: Site) -> Prepared:
    """Render before the transaction of a save, so that the lock is held for the writing alone."""
    inputs = inputs_of(note.source, site, note)
    return Prepared(note.source, inputs, render(note.source, inputs))


def render_into(note: Note, site: Site, prepared: Prepared | None = None) -> Rendered:
    """Render ``note`` and set its derived fields; nothing is written.

    ``prepared`` is taken if nothing that it depended on has changed meanwhile.
    """
    inputs = inputs_of(note.source, site, note)
    if prepared is not None and (prepared.source, prepared.inputs) == (note.source, inputs):
        rendered = prepared.rendered
    else:
        rendered = render(note.source, inputs)
    references = {r.key: r for r in Reference.objects.filter(key__in=note.about)}
    note.html = rendered.html
    note.sections = [asdict(section) for section in rendered.sections]
    note.contents = [asdict(heading) for heading in rendered.contents]
    note.anatomy = [asdict(part) for part in rendered.anatomy]
    note.takeaways = [asdict(takeaway) for takeaway in rendered.takeaways]
    note.anchors = [list(pair) for pair in rendered.anchors]
    note.about_cards = [references[key].card() for key in note.about if key in references]
    note.problems = [
        *(asdict(problem) for problem in rendered.problems),
        *(asdict(_unknown_reference(key)) for key in note.about if key not in references),
    ]
    note.words = rendered.words + rendered.cjk
    note.minutes = rendered.minutes()
    note.has_math = rendered.has_math
    note.renderer_version = RENDERER_VERSION
    note.stale_at = None
    return rendered


def write_mentions(note: Note, rendered: Rendered) -> None:
    """Store which notes, figures and references the note names, and how it speaks of notes."""
    named = {
        Mention.Kind.NOTE: rendered.links,
        Mention.Kind.FIGURE: rendered.figures,
        Mention.Kind.REFERENCE: rendered.citations,
        Mention.Kind.ABOUT: tuple(note.about),
    }
    sentences = {(Mention.Kind.NOTE.value, slug): said for slug, said in rendered.sentences}
    wanted = {
        (kind.value, name[:200]): sentences.get((kind.value, name), "")
        for kind, names in named.items()
        for name in names
    }
    stored = {
        (mention.kind, mention.name): (mention.pk, mention.sentence)
        for mention in note.mentions.all()
    }
    kept = {mention for mention, (_, sentence) in stored.items() if wanted.get(mention) == sentence}
    gone = [pk for mention, (pk, _) in stored.items() if mention not in kept]
    note.mentions.filter(pk__in=gone).delete()
    Mention.objects.bulk_create(
        Mention(note=note, kind=kind, name=name, sentence=wanted[kind, name])
        for kind, name in sorted(wanted.keys() - kept)
    )


def mark_stale(kinds: Iterable[str], names: Iterable[str]) -> None:
    """Mark the notes that name one of ``names``; up to fifty are rendered there and then."""
    notes = Note.objects.filter(mentions__kind__in=list(kinds), mentions__name__in=list(names))
    mark_stale_notes(notes.values_list("pk", flat=True))


def mark_stale_notes(pks: Iterable[int]) -> None:
    """Mark notes whose rendering depends on what has changed; a few are rendered at once."""
    stale = Note.objects.filter(pk__in=list(pks))
    stale.update(stale_at=timezone.now())
    if stale.count() <= RENDERED_AT_ONCE:
        _render_and_store(stale.order_by("pk"))


def names_of(slug: str) -> list[str]:
    """What a note is called by other notes: its slug, and those it had before."""
    former = Redirect.objects.filter(kind=Redirect.Kind.NOTE, target=slug)
    return [slug, *former.order_by("slug").values_list("slug", flat=True)]


def linking_to(names: Iterable[str]) -> QuerySet[Note]:
    """The notes that name a note by one of these names."""
    return Note.objects.filter(mentions__kind=Mention.Kind.NOTE, mentions__name__in=list(names))


def mark_linking(note: Note, *names: str) -> None:
    """Mark the notes that name ``note``, which has come, gone or changed its name.

    Its own text is rendered with what it has become.
    """
    linking = linking_to({*names_of(note.slug), *names}).exclude(pk=note.pk)
    mark_stale_notes(linking.values_list("pk", flat=True))


def linking_to_changed_anchors(note: Note, html_before: str) -> list[int]:
    """The notes that name an anchor of ``note``, if it has other ones than before."""
    if note.html == html_before or set(ids_in(note.html)) == set(ids_in(html_before)):
        return []
    names = names_of(note.slug)
    named = Q()
    for name in names:
        named |= Q(html__contains=f"{NOTE_MARK}{name}#")
        named |= Q(html__contains=f"{SITE_MARK}notes/{quote(name)}/#")
    linking = linking_to(names).exclude(pk=note.pk).filter(named)
    return list(linking.order_by().values_list("pk", flat=True).distinct())


def rerender(batch: int = 100) -> int:
    """Render every stale note, in batches of one transaction; how many there were."""
    done = 0
    while True:
        with transaction.atomic():
            stale = Note.objects.in_need_of_rendering(RENDERER_VERSION).order_by("pk")
            count = _render_and_store(stale.select_for_update()[:batch])
            if count:
                Site.objects.move_revision()
        if not count:
            return done
        done += count


def refresh(note: Note) -> None:
    """Render a stale note for its own page, and write it back if nobody holds the lock.

    The site revision stays: what is written is what every reader of this page sees anyway.
    """
    if note.renderer_version >= RENDERER_VERSION and note.stale_at is None:
        return
    seen = {name: getattr(note, name) for name in ("version", "stale_at", "renderer_version")}
    html_before = note.html
    rendered = render_into(note, Site.objects.current())
    try:
        with without_waiting(), transaction.atomic():
            values = {field: getattr(note, field) for field in RENDERED_FIELDS}
            # Only if it is still the row that was read: it may have become stale once more.
            if Note.objects.filter(pk=note.pk, **seen).update(**values):
                write_mentions(note, rendered)
                _mark_for_later(linking_to_changed_anchors(note, html_before))
    except OperationalError:
        pass  # somebody is writing; the next reader's request stores it


def _render_and_store(notes: Iterable[Note]) -> int:
    site, count = Site.objects.current(), 0
    for note in notes:
        html_before = note.html
        write_mentions(note, render_into(note, site))
        note.save(update_fields=RENDERED_FIELDS)
        _mark_for_later(linking_to_changed_anchors(note, html_before))
        count += 1
    return count


def _mark_for_later(pks: list[int]) -> None:
    """Mark notes without rendering them, where that is under way: their own anchors stay."""
    Note.objects.filter(pk__in=pks).update(stale_at=timezone.now())


def _unknown_reference(key: str) -> Problem:
    return Problem(
        code="unknown-reference",
        severity="error",
        line=0,
        column=0,
        message=_("About names “%(key)s”, which is no reference of this site.") % {"key": key},
        cure=_("Add the reference, or take the key out of About."),
    )

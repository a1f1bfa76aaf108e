"""What a text may depend on besides itself, gathered from the database for one render."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import QuerySet

from notes.citing import citable
from notes.markdown import (
    DEFAULT_SYNONYMS,
    PARTS,
    FigureFile,
    Inputs,
    NamedNote,
    ReferenceEntry,
    Variant,
    figure_names,
    ids_in,
    keys_in,
    notes_named,
)
from notes.models import Figure, Note, Reference
from notesite.models import Redirect, Site

MOST_NAMES_ASKED = 500  # a database takes only so many names in one question


def inputs_of(source: str, site: Site, note: Note | None = None) -> Inputs:
    """The inputs of a note's text, or of a short one that belongs to no note.

    At most six queries, and none for what the text doesn't name.
    """
    figures = _figures(figure_names(source))
    # A figure's own caption is read in the note as if it stood there.
    everything = "\n".join([source, *(figure.caption for figure in figures)])
    return Inputs(
        figures={figure.name: _figure_file(figure) for figure in figures},
        anchors=tuple((heading, anchor) for heading, anchor in note.anchors) if note else (),
        synonyms={part: (*DEFAULT_SYNONYMS[part], *site.synonyms.get(part, ())) for part in PARTS},
        macros=site.macros | (note.macros if note else {}),
        language=(note.lang if note else "") or site.language,
        smart_quotes=site.smart_quotes,
        references=_references(keys_in(everything)),
        citation_style=site.citation_style,
        notes=_notes(notes_named(everything), note or Note()),
    )


def _figures(names: set[str]) -> list[Figure]:
    """The figures that a text names: one query."""
    figures = Figure.objects.order_by()
    found = figures.filter(name__in=names) if len(names) <= MOST_NAMES_ASKED else figures
    return [one for one in found if one.name in names] if names else []


def _references(keys: set[str]) -> dict[str, ReferenceEntry]:
    """What a text may cite, of what it names: one query."""
    references = Reference.objects.order_by()
    found = references.filter(key__in=keys) if len(keys) <= MOST_NAMES_ASKED else references
    return {one.key: citable(one) for one in found if one.key in keys} if keys else {}


def _notes(named: dict[str, bool], own: Note) -> dict[str, NamedNote]:
    """The notes that a text names, outside the trash, also by names they had before.

    Two queries, a third for the anchors of those whose anchors are named, and a fourth if anything
    is unknown until then: an address of another system may lead on.
    """
    if not named:
        return {}
    leads = dict(
        _among(
            Redirect.objects.filter(kind=Redirect.Kind.NOTE).exclude(target=""), named
        ).values_list("slug", "target")
    )
    wanted = {*named, *leads.values()}
    # The text's own note may be about to change its name: it has the one that it is to have.
    others = Note.objects.filter(trashed_at=None).exclude(pk=own.pk)
    there = {*_among(others, wanted).values_list("slug", flat=True), own.slug} - {""}
    # Where a note stands, no redirect is asked.
    slugs = {name: name if name in there else leads.get(name, "") for name in named}
    slugs = {name: slug for name, slug in slugs.items() if slug in there}
    anchors = _anchors({slug for name, slug in slugs.items() if named[name] and slug != own.slug})
    found = {
        name: NamedNote(is_own=True) if slug == own.slug else NamedNote(anchors.get(slug))
        for name, slug in slugs.items()
    }
    if unknown := named.keys() - found.keys():
        addresses = {f"/notes/{slug}{end}": slug for slug in unknown for end in ("", "/")}
        rows = _among(Redirect.objects.filter(kind=Redirect.Kind.ADDRESS), addresses)
        found |= {
            addresses[row.slug]: NamedNote(is_elsewhere=True)
            for row in rows
            if row.slug in addresses
        }
    return found


def _among(rows: QuerySet, names: Iterable[str]) -> QuerySet:
    """The rows with one of these names, and where there are too many names, more than these."""
    listed = list(names)
    rows = rows.order_by()
    return rows.filter(slug__in=listed) if len(listed) <= MOST_NAMES_ASKED else rows


def _anchors(slugs: set[str]) -> dict[str, tuple[str, ...]]:
    """Every anchor of these notes: of the first few hundred, should a text name more."""
    asked = sorted(slugs)[:MOST_NAMES_ASKED]
    rows = Note.objects.filter(slug__in=asked).order_by().values_list("slug", "html")
    return {slug: ids_in(html) for slug, html in rows} if asked else {}


def _figure_file(figure: Figure) -> FigureFile:
    return FigureFile(
        name=figure.name,
        path=figure.path,
        width=figure.width,
        height=figure.height,
        alt=figure.alt,
        caption=figure.caption,
        credit=figure.credit,
        variants=tuple(Variant(**variant) for variant in figure.variants),
    )

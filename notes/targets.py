"""Where links between notes lead at this moment: asked when a page, feed or preview is built."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from django.db.models import F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Substr
from django.urls import get_script_prefix, reverse

from notes.markdown import (
    NoteTarget,
    references_in,
    resolve_citations,
    resolve_note_links,
    slugs_in,
)
from notes.markdown.roots import SITE_MARK
from notes.models import Note
from notes.reference_views import public_references
from notesite.models import Redirect

NO_ADDRESSES: Mapping[str, str] = MappingProxyType({})
OPENING = 400  # characters of a text that its title is made of, where it has none

MOST_TARGETS = 5_000  # a database takes only so many names in one question


def targets_of(
    texts: Iterable[str], addresses: Mapping[str, str] = NO_ADDRESSES
) -> dict[str, NoteTarget]:
    """The public notes that stored html links to, also by names they had before: one query.

    ``addresses`` of notes, such as those of a path's public steps, take the place of their own.
    Without a link nothing is asked.
    """
    slugs = slugs_in(*texts)[:MOST_TARGETS]
    if not slugs:
        return {}
    targets = {}
    for asked, slug, title, opening in rows(slugs):
        if slug is not None and title is not None:
            address = addresses.get(slug) or reverse("notes:detail", args=[slug])
            shown = Note(title=title, source=opening).display_title
            targets[asked] = NoteTarget(marked(address), shown)
    return targets


def with_links(texts: Sequence[str], addresses: Mapping[str, str] = NO_ADDRESSES) -> list[str]:
    """Stored short texts with their links to what readers may see: notes, and cited references.

    A query for each of the two, and none where no text names one.
    """
    targets = targets_of(texts, addresses)
    keys = sorted(references_in(*texts))[:MOST_TARGETS]
    public = public_references().filter(key__in=keys).values_list("key", flat=True) if keys else ()
    pages = {key: marked(reverse("notes:reference", args=[key])) for key in public}
    return [resolve_citations(resolve_note_links(text, targets), pages) for text in texts]


def marked(address: str) -> str:
    """An address of this site with a marked root: a feed has another root than a page."""
    return SITE_MARK + address.removeprefix(get_script_prefix())


def rows(slugs: list[str]) -> QuerySet[Any, Any]:
    """The name asked for, and the slug, title and first words of the public note that has it."""
    public = Note.objects.published()
    first_words = Substr("source", 1, OPENING)
    by_name = public.filter(slug__in=slugs).annotate(
        asked=F("slug"), named=F("slug"), called=F("title"), opening=first_words
    )
    target = public.filter(slug=OuterRef("target")).annotate(opening=first_words)
    by_former_name = Redirect.objects.filter(kind=Redirect.Kind.NOTE, slug__in=slugs).annotate(
        asked=F("slug"),
        named=F("target"),
        called=Subquery(target.values("title")[:1]),
        opening=Subquery(target.values("opening")[:1]),
    )
    columns = ("asked", "named", "called", "opening")
    former = by_former_name.order_by().values_list(*columns)
    both = by_name.order_by().values_list(*columns).union(former, all=True)
    return both.order_by()

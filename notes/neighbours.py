"""What surrounds a note: the one before, the one after, and what links to it."""

from __future__ import annotations

from django.db.models import OuterRef, Q, QuerySet, Subquery

from notes.models import Mention, Note
from notesite.models import Redirect

BACKLINKS_SHOWN = 60


def older_and_newer(note: Note) -> tuple[Note | None, Note | None]:
    """The public notes next to a public one, in order of publication: one query."""
    if not note.is_public:
        return None, None
    at, pk = note.published_at, note.pk
    public = Note.objects.published()
    # The bound on the date alone lets the index start there; ties are told apart by the id.
    older = public.filter(published_at__lte=at).filter(Q(published_at__lt=at) | Q(pk__lt=pk))
    newer = public.filter(published_at__gte=at).filter(Q(published_at__gt=at) | Q(pk__gt=pk))
    next_older = older.order_by("-published_at", "-pk").values("pk")[:1]
    next_newer = newer.order_by("published_at", "pk").values("pk")[:1]
    both = Q(pk=Subquery(next_older)) | Q(pk=Subquery(next_newer))
    before = after = None
    for other in public.without_texts().filter(both):
        if (other.published_at, other.pk) < (at, pk):
            before = other
        else:
            after = other
    return before, after


def backlinks_to(note: Note) -> QuerySet:
    """The newest public notes that link to this one, also by a name it had before.

    Each with the ``sentence`` that its first link stands in.
    """
    former = Redirect.objects.filter(kind=Redirect.Kind.NOTE, target=note.slug).values("slug")
    mentions = Mention.objects.filter(kind=Mention.Kind.NOTE)
    # Asked apart, both are looked up by name; in one condition every mention would be read.
    by_name = mentions.filter(name=note.slug).values("note")
    by_former_name = mentions.filter(name__in=former).values("note")
    linking = Note.objects.published().filter(Q(pk__in=by_name) | Q(pk__in=by_former_name))
    said = mentions.filter(Q(name=note.slug) | Q(name__in=former), note=OuterRef("pk"))
    first_said = said.exclude(sentence="").order_by("pk").values("sentence")[:1]
    linking = linking.exclude(pk=note.pk).annotate(sentence=Subquery(first_said))
    return linking.without_texts().newest_first()[:BACKLINKS_SHOWN]

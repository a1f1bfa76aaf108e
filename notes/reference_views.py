"""What the site cites: the list of references, and each with the notes that use it."""

from __future__ import annotations

from django.db.models import Count, Exists, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce, Lower
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from notes.addresses import Gone
from notes.citing import citable
from notes.models import Mention, Note, Reference
from notes.pages import only_samples, page_of, public_page
from notesite.models import Redirect


@public_page
def reference_list(request: HttpRequest, number: int | None = None) -> HttpResponse:
    if number == 1:
        return redirect("notes:references", permanent=True)
    page = page_of(with_note_counts(public_references()).order_by(Lower("key"), "key"), number)
    return render(request, "notes/reference_list.html", {"page": page})


@public_page
def reference_detail(request: HttpRequest, key: str, number: int | None = None) -> HttpResponse:
    reference = find_reference(key)
    if reference.key != key or number == 1:
        place = {} if number in (None, 1) else {"number": number}
        return redirect("notes:reference", key=reference.key, **place, permanent=True)
    uses = Exists(public_mentions().filter(name=reference.key, note=OuterRef("pk")))
    notes = Note.objects.published().filter(uses).newest_first().for_cards()
    page = page_of(notes, number)
    context = {
        "reference": reference,
        "entry": citable(reference),
        "page": page,
        "is_sample": only_samples(page),
    }
    return render(request, "notes/reference_detail.html", context)


def public_mentions() -> QuerySet[Mention]:
    """Where a public note cites a reference, or is about it."""
    kinds = (Mention.Kind.REFERENCE, Mention.Kind.ABOUT)
    notes = Note.objects.published().order_by().values("pk")
    return Mention.objects.filter(kind__in=kinds, note__in=notes)


def public_references() -> QuerySet[Reference]:
    """Those that a public note uses."""
    return Reference.objects.filter(Exists(public_mentions().filter(name=OuterRef("key"))))


def with_note_counts(references: QuerySet[Reference]) -> QuerySet[Reference]:
    """Each with ``note_count``, the public notes that use it: one of two kinds counts once."""
    uses = public_mentions().filter(name=OuterRef("key")).order_by().values("name")
    counted = uses.annotate(number=Count("note", distinct=True)).values("number")
    return references.annotate(
        note_count=Coalesce(Subquery(counted, output_field=IntegerField()), 0)
    )


def find_reference(key: str) -> Reference:
    """The reference that a public note uses, by its key or one it had before.

    What isn't public takes the same queries as what never was.
    """
    public = public_references()
    found = public.filter(key=key).first()
    if found is not None:
        return found
    former = Redirect.objects.filter(kind=Redirect.Kind.REFERENCE, slug=key).first()
    if former is not None:
        if not former.target:
            raise Gone(former.sentence)
        found = public.filter(key=former.target).first()
    if found is None:
        raise Http404
    return found

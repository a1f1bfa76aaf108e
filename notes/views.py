"""Notes, topics and the archive, as readers see them."""

from itertools import groupby

from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone

from notes import structured_data
from notes.addresses import find
from notes.citation import citation_of
from notes.history import public_states
from notes.markdown import resolve_note_links
from notes.models import Note, Topic
from notes.neighbours import backlinks_to, older_and_newer
from notes.pages import (
    answer_from,
    only_samples,
    page_of,
    prefers_markdown,
    public_page,
    visitor,
)
from notes.publishing import refresh
from notes.targets import NO_ADDRESSES, targets_of
from notesite.models import Redirect


@public_page
def note_detail(request, slug):
    note = find_note(request, slug)
    if note.slug != slug:
        return redirect(note, permanent=True)
    if prefers_markdown(request):
        return answer_from(request, reverse("note_markdown", args=[note.slug]))
    return note_page(request, "notes/note_detail.html", note)


@public_page
def topic_list(request, number=None):
    if number == 1:
        return redirect("notes:topics", permanent=True)
    page = page_of(Topic.objects.with_public_notes().with_note_counts(), number)
    return render(request, "notes/topic_list.html", {"topics": page.object_list, "page": page})


@public_page
def topic_detail(request, slug, number=None):
    topic = find_topic(slug)
    if topic.slug != slug or number == 1:
        place = {} if number in (None, 1) else {"number": number}
        return redirect("notes:topic", slug=topic.slug, **place, permanent=True)
    notes = Note.objects.published().on_topic(topic).newest_first().for_cards()
    page = page_of(notes, number)
    context = {
        "topic": topic,
        "page": page,
        "is_sample": only_samples(page),
        "structured_data": structured_data.of_topic(topic, page, request.site),
    }
    return render(request, "notes/topic_detail.html", context)


@public_page
def archive(request, number=None):
    if number == 1:
        return redirect("archive", permanent=True)
    notes = Note.objects.published().newest_first().without_texts().knowing_samples()
    page = page_of(notes, number)
    years = groupby(page, lambda note: timezone.localtime(note.published_at).year)
    context = {
        "years": [(year, list(notes)) for year, notes in years],
        "page": page,
        "is_sample": only_samples(page),
    }
    return render(request, "notes/archive.html", context)


@public_page
def to_archive(request):
    return redirect("archive", permanent=True)


def find_note(request, slug):
    """The note that this visitor finds at ``slug``, or by a name it had before."""
    visible = Note.objects.visible_to(visitor(request))
    visible = visible.knowing_samples().knowing_states().with_topics()
    everything = Note.objects.without_texts()
    return find(Redirect.Kind.NOTE, slug, visible=visible, everything=everything)


def find_topic(slug):
    """The topic with public notes at ``slug``, or by a name it had before."""
    visible = Topic.objects.with_public_notes()
    return find(Redirect.Kind.TOPIC, slug, visible=visible, everything=Topic.objects.all())


def note_page(request, template, note, addresses=NO_ADDRESSES, **context):
    """A note and what surrounds it: three queries, one for the notes that its text links to, and
    one for its history if it was revised.

    Where it is stale, it is rendered anew. ``addresses`` are those of notes inside a path.
    """
    refresh(note)
    older, newer = older_and_newer(note)
    takeaways = [one["html"] for one in note.takeaways]
    targets = targets_of([note.html, *takeaways], addresses)
    context = {
        "note": note,
        "is_sample": note.is_sample,
        "contents": note.contents,
        "html": resolve_note_links(note.html, targets),
        "takeaways": [
            one | {"html": resolve_note_links(one["html"], targets)} for one in note.takeaways
        ],
        # Inside a path, the others it is in.
        "paths_of": note.steps.public()
        .numbered()
        .exclude(path=context.get("path"))
        .select_related("path"),
        "older": older,
        "newer": newer,
        "backlinks": backlinks_to(note),
        "citation": citation_of(note, request.site),
        "structured_data": structured_data.of_note(note, request.site),
        "states": public_states(note) if (note.last_state or 0) > 1 else [],
        **context,
    }
    return render(request, template, context)

"""Reading paths and the notes in them, as readers see them."""

from django.shortcuts import redirect, render
from django.utils.translation import ngettext

from notes.addresses import canonical_slug, find
from notes.card_views import answer
from notes.pages import only_samples, page_of, public_page, visitor
from notes.targets import with_links
from notes.views import find_note, note_page
from notesite.models import Redirect
from series.models import ReadingPath, Step
from series.structured_data import of_path


@public_page
def path_list(request, number=None):
    if number == 1:
        return redirect("series:paths", permanent=True)
    paths = ReadingPath.objects.published().knowing_samples().order_by("position", "slug")
    page = page_of(paths, number)
    steps = Step.objects.public().with_notes().filter(path__in=[path.pk for path in page])
    context = {"paths": steps.by_path(), "page": page, "is_sample": only_samples(page)}
    return render(request, "series/path_list.html", context)


@public_page
def path_detail(request, slug):
    path = find_path(request, slug)
    if path.slug != slug:
        return redirect(path, permanent=True)
    steps = list(Step.objects.visible_to(visitor(request)).with_notes().filter(path=path))
    addresses = {step.note.slug: step.get_absolute_url() for step in steps}
    texts = [path.description_html, *(step.bridge_html for step in steps)]
    path.description_html, *bridges = with_links(texts, addresses)
    for step, bridge in zip(steps, bridges, strict=True):
        step.bridge_html = bridge
    minutes = sum(step.note.minutes for step in steps)
    context = {
        "path": path,
        "is_sample": path.is_sample,
        "steps": steps,
        "minutes": minutes,
        "structured_data": of_path(path, steps, request.site),
    }
    return render(request, "series/path_detail.html", context)


@public_page
def path_card(request, slug):
    path = find_path(request, slug)
    if path.slug != slug:
        return redirect("series:card", path.slug, permanent=True)
    count = Step.objects.visible_to(visitor(request)).filter(path=path).count()
    label = ngettext("%(number)d note", "%(number)d notes", count) % {"number": count}
    return answer(request, path.title, label)


@public_page
def path_note(request, path_slug, slug):
    steps = steps_of(request, canonical_slug(path_slug))
    if not steps:
        path = find_path(request, path_slug)
        steps = steps_of(request, path.slug)
    place = place_of(steps, canonical_slug(slug))
    if place is None:
        note = find_note(request, slug)
        place = place_of(steps, note.slug)
        if place is None:
            return redirect(note)
    step = steps[place]
    if (step.path.slug, step.note.slug) != (path_slug, slug):
        return redirect(step, permanent=True)
    addresses = {step.note.slug: step.get_absolute_url() for step in steps}
    (step.bridge_html,) = with_links([step.bridge_html], addresses)
    return note_page(
        request,
        "series/path_note.html",
        find_note(request, slug),
        addresses=addresses,
        path=step.path,
        step=step,
        steps=steps,
        step_number=place + 1,
        step_count=len(steps),
        previous_step=steps[place - 1] if place else None,
        next_step=steps[place + 1] if place + 1 < len(steps) else None,
        bridge=step.bridge_html,
    )


def find_path(request, slug):
    """The path that this visitor finds at ``slug``, or by a name it had before."""
    return find_among(ReadingPath.objects.visible_to(visitor(request)).knowing_samples(), slug)


def find_public_path(slug):
    """As ``find_path``, for whoever asks: what a feed holds is the same for all."""
    return find_among(ReadingPath.objects.published(), slug)


def find_among(visible, slug):
    return find(Redirect.Kind.PATH, slug, visible=visible, everything=ReadingPath.objects.all())


def steps_of(request, path_slug):
    """The steps of a path that exist for this visitor: readers' are the public ones."""
    steps = Step.objects.visible_to(visitor(request)).with_notes()
    return list(steps.filter(path__slug=path_slug))


def place_of(steps, note_slug):
    """Where a note stands among the steps, or None."""
    return next((n for n, step in enumerate(steps) if step.note.slug == note_slug), None)

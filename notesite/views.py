"""The pages of the site as a whole."""

from django.db.models import prefetch_related_objects
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.csrf import requires_csrf_token

from notes.addresses import Gone
from notes.models import Note, Topic
from notes.pages import only_samples, page_of, public_page
from notes.querysets import topics_in_order
from notes.structured_data import of_index
from notes.targets import with_links
from notesite.redirects import retired_address
from series.models import ReadingPath, Step

TOPICS_TO_START_WITH = 8
PATHS_ON_THE_INDEX = 12


@public_page
def home(request, number=None):
    """The index: five queries, whatever the number of notes."""
    if number == 1:
        return redirect("home", permanent=True)
    featured = Note.objects.featured().first()
    note_count = getattr(featured, "note_count", 0)
    notes = Note.objects.published().newest_first().without_texts().knowing_samples()
    page = page_of(notes, number, note_count)
    page.object_list = list(page.object_list)
    shown = [*page.object_list, *([featured] if featured else [])]
    prefetch_related_objects(shown, topics_in_order(Note))
    paths = ReadingPath.objects.published().order_by("position", "slug")
    steps = Step.objects.public().with_notes()
    intro = request.site.intro_html if page.number == 1 else ""
    context = {
        "intro": with_links([intro])[0],
        "featured": featured,
        "note_count": note_count,
        "page": page,
        "is_sample": only_samples(page),
        "structured_data": of_index(page.object_list, request.site),
        "topics": Topic.objects.with_public_notes()[:TOPICS_TO_START_WITH],
        "paths": steps.filter(path__in=paths.values("pk")[:PATHS_ON_THE_INDEX]).by_path(),
    }
    return render(request, "notes/home.html", context)


@public_page
def about(request):
    (text,) = with_links([request.site.about_html])
    return render(request, "notesite/about.html", {"text": text})


@public_page
def accent(request):
    """The one colour that the site chooses, as a sheet after the others' names for it."""
    sheet = f"@layer tokens {{ :root {{ --accent-chosen: {request.site.accent_colour}; }} }}\n"
    response = HttpResponse(sheet, content_type="text/css; charset=utf-8")
    response["Cache-Control"] = "public, max-age=60, stale-while-revalidate=86400"
    return response


@requires_csrf_token
def page_not_found(request, exception):
    """The handler of 404: where the address leads now, else one page for all that isn't there."""
    if request.method in {"GET", "HEAD"}:
        try:
            if (answer := retired_address(request)) is not None:
                return answer
        except Gone as gone:
            return render(request, "410.html", {"sentence": gone.sentence}, status=410)
        except Http404:
            pass  # it led to what isn't public, and answers as that does
    return render(request, "404.html", status=404)

"""The feed of a reading path: its notes, newest first."""

from django.shortcuts import redirect
from django.urls import reverse

from notes.feeds import feed_of_notes
from notes.models import Note
from notes.pages import public_page
from series.models import Step
from series.views import find_public_path


@public_page
def path_feed(request, slug, form):
    path = find_public_path(slug)
    if path.slug != slug:
        return redirect(f"series:path_{form}", path.slug, permanent=True)
    steps = Step.objects.public().filter(path=path)
    return feed_of_notes(
        request,
        Note.objects.published().filter(pk__in=steps.order_by().values("note")),
        form=form,
        title=f"{path.title} · {request.site}",
        subtitle=path.line,
        link=path.get_absolute_url(),
        address=reverse(f"series:path_{form}", args=[path.slug]),
        uid=path.uid,
    )

"""The feed of the whole site, and the addresses that other systems' feeds had."""

from django.shortcuts import redirect
from django.urls import reverse

from notes.feeds import feed_of_notes
from notes.models import Note
from notes.pages import public_page
from notesite.redirects import retired_address


@public_page
def site_feed(request, form):
    return feed_of_notes(
        request,
        Note.objects.published(),
        form=form,
        title=str(request.site),
        subtitle=request.site.tagline,
        link=reverse("home"),
        address=reverse("feed" if form == "atom" else "feed_json"),
    )


@public_page
def former_feed(request):
    """Leads to the feed, unless an imported address stands there."""
    return retired_address(request) or redirect("feed", permanent=True)

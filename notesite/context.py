"""What every template may use."""

from django.conf import settings

from notes.pages import visitor
from notes.querysets import is_author
from notesite.models import Site


def site(request):
    """The site, its public origin, and whether an author reads; a reader's session is not asked."""
    return {
        "site": getattr(request, "site", None) or Site(),
        "public_url": settings.SITE_URL,
        "user_is_author": is_author(visitor(request)),
    }

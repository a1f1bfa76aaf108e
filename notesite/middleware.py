"""What every request passes on its way to a view; the order stands in settings.MIDDLEWARE."""

import re
from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.middleware.http import ConditionalGetMiddleware
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.cache import get_conditional_response, set_response_etag

from notes.publishing import release_due
from notesite.models import Site

type View = Callable[[HttpRequest], HttpResponseBase]

METHODS = ["GET", "HEAD", "POST", "OPTIONS"]
PUBLIC = "public, max-age=0, s-maxage=1, must-revalidate"
PRIVATE = "private, no-store"
VARY = "Accept, Accept-Encoding"
COMPRESSIBLE = ("text/", "application/json", "application/feed+json", "application/atom+xml")


def is_signed_in(request: HttpRequest) -> bool:
    """Whether the request brings something that may open more than the public sees.

    The cookie counts, not the session behind it: asking would cost a query for every reader.
    """
    return settings.SESSION_COOKIE_NAME in request.COOKIES or "HTTP_AUTHORIZATION" in request.META


def too_large(request: HttpRequest) -> HttpResponse:
    """A page that says where the text is: an author may have sent it without scripts."""
    megabytes = settings.LARGEST_REQUEST // 1024**2
    return HttpResponse(render_to_string("413.html", {"megabytes": megabytes}), status=413)


def refuse_strange_requests(get_response: View) -> View:
    """No method but those the site has, and no request larger than it takes."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if request.method not in METHODS:
            return HttpResponseNotAllowed(METHODS)
        length = request.META.get("CONTENT_LENGTH") or "0"
        if re.fullmatch("[0-9]{1,18}", length) is None:
            raise BadRequest("Content-Length is no number.")
        if int(length) > settings.LARGEST_REQUEST:
            return too_large(request)
        return get_response(request)

    return middleware


class PublicGZipMiddleware(GZipMiddleware):
    """Compress public text only.

    BREACH guesses a secret from the length of a compressed page that holds both the secret and
    the guess. Public pages hold no secret; a page that may hold one isn't compressed at all, so
    the random filling of Django's own middleware isn't needed and equal pages stay equal bytes.
    """

    max_random_bytes = 0

    def process_response(self, request, response):
        is_text = response.get("Content-Type", "").startswith(COMPRESSIBLE)
        if not is_text or "public" not in response.get("Cache-Control", ""):
            return response
        return super().process_response(request, response)


class ConditionalMiddleware(ConditionalGetMiddleware):
    """Answer HEAD like GET: views make the body for both, and the server drops it."""

    def process_response(self, request, response):
        if request.method == "HEAD" and not response.streaming and self.needs_etag(response):
            if not response.has_header("ETag"):
                set_response_etag(response)
            return get_conditional_response(request, etag=response.get("ETag"), response=response)
        return super().process_response(request, response)


def say_who_may_store(get_response: View) -> View:
    """Everybody's page may be kept, but asked about each time; a person's page is kept nowhere."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if is_signed_in(request) or response.cookies:
            response["Cache-Control"] = PRIVATE
        elif not response.has_header("Cache-Control"):
            is_read = request.method in {"GET", "HEAD"} and response.status_code < 500
            response["Cache-Control"] = PUBLIC if is_read else PRIVATE
        if response["Cache-Control"].startswith("public"):
            # Not Cookie, which Django adds when a view looks at the user: requests with the
            # cookie never come from a store, so the public page is one for all.
            response["Vary"] = VARY
        return response

    return middleware


def know_the_site(get_response: View) -> View:
    """Release what is due, then set ``request.site``, time zone and language: one query.

    Health answers for itself, database or not.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if request.path.startswith("/health/"):
            return get_response(request)
        site = Site.objects.current()
        if site.has_due_release:
            release_due()
            site = Site.objects.current()
        request.site = site  # type: ignore[assignment]  # not Django's "sites"
        language = site.language
        if not translation.check_for_language(language):
            language = settings.LANGUAGE_CODE
        with timezone.override(site.time_zone), translation.override(language):
            return get_response(request)

    return middleware

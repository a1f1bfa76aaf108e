"""What every public page has in common: its methods, its visitor, the pages of a long list."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.core.paginator import EmptyPage, Page, Paginator
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import resolve
from django.views.decorators.http import require_safe

from notes.addresses import Gone

PER_PAGE = 60

type View = Callable[..., HttpResponse]


def public_page(view: View) -> View:
    """A page to be read: GET and HEAD alone; what is gone answers 410 with its sentence."""

    @wraps(view)
    def page(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except Gone as gone:
            return render(request, "410.html", {"sentence": gone.sentence}, status=410)

    return require_safe(page)


def visitor(request: HttpRequest) -> User | AnonymousUser:
    """Who reads. Without a session cookie nobody signed in, and no session is asked."""
    if settings.SESSION_COOKIE_NAME not in request.COOKIES or not hasattr(request, "user"):
        return AnonymousUser()
    return request.user


def prefers_markdown(request: HttpRequest) -> bool:
    """Whether whoever asks would rather have the source than the page, as programs may."""
    return request.get_preferred_type(["text/html", "text/markdown"]) == "text/markdown"


def answer_from(request: HttpRequest, address: str) -> HttpResponse:
    """What stands at another ``address`` of the site, which is named as where it came from."""
    view, args, kwargs = resolve(address)
    response = view(request, *args, **kwargs)
    response["Content-Location"] = address
    return response


def only_samples(rows: Iterable[Model]) -> bool:
    """Whether a list shows nothing but the sample library; asked of rows that know it."""
    marks = [row.is_sample for row in rows]  # type: ignore[attr-defined]
    return bool(marks) and all(marks)


def page_of(items: QuerySet | Sequence, number: int | None, count: int | None = None) -> Page:
    """Page ``number`` of a list; ``count`` saves asking for it. Beyond the last there is none."""
    paginator = Paginator(items, PER_PAGE)
    if count is not None:
        paginator.count = count
    try:
        return paginator.page(number or 1)
    except EmptyPage as error:
        raise Http404 from error

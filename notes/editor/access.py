"""Who may talk to the editor's endpoints: authors, by POST, with a token against forgery."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_protect

type View = Callable[[HttpRequest], HttpResponse]
type Refusal = Callable[[str, int], HttpResponse]


def may_write(user: User | AnonymousUser) -> bool:
    """Whether somebody may write notes, new ones or stored ones."""
    permissions = ("notes.add_note", "notes.change_note")
    return user.is_active and user.is_staff and any(map(user.has_perm, permissions))


def author_of(request: HttpRequest) -> User:
    """Return the signed-in author, who is said to have done what is done here."""
    if isinstance(request.user, AnonymousUser):
        raise PermissionDenied
    return request.user


def for_authors(refuse: Refusal) -> Callable[[View], View]:
    """Let authors' POST requests through; tell the others why not, in the view's own form."""

    def decorate(view: View) -> View:
        @never_cache
        @csrf_protect
        @wraps(view)
        def guarded(request: HttpRequest) -> HttpResponse:
            if request.method != "POST":
                return HttpResponseNotAllowed(["POST"])
            if not may_write(request.user):
                return refuse(
                    _(
                        "You are not signed in as an author. Sign in again in another tab, "
                        "then go on here: the text on this page is kept."
                    ),
                    403,
                )
            return view(request)

        return guarded

    return decorate

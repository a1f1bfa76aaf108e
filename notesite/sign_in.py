"""Signing in without a password: for the first start, and for whoever is locked out.

The link's page asks for a click, so that a program that looks at links in passing (a chat, a mail
scanner) doesn't use it up. The token is stored as a hash: who reads the database can't use it.
"""

import hashlib
import secrets
from datetime import timedelta

from django.conf import settings
from django.contrib import admin, messages
from django.contrib.auth import get_user_model, login, update_session_auth_hash
from django.contrib.auth.forms import SetPasswordForm
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from notesite.models import SignInLink

VALID_FOR = timedelta(hours=1)
BY_LINK = "signed_in_by_link"


def hash_of(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def make_link(user: User) -> str:
    """A fresh address that signs this user in; an older one of theirs is dead from now on."""
    token = secrets.token_urlsafe(32)
    SignInLink.objects.update_or_create(
        user=user,
        defaults={"token_hash": hash_of(token), "expires_at": timezone.now() + VALID_FOR},
    )
    return settings.SITE_URL + reverse("sign_in", args=[token])


def find_link(token: str) -> SignInLink | None:
    return (
        SignInLink.objects.filter(
            token_hash=hash_of(token), expires_at__gt=timezone.now(), user__is_active=True
        )
        .select_related("user")
        .first()
    )


@transaction.atomic
def use_link(token: str) -> User | None:
    """The user whose link this is, once: of two requests at a time one gets the user."""
    link = find_link(token)
    if link is None:
        return None
    deleted, _rows = SignInLink.objects.filter(pk=link.pk, token_hash=link.token_hash).delete()
    return link.user if deleted else None


def keep_secret(response: HttpResponse) -> HttpResponse:
    """The address itself is the key: no search engine, and no other site, shall see it."""
    response["X-Robots-Tag"] = "noindex, nofollow"
    # Only the origin: with no-referrer browsers send "Origin: null", and the form is refused.
    response["Referrer-Policy"] = "strict-origin"
    return response


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: HttpRequest, token: str) -> HttpResponse:
    user = use_link(token) if request.method == "POST" else None
    if user is not None:
        login(request, user, backend="django.contrib.auth.backends.ModelBackend")
        request.session[BY_LINK] = True
        messages.info(
            request,
            format_html(
                '{} <a href="{}">{}</a>',
                _("You are signed in. The link is used up:"),
                reverse("set_password"),
                _("set a password for the next time."),
            ),
        )
        return keep_secret(redirect("admin:index"))
    link = find_link(token)
    context = admin.site.each_context(request) | {
        "title": _("Sign in"),
        "link": link,
        "minutes": int(VALID_FOR.total_seconds() // 60),
    }
    status = 200 if link else 410
    return keep_secret(render(request, "notesite/sign_in.html", context, status=status))


def needs_no_old_password(request: HttpRequest, user: User) -> bool:
    """Whether somebody has no password, or has shown by the link that it may be a new one."""
    return not user.has_usable_password() or bool(request.session.get(BY_LINK))


def change_password(request: HttpRequest) -> HttpResponse:
    """The admin's page, which asks for the old password, for those who have one."""
    if request.user.is_authenticated and needs_no_old_password(request, request.user):
        return redirect("set_password")
    return admin.site.admin_view(admin.site.password_change, cacheable=True)(request)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def set_password(request: HttpRequest) -> HttpResponse:
    """A new password without the old one, for who came by a link or never had one."""
    if not request.user.is_authenticated:
        return redirect("admin:login")
    if not needs_no_old_password(request, request.user):
        return redirect("admin:password_change")
    form = SetPasswordForm(request.user, request.POST or None)
    if form.is_valid():
        form.save()
        update_session_auth_hash(request, form.user)
        request.session.pop(BY_LINK, None)
        messages.success(request, _("The password is set: sign in with it from now on."))
        return redirect("admin:index")
    context = admin.site.each_context(request) | {"title": _("Set a password"), "form": form}
    return render(request, "notesite/set_password.html", context)


def administrator_without_password() -> User | None:
    """The first superuser, until somebody who can sign in by password is one."""
    superusers = get_user_model().objects.filter(is_superuser=True, is_active=True).order_by("pk")
    users = list(superusers[:100])
    if any(user.has_usable_password() for user in users):
        return None
    return users[0] if users else None

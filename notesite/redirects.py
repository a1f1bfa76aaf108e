"""Addresses of other systems, and of pages that are no more: where they lead now."""

from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import get_script_prefix, resolve
from django.utils.http import url_has_allowed_host_and_scheme

from notes.addresses import Gone
from notesite.models import Redirect

LONGEST = Redirect._meta.get_field("slug").max_length or 0


def retired_address(request: HttpRequest) -> HttpResponse | None:
    """Where an address that no page has leads: one hop, to what its target's page answers.

    None if nothing is known of it. Raises Gone and Http404 where the target is no page any more.
    """
    address = request.path_info
    if "\x00" in address or len(address) > LONGEST:
        return None
    forms = {address, address.rstrip("/"), f"{address.rstrip('/')}/"} - {""}
    rows = Redirect.objects.filter(kind=Redirect.Kind.ADDRESS, slug__in=forms)
    row = min(rows, key=lambda row: row.slug != address, default=None)
    if row is None:
        return None
    if not row.target:
        raise Gone(row.sentence)
    return answer_of(request, row.target)


def answer_of(request: HttpRequest, target: str) -> HttpResponse | None:
    """A redirect to ``target``, or what its own page answers if that isn't the page itself.

    Only addresses of this site are led to: a row that names another one leads nowhere.
    """
    is_ours = target.startswith("/") and url_has_allowed_host_and_scheme(target, allowed_hosts=None)
    if not is_ours:
        return None
    match = resolve(urlsplit(target).path)
    if match.app_name in {"notes", "series"}:
        answer = match.func(request, *match.args, **match.kwargs)
        if answer.status_code != 200:
            return answer
    return redirect(get_script_prefix().rstrip("/") + target, permanent=True)

"""What stands at an address: the thing itself, where it has moved, or that it is gone."""

from __future__ import annotations

import unicodedata
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.http import Http404

from notes.models import Note
from notesite.models import Redirect


class Gone(Exception):
    """What stood here was public and no longer is; ``sentence`` tells readers why."""

    def __init__(self, sentence: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence


def absolute(address: str) -> str:
    """An address with the site's public origin, which a setting knows and no request."""
    if address.startswith(("http://", "https://")):
        return address  # media on a host of its own
    return f"{settings.SITE_URL}{address}"


def canonical_slug(slug: str) -> str:
    """The form in which slugs are stored: ``Größe`` is found at ``größe``."""
    return unicodedata.normalize("NFC", slug.lower())


def find(kind: str, slug: str, *, visible: QuerySet, everything: QuerySet) -> Any:
    """What a visitor finds at ``slug``; it may be stored under another one, if that has changed.

    Raises Gone for what was withdrawn or purged, else Http404. What isn't public takes the same
    queries as what never was, so that the time it takes tells nobody.
    """
    slug = canonical_slug(slug)
    found = visible.filter(slug=slug).first()
    if found is not None:
        return found
    redirect = Redirect.objects.filter(kind=kind, slug=slug).first()
    hidden: Any = everything.filter(slug=slug).first()
    if hidden is None and redirect is not None:
        if not redirect.target:
            raise Gone(redirect.sentence)
        found = visible.filter(slug=redirect.target).first()
        if found is not None:
            return found
        hidden = everything.filter(slug=redirect.target).first()
    if getattr(hidden, "state", None) == Note.State.WITHDRAWN:
        raise Gone(hidden.withdrawn_sentence)
    raise Http404

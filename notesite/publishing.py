"""Every write to the site's own row and to redirects, each in one transaction."""

from __future__ import annotations

from django.db import transaction

from notes.models import Note
from notes.publishing import render_text
from notes.publishing.conflicts import Conflict, claim, clean_fields
from notes.publishing.rendering import mark_stale_notes
from notesite.models import Redirect, Site
from series import publishing as series_publishing

# A change of these is a change of every note's html.
RENDERING_FIELDS = ("synonyms", "macros", "smart_quotes", "citation_style", "language")


@transaction.atomic
def save_site(site: Site) -> Site:
    """Save the site's fields; notes are rendered anew where the change reaches into their text.

    Raises ValidationError, and Conflict where the stored row is newer.
    """
    stored = Site.objects.select_for_update().first()
    if stored is not None:
        if stored.version != site.version:
            raise Conflict(stored)
        claim(site)
        site.revision = stored.revision
    clean_fields(site)
    site.intro_html = render_text(site.intro, site).html
    site.about_html = render_text(site.about, site).html
    site.full_clean(validate_unique=stored is None)
    site.save()
    if stored and any(getattr(stored, name) != getattr(site, name) for name in RENDERING_FIELDS):
        mark_stale_notes(Note.objects.values_list("pk", flat=True))
        series_publishing.rerender(everything=True)
    Site.objects.move_revision()
    return site


@transaction.atomic
def save_redirect(redirect: Redirect) -> Redirect:
    """Save a redirect row made by hand or by an import."""
    clean_fields(redirect)
    redirect.full_clean()
    redirect.save()
    Site.objects.move_revision()
    return redirect


@transaction.atomic
def delete_redirect(redirect: Redirect) -> None:
    """Delete a redirect; its address is unknown from now on."""
    redirect.delete()
    Site.objects.move_revision()

"""Every write to the site's own row and to redirects, each in one transaction."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from notes.models import Mention, Note
from notes.publishing import ShortText, render_short
from notes.publishing.conflicts import Conflict, clean_fields, restored_on_failure
from notes.publishing.rendering import mark_stale, mark_stale_notes
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
    with restored_on_failure(site):
        if stored is not None:
            if stored.version != site.version:
                raise Conflict(stored)
            site.version, site.revision = stored.version + 1, stored.revision
        clean_fields(site)
        _render(site)
        site.full_clean(validate_unique=stored is None)
        site.save()
    if stored and any(getattr(stored, name) != getattr(site, name) for name in RENDERING_FIELDS):
        mark_stale_notes(Note.objects.values_list("pk", flat=True))
        series_publishing.rerender(everything=True)
    Site.objects.move_revision()
    return site


def find_texts(holding: Collection[str] | None = None) -> Iterator[ShortText]:
    """Intro and about, if they hold one of these strings; both for None."""
    site = Site.objects.first() or Site()
    address = reverse("admin:notesite_site_change", args=[1])
    labels = {"intro": _("intro of the site"), "about": _("about page of the site")}
    for field, label in labels.items():
        source = getattr(site, field)
        if source and (holding is None or any(one in source for one in holding)):
            yield ShortText(field, f"site/{field}", source, label, address)


def render_texts_with(names: Collection[str]) -> None:
    """Render intro and about if they hold one of these names."""
    if any(find_texts(names)):
        rerender()


@transaction.atomic
def rerender() -> int:
    """Render intro and about anew; how many of them have changed."""
    site = Site.objects.select_for_update().first()
    if site is None:
        return 0
    before = (site.intro_html, site.about_html)
    _render(site)
    after = (site.intro_html, site.about_html)
    if after == before:
        return 0
    site.save(update_fields=["intro_html", "about_html"])
    Site.objects.move_revision()
    return sum(old != new for old, new in zip(before, after, strict=True))


def _render(site: Site) -> None:
    site.intro_html = render_short(site.intro, site).html
    site.about_html = render_short(site.about, site).html


@transaction.atomic
def save_redirect(redirect: Redirect) -> Redirect:
    """Save a redirect row made by hand or by an import."""
    clean_fields(redirect)
    redirect.full_clean()
    redirect.save()
    _mark_linking(redirect)
    Site.objects.move_revision()
    return redirect


@transaction.atomic
def delete_redirect(redirect: Redirect) -> None:
    """Delete a redirect; its address is unknown from now on."""
    redirect.delete()
    _mark_linking(redirect)
    Site.objects.move_revision()


def _mark_linking(redirect: Redirect) -> None:
    """Mark the notes that link to a note by the address that leads on now, or no longer."""
    slug = redirect.slug
    if redirect.kind == Redirect.Kind.ADDRESS and slug.startswith("/notes/"):
        slug = slug.removeprefix("/notes/").strip("/")
    elif redirect.kind != Redirect.Kind.NOTE:
        return
    mark_stale([Mention.Kind.NOTE], [slug])

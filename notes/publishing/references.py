"""References: one BibTeX entry each, the columns read from it."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from notes.bibtex import Entry, parse
from notes.models import Reference
from notes.publishing.conflicts import clean_fields
from notes.publishing.rendering import mark_stale
from notesite.models import Redirect, Site

MENTIONED_AS = ("reference", "about")


@transaction.atomic
def save_reference(bibtex: str, *, replaces: Reference | None = None) -> Reference:
    """Save one BibTeX entry under its key; ``replaces`` is the row that is edited, if any.

    A new key of an edited one leaves a redirect. Notes that name it are rendered anew.
    """
    entry = _single_entry(bibtex)
    reference = replaces or Reference.objects.filter(key=entry.key).first() or Reference()
    old_key = reference.key
    reference.key, reference.bibtex, reference.entry_type = (
        entry.key,
        entry.bibtex,
        entry.entry_type,
    )
    reference.title, reference.authors = entry.get("title")[:500], entry.authors
    reference.year, reference.url = entry.get("year", "date")[:20], entry.url[:500]
    reference.code_url = entry.get("code", "repository")[:500]
    clean_fields(reference)
    reference.bibtex = entry.bibtex
    reference.full_clean()
    reference.save()
    if old_key and old_key != reference.key:
        Redirect.objects.leave(Redirect.Kind.REFERENCE, old_key, reference.key)
    mark_stale(MENTIONED_AS, {old_key, reference.key})
    Site.objects.move_revision()
    return reference


@transaction.atomic
def delete_reference(reference: Reference) -> None:
    """Delete a reference; the notes that name it say so from now on."""
    key = reference.key
    reference.delete()
    mark_stale(MENTIONED_AS, [key])
    Site.objects.move_revision()


def _single_entry(bibtex: str) -> Entry:
    entries, failures = parse(bibtex)
    if failures:
        raise ValidationError(
            {
                "bibtex": _("Line %(line)d of the entry cannot be read: %(reason)s")
                % {"line": failures[0].line, "reason": failures[0].message}
            }
        )
    if len(entries) != 1:
        raise ValidationError(
            {"bibtex": _("Give one BibTeX entry, such as @misc{key2026, title = {…}, …}.")}
        )
    return entries[0]

"""References: one BibTeX entry each, the columns read from it."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from notes.bibtex import Entry, parse
from notes.models import Reference
from notes.publishing.conflicts import claim, clean_fields, settle_address
from notes.publishing.rendering import mark_stale
from notes.publishing.short_texts import render_short_texts_with
from notesite.models import Redirect, Site
from notesite.text import is_web_address

MENTIONED_AS = ("reference", "about")
LONGEST_ADDRESS = 500


@transaction.atomic
def save_reference(
    bibtex: str, *, replaces: Reference | None = None, take_retired_key: bool = False
) -> Reference:
    """Save one BibTeX entry under its key; ``replaces`` is the row that is edited, if any.

    A new key of an edited one leaves a redirect. Notes that name it are rendered anew.
    """
    entry = _single_entry(bibtex)
    Site.objects.hold()
    reference = replaces or Reference.objects.filter(key=entry.key).first() or Reference()
    claim(reference)
    old_key = reference.key
    settle_address(
        Redirect.Kind.REFERENCE,
        old_key,
        entry.key,
        was_public=True,
        take_retired=take_retired_key,
        field="bibtex",
    )
    describe(reference, entry)
    reference.full_clean()
    reference.save()
    mark_stale(MENTIONED_AS, {old_key, reference.key})
    render_short_texts_with({old_key, reference.key} - {""})
    Site.objects.move_revision()
    return reference


def describe(reference: Reference, entry: Entry) -> None:
    """Set the record and all that is read from it; nothing is written."""
    reference.key, reference.entry_type = entry.key, entry.entry_type
    reference.title, reference.authors = entry.get("title")[:500], entry.authors
    reference.year = entry.get("year", "date")[:20]
    # What is no web address stays in the entry alone: nobody is led there.
    reference.url = _led_to(entry.url)
    reference.code_url = _led_to(entry.get("code", "repository"))
    clean_fields(reference)
    reference.bibtex = entry.bibtex


@transaction.atomic
def delete_reference(reference: Reference) -> None:
    """Delete a reference; the notes that name it say so from now on."""
    Site.objects.hold()  # before short texts are read, which others may be writing
    key = reference.key
    reference.delete()
    mark_stale(MENTIONED_AS, [key])
    render_short_texts_with([key])
    Site.objects.move_revision()


def _led_to(address: str) -> str:
    is_one = is_web_address(address) and len(address) <= LONGEST_ADDRESS
    return address if is_one else ""


def _single_entry(bibtex: str) -> Entry:
    entries, failures = parse(bibtex)
    if failures:
        failure = failures[0]
        said = {
            "line": failure.noticed or failure.line,
            "reason": f"{failure.message} {failure.cure}",
        }
        raise ValidationError(
            {"bibtex": _("Line %(line)d of the entry cannot be read: %(reason)s") % said}
        )
    if len(entries) != 1:
        raise ValidationError(
            {"bibtex": _("Give one BibTeX entry, such as @misc{key2026, title = {…}, …}.")}
        )
    return entries[0]

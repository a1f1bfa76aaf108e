"""The preview: the note's html as its page will have it, and what is wrong with the text."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.html import format_html
from django.utils.translation import gettext as _

from notes.admin.fields import KeysField, MacrosField
from notes.editor.access import for_authors
from notes.editor.problems import list_of
from notes.markdown import resolve_note_links
from notes.models import Note
from notes.models.note import SOURCE_MAX_BYTES
from notes.publishing.rendering import render_into
from notes.targets import targets_of
from notesite.models import Site
from notesite.text import clean_text


def refuse(sentence: str, status: int) -> HttpResponse:
    return HttpResponse(format_html('<p class="preview-refusal">{}</p>', sentence), status=status)


def take_settings(note: Note, sent: QueryDict) -> None:
    """Set what else a rendering depends on; what the form would refuse stays as it is stored."""
    fields = {
        "macros": MacrosField(),
        "lang": forms.CharField(required=False),
        "about": KeysField(),
    }
    for name, field in fields.items():
        if name not in sent:
            continue
        try:
            value = field.clean(sent[name])
            setattr(note, name, cast("Any", Note._meta.get_field(name)).clean(value, note))
        except ValidationError:
            continue


@for_authors(refuse)
def preview(request: HttpRequest) -> HttpResponse:
    """Render ``content`` as the form would save it; what is wrong comes with that very render."""
    content = request.POST.get("content")
    if content is None:
        return refuse(_("The request holds no text. Reload the page and try again."), 400)
    if len(content.encode(errors="replace")) > SOURCE_MAX_BYTES:
        return refuse(_("A text may have 5 MB. Divide it into several notes."), 413)
    number = request.GET.get("note", "")
    stored = (
        Note.objects.filter(pk=int(number)).first()
        if number.isdecimal() and len(number) < 19
        else None
    )
    note = stored or Note()
    take_settings(note, request.POST)
    site = cast("Site", request.site)  # the middleware's, not django.contrib.sites'
    note.source = clean_text(content)
    render_into(note, site)
    context = {
        "html": resolve_note_links(note.html, targets_of([note.html])),
        "list": list_of(note.problems, note.source, note.words, note.minutes),
        "lang": note.lang,
    }
    return render(request, "admin/notes/note/preview.html", context)

"""The preview: the note's html as its page will have it, and what is wrong with the text."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.html import format_html
from django.utils.translation import gettext as _

from notes.admin.fields import MacrosField
from notes.editor.access import for_authors
from notes.markdown import resolve_note_links
from notes.models import Note
from notes.models.note import SOURCE_MAX_BYTES
from notes.publishing import render_text
from notes.targets import targets_of
from notesite.models import Site
from notesite.text import clean_text


def refuse(sentence: str, status: int) -> HttpResponse:
    return HttpResponse(format_html('<p class="preview-refusal">{}</p>', sentence), status=status)


def take_settings(note: Note, sent: QueryDict) -> None:
    """Set what else a rendering depends on; what the form would refuse stays as it is stored."""
    for name, field in (("macros", MacrosField()), ("lang", forms.CharField(required=False))):
        if name not in sent:
            continue
        try:
            value = field.clean(sent[name])
            setattr(note, name, cast("Any", Note._meta.get_field(name)).clean(value, note))
        except ValidationError:
            continue


@for_authors(refuse)
def preview(request: HttpRequest) -> HttpResponse:
    """Render ``content`` as the form would save it: macros, language, the note's anchors."""
    content = request.POST.get("content")
    if content is None:
        return refuse(_("The request holds no text. Reload the page and try again."), 400)
    if len(content.encode(errors="replace")) > SOURCE_MAX_BYTES:
        return refuse(_("A text may have 5 MB. Divide it into several notes."), 413)
    number = request.GET.get("note", "")
    stored = Note.objects.filter(pk=int(number)).first() if number.isdecimal() else None
    note = stored or Note()
    take_settings(note, request.POST)
    site = cast("Site", request.site)  # the middleware's, not django.contrib.sites'
    rendered = render_text(clean_text(content), site, note)
    context = {
        "html": resolve_note_links(rendered.html, targets_of([rendered.html])),
        "problems": [asdict(problem) for problem in rendered.problems],
        "words": rendered.words + rendered.cjk,
        "minutes": rendered.minutes(),
        "lang": note.lang,
    }
    return render(request, "admin/notes/note/preview.html", context)

import json

from django import template
from django.conf import settings
from django.urls import get_script_prefix
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe

from notes.markdown import place
from notes.markdown.ids import with_fragments_at, with_prefix

register = template.Library()


@register.filter
def placed(html: str) -> str:
    """Stored html with this installation's roots in it: ``{{ note.html|placed }}``."""
    return place(html, site_root=get_script_prefix(), media_root=settings.MEDIA_URL)


@register.filter
def ids_after(html: str, prefix: str) -> str:
    """Stored html beside other texts on a page: ``{{ html|ids_after:"path--"|placed }}``."""
    return with_prefix(html, escape(prefix))


@register.filter
def read_at(html: str, address: str) -> str:
    """Stored html of another page: ``{{ takeaway.html|read_at:address|placed }}``."""
    return with_fragments_at(html, escape(address))


@register.filter
def as_json_ld(things: list[dict]) -> SafeString:
    """A data block for search engines, which no browser runs: ``{{ structured_data|as_json_ld }}``.

    Signs that could end the element are written as JSON writes them.
    """
    text = json.dumps({"@context": "https://schema.org", "@graph": things}, ensure_ascii=False)
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    # Safe: without these signs nothing in it can be read as HTML.
    return format_html('<script type="application/ld+json">{}</script>', mark_safe(text))  # noqa: S308

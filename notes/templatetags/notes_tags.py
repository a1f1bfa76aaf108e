from django import template
from django.conf import settings
from django.urls import get_script_prefix
from django.utils.html import escape

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

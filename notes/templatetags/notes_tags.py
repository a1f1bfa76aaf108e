from django import template
from django.conf import settings
from django.urls import get_script_prefix

from notes.markdown import place

register = template.Library()


@register.filter
def placed(html: str) -> str:
    """Stored html with this installation's roots in it: ``{{ note.html|placed }}``."""
    return place(html, site_root=get_script_prefix(), media_root=settings.MEDIA_URL)

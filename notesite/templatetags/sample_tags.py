from django import template

from notesite import sample

register = template.Library()


@register.simple_tag
def sample_is_here() -> bool:
    """Whether the admin should offer to take the sample library out: one query."""
    return sample.is_here()

"""The group "Authors": who is in it can do all of the writing; accounts stay the superuser's."""

from typing import Any

from django.apps import apps
from django.contrib.auth.management import create_permissions

GROUP = "Authors"
OUR_APPS = ("notesite", "notes", "series")


def make_group(**_kwargs: Any) -> None:
    """Make the group and give it every permission on our models; runs after each migration."""
    group_model = apps.get_model("auth", "Group")
    permission_model = apps.get_model("auth", "Permission")
    for label in OUR_APPS:
        create_permissions(apps.get_app_config(label), verbosity=0)
    group, _ = group_model.objects.get_or_create(name=GROUP)
    group.permissions.set(permission_model.objects.filter(content_type__app_label__in=OUR_APPS))

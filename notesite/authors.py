"""The group "Authors": who is in it can do all of the writing; accounts stay the superuser's."""

from typing import Any

from django.apps import apps as current_apps
from django.apps.registry import Apps
from django.contrib.auth.management import create_permissions

GROUP = "Authors"
OUR_APPS = ("notesite", "notes", "series")


def make_group(*, using: str, apps: Apps = current_apps, **_kwargs: Any) -> None:
    """Make the group and give it the writing of our models; runs after each migration.

    After a flush, which sends the same signal, there is no state of ``apps`` but the current one.
    """
    try:
        group_model = apps.get_model("auth", "Group")
        permission_model = apps.get_model("auth", "Permission")
    except LookupError:
        return  # migrated back to before accounts
    for label in OUR_APPS:
        create_permissions(current_apps.get_app_config(label), verbosity=0, apps=apps, using=using)
    group, _ = group_model._default_manager.using(using).get_or_create(name=GROUP)
    permissions = permission_model._default_manager.using(using)
    ours = permissions.filter(content_type__app_label__in=OUR_APPS)
    group.permissions.add(*ours.exclude(content_type__model="signinlink"))

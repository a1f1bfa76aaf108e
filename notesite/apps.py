from django.apps import AppConfig, apps
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class NotesiteConfig(AppConfig):
    name = "notesite"
    verbose_name = _("The site")

    def ready(self) -> None:
        from notes.publishing.short_texts import TextsOfApp, register
        from notesite.authors import OUR_APPS, make_group
        from notesite.publishing import find_texts, render_texts_with

        register(TextsOfApp(find=find_texts, render=render_texts_with))

        # After the last of ours: only then has each of them its permissions.
        last = apps.get_app_config(OUR_APPS[-1])
        post_migrate.connect(make_group, sender=last, dispatch_uid="notesite.authors.make_group")

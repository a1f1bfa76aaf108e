from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class SeriesConfig(AppConfig):
    name = "series"
    verbose_name = _("Curating")

    def ready(self) -> None:
        from notes.publishing.short_texts import TextsOfApp, register
        from series.publishing import find_texts, render_texts_with

        register(TextsOfApp(find=find_texts, render=render_texts_with))

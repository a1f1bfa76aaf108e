from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class SeriesConfig(AppConfig):
    name = "series"
    verbose_name = _("Curating")

    def ready(self) -> None:
        from notes.publishing.rendering import other_texts
        from series.publishing import render_texts_with

        other_texts.append(render_texts_with)

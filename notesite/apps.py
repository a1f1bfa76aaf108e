from django.apps import AppConfig


class NotesiteConfig(AppConfig):
    name = "notesite"
    verbose_name = "Site"

"""References in the admin: one BibTeX entry each, the rest is read from it."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from notes import publishing
from notes.admin.adding_references import answer
from notes.admin.fields import TextField
from notes.admin.saving import PublishingAdmin, PublishingForm, take_over
from notes.admin.uses import uses
from notes.bibtex import names_in_short, parse
from notes.markdown import keys_in
from notes.models import Mention, Reference


class ReferenceForm(PublishingForm):
    bibtex = TextField(
        label=gettext_lazy("BibTeX"),
        required=True,
        help_text=gettext_lazy("One entry. Its key is what a note cites: [@smith2026]."),
        widget=forms.Textarea(attrs={"rows": 14, "class": "vLargeTextField code"}),
    )

    class Meta:
        model = Reference
        fields: ClassVar = ["bibtex"]

    def clean_bibtex(self) -> str:
        """An entry never takes the place of another one that has its key."""
        bibtex = self.cleaned_data["bibtex"]
        keys = [entry.key for entry in parse(bibtex)[0]]
        others = Reference.objects.exclude(pk=self.instance.pk)
        if taken := others.filter(key__in=keys).values_list("key", flat=True).first():
            raise ValidationError(_("Another reference has the key “%(key)s”.") % {"key": taken})
        return bibtex


@admin.register(Reference)
class ReferenceAdmin(PublishingAdmin):
    form = ReferenceForm
    change_form_template = "admin/notes/reference/form.html"
    change_list_template = "admin/notes/reference/list.html"
    list_display = ("key", "title", "people", "year", "entry_type")
    search_fields = ("key", "title", "bibtex")
    list_filter = ("entry_type",)
    list_per_page = 100
    fields = ("bibtex", "used_in")
    readonly_fields = ("used_in",)

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.add_many_view)
        return [path("add-many/", view, name="notes_reference_add_many"), *super().get_urls()]

    def add_many_view(self, request: HttpRequest) -> HttpResponse:
        return answer(self, request)

    @admin.display(description=gettext_lazy("authors"))
    def people(self, reference: Reference) -> str:
        return names_in_short([str(name) for name in reference.authors])

    @admin.display(description=gettext_lazy("used in"))
    def used_in(self, reference: Reference) -> SafeString | str:
        kinds = (Mention.Kind.REFERENCE, Mention.Kind.ABOUT)
        return uses(kinds, reference.key, keys_in) if reference.pk else "–"

    def save_model(self, request: HttpRequest, obj: Reference, form: Any, change: bool) -> None:
        stored = Reference.objects.get(pk=obj.pk) if change else None
        if stored is not None:  # the version that the form was made from, not the newest
            stored.version = form.stored_version
        saved = publishing.save_reference(
            form.cleaned_data["bibtex"],
            replaces=stored,
            take_retired_key=form.cleaned_data["take_retired_slug"],
        )
        take_over(obj, saved)

    def delete_model(self, request: HttpRequest, obj: Reference) -> None:
        publishing.delete_reference(obj)

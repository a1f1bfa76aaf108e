"""The site's own row as a single form; redirects and import records to look at."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.options import ActionLocation
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from notes.admin.fields import ColourField, LinksField, MacrosField, SynonymsField, TextField
from notes.admin.saving import PublishingAdmin, PublishingForm, answering_refusals
from notesite import publishing, sample
from notesite.models import ImportRecord, Redirect, Site

admin.site.site_title = gettext_lazy("notesite")
admin.site.site_header = gettext_lazy("notesite")
admin.site.index_title = gettext_lazy("Writing")


class SiteForm(PublishingForm):
    intro = TextField(
        label=gettext_lazy("Intro"),
        help_text=gettext_lazy("Markdown, shown above the index."),
        widget=forms.Textarea(attrs={"rows": 4}),
    )
    about = TextField(
        label=gettext_lazy("About"),
        help_text=gettext_lazy("Markdown, the site's own page."),
        widget=forms.Textarea(attrs={"rows": 10}),
    )
    links = LinksField(
        label=gettext_lazy("Links"),
        help_text=gettext_lazy("In the footer, one a line: Code = https://code.example"),
    )
    macros = MacrosField(
        label=gettext_lazy("Macros"),
        help_text=gettext_lazy(r"TeX for every note, one a line: \R = \mathbb{R}"),
    )
    synonyms = SynonymsField(
        label=gettext_lazy("Headings of the four parts"),
        help_text=gettext_lazy(
            "More wordings that are recognised, one part a line: "
            "evidence = What we measured, Findings. "
            "A heading with a comma stands in quotation marks. "
            "The parts are problem, mechanism, evidence and take-aways."
        ),
    )
    start_text = TextField(
        label=gettext_lazy("Start text of a new note"), widget=forms.Textarea(attrs={"rows": 8})
    )

    class Meta:
        model = Site
        fields: ClassVar = [
            "name", "author", "tagline", "intro", "about", "licence", "links", "contact",
            "accent_colour", "language", "time_zone", "citation_style", "smart_quotes",
            "macros", "synonyms", "start_text",
        ]  # fmt: skip
        field_classes: ClassVar = {"accent_colour": ColourField}
        widgets: ClassVar = {"accent_colour": ColourField.widget}


@admin.register(Site)
class SiteAdmin(PublishingAdmin):
    """One row, one form: the list leads to it, and it can be neither added nor deleted."""

    form = SiteForm
    fieldsets: ClassVar = [
        (None, {"fields": ["name", "author", "tagline", "intro", "about"]}),
        (
            gettext_lazy("Footer and looks"),
            {"fields": ["licence", "links", "contact", "accent_colour"]},
        ),
        (gettext_lazy("Language and time"), {"fields": ["language", "time_zone", "smart_quotes"]}),
        (
            gettext_lazy("Writing"),
            {"fields": ["start_text", "synonyms", "macros", "citation_style"]},
        ),
    ]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Site | None = None) -> bool:
        return False

    def view_on_site(self, site: Site) -> str:
        return reverse("home")

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.remove_sample)
        return [
            path("remove-sample/", view, name="notesite_site_remove_sample"),
            *super().get_urls(),
        ]

    def remove_sample(self, request: HttpRequest) -> HttpResponse:
        """Ask, then take the sample library out; what stayed is named, with why."""
        if not self.has_change_permission(request):
            raise PermissionDenied
        removal = None
        if request.method == "POST":
            removal = sample.remove(edited_too="edited_too" in request.POST)
            messages.success(request, removal.tally)
            if not (removal.edited or removal.in_use):
                return HttpResponseRedirect(reverse("admin:index"))
        context = {
            **self.admin_site.each_context(request),
            "title": _("Remove the sample library"),
            "removal": removal,
        }
        return TemplateResponse(request, "admin/notesite/site/remove_sample.html", context)

    def get_object(
        self, request: HttpRequest, object_id: str, from_field: str | None = None
    ) -> Site | None:
        """The row, or what it would be before anybody has saved it."""
        return Site.objects.current() if object_id == "1" else None

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return HttpResponseRedirect(reverse("admin:notesite_site_change", args=[1]))

    def save_model(self, request: HttpRequest, obj: Site, form: Any, change: bool) -> None:
        obj.version = form.stored_version or obj.version
        publishing.save_site(obj)

    def response_change(self, request: HttpRequest, obj: Site) -> HttpResponse:
        messages.success(request, _("The site is saved."))
        return HttpResponseRedirect(reverse("admin:notesite_site_change", args=[1]))


class ReadOnlyAdmin(admin.ModelAdmin):
    """Rows that other writes make: looked at here, never made or changed by hand."""

    list_per_page = 100
    change_list_template = "admin/plain_list.html"
    delete_view = answering_refusals(admin.ModelAdmin.delete_view)
    changelist_view = answering_refusals(admin.ModelAdmin.changelist_view)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Redirect)
class RedirectAdmin(ReadOnlyAdmin):
    list_display = ("slug", "kind", "leads_to", "sentence")
    list_filter = ("kind",)
    search_fields = ("slug", "target")
    actions = ("delete_chosen",)

    @admin.display(description=gettext_lazy("leads to"), ordering="target")
    def leads_to(self, redirect: Redirect) -> str:
        return redirect.target or _("nothing: gone (410)")

    def get_actions(
        self, request: HttpRequest, action_location: ActionLocation = ActionLocation.CHANGE_LIST
    ) -> dict[str, Any]:
        actions = super().get_actions(request, action_location=action_location)
        actions.pop("delete_selected", None)
        return actions

    def delete_model(self, request: HttpRequest, obj: Redirect) -> None:
        publishing.delete_redirect(obj)

    @admin.action(
        permissions=["delete"], description=gettext_lazy("Delete: the address is unknown")
    )
    def delete_chosen(self, request: HttpRequest, queryset: Any) -> None:
        self.log_deletions(request, queryset)
        count = len(queryset)
        for redirect in list(queryset):
            publishing.delete_redirect(redirect)
        messages.success(request, _("%(count)d deleted.") % {"count": count})


@admin.register(ImportRecord)
class ImportRecordAdmin(ReadOnlyAdmin):
    list_display = ("origin", "source_path", "kind", "object_id", "imported_at")
    list_filter = ("origin", "kind")
    search_fields = ("source_path",)
    actions = None

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

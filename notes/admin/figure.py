"""Figures in the admin: the images, their texts, and where they are used."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.template.defaultfilters import filesizeformat
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from notes import publishing
from notes.admin.saving import PublishingAdmin, PublishingForm, take_over
from notes.admin.uses import named_in_short_texts, uses
from notes.editor.access import author_of
from notes.images import MAX_BYTES, ImageRefused
from notes.markdown import figure_names
from notes.markdown.figures import FOLDER
from notes.models import Figure, Mention


class FigureForm(PublishingForm):
    file = forms.FileField(
        label=gettext_lazy("Image file"),
        help_text=gettext_lazy(
            "JPEG, PNG, WebP, GIF, AVIF or SVG, at most 10 MB. "
            "Metadata such as the place is taken out."
        ),
        widget=forms.FileInput(attrs={"accept": "image/*"}),
    )

    class Meta:
        model = Figure
        fields: ClassVar = ["name", "file", "alt", "caption", "credit"]
        widgets: ClassVar = {"caption": forms.Textarea(attrs={"rows": 2})}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk:
            self.fields["file"].required = False
            self.fields["file"].label = _("Replace the file")
        elif "name" in self.fields:
            self.fields["name"].required = False
            self.fields["name"].help_text = _("Empty: the file's name. It is kept for good.")

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file and file.size > MAX_BYTES:
            raise ValidationError(_("This file has more than 10 MB. Make the image smaller."))
        return file


class UseFilter(admin.SimpleListFilter):
    """Figures that some text shows, and those that could go."""

    title = gettext_lazy("use")
    parameter_name = "use"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("some", _("used")), ("none", _("used nowhere"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Figure]) -> QuerySet[Figure]:
        if self.value() not in ("some", "none"):
            return queryset
        mentions = Mention.objects.filter(kind=Mention.Kind.FIGURE, name=OuterRef("name"))
        used = Q(Exists(mentions)) | Q(name__in=named_in_short_texts(FOLDER, figure_names))
        return queryset.filter(used if self.value() == "some" else ~used)


@admin.register(Figure)
class FigureAdmin(PublishingAdmin):
    form = FigureForm
    list_display = ("name", "picture", "measures", "described", "used", "missing", "uploaded_at")
    search_fields = ("name", "alt", "caption", "credit")
    list_filter = (UseFilter, ("alt", admin.EmptyFieldListFilter), "uploaded_at")
    actions = ("renew_copies",)
    list_per_page = 50
    fields = ("name", "file", "picture", "alt", "caption", "credit", "used_in", "copies", "missing")
    readonly_fields = ("picture", "used_in", "copies", "missing")

    def get_readonly_fields(self, request: HttpRequest, obj: Figure | None = None) -> Any:
        return ("name", *self.readonly_fields) if obj else self.readonly_fields

    def get_fields(self, request: HttpRequest, obj: Figure | None = None) -> Any:
        derived = set() if obj else set(self.readonly_fields)
        return [name for name in self.fields if name not in derived]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Figure]:
        mentions = Mention.objects.filter(kind=Mention.Kind.FIGURE, name=OuterRef("name"))
        count = mentions.order_by().values("name").annotate(count=Count("pk")).values("count")
        return super().get_queryset(request).annotate(use_count=Coalesce(Subquery(count), 0))

    @admin.display(description=gettext_lazy("image"))
    def picture(self, figure: Figure) -> SafeString:
        return format_html(
            '<img class="figure-picture" src="{}" width="{}" height="{}" alt="{}" loading="lazy">',
            settings.MEDIA_URL + self._narrowest(figure),
            figure.width,
            figure.height,
            figure.alt,
        )

    def _narrowest(self, figure: Figure) -> str:
        """Fifty whole pictures would make the list slow; every browser of today shows WebP."""
        copies = [copy for copy in figure.variants if copy["type"] == "image/webp"]
        return min(copies, key=lambda copy: copy["width"])["path"] if copies else figure.path

    @admin.display(description=gettext_lazy("copies"))
    def copies(self, figure: Figure) -> str:
        by_type: dict[str, list[str]] = {}
        for copy in figure.variants:
            by_type.setdefault(copy["type"], []).append(str(copy["width"]))
        lines = [
            _("%(type)s at %(widths)s pixels") % {"type": kind, "widths": ", ".join(widths)}
            for kind, widths in by_type.items()
        ]
        return "; ".join(lines) or _("none: the file itself is shown")

    @admin.display(description=gettext_lazy("missing files"))
    def missing(self, figure: Figure) -> str:
        files = publishing.missing_files(figure)
        if not files:
            return "–"
        cure = _("Replace the file, or bring it back from a backup.")
        if figure.path not in files:
            cure = _("Make the copies anew, by the action of the list.")
        return f"{', '.join(files)}. {cure}"

    @admin.action(
        description=gettext_lazy("Make the copies of the chosen figures anew"),
        permissions=["change"],
    )
    def renew_copies(self, request: HttpRequest, queryset: QuerySet[Figure]) -> None:
        done = 0
        for figure in queryset:
            try:
                publishing.renew_copies(figure)
            except (ImageRefused, OSError, ValidationError) as error:
                reason = error.strerror if isinstance(error, OSError) else str(error)
                message = _("“%(name)s” has no new copies: %(reason)s")
                values = {"name": figure.name, "reason": reason}
                self.message_user(request, message % values, messages.ERROR)
            else:
                done += 1
        if done:
            message = ngettext(
                "Made the copies of one figure anew.",
                "Made the copies of %(count)d figures anew.",
                done,
            )
            self.message_user(request, message % {"count": done}, messages.SUCCESS)

    @admin.display(description=gettext_lazy("size"), ordering="size")
    def measures(self, figure: Figure) -> str:
        return f"{figure.width} × {figure.height}, {filesizeformat(figure.size)}"

    @admin.display(description=gettext_lazy("alternative text"), ordering="alt")
    def described(self, figure: Figure) -> str:
        return Truncator(figure.alt).chars(80) or "–"

    @admin.display(description=gettext_lazy("notes"), ordering="use_count")
    def used(self, figure: Any) -> int:
        return figure.use_count

    @admin.display(description=gettext_lazy("used in"))
    def used_in(self, figure: Figure) -> SafeString | str:
        return uses([Mention.Kind.FIGURE], figure.name, figure_names)

    def save_model(self, request: HttpRequest, obj: Figure, form: Any, change: bool) -> None:
        file = form.cleaned_data["file"]
        try:
            if not change:
                texts = {name: getattr(obj, name) for name in ("alt", "caption", "credit")}
                wish = form.cleaned_data["name"] or file.name
                figure = publishing.add_figure(
                    file.read(), name=wish, by=author_of(request), **texts
                )
                take_over(obj, figure)
            elif file:
                publishing.replace_figure(obj, file.read())
            else:
                publishing.save_figure(obj)
        except ImageRefused as refusal:
            raise ValidationError({"file": str(refusal)}) from refusal

    def delete_model(self, request: HttpRequest, obj: Figure) -> None:
        publishing.delete_figure(obj)

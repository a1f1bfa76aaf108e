"""Topics in the admin."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from notes import publishing
from notes.admin.fields import TextField
from notes.admin.saving import OrderedAdmin, PublishingForm
from notes.models import Topic
from notes.querysets import public_note_condition


class TopicForm(PublishingForm):
    description = TextField(
        label=gettext_lazy("Description"), widget=forms.Textarea(attrs={"rows": 4})
    )

    class Meta:
        model = Topic
        fields: ClassVar = ["name", "slug", "description"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "slug" in self.fields:
            self.fields["slug"].required = False
            self.fields["slug"].help_text = _(
                "The address. Empty: made from the name. A changed one leads on from the old one."
            )


@admin.register(Topic)
class TopicAdmin(OrderedAdmin):
    form = TopicForm
    list_display = ("name", "position", "public_notes", "slug")
    search_fields = ("name", "slug")
    fields = ("name", "slug", "description")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Topic]:
        count = Count("notes", filter=public_note_condition("notes__"), distinct=True)
        return super().get_queryset(request).annotate(public_count=count)

    @admin.display(description=gettext_lazy("public notes"), ordering="public_count")
    def public_notes(self, topic: Any) -> int:
        return topic.public_count

    def order(self, pks: list[int]) -> None:
        publishing.order_topics(pks)

    def save_model(self, request: HttpRequest, obj: Topic, form: Any, change: bool) -> None:
        if not self.is_ordering(request, obj, form):
            take = form.cleaned_data["take_retired_slug"]
            publishing.save_topic(obj, take_retired_slug=take)

    def delete_model(self, request: HttpRequest, obj: Topic) -> None:
        publishing.delete_topic(obj)

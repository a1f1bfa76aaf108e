"""Notes in the admin: the list, the writing page, and the way through a note's states."""

from __future__ import annotations

from collections import Counter
from typing import Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import path, reverse
from django.utils import formats, timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from notes import publishing
from notes.admin.note_form import NoteForm
from notes.admin.note_list import NoteList, ProblemFilter, StateFilter, TopicFilter, for_the_list
from notes.admin.note_publication import publication_view
from notes.admin.saving import BUSY, PublishingAdmin, sentence_of
from notes.editor.access import author_of
from notes.models import Note, Revision
from notesite.models import Site


@admin.register(Note)
class NoteAdmin(PublishingAdmin):
    form = NoteForm
    change_form_template = "admin/notes/note/form.html"
    list_display = ("titled", "state_shown", "topics_shown", "paths_shown", "words", "troubles")
    list_filter = (StateFilter, ("topics", TopicFilter), ProblemFilter, "pinned")
    list_per_page = 50
    search_fields = ("title", "short_name", "slug", "dek")
    date_hierarchy = "published_at"
    actions = ("publish_now", "unpublish", "move_to_trash", "restore")

    fieldsets: ClassVar = [
        (None, {"fields": ["title", "dek", "source"], "classes": ["writing"]}),
        (gettext_lazy("Filed under"), {"fields": ["topics", "about", "pinned"]}),
        (gettext_lazy("Names"), {"fields": ["short_name", "slug"]}),
        (
            gettext_lazy("More"),
            {
                "fields": ["authors", "lang", "doi", "canonical", "key", "macros"],
                "classes": ["collapse"],
            },
        ),
    ]

    # The list

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[NoteList]:
        return NoteList

    def get_queryset(self, request: HttpRequest) -> QuerySet[Note]:
        notes = super().get_queryset(request)
        match = request.resolver_match
        name = match.url_name if match else ""
        return for_the_list(notes) if name == "notes_note_changelist" else notes

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Note], search_term: str
    ) -> tuple[QuerySet[Note], bool]:
        """Paths are made of notes that are not in the trash."""
        if request.path == reverse("admin:autocomplete"):
            queryset = queryset.filter(trashed_at=None)
        return super().get_search_results(request, queryset, search_term)

    @admin.display(description=gettext_lazy("title"), ordering="title")
    def titled(self, note: Note) -> str:
        return format_html("{} 📌", note.display_title) if note.pinned else note.display_title

    @admin.display(description=gettext_lazy("state"), ordering="published_at")
    def state_shown(self, note: Note) -> SafeString:
        state, when = note.state, ""
        if state in (Note.State.SCHEDULED, Note.State.PUBLISHED):
            moment = timezone.localtime(note.published_at)
            exact = state == Note.State.SCHEDULED
            when = formats.date_format(moment, "DATETIME_FORMAT" if exact else "DATE_FORMAT")
        return format_html(
            '<span class="state state-{}">{}</span> <span class="state-when">{}</span>',
            state,
            Note.State(state).label,
            when,
        )

    @admin.display(description=gettext_lazy("topics"))
    def topics_shown(self, note: Any) -> str:
        return ", ".join(topic.name for topic in note.topics_list) or "–"

    @admin.display(description=gettext_lazy("paths"))
    def paths_shown(self, note: Any) -> SafeString | str:
        links = [
            (reverse("admin:series_readingpath_change", args=[step.path_id]), step.path.title)
            for step in note.steps.all()
        ]
        return format_html_join(", ", '<a href="{}">{}</a>', links) or "–"

    @admin.display(description=gettext_lazy("problems"))
    def troubles(self, note: Note) -> SafeString | str:
        count = Counter(problem.get("severity") for problem in note.problems)
        shown = [
            ("error", ngettext("%d error", "%d errors", count["error"]) % count["error"]),
            ("warning", ngettext("%d warning", "%d warnings", count["warning"]) % count["warning"]),
        ]
        parts = [(severity, text) for severity, text in shown if count[severity]]
        return format_html_join(", ", '<span class="trouble-{}">{}</span>', parts) or "–"

    # The form

    def view_on_site(self, note: Note) -> str | None:
        return None if note.trashed_at else note.get_absolute_url()

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        initial = {"source": Site.objects.current().start_text}
        return initial | super().get_changeform_initial_data(request)

    def formfield_for_manytomany(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        kwargs["widget"] = forms.CheckboxSelectMultiple
        return super().formfield_for_manytomany(db_field, request, **kwargs)

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        # The writing page needs the width.
        context = {"is_nav_sidebar_enabled": False} | (extra_context or {})
        return super().changeform_view(request, object_id, form_url, context)

    def save_model(self, request: HttpRequest, obj: Note, form: Any, change: bool) -> None:
        data = form.cleaned_data
        if change:
            obj.version = form.stored_version
        publishing.save_note(
            obj,
            topics=data["topics"],
            by=author_of(request),
            kind=data.get("kind") or Revision.Kind.MINOR,
            sentence=data.get("sentence", ""),
            take_retired_slug=data["take_retired_slug"],
        )

    def response_add(
        self, request: HttpRequest, obj: Note, post_url_continue: str | None = None
    ) -> HttpResponse:
        if "_publication" in request.POST:
            return HttpResponseRedirect(reverse("admin:notes_note_publication", args=[obj.pk]))
        return super().response_add(request, obj, post_url_continue)

    def response_change(self, request: HttpRequest, obj: Note) -> HttpResponse:
        if "_publication" in request.POST:
            return HttpResponseRedirect(reverse("admin:notes_note_publication", args=[obj.pk]))
        return super().response_change(request, obj)

    # States

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view(self.publication_view)
        address = path("<path:object_id>/publication/", view, name="notes_note_publication")
        return [address, *super().get_urls()]

    def publication_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return publication_view(self, request, object_id)

    def has_delete_permission(self, request: HttpRequest, obj: Note | None = None) -> bool:
        """What is in the trash already can't be put there; after thirty days it goes by itself."""
        if isinstance(obj, Note) and obj.trashed_at:
            return False
        return super().has_delete_permission(request, obj)

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        return [str(obj) for obj in objs], {}, set(), []

    def delete_model(self, request: HttpRequest, obj: Note) -> None:
        publishing.trash(obj)

    def log_deletions(self, request: HttpRequest, queryset: Any) -> Any:
        """Nothing is deleted; the log says what happened."""
        return [self.log_change(request, note, _("Moved to the trash.")) for note in queryset]

    def response_delete(self, request: HttpRequest, obj_display: str, obj_id: int) -> HttpResponse:
        url = reverse("admin:notes_note_publication", args=[obj_id])
        messages.success(
            request,
            format_html(
                '{} <a href="{}">{}</a>',
                _("“%(note)s” is in the trash.") % {"note": obj_display},
                url,
                _("Take it out again"),
            ),
        )
        return HttpResponseRedirect(reverse("admin:notes_note_changelist"))

    # Actions

    @admin.action(permissions=["change"], description=gettext_lazy("Publish now"))
    def publish_now(self, request: HttpRequest, queryset: QuerySet[Note]) -> None:
        def publish(note: Note) -> None:
            if note.state not in (Note.State.DRAFT, Note.State.SCHEDULED):
                raise ValidationError(_("It is neither a draft nor scheduled."))
            if publishing.errors_of(note):
                raise ValidationError(_("It has errors; look at them and publish it by itself."))
            publishing.publish(note, by=author_of(request))

        self._do_each(request, queryset, publish, _("Published."))

    @admin.action(permissions=["change"], description=gettext_lazy("Unpublish (404)"))
    def unpublish(self, request: HttpRequest, queryset: QuerySet[Note]) -> None:
        self._do_each(request, queryset, publishing.unpublish, _("Unpublished."))

    @admin.action(permissions=["delete"], description=gettext_lazy("Move to the trash"))
    def move_to_trash(self, request: HttpRequest, queryset: QuerySet[Note]) -> None:
        self._do_each(request, queryset, publishing.trash, _("Moved to the trash."))

    @admin.action(permissions=["change"], description=gettext_lazy("Take out of the trash"))
    def restore(self, request: HttpRequest, queryset: QuerySet[Note]) -> None:
        self._do_each(request, queryset, publishing.restore, _("Taken out of the trash."))

    def _do_each(
        self, request: HttpRequest, queryset: QuerySet[Note], verb: Any, done: str
    ) -> None:
        """Each note by itself: one that can't be changed keeps no other back."""
        count = 0
        for note in Note.objects.filter(pk__in=queryset.values("pk")).order_by("pk"):
            try:
                verb(note)
            except (ValidationError, publishing.Conflict, *BUSY) as refusal:
                messages.warning(request, f"“{note.display_title}”: {sentence_of(refusal)}")
            else:
                count += 1
                self.log_change(request, note, done)
        if count:
            sentence = ngettext("%(done)s %(count)d note.", "%(done)s %(count)d notes.", count)
            messages.success(request, sentence % {"done": done, "count": count})

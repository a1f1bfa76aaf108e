"""The large field for a note's source, with the preview beside it."""

from __future__ import annotations

from typing import Any, ClassVar

from django.forms.utils import flatatt
from django.forms.widgets import Script
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from markdownx.widgets import AdminMarkdownxWidget

from notes.editor.problems import ProblemList
from notes.models import Note


class SourceWidget(AdminMarkdownxWidget):
    """django-markdownx's field at our own addresses; the preview starts with the stored html."""

    template_name = "admin/notes/note/source_widget.html"
    note: Note | None = None
    problems: ProblemList | None = None

    def get_context(
        self, name: str, value: Any, attrs: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        query = f"?note={self.note.pk}" if self.note else ""
        context["widget"]["attrs"] |= {
            "data-markdownx-urls-path": reverse("markdownx_markdownify") + query,
            "data-markdownx-upload-urls-path": reverse("markdownx_upload"),
            "data-markdownx-editor-resizable": "False",
        }
        context["note"], context["list"] = self.note, self.problems
        context["attributes"] = flatatt(context["widget"]["attrs"])
        return context

    def _render(
        self, template_name: str, context: dict[str, Any], renderer: Any = None
    ) -> SafeString:
        # Forms have a template engine of their own, which knows nothing of the site's folder.
        return render_to_string(template_name, context)

    class Media:
        extend = False
        css: ClassVar = {"all": ["admin_notesite/editor.css", "admin_notesite/problems.css"]}
        js: ClassVar = [
            "markdownx/js/markdownx.min.js",
            Script("admin_notesite/problems.js", type="module"),
            Script("admin_notesite/editor.js", type="module"),
        ]

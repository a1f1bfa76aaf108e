"""“How to write a note”, for authors: the handbook's chapters on one page."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from notes.editor.access import may_write
from notes.handbook import chapters
from notes.markdown.problems import CATALOGUE


@require_safe
def handbook(request: HttpRequest) -> HttpResponse:
    """The whole handbook; what it says is no secret, but readers have no use for it."""
    if not may_write(request.user):
        raise PermissionDenied
    context = {"chapters": chapters(), "catalogue": catalogue()}
    return render(request, "admin/notes/handbook.html", context)


def catalogue() -> list[dict[str, str]]:
    """Every problem there is, errors first; an ellipsis stands for what a text fills in."""
    order = ("error", "warning", "notice")
    rows = [
        {
            "code": code,
            "severity": severity,
            "message": gettext(message) % Blanks(),
            "cure": gettext(cure) % Blanks(),
        }
        for code, (severity, message, cure) in CATALOGUE.items()
    ]
    return sorted(rows, key=lambda row: (order.index(row["severity"]), row["code"]))


class Blanks(dict[str, str]):
    """Whatever a message asks for, it gets an ellipsis."""

    def __missing__(self, name: str) -> str:
        return "…"

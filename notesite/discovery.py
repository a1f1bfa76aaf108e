"""What programs ask a site for before they read it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Any

from django.http import Http404, HttpResponse, JsonResponse
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone

from notes.addresses import absolute
from notes.models import Note, Topic
from notes.pages import PER_PAGE, public_page
from notesite.models import Site
from series.models import ReadingPath

BRACKETS = str.maketrans({"[": "\\[", "]": "\\]", "\\": "\\\\"})


@public_page
def robots(request: Any) -> HttpResponse:
    """Which addresses are for authors, and where the map is (RFC 9309)."""
    return plain(
        "User-agent: *",
        f"Disallow: {reverse('admin:index')}",
        f"Sitemap: {absolute(reverse('sitemap'))}",
    )


@public_page
def security(request: Any) -> HttpResponse:
    """Whom to tell of a weakness (RFC 9116); without a contact address there is nobody to name."""
    if not request.site.contact:
        raise Http404
    expires = (timezone.now() + timedelta(days=180)).replace(
        hour=0, minute=0, second=0, microsecond=0
    )
    return plain(
        f"Contact: mailto:{request.site.contact}",
        f"Expires: {expires:%Y-%m-%dT%H:%M:%SZ}",
        f"Preferred-Languages: {request.site.language}",
        f"Canonical: {absolute(reverse('security'))}",
    )


@public_page
def manifest(request: Any) -> JsonResponse:
    """Name, colours and icon for whoever keeps the site on a home screen (W3C Web App Manifest)."""
    name = str(request.site)
    icons = [
        {"src": static(f"icons/icon-{size}.png"), "sizes": f"{size}x{size}", "type": "image/png"}
        for size in (192, 512)
    ]
    mark = {"src": static("icons/mark.svg"), "sizes": "any", "type": "image/svg+xml"}
    about = {
        "name": name,
        "short_name": request.site.name,
        "description": request.site.tagline,
        "lang": request.site.language,
        "start_url": reverse("home"),
        "scope": reverse("home"),
        "display": "browser",
        "background_color": Site.PAPER,
        "theme_color": Site.PAPER,
        "icons": [mark, *icons],
    }
    return JsonResponse(
        {key: value for key, value in about.items() if value},
        content_type="application/manifest+json; charset=utf-8",
    )


@public_page
def llms(request: Any) -> HttpResponse:
    """The site in one page of Markdown for language models (llmstxt.org): four queries.

    The newest notes are listed with the addresses of their sources; the archive has the others.
    """
    notes = Note.objects.published().newest_first().without_texts()[:PER_PAGE]
    paths = ReadingPath.objects.published().order_by("position", "slug")[:PER_PAGE]
    topics = Topic.objects.with_public_notes()[:PER_PAGE]
    every = [
        ("Every note by year", reverse("archive"), ""),
        ("Works that notes cite", reverse("notes:references"), ""),
        ("Feed with whole texts", reverse("feed"), ""),
    ]
    named = [(note.display_title, source_of(note), note.dek) for note in notes]
    ways = [(path.title, path.get_absolute_url(), path.line) for path in paths]
    subjects = [(topic.name, topic.get_absolute_url(), topic.description) for topic in topics]
    head = [f"# {request.site}"]
    if request.site.tagline:
        head += ["", f"> {request.site.tagline}"]
    return plain(
        *head,
        *section("Notes", named),
        *section("Reading paths", ways),
        *section("Topics", subjects),
        *section("Optional", every),
        content_type="text/markdown",
    )


def source_of(note: Note) -> str:
    return reverse("note_markdown", args=[note.slug])


def section(title: str, links: Iterable[tuple[str, str, str]]) -> Iterator[str]:
    """A list of named links, each with what it holds; nothing without any."""
    rows = list(links)
    if rows:
        yield from ("", f"## {title}", "")
        for name, address, text in rows:
            linked = f"- [{name.translate(BRACKETS)}]({absolute(address)})"
            yield f"{linked}: {' '.join(text.split())}" if text else linked


def plain(*lines: str, content_type: str = "text/plain") -> HttpResponse:
    return HttpResponse("\n".join(lines) + "\n", content_type=f"{content_type}; charset=utf-8")

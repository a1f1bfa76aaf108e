"""/sitemap.xml: all public pages, or from 50,000 on an index of the files that hold them."""

from collections.abc import Iterable, Iterator
from xml.sax.saxutils import escape

from django.http import Http404, HttpResponse
from django.urls import reverse

from notes.addresses import absolute
from notes.pages import public_page
from notes.sitemaps import Entry, entries_of_notes
from series.sitemaps import path_entries

LARGEST = 50_000  # sitemaps.org allows no more in one file
NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


@public_page
def sitemap(request):
    entries = all_entries()
    if len(entries) <= LARGEST:
        return answer("urlset", "url", entries)
    count = -(-len(entries) // LARGEST)
    parts = (Entry(reverse("sitemap", args=[n]), None) for n in range(1, count + 1))
    return answer("sitemapindex", "sitemap", parts)


@public_page
def sitemap_part(request, number):
    """One file of a sitemap that is too large for a single one."""
    entries = all_entries()
    part = entries[(number - 1) * LARGEST : number * LARGEST]
    if not part or len(entries) <= LARGEST:
        raise Http404
    return answer("urlset", "url", part)


def all_entries() -> list[Entry]:
    """The site's pages, paths, topics, references and notes: four queries."""
    notes, topics, references = entries_of_notes()
    paths = path_entries()
    newest = max((entry.changed_at for entry in notes if entry.changed_at), default=None)
    pages = [Entry(reverse("home"), newest), Entry(reverse("archive"), newest)]
    pages += [Entry(reverse("about"), None)]
    pages += [Entry(reverse("series:paths"), None)] if paths else []
    pages += [Entry(reverse("notes:topics"), None)] if topics else []
    pages += [Entry(reverse("notes:references"), None)] if references else []
    return [*pages, *paths, *topics, *references, *notes]


def answer(root: str, element: str, entries: Iterable[Entry]) -> HttpResponse:
    body = "".join(lines(root, element, entries))
    return HttpResponse(body, content_type="application/xml; charset=utf-8")


def lines(root: str, element: str, entries: Iterable[Entry]) -> Iterator[str]:
    yield f'<?xml version="1.0" encoding="UTF-8"?>\n<{root} xmlns="{NAMESPACE}">\n'
    for entry in entries:
        date = (
            f"<lastmod>{entry.changed_at:%Y-%m-%dT%H:%M:%SZ}</lastmod>" if entry.changed_at else ""
        )
        yield f"<{element}><loc>{escape(absolute(entry.address))}</loc>{date}</{element}>\n"
    yield f"</{root}>\n"

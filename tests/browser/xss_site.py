"""A site whose every field is an attack, and all that it shows of them as documents."""

import itertools
import re
from collections.abc import Iterable, Sequence
from typing import Any
from xml.etree import ElementTree

from django.core.exceptions import ValidationError
from django.db import transaction
from django.urls import reverse

from notes.models import Figure, Note, Topic
from notes.publishing import add_figure, save_reference
from notesite.models import Site
from notesite.publishing import save_site
from series.models import ReadingPath
from series.publishing import save_path
from tests.factories import make_author, make_note
from tests.notes.image_files import encode, gradient

SHEETS = re.compile(
    r'<link [^>]*rel="(?:stylesheet|preload)"[^>]*>|<script [^>]*src=[^>]*></script>'
)
BIBTEX = (
    "@misc{{{key},\n  title = {{{text}}},\n  author = {{{{{text}}}}},\n  year = {{{text}}},\n"
    "  howpublished = {{{text}}},\n  url = {{{text}}},\n  doi = {{{text}}},\n"
    "  code = {{{text}}},\n}}\n"
)


@transaction.atomic
def attack_everything(payloads: Sequence[str]) -> list[Note]:
    """Notes, a topic each, figures, references, a path and the site's own fields."""
    figure = add_figure(encode(gradient(), "PNG"), name="shown.png")
    figures = [copy_of(figure, number, text) for number, text in enumerate(payloads)]
    Figure.objects.bulk_create(figures)
    keys = [key for number, text in enumerate(payloads) if (key := cite(number, text))]
    topics = Topic.objects.bulk_create(
        Topic(name=text[:100], slug=f"attack-{number}", description=text, position=number)
        for number, text in enumerate(payloads)
    )
    notes = []
    for number, text in enumerate(payloads):
        short = text.replace("\n", " ").replace("\0", "").strip()
        notes.append(
            make_note(
                title=short[:300],
                slug=f"attacked-{number}",
                short_name=short[:100],
                dek=short[:500],
                source=f"{text}\n",
                authors=[{"name": short[:200]}],
                about=keys[number : number + 1],
                topics=[topics[number]],
            )
        )
    make_note(
        slug="attacked",
        source="\n\n".join(
            [f"![](figures/{one.name})" for one in figures] + [f"[@{key}, p. 1]" for key in keys]
        ),
    )
    for start in range(0, len(payloads), 200):
        some = list(zip(notes, payloads, strict=True))[start : start + 200]
        text = payloads[start].replace("\n", " ").replace("\0", "")
        path = ReadingPath(
            title=text[:200],
            slug=f"path-{start}",
            line=text[:300],
            description="\n\n".join(payloads[start : start + 200]),
            published_at=notes[0].published_at,
        )
        save_path(path, some)
    return notes


def copy_of(figure: Figure, number: int, text: str) -> Figure:
    """Another figure with the same file, described by an attack."""
    values = {name: getattr(figure, name) for name in ("path", "sha256", "width", "height", "size")}
    return Figure(
        name=f"f-{number}.png", alt=text, caption=text[:2000], credit=text[:500], **values
    )


def cite(number: int, text: str) -> str:
    """A reference whose every field is an attack; "" where it can't stand in an entry."""
    try:
        return save_reference(BIBTEX.format(key=f"attack{number}", text=text)).key
    except ValidationError:
        return ""


def attack_the_site(text: str, others: Iterable[str]) -> None:
    """The name and what stands beside it, and Markdown of many attacks in intro and about."""
    site = Site.objects.current()
    short = text.replace("\n", " ").replace("\0", "").strip()
    site.name, site.author, site.tagline = short[:100], short[:100], short[:300]
    site.licence = short[:200]
    site.links = [{"name": short[:100], "url": "https://example.org/"}]
    site.intro = site.about = "\n\n".join(others)
    save_site(site)


def without_sheets(page: str) -> str:
    """What a page says and does, without what only makes it look and so takes time."""
    return SHEETS.sub("", page)


def pages(client: Any) -> dict[str, str]:
    """The public lists and what stands in a feed, as documents."""
    addresses = ["/", "/about/", "/paths/", "/notes/attacked/"]
    addresses += [path.get_absolute_url() for path in ReadingPath.objects.all()]
    found = {one: without_sheets(content(client.get(one))) for one in addresses}
    for pattern in ("/page/{}/", "/topics/page/{}/", "/archive/page/{}/", "/references/page/{}/"):
        for number in itertools.count(2):
            response = client.get(pattern.format(number))
            if response.status_code != 200 or number > 40:
                break
            found[pattern.format(number)] = without_sheets(content(response))
    for number in itertools.count(1):
        response = client.get("/feed.atom", {"page": number} if number > 1 else {})
        if response.status_code != 200:
            break
        found[f"feed {number}"] = feed_as_page(response.content)
    return found


def feed_as_page(feed: bytes) -> str:
    """As a reader of feeds shows it: html as html, text as text."""
    shown = ["<!doctype html><meta charset=utf-8><body>"]
    for entry in ElementTree.fromstring(feed).iterfind(".//{*}entry"):  # noqa: S314
        contents = entry.iterfind("{*}content[@type='html']")
        shown += [f"<article>{one.text}</article>" for one in contents]
        summaries = [one for one in entry.iterfind("{*}summary") if one.get("type") == "html"]
        shown += [f"<p>{one.text}</p>" for one in summaries]
    return "".join(shown)


def admin_pages(client: Any) -> dict[str, str]:
    """What authors see of it, in lists and forms."""
    client.force_login(make_author(username="ada"))
    found = {}
    for model in ("note", "topic", "figure", "reference"):
        for page in (1, 2):
            address = f"{reverse(f'admin:notes_{model}_changelist')}?p={page}"
            found[address] = without_sheets(content(client.get(address)))
    some = Note.objects.order_by("-pk")[1:400:40]
    for note in some:
        for name in ("change", "delete"):
            address = reverse(f"admin:notes_note_{name}", args=[note.pk])
            found[address] = without_sheets(content(client.get(address)))
    return found


def note_pages(client: Any, notes: Iterable[Note]) -> dict[str, str]:
    addresses = [note.get_absolute_url() for note in notes]
    return {one: without_sheets(content(client.get(one))) for one in addresses}


def pages_of_attacked_sites(client: Any, payloads: Sequence[str]) -> dict[str, str]:
    """The two pages that show the site's own words, fifty attacks at a time."""
    found = {}
    for start in range(0, len(payloads), 50):
        attack_the_site(payloads[start], payloads[start : start + 50])
        for address in ("/", "/about/"):
            found[f"{address} {start}"] = without_sheets(content(client.get(address)))
    return found


def previews(client: Any, texts: Sequence[str]) -> dict[str, str]:
    """What the editor is given for each text; ten of them to a document, as it puts them there."""
    found = {}
    for start in range(0, len(texts), 10):
        shown = [
            content(client.post(reverse("markdownx_markdownify"), {"content": text}))
            for text in texts[start : start + 10]
        ]
        found[f"previews {start}"] = in_some_document("".join(f"<div>{one}</div>" for one in shown))
    return found


def content(response: Any) -> str:
    assert response.status_code == 200, response.status_code
    return response.content.decode()


def in_some_document(html: str) -> str:
    return f"<!doctype html><meta charset=utf-8><body>{html}</body>"

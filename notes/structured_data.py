"""What search engines read of a page: things as schema.org names them, for JSON-LD."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from notes.addresses import absolute
from notes.models import Note, Topic
from notesite.models import Site

MOST_ITEMS = 60

type Thing = dict[str, Any]


def kept(**properties: Any) -> Thing:
    """A thing without the properties that have no value; ``type`` is written as `@type`."""
    thing = {name: value for name, value in properties.items() if value}
    return {"@type": thing.pop("type"), **thing}


def person(byline: dict[str, Any]) -> Thing:
    """A byline: a Person, or an Organization."""
    orcid = f"https://orcid.org/{byline['orcid']}" if byline.get("orcid") else ""
    return kept(
        type="Organization" if byline.get("organisation") else "Person",
        name=byline["name"],
        url=byline.get("url"),
        sameAs=orcid,
    )


def blog(site: Site) -> Thing:
    """The site as a whole, which the others are part of."""
    return kept(
        type="Blog",
        name=str(site),
        url=absolute(reverse("home")),
        description=site.tagline,
        inLanguage=site.language,
        license=site.licence if site.licence.startswith("https://") else "",
        author=person({"name": site.author}) if site.author else None,
    )


def paper(card: Thing) -> Thing:
    """A work that a note is about."""
    return kept(
        type="ScholarlyArticle",
        name=card["title"],
        author=[person({"name": name}) for name in card["authors"]],
        datePublished=card["year"],
        url=card["url"],
    )


def posting(note: Note, site: Site) -> Thing:
    """A note, with what it is about; ``abstract`` are its take-aways' plain words."""
    address = absolute(note.get_absolute_url())
    bylines = note.authors or ([{"name": site.author}] if site.author else [])
    return kept(
        type="BlogPosting",
        headline=note.display_title,
        description=note.dek,
        url=address,
        mainEntityOfPage=note.canonical or address,
        datePublished=note.first_published_at.isoformat() if note.first_published_at else "",
        dateModified=note.revised_at.isoformat() if note.revised_at else "",
        author=[person(byline) for byline in bylines],
        publisher=person({"name": str(site), "organisation": True}),
        inLanguage=note.lang or site.language,
        keywords=[topic.name for topic in note.topics_list],  # type: ignore[attr-defined]
        wordCount=note.words,
        image=absolute(reverse("notes:card", args=[note.slug])),
        about=[paper(card) for card in note.about_cards],
        identifier=f"https://doi.org/{note.doi}" if note.doi else "",
        isPartOf=blog(site),
    )


def item_list(name: str, address: str, items: Iterable[tuple[str, str]], text: str = "") -> Thing:
    """Names and addresses in order, at most as many as a list shows on its first page."""
    elements = [
        kept(type="ListItem", position=position, name=named, url=absolute(there))
        for position, (named, there) in enumerate(list(items)[:MOST_ITEMS], start=1)
    ]
    return kept(
        type="ItemList",
        name=name,
        description=text,
        url=absolute(address),
        numberOfItems=len(elements),
        itemListElement=elements,
    )


def breadcrumbs(site: Site, *steps: tuple[str, str]) -> Thing:
    """The way from the index to a page."""
    way = [(str(site), reverse("home")), *steps]
    return kept(
        type="BreadcrumbList",
        itemListElement=[
            kept(type="ListItem", position=position, name=name, item=absolute(address))
            for position, (name, address) in enumerate(way, start=1)
        ],
    )


def of_note(note: Note, site: Site) -> list[Thing]:
    topics = note.topics_list[:1]  # type: ignore[attr-defined]
    way = [(topic.name, topic.get_absolute_url()) for topic in topics]
    here = (note.display_title, note.get_absolute_url())
    return [posting(note, site), breadcrumbs(site, *way, here)]


def of_topic(topic: Topic, notes: Iterable[Note], site: Site) -> list[Thing]:
    address = topic.get_absolute_url()
    rows = [(note.display_title, note.get_absolute_url()) for note in notes]
    above = (_("Topics"), reverse("notes:topics"))
    return [
        item_list(topic.name, address, rows, topic.description),
        breadcrumbs(site, above, (topic.name, address)),
    ]


def of_index(notes: Iterable[Note], site: Site) -> list[Thing]:
    rows = [(note.display_title, note.get_absolute_url()) for note in notes]
    return [blog(site), item_list(_("Writing"), reverse("home"), rows)]

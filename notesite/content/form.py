"""The files of the content folder as text: each with its keys in order, read and written.

Pure: strings and documents, no disk. The order of a mapping below is the order in the file.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from notesite.content import yaml
from notesite.content.document import (
    FigureDocument,
    NoteDocument,
    PathDocument,
    PendingDocument,
    Place,
    RedirectDocument,
    SiteDocument,
    StateDocument,
    StepDocument,
    TopicDocument,
)
from notesite.content.fields import (
    ANCHORS,
    AUTHORS,
    FLAG,
    LINE,
    LINE_MAPPING,
    LINES,
    LINKS,
    LISTS,
    NUMBER,
    TEXT,
    TIME,
    WITHDRAWAL,
    Field,
    Keys,
    read_keys,
    require,
    write_keys,
)
from notesite.content.report import Refusal
from notesite.text import clean_text, validate_slug

SITE_KEYS: Keys = {
    "name": LINE,
    "author": LINE,
    "tagline": LINE,
    "intro": TEXT,
    "about": TEXT,
    "licence": LINE,
    "links": LINKS,
    "contact": LINE,
    "language": LINE,
    "time_zone": LINE,
    "citation_style": LINE,
    "smart_quotes": FLAG,
    "macros": LINE_MAPPING,
    "synonyms": LISTS,
    "start_text": TEXT,
    "accent_colour": LINE,
}
TOPIC_KEYS: Keys = {"slug": LINE, "name": LINE, "description": TEXT}
NOTE_KEYS: Keys = {
    "title": LINE,
    "short_name": LINE,
    "dek": LINE,
    "topics": LINES,
    "authors": AUTHORS,
    "published": TIME,
    "first_published": TIME,
    "revised": TIME,
    "withdrawn": WITHDRAWAL,
    "pinned": FLAG,
    "about": LINES,
    "lang": LINE,
    "doi": LINE,
    "canonical": LINE,
    "key": LINE,
    "id": LINE,
    "macros": LINE_MAPPING,
    "anchors": ANCHORS,
}
# A pending version has what is versioned of a note, then its release and what readers are told.
PENDING_KEYS: Keys = {
    "title": LINE,
    "short_name": LINE,
    "dek": LINE,
    "topics": LINES,
    "authors": AUTHORS,
    "about": LINES,
    "lang": LINE,
    "doi": LINE,
    "canonical": LINE,
    "key": LINE,
    "macros": LINE_MAPPING,
    "release": TIME,
    "kind": LINE,
    "sentence": LINE,
}
STATE_KEYS: Keys = {
    "kind": LINE,
    "sentence": LINE,
    "date": TIME,
    "title": LINE,
    "dek": LINE,
    "authors": AUTHORS,
    "about": LINES,
    "doi": LINE,
}
STEP_KEYS: Keys = {"note": LINE, "bridge": TEXT}
PATH_KEYS: Keys = {
    "title": LINE,
    "line": LINE,
    "order": NUMBER,
    "published": TIME,
    "first_published": TIME,
    "id": LINE,
    "steps": Field(
        lambda node: tuple(_read_list(node, STEP_KEYS, StepDocument, "note")),
        lambda steps: [write_keys(step, STEP_KEYS) for step in steps],
    ),
}
FIGURE_KEYS: Keys = {"name": LINE, "alt": LINE, "caption": LINE, "credit": LINE}
REDIRECT_KEYS: Keys = {
    "kind": LINE,
    "from": Field(LINE.read, LINE.write, attribute="slug"),
    "to": Field(LINE.read, LINE.write, attribute="target"),
    "sentence": LINE,
}

_FENCE = re.compile(r"^---[ \t]*$", re.MULTILINE)


def split_front_matter(text: str) -> tuple[str, str, int]:
    """The front matter, the source below it, and the line at which the source begins.

    A text that doesn't begin with the line ``---`` has no front matter.
    """
    opening = _FENCE.match(text)
    if opening is None:
        return "", text, 1
    start = opening.end() + 1
    closing = _FENCE.search(text, start)
    if closing is None:
        raise Refusal(
            _("The front matter doesn't end."),
            line=1,
            cure=_("Write a line --- between the keys and the text."),
        )
    source = text[closing.end() :].removeprefix("\n").removeprefix("\n")
    return text[start : closing.start()], source, text.count("\n", 0, len(text) - len(source)) + 1


def join_front_matter(plain: dict[str, yaml.Plain], source: str) -> str:
    """A file: front matter, one blank line, the source; nothing below it if that is empty."""
    front_matter = f"---\n{yaml.dump(plain)}---\n"
    return f"{front_matter}\n{source}" if source else front_matter


def read_note(text: str, slug: str, file: str) -> NoteDocument:
    values, place = _read_text_file(text, NOTE_KEYS, file)
    if not (values.get("title") or values["source"]):
        raise Refusal(
            _("This note has neither a title nor a text."),
            line=1,
            cure=_("Give it a title: write “title: …” in the front matter."),
        )
    return NoteDocument(place=place, slug=slug, **values)


def read_pending(text: str, file: str) -> PendingDocument:
    values, place = _read_text_file(text, PENDING_KEYS, file)
    return PendingDocument(place=place, **values)


def read_state(text: str, number: int, file: str) -> StateDocument:
    values, place = _read_text_file(text, STATE_KEYS, file)
    require(values, STATE_KEYS, "date", 1, _("Write when this state became public."))
    return StateDocument(place=place, number=number, **values)


def read_path(text: str, slug: str, file: str) -> PathDocument:
    values, place = _read_text_file(text, PATH_KEYS, file)
    require(values, PATH_KEYS, "title", 1, _("Give the path a title."))
    return PathDocument(place=place, slug=slug, description=values.pop("source"), **values)


def write_note(note: NoteDocument) -> str:
    return join_front_matter(write_keys(note, NOTE_KEYS), note.source)


def write_pending(pending: PendingDocument) -> str:
    return join_front_matter(write_keys(pending, PENDING_KEYS), pending.source)


def write_state(state: StateDocument) -> str:
    return join_front_matter(write_keys(state, STATE_KEYS), state.source)


def write_path(path: PathDocument) -> str:
    return join_front_matter(write_keys(path, PATH_KEYS), path.description)


def read_site(text: str, file: str) -> SiteDocument:
    node = yaml.load(text, yaml.FILE_LIMIT)
    values = read_keys(node, SITE_KEYS)
    lines = node.key_lines if isinstance(node, yaml.Mapping) else {}
    return SiteDocument(place=Place(file, 1, lines), **values)


def write_site(site: SiteDocument) -> str:
    return yaml.dump(write_keys(site, SITE_KEYS))


def read_topics(text: str, file: str) -> list[TopicDocument]:
    topics = _read_list_file(text, TOPIC_KEYS, TopicDocument, file, "slug", "name")
    for topic in topics:
        check_slug(topic.slug, topic.place.line)
    return topics


def write_topics(topics: Sequence[TopicDocument]) -> str:
    return _write_list(topics, TOPIC_KEYS)


def read_figure_texts(text: str, file: str) -> list[dict[str, Any]]:
    """The texts by figure, each with its ``line``; the file they belong to is found elsewhere."""
    return _read_list_file(text, FIGURE_KEYS, _with_line, file, "name")


def write_figure_texts(figures: Sequence[FigureDocument]) -> str:
    """The texts of the figures that have any."""
    told = [figure for figure in figures if figure.alt or figure.caption or figure.credit]
    return _write_list(told, FIGURE_KEYS)


def read_redirects(text: str, file: str) -> list[RedirectDocument]:
    return _read_list_file(text, REDIRECT_KEYS, RedirectDocument, file, "kind", "from")


def write_redirects(redirects: Sequence[RedirectDocument]) -> str:
    return _write_list(redirects, REDIRECT_KEYS)


def check_slug(slug: str, line: int = 0) -> None:
    try:
        validate_slug(slug)
    except ValidationError as error:
        raise Refusal(
            _("“%(slug)s” can't be the address of anything.") % {"slug": slug},
            line=line,
            cure=" ".join(error.messages),
        ) from error


def _read_text_file(text: str, keys: Keys, file: str) -> tuple[dict[str, Any], Place]:
    """The values of the front matter with ``source``, and where its keys stand."""
    front_matter, source, _line = split_front_matter(text)
    above = 1  # the line --- before the front matter
    try:
        node = yaml.load(front_matter)
        values = read_keys(node, keys)
    except Refusal as refusal:
        refusal.line += above
        raise
    lines = node.key_lines if isinstance(node, yaml.Mapping) else {}
    place = Place(file, 1, {key: line + above for key, line in lines.items()})
    return {**values, "source": clean_text(source)}, place


def _read_list_file(text: str, keys: Keys, make: Any, file: str, *needed: str) -> list[Any]:
    node = yaml.load(text, yaml.FILE_LIMIT)
    if node == yaml.Mapping({}, 1, {}):
        return []
    return list(_read_list(node, keys, make, *needed, file=file))


def _read_list(
    node: yaml.Node, keys: Keys, make: Any, *needed: str, file: str = ""
) -> Sequence[Any]:
    if not isinstance(node, yaml.Items):
        raise Refusal(
            _("A list is expected here."),
            line=node.line,
            cure=_("Write each item on a line of its own, “- ” before it."),
        )
    made = []
    for item in node.values:
        values = read_keys(item, keys)
        for key in needed:
            require(values, keys, key, item.line, _("Write it, or take the item out."))
        made.append(make(place=Place(file, item.line), **values))
    return made


def _with_line(place: Place, **values: Any) -> dict[str, Any]:
    return {"line": place.line, **values}


def _write_list(documents: Sequence[Any], keys: Keys) -> str:
    return yaml.dump([write_keys(document, keys) for document in documents])

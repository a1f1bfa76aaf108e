"""Texts beside the notes: a path's description and bridges, the site's intro and about.

They hold what a note holds and are rendered on save, but have no list of references. Notes doesn't
know the apps that have such texts: each registers how its own are found and rendered.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace

from notes.markdown import Rendered, render
from notes.publishing.inputs import inputs_of
from notesite.models import Site


@dataclass(frozen=True, slots=True)
class ShortText:
    """One of them, with its name for people and for programs, and where it is edited."""

    kind: str  # "path", "bridge", "intro" or "about"
    place: str  # "paths/lag", a bridge's "paths/lag/its-note", "site/intro"
    source: str
    label: str
    admin_address: str


@dataclass(frozen=True, slots=True)
class TextsOfApp:
    """``find`` and ``render`` those that hold one of these strings; find all for None."""

    find: Callable[[Collection[str] | None], Iterable[ShortText]]
    render: Callable[[Collection[str]], None]


_of_apps: list[TextsOfApp] = []


def register(texts: TextsOfApp) -> None:
    """Called once by each app that has short texts."""
    _of_apps.append(texts)


def render_short(source: str, site: Site) -> Rendered:
    """The one rendering of a short text.

    Whether a note that it links to is there changes its problems and never its html, so that it is
    rendered anew with its figures, references, macros and language alone. Numbers would say nothing
    without a list of references: it cites by author and year.
    """
    inputs = replace(inputs_of(source, site), is_short=True, citation_style="author-year")
    return render(source, inputs)


def short_texts(holding: Collection[str] | None = None) -> Iterator[ShortText]:
    """Those that hold one of these strings, or all: a query or two for each app."""
    for texts in _of_apps:
        yield from texts.find(holding)


def render_short_texts_with(names: Collection[str]) -> None:
    """Render anew what shows one of these figures, or cites one of these references."""
    for texts in _of_apps:
        texts.render(names)

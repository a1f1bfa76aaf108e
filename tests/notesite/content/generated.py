"""Sites that Hypothesis makes: every state, and text that YAML files have been broken by."""

from __future__ import annotations

import io
import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import strategies as st
from PIL import Image

from notes import bibtex
from notesite.content.document import (
    FigureDocument,
    Library,
    NoteDocument,
    PathDocument,
    PendingDocument,
    RedirectDocument,
    ReferenceDocument,
    SiteDocument,
    StateDocument,
    StepDocument,
    TopicDocument,
    Withdrawal,
)
from notesite.text import clean_line, clean_text, unique_slug

NASTY_LINES = [
    "no", "true", "null", "~", "0x1F", "12:30", "1e3", "2026-04-07", "2026-04-07T09:00:00Z", "-",
    "- item", "? key", ": value", "a: b", "a #b", "# heading", "---", "...", "&anchor", "*alias",
    "!tag", "!!python/none", "%directive", "@at", "`tick`", "{a: b}", "[a, b]", "'single'",
    '"double"', "it's", '\\"', "\\n", "\\", "=", "<<", "| literal", "> folded", "日本語", "עברית",
    "e\u0301", "😀👩‍👩‍👧", "a\u00a0b", "\u200bzero", "\u2066isolate\u2069", "x" * 120, "a\tb",
    "$x_1$", "a\u0085b", "a\u2028b", "  padded  ", "\ufeffmark", "\x7f", "\ue000", "𝔘𝔫𝔦",
]  # fmt: skip
NASTY_TEXTS = [
    "---\n", "---\ntitle: not this\n---\n", "\n\n\nthree lines down\n", "    indented\n", "\tтаб\n",
    "trailing  \nspaces \n", "a\r\nb\rc\n", "a\n\n\n\nb\n", "...\n", "%YAML 1.2\n---\n", " \n x\n",
    "# Heading\n\ntext\n", "```\n---\n```\n", "a\u0085b\u2028c\n", "no newline", "\ttab\n  two\n",
    "- a\n- b: c\n", "|\n  block\n", "> quote\n", "x\n \n", "😀\n", "\x00null\x1b\n", " ",
]  # fmt: skip
CHARACTERS = st.characters(exclude_categories=["Cs"])

lines = st.one_of(st.sampled_from(NASTY_LINES), st.text(CHARACTERS, max_size=40))
filled_lines = lines.filter(clean_line).map(lambda line: line[:90])
texts = st.one_of(
    st.sampled_from(NASTY_TEXTS),
    st.lists(lines, max_size=5).map("\n".join),
    st.lists(st.sampled_from(NASTY_TEXTS), max_size=3).map("".join),
)
filled_texts = texts.filter(clean_text)
macros = st.dictionaries(st.from_regex(r"\\[A-Za-z]{1,8}", fullmatch=True), lines, max_size=3)
NOW = datetime.now(UTC).replace(microsecond=0)
past = st.integers(60, 10**8).map(lambda seconds: NOW - timedelta(seconds=seconds))
ahead = st.integers(10**5, 10**8).map(lambda seconds: NOW + timedelta(seconds=seconds))
authors = st.lists(
    st.fixed_dictionaries(
        {"name": filled_lines},
        optional={
            "url": st.just("https://example.org/~a?b=c#d"),
            "orcid": st.just("0000-0002-1825-0097"),
            "organisation": st.just(True),
        },
    ),
    max_size=2,
).map(tuple)


def png(colour: tuple[int, int, int]) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (3, 2), colour).save(file, "PNG")
    return file.getvalue()


@st.composite
def versions(draw: st.DrawFn, topics: list[str], keys: list[str]) -> dict[str, Any]:
    """The versioned fields, with a title or a text."""
    has_title = draw(st.booleans())
    return {
        "title": draw(filled_lines if has_title else st.just("")),
        "source": draw(texts if has_title else filled_texts),
        "short_name": draw(lines.map(lambda line: line[:90])),
        "dek": draw(lines),
        "topics": tuple(draw(st.lists(st.sampled_from(topics), unique=True))) if topics else (),
        "authors": draw(authors),
        "about": tuple(draw(st.lists(st.sampled_from([*keys, "unknown"]), unique=True))),
        "lang": draw(st.sampled_from(["", "en", "zh-Hans"])),
        "doi": draw(st.sampled_from(["", "10.1287/opre.9.3.383"])),
        "canonical": draw(st.sampled_from(["", "https://example.org/a?b=c#d"])),
        "key": draw(st.sampled_from(["", "a2026", "x:y+z/1"])),
        "macros": draw(macros),
    }


@st.composite
def states(draw: st.DrawFn, number: int, keys: list[str]) -> StateDocument:
    version = draw(versions([], keys))
    kept = ("title", "dek", "authors", "about", "doi", "source")
    return StateDocument(
        number=number,
        kind=draw(st.sampled_from(["revision", "correction"])) if number > 1 else "publication",
        sentence=draw(filled_lines) if number > 1 else "",
        date=draw(past),
        **{field: version[field] for field in kept},
    )


@st.composite
def notes(draw: st.DrawFn, slug: str, topics: list[str], keys: list[str]) -> NoteDocument:
    state = draw(st.sampled_from(["draft", "unpublished", "public", "scheduled", "withdrawn"]))
    values: dict[str, Any] = draw(versions(topics, keys))
    if state in ("unpublished", "public", "withdrawn"):
        values["first_published"] = draw(past)
        values["revised"] = draw(st.none() | past)
        count = draw(st.integers(0, 2))
        values["history"] = tuple(draw(states(number, keys)) for number in range(1, count + 1))
        if draw(st.booleans()):
            kind = draw(st.sampled_from(["", "revision", "correction"]))
            values["pending"] = PendingDocument(
                **draw(versions(topics, keys)),
                release=draw(st.none() | ahead),
                kind=kind,
                sentence=draw(filled_lines) if kind else "",
            )
    if state in ("public", "withdrawn"):
        values["published"] = values["first_published"]
    if state == "scheduled":
        values["published"] = values["first_published"] = draw(ahead)
    if state == "withdrawn":
        values["withdrawn"] = Withdrawal(draw(past), draw(filled_lines))
    return NoteDocument(slug=slug, id=f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, slug)}", **values)


@st.composite
def libraries(draw: st.DrawFn) -> Library:
    """A site of a few of each thing; slugs are made as the site makes them."""
    topic_slugs = draw(slugs("topic"))
    note_slugs = draw(slugs("note"))
    path_slugs = draw(slugs("path"))
    references = draw(bibliographies())
    keys = [reference.key for reference in references]
    all_notes = [draw(notes(slug, topic_slugs, keys)) for slug in note_slugs]
    if all_notes and draw(st.booleans()):
        all_notes[0] = NoteDocument(
            **{field: getattr(all_notes[0], field) for field in all_notes[0].__dataclass_fields__}
            | {"pinned": True}
        )
    return Library(
        site=SiteDocument(
            name=draw(filled_lines),
            author=draw(lines.map(lambda line: line[:90])),
            tagline=draw(lines),
            intro=draw(texts),
            about=draw(texts),
            links=tuple(
                {"name": draw(filled_lines), "url": "https://example.org/"}
                for _link in range(draw(st.integers(0, 2)))
            ),
            contact=draw(st.sampled_from(["", "author@example.org"])),
            language="de",
            time_zone=draw(st.sampled_from(["UTC", "Europe/Berlin"])),
            citation_style="numbered",
            smart_quotes=draw(st.booleans()),
            macros=draw(macros),
            synonyms=draw(
                st.dictionaries(
                    st.sampled_from(["problem", "evidence"]),
                    st.lists(filled_lines, min_size=1, max_size=2).map(tuple),
                )
            ),
            start_text=draw(texts),
            accent_colour="#224466",
        ),
        topics=tuple(
            TopicDocument(slug=slug, name=draw(filled_lines), description=draw(texts))
            for slug in topic_slugs
        ),
        references=tuple(references),
        figures=[
            FigureDocument(
                name=f"figure-{number}.png",
                alt=draw(lines),
                caption=draw(lines),
                credit=draw(lines),
                read=lambda number=number: png((number, 2, 3)),
            )
            for number in range(draw(st.integers(0, 2)))
        ],
        notes=all_notes,
        paths=tuple(
            PathDocument(
                slug=slug,
                title=draw(filled_lines),
                line=draw(lines),
                order=draw(st.integers(0, 3)),
                published=(published := draw(st.none() | past | ahead)),
                first_published=published,
                id=f"urn:path:{slug}",
                steps=tuple(
                    StepDocument(note=note, bridge=draw(texts))
                    for note in draw(st.permutations(note_slugs))[:2]
                ),
                description=draw(texts),
            )
            for slug in path_slugs
        ),
        redirects=tuple(
            RedirectDocument(
                kind=kind,
                slug=f"old-{number}",
                target=draw(st.sampled_from(["", "somewhere", "/a b?c=d#e"])),
                sentence=draw(lines),
            )
            for number, kind in enumerate(
                draw(st.lists(st.sampled_from(["note", "topic", "path", "reference", "address"])))
            )
        ),
    )


@st.composite
def slugs(draw: st.DrawFn, fallback: str) -> list[str]:
    made: list[str] = []
    for title in draw(st.lists(lines, max_size=3)):
        made.append(unique_slug(title, fallback, made.__contains__))
    return made


@st.composite
def bibliographies(draw: st.DrawFn) -> list[ReferenceDocument]:
    made = []
    for number in range(draw(st.integers(0, 2))):
        value = draw(lines).replace("{", "").replace("}", "").replace("\\", "")
        entry = bibtex.Entry("misc", f"key{number}", (("title", clean_line(value)),))
        entries, failures = bibtex.parse(entry.bibtex)
        if not failures and len(entries) == 1:
            made.append(ReferenceDocument(key=entry.key, bibtex=entries[0].bibtex))
    return made

"""Single files of the content folder, as text."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings

from notesite.content import form
from notesite.content.document import NoteDocument, PathDocument, StepDocument, Withdrawal
from notesite.content.report import Refusal
from tests.notesite.content.generated import libraries

NINE = datetime(2026, 4, 7, 9, tzinfo=UTC)


def test_a_note_is_written_key_by_key_in_the_design_s_order():
    note = NoteDocument(
        slug="polar",
        title="Polar: training from the other side",
        short_name="Polar",
        dek="One sentence.",
        topics=("agents",),
        authors=({"name": "A. Author", "organisation": True, "url": "https://example.org"},),
        published=NINE,
        first_published=NINE,
        revised=NINE,
        withdrawn=Withdrawal(NINE, "It was wrong."),
        pinned=True,
        about=("polar2026",),
        lang="en",
        doi="10.1/x",
        canonical="https://example.org/polar",
        key="me2026",
        id="urn:uuid:1",
        macros={"\\b": "2", "\\a": "1"},
        anchors=(("The end", "s-start"),),
        source="Text.\n",
    )
    assert form.write_note(note) == (
        "---\n"
        "title: 'Polar: training from the other side'\n"
        "short_name: Polar\n"
        "dek: One sentence.\n"
        "topics:\n- agents\n"
        "authors:\n- name: A. Author\n  url: https://example.org\n  organisation: true\n"
        "published: 2026-04-07T09:00:00Z\n"
        "first_published: 2026-04-07T09:00:00Z\n"
        "revised: 2026-04-07T09:00:00Z\n"
        "withdrawn:\n  at: 2026-04-07T09:00:00Z\n  sentence: It was wrong.\n"
        "pinned: true\n"
        "about:\n- polar2026\n"
        "lang: en\ndoi: 10.1/x\ncanonical: https://example.org/polar\nkey: me2026\n"
        "id: urn:uuid:1\n"
        "macros:\n  \\a: '1'\n  \\b: '2'\n"
        "anchors:\n- - The end\n  - s-start\n"
        "---\n"
        "\n"
        "Text.\n"
    )


def test_an_empty_source_ends_the_file_after_the_front_matter():
    text = form.write_note(NoteDocument(slug="a", title="A"))
    assert text == "---\ntitle: A\n---\n"
    assert form.read_note(text, "a", "notes/a.md").source == ""


@pytest.mark.parametrize("source", ["---\n", "---\ntitle: x\n---\n", "\n\nlate\n", "    code\n"])
def test_a_source_that_looks_like_front_matter_stays_a_source(source: str):
    text = form.write_note(NoteDocument(slug="a", source=source))
    read = form.read_note(text, "a", "notes/a.md")
    assert (read.title, read.source) == ("", source)


def test_a_file_without_front_matter_is_a_draft_of_its_text():
    note = form.read_note("Just text.\n\n---\n\nMore.\n", "a", "notes/a.md")
    assert (note.source, note.published) == ("Just text.\n\n---\n\nMore.\n", None)


def test_a_path_keeps_its_order_of_zero_and_its_bridges():
    path = PathDocument(
        slug="p", title="P", order=0, steps=(StepDocument(note="a", bridge="One.\n\nTwo.\n"),)
    )
    text = form.write_path(path)
    assert "order: 0\n" in text
    assert "- note: a\n  bridge: |\n    One.\n\n    Two.\n" in text
    assert form.read_path(text, "p", "paths/p.md") == path


@pytest.mark.parametrize(
    ("front_matter", "line", "word"),
    [
        ("title: A\nauthor: B\n", 3, "“author” is not a key"),
        ("title: A\npublished: 2026-04-07\n", 3, "not a time in UTC"),
        ("title: A\npublished: 2026-04-07 09:00\n", 3, "not a time in UTC"),
        ("title: A\npublished: 2026-02-30T09:00:00Z\n", 3, "not a time in UTC"),
        ("title: A\npublished: 0001-01-01T00:00:00+14:00\n", 3, "not a time in UTC"),
        ("title: A\npinned: yes\n", 3, "true or false"),
        ("title: A\ntopics: agents\n", 3, "A list is expected"),
        ("title: [A]\n", 2, "Text is expected"),
        ("title: A\nwithdrawn: 2026-04-07T09:00:00Z\n", 3, "Keys and values"),
        ("title: A\nwithdrawn:\n  at: 2026-04-07T09:00:00Z\n", 4, "“sentence” is missing"),
        ("title: A\nauthors:\n- url: https://example.org\n", 4, "“name” is missing"),
        ("title: A\nanchors:\n- [a]\n", 4, "list of two"),
        ("dek: A\n", 1, "neither a title nor a text"),
    ],
)
def test_a_wrong_value_is_named_with_its_line_in_the_file(front_matter: str, line: int, word: str):
    with pytest.raises(Refusal) as caught:
        form.read_note(f"---\n{front_matter}---\n", "a", "notes/a.md")
    assert word in caught.value.message
    assert caught.value.line == line


def test_front_matter_that_doesn_t_end_is_refused():
    with pytest.raises(Refusal, match="doesn't end"):
        form.read_note("---\ntitle: A\n", "a", "notes/a.md")


@pytest.mark.parametrize("slug", ["", "feed", "Polar", "a b", "..", "a/b", "x" * 81])
def test_a_topic_without_an_address_is_refused(slug: str):
    with pytest.raises(Refusal):
        form.read_topics(f"- slug: '{slug}'\n  name: A\n", "topics.yaml")


@given(libraries())
@settings(max_examples=60, deadline=None, database=None, suppress_health_check=list(HealthCheck))
def test_what_a_site_would_write_is_written_the_same_after_reading(library):
    for note in library.notes:
        once = form.write_note(form.read_note(form.write_note(note), note.slug, ""))
        assert form.write_note(form.read_note(once, note.slug, "")) == once
        for state in note.history:
            once = form.write_state(form.read_state(form.write_state(state), state.number, ""))
            assert form.write_state(form.read_state(once, state.number, "")) == once
    once = form.write_site(form.read_site(form.write_site(library.site), ""))
    assert form.write_site(form.read_site(once, "")) == once

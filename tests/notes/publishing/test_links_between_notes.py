"""What a note is told of the notes that it links to, and when it is told anew."""

from datetime import timedelta
from unittest.mock import patch

import pytest
from django.utils import timezone

from notes import publishing
from notes.models import Figure, Note
from notes.publishing import rendering
from notesite.models import Redirect
from notesite.publishing import delete_redirect, save_redirect
from tests.factories import make_note
from tests.notes.publishing.saved import PICTURE

pytestmark = pytest.mark.django_db
STATES = {
    "draft": {"published_at": None},
    "scheduled": {"published_at": timezone.now() + timedelta(days=9)},
    "withdrawn": {"withdrawn": "It was wrong."},
}


def codes(note: Note) -> list[str]:
    """The problems that are stored with a note which waits for no rendering."""
    stored = Note.objects.get(pk=note.pk)
    assert stored.stale_at is None
    return [problem["code"] for problem in stored.problems]


def rename(note: Note, slug: str) -> Note:
    note = Note.objects.get(pk=note.pk)
    note.slug = slug
    return publishing.save_note(note)


def test_a_note_that_is_not_there_is_an_error_until_it_is():
    note = make_note(source="See\n[[other]] and [b](/notes/other/).\n")
    (first, second) = note.problems
    assert (first["code"], first["severity"], first["line"]) == ("unknown-note", "error", 2)
    assert second["column"] == 15
    other = make_note(slug="other")
    assert codes(note) == []
    publishing.trash(other)
    assert codes(note) == ["unknown-note"] * 2
    publishing.restore(other)
    assert codes(note) == []
    publishing.erase(other)
    assert codes(note) == ["unknown-note"] * 2


@pytest.mark.parametrize("state", STATES)
def test_any_state_counts_for_the_author(state):
    make_note(slug="other", **STATES[state])
    assert codes(make_note(source="See [[other]].\n")) == []


def test_what_was_purged_is_unknown():
    other = make_note(slug="other", trashed=True)
    note = make_note(source="See [[other]].\n")
    publishing.purge_trash(timezone.now() + timedelta(days=31))
    assert not Note.objects.filter(pk=other.pk).exists()
    assert codes(note) == ["unknown-note"]
    publishing.save_note(Note.objects.get(pk=note.pk))
    assert codes(note) == ["unknown-note"]


def test_every_name_that_a_note_had_stays_known():
    other = make_note(slug="first")
    note = make_note(source="[[first]] [[second]]\n")
    assert codes(note) == ["unknown-note"]
    other = rename(other, "second")
    assert codes(note) == []
    rename(other, "third")
    assert codes(note) == []
    rename(other, "first")
    assert codes(note) == []
    assert dict(Redirect.objects.values_list("slug", "target")) == {
        "second": "first",
        "third": "first",
    }


def test_a_renamed_draft_keeps_the_links_that_other_notes_have():
    other = make_note(slug="first", published_at=None)
    note = make_note(source="See [[first]].\n", published_at=None)
    rename(other, "second")
    assert codes(note) == []
    lonely = make_note(slug="lonely", source="[[lonely]]\n", published_at=None)
    rename(lonely, "by-itself")
    assert not Redirect.objects.filter(slug="lonely").exists()
    assert codes(lonely) == ["unknown-note"]


def test_an_anchor_is_known_as_long_as_the_note_has_it():
    other = make_note(slug="other", source="## One\n\nText.[^1]\n\n[^1]: Foot.\n")
    note = make_note(source="[[other#One]] [[other#fn-1]] [[other#Two]]\n")
    assert [one["message"] for one in note.problems] == ["The note “other” has no anchor “#s-two”."]
    other = Note.objects.get(pk=other.pk)
    other.source = "## Zero\n\n## Two\n"
    other.anchors = []
    publishing.save_note(other)
    assert codes(note) == ["unknown-note-anchor"] * 2
    rename(other, "another")
    assert codes(note) == ["unknown-note-anchor"] * 2


def test_markdown_links_to_anchors_hear_of_changes_too():
    other = make_note(slug="größe", source="## One\n")
    note = make_note(source="[so](/notes/größe/#s-one)\n")
    assert codes(note) == []
    other.source, other.anchors = "Nothing.\n", []
    publishing.save_note(other)
    assert codes(note) == ["unknown-note-anchor"]


def test_a_text_that_keeps_its_anchors_renders_no_other_note():
    other = make_note(slug="other", source="## One\n")
    note = make_note(source="[[other#One]]\n")
    plain = make_note(source="[[other]]\n")
    with patch.object(rendering, "render_into", wraps=rendering.render_into) as rendered:
        other.source = "## One\n\nMore words.\n"
        publishing.save_note(other)
        publishing.publish(publishing.unpublish(other))
        assert not rendered.called
        other.source = "## One\n\n## Two\n"
        publishing.save_note(other)
        assert [call.args[0] for call in rendered.call_args_list] == [note]
    assert plain.stale_at is None


def test_a_note_that_links_into_itself_is_judged_by_its_new_text():
    note = make_note(slug="own", source="## Here\n\n[[own#Here]] [[own#There]]\n")
    assert codes(note) == ["unknown-anchor"]
    note.source = "## Here\n\n## There\n\n[[own#Here]] [[own#There]]\n"
    assert publishing.save_note(note).problems == []


def test_a_caption_of_the_figure_counts_as_text_of_the_note():
    publishing.add_figure(PICTURE, name="lag.png", alt="A", caption="See [[none]].")
    note = make_note(source="Text.\n\n![](figures/lag.png)\n")
    assert codes(note) == ["unknown-note"]
    assert note.problems[0]["line"] == 3
    make_note(slug="none")
    assert codes(note) == []
    assert Figure.objects.get().caption == "See [[none]]."


def test_an_address_of_another_system_leads_on_and_is_no_note():
    note = make_note(source="[a](/notes/old/) [[old]]\n")
    assert codes(note) == ["unknown-note"] * 2
    row = save_redirect(Redirect(kind="address", slug="/notes/old/", target="/about/"))
    assert codes(note) == ["unknown-note"]
    delete_redirect(row)
    assert codes(note) == ["unknown-note"] * 2


def test_a_verb_does_not_bring_back_what_was_rendered_before():
    note = make_note(source="[[other]]\n")
    make_note(slug="other")
    assert note.problems
    publishing.withdraw(note, "It was wrong.")
    assert codes(note) == []


def test_more_names_than_a_database_takes_in_one_question():
    make_note(slug="other", source="## One\n")
    names = " ".join(f"[[none-{number}]]" for number in range(600))
    note = make_note(source=f"[[other#One]] [[other#Two]] {names}\n")
    assert codes(note)[:2] == ["unknown-note-anchor", "unknown-note"]


def test_notes_that_changed_anchors_under_way_are_rendered_in_the_same_run():
    note = make_note(source="[[other#One]]\n")
    other = make_note(slug="other", source="## One\n")
    assert codes(note) == []
    Note.objects.filter(pk=other.pk).update(source="## Two\n", anchors=[], renderer_version=0)
    assert publishing.rerender() == 2
    assert codes(note) == ["unknown-note-anchor"]

"""What one save brings along, and what it refuses."""

import pytest
from django.core.exceptions import ValidationError
from django.test import TestCase

from notes import publishing
from notes.models import Note, Topic
from notesite.models import Redirect, Site
from tests.notes.publishing.saved import NOW, PICTURE, draft, public


class SavingTests(TestCase):
    def test_cleans_every_field_whatever_the_door(self):
        note = draft(title=" Two\x00\nlines ", source="\r\n    code\x01\r\n\r\n", dek="a\u2028b")
        note.refresh_from_db()
        assert (note.title, note.source, note.dek) == ("Two lines", "\n    code\n", "a b")

    def test_a_draft_needs_a_title_or_a_text_and_nothing_else(self):
        assert draft(title="", source="Only text here.").slug == "note"
        assert draft(title="Only a title", source="").display_title == "Only a title"
        with pytest.raises(ValidationError, match="title or a text"):
            draft(title="\x00", source=" \n")

    def test_renders_and_stores_what_lists_and_pages_need(self):
        note = draft(
            source="## The problem\n\nWords $x^2$ here.\n\n## What to take away\n\n- One.\n"
        )
        note.refresh_from_db()
        assert "<math" in note.html
        assert note.has_math
        assert [part["name"] for part in note.anatomy] == ["problem", "take-aways"]
        assert [takeaway["text"] for takeaway in note.takeaways] == ["One."]
        assert note.minutes == 1

    def test_refuses_to_write_over_a_newer_version(self):
        note = draft()
        theirs, mine = Note.objects.get(pk=note.pk), Note.objects.get(pk=note.pk)
        theirs.title = "Theirs"
        publishing.save_note(theirs)
        mine.title = "Mine"
        with pytest.raises(publishing.Conflict) as conflict:
            publishing.save_note(mine)
        assert conflict.value.current.title == "Theirs"
        assert Note.objects.get(pk=note.pk).title == "Theirs"
        assert note.revisions.count() == 2

    def test_a_refused_save_leaves_the_version_as_it_was(self):
        note = draft()
        note.title = note.source = ""
        with pytest.raises(ValidationError):
            publishing.save_note(note)
        note.title = "Right again"
        assert publishing.save_note(note).title == "Right again"

    def test_refuses_what_is_too_long_on_every_database(self):
        with pytest.raises(ValidationError, match="300"):
            draft(title="x" * 301)

    def test_finds_a_free_slug_for_equal_titles(self):
        assert [draft(title="C++").slug, draft(title="C#").slug] == ["c", "c-2"]

    def test_one_note_is_pinned_at_a_time(self):
        first, second = draft(pinned=True), draft(pinned=True)
        first.refresh_from_db()
        assert (first.pinned, second.pinned) == (False, True)

    def test_taking_the_pin_is_a_write_to_the_other_note(self):
        Site.objects.create()
        first = public(pinned=True)
        revision = Site.objects.get().revision
        draft(title="Draft", pinned=True)
        assert Site.objects.get().revision > revision
        with pytest.raises(publishing.Conflict):
            publishing.save_note(first)

    def test_a_failed_save_gives_the_object_back(self):
        note = Note(title="New", published_at=NOW, macros={"wrong": "x"})
        with pytest.raises(ValidationError):
            publishing.save_note(note)
        assert (note.pk, note.slug, note.first_published_at) == (None, "", None)
        note.macros = {}
        assert publishing.save_note(note).slug == "new"

    def test_refuses_years_that_another_zone_could_not_hold(self):
        for year in (1, 9999):
            with pytest.raises(ValidationError, match="out of bounds"):
                draft(published_at=NOW.replace(year=year, month=1, day=1))

    def test_refuses_to_write_over_a_newer_topic_figure_or_reference(self):
        topic = publishing.save_topic(Topic(name="Models"))
        figure = publishing.add_figure(PICTURE, name="lag.png")
        reference = publishing.save_reference("@misc{a, title={T}}")
        for row, save in (
            (topic, publishing.save_topic),
            (figure, publishing.save_figure),
            (reference, lambda row: publishing.save_reference(row.bibtex, replaces=row)),
        ):
            older = type(row).objects.get()
            save(row)
            with pytest.raises(publishing.Conflict):
                save(older)

    def test_refuses_bylines_without_a_name(self):
        with pytest.raises(ValidationError, match="Every author has a name"):
            draft(authors=[{"url": "https://example.org"}])

    def test_moves_the_site_revision_with_what_readers_can_see(self):
        Site.objects.create()
        draft()
        assert Site.objects.get().revision == 1
        public()
        assert Site.objects.get().revision == 2


class AddressTests(TestCase):
    def rename(self, note, slug, **options):
        note.slug = slug
        return publishing.save_note(note, **options)

    def leads(self):
        return dict(Redirect.objects.values_list("slug", "target"))

    def test_a_renamed_public_note_leaves_one_hop_however_often(self):
        note = public(title="One")
        for slug in ("two", "three", "four"):
            self.rename(note, slug)
        assert self.leads() == {"one": "four", "two": "four", "three": "four"}

    def test_there_and_back_again_leaves_no_loop(self):
        note = public(title="One")
        self.rename(note, "two")
        self.rename(note, "one")
        assert self.leads() == {"two": "one"}

    def test_a_draft_leaves_nothing(self):
        self.rename(draft(title="One"), "two")
        assert self.leads() == {}

    def test_a_retired_address_is_given_away_only_after_asking(self):
        self.rename(public(title="One"), "two")
        other = draft(title="Other")
        with pytest.raises(publishing.RetiredSlug):
            self.rename(other, "one")
        self.rename(other, "one", take_retired_slug=True)
        assert self.leads() == {}

    def test_a_new_title_avoids_a_retired_address(self):
        self.rename(public(title="One"), "two")
        assert draft(title="One").slug == "one-2"

    def test_a_reserved_slug_is_refused_with_the_reason(self):
        with pytest.raises(ValidationError, match="reserved"):
            self.rename(draft(), "history")

"""A note's way through its states, and what readers are told of."""

from datetime import timedelta

import pytest
import time_machine
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.test import TestCase
from django.utils import timezone

from notes import publishing
from notes.markdown.roots import MEDIA_MARK, SITE_MARK
from notes.models import Note, Revision
from notesite.models import Redirect
from tests.notes.publishing.saved import NOW, PICTURE, draft, numbers, public


class PublicStateTests(TestCase):
    def test_the_first_publication_is_state_one(self):
        note = draft(source="Draft.\n")
        publishing.publish(note)
        assert numbers(note) == [(1, "publication", "Draft.\n")]
        assert note.first_published_at == note.published_at
        assert note.revised_at is None

    def test_a_minor_save_makes_no_state_and_moves_no_date(self):
        note = public()
        note.source = "Text!\n"
        publishing.save_note(note, kind="minor")
        assert [number for number, *_ in numbers(note)] == [1]
        assert note.revised_at is None

    def test_a_revision_and_a_correction_make_one_each(self):
        note = public()
        for kind in ("revision", "correction"):
            note.source = f"{kind}.\n"
            publishing.save_note(note, kind=kind, sentence="Said more.")
        assert [kind for _, kind, _ in numbers(note)] == ["publication", "revision", "correction"]
        assert note.revised_at is not None

    def test_a_correction_needs_its_sentence(self):
        note = public()
        with pytest.raises(ValidationError, match="one sentence"):
            publishing.save_note(note, kind="correction")
        assert note.revisions.count() == 1

    def test_the_first_state_of_a_scheduled_note_is_its_text_when_the_time_comes(self):
        note = draft(published_at=NOW + timedelta(days=1), source="Early.\n")
        note.source = "Late.\n"
        publishing.save_note(note)
        assert numbers(note) == [(1, "publication", "Late.\n")]
        with time_machine.travel(NOW + timedelta(days=2)):
            note.source = "Later.\n"
            publishing.save_note(note, kind="revision", sentence="Said more.")
        assert [number for number, *_ in numbers(note)] == [1, 2]

    def test_taking_back_a_schedule_takes_back_its_state(self):
        note = draft(published_at=NOW + timedelta(days=1))
        publishing.unpublish(note)
        assert numbers(note) == []
        assert note.first_published_at is None

    def test_publishing_again_with_changed_text_makes_a_state(self):
        note = public()
        first = note.first_published_at
        publishing.unpublish(note)
        note.source = "Changed.\n"
        publishing.save_note(note)
        publishing.publish(note)
        assert [number for number, *_ in numbers(note)] == [1, 2]
        assert note.first_published_at == first

    def test_publishing_again_unchanged_makes_none(self):
        note = public()
        publishing.unpublish(note)
        publishing.publish(note)
        assert [number for number, *_ in numbers(note)] == [1]

    def test_a_text_that_was_changed_out_of_sight_comes_back_as_a_state(self):
        for away, back in (
            (publishing.trash, publishing.restore),
            (lambda note: publishing.withdraw(note, "Wrong."), publishing.reinstate),
        ):
            note = public(title=f"Note {away}")
            away(note)
            note.source = "Rewritten.\n"
            publishing.save_note(note)
            assert [number for number, *_ in numbers(note)] == [1]
            back(note)
            assert [source for _, _, source in numbers(note)] == ["Text.\n", "Rewritten.\n"]

    def test_coming_back_as_it_went_makes_no_state(self):
        note = public()
        note.source = "Text!\n"
        publishing.save_note(note)
        for away, back in (
            (publishing.trash, publishing.restore),
            (publishing.unpublish, publishing.publish),
        ):
            away(note)
            back(note)
        assert [number for number, *_ in numbers(note)] == [1]
        assert note.revised_at is None

    def test_keeps_the_marks_of_the_roots_in_its_html(self):
        figure = publishing.add_figure(PICTURE, name="lag.png")
        note = public(source=f"[b](/notes/b/) ![Lag](figures/{figure.name})\n")
        revision = note.revisions.get()
        assert revision.html == note.html
        assert SITE_MARK in revision.html
        assert MEDIA_MARK in revision.html

    def test_imported_states_leave_the_rows_saved_here(self):
        note = public()
        state = Revision(number=1, public_at=NOW - timedelta(days=9), kind="publication", source="")
        publishing.write_public_states(note, [state])
        assert note.revisions.count() == 2
        assert [number for number, *_ in numbers(note)] == [1]

    def test_every_explicit_save_leaves_a_row_with_its_user(self):
        user = User.objects.create(username="ada")
        note = publishing.save_note(Note(title="Kept"), by=user)
        publishing.save_note(note, by=user)
        assert [revision.saved_by for revision in note.revisions.all()] == [user, user]


class StateTests(TestCase):
    def test_trash_wins_over_withdrawn_and_withdrawn_over_the_date(self):
        note = public()
        publishing.withdraw(note, "The proof is wrong.")
        assert note.state == "withdrawn"
        publishing.trash(note)
        assert note.state == "trash"
        publishing.restore(note)
        assert note.state == "withdrawn"
        publishing.reinstate(note)
        assert note.state == "published"

    def test_only_what_was_public_is_withdrawn_and_never_without_a_sentence(self):
        with pytest.raises(ValidationError, match="draft"):
            publishing.withdraw(draft(), "Because.")
        with pytest.raises(ValidationError, match="one sentence"):
            publishing.withdraw(public(), " ")

    def test_a_note_has_the_verbs_of_its_state(self):
        note = public()
        publishing.trash(note)
        for verb in (publishing.publish, publishing.trash, publishing.unpublish):
            with pytest.raises(ValidationError, match="trash"):
                verb(note)
        assert note.published_at
        publishing.restore(note)
        assert note.state == "published"

    def test_a_scheduled_note_leaves_the_trash_as_a_draft_and_was_never_public(self):
        note = draft(published_at=NOW + timedelta(hours=1))
        publishing.trash(note)
        with time_machine.travel(NOW + timedelta(days=40)):
            assert not note.was_public
            publishing.purge_trash()
        assert not Redirect.objects.exists()
        note = draft(published_at=NOW + timedelta(hours=1))
        publishing.restore(publishing.trash(note))
        assert note.state == "draft"
        assert numbers(note) == []

    def test_only_a_due_untouched_note_is_published(self):
        there = public(title="There")
        draft(title="Draft")
        draft(title="Ahead", published_at=NOW + timedelta(hours=1))
        publishing.withdraw(public(title="Back"), "Wrong.")
        publishing.trash(public(title="Bin"))
        assert list(Note.objects.published()) == [there]

    def test_what_is_due_is_there_in_its_second(self):
        note = draft(published_at=NOW + timedelta(hours=1))
        with time_machine.travel(NOW + timedelta(minutes=59, seconds=59), tick=False):
            assert not Note.objects.published().exists()
        with time_machine.travel(NOW + timedelta(hours=1), tick=False):
            assert Note.objects.published().get() == note

    def test_the_trash_is_purged_after_thirty_days_and_a_public_address_is_gone(self):
        seen, unseen = public(title="Seen"), draft(title="Unseen")
        publishing.trash(seen)
        publishing.trash(unseen)
        assert publishing.purge_trash() == 0
        assert publishing.purge_trash(timezone.now() + timedelta(days=30, seconds=1)) == 2
        assert list(Redirect.objects.values_list("slug", "target")) == [("seen", "")]

"""The one rule of visibility, and the words that lists are made of."""

from datetime import timedelta

import time_machine
from django.contrib.auth.models import AnonymousUser
from django.test import TestCase
from django.utils import timezone

from notes.models import Note, Topic
from notes.neighbours import backlinks_to, older_and_newer
from notes.publishing import save_note
from notes.querysets import HEAVY_FIELDS
from series.models import ReadingPath, Step
from tests.factories import make_author, make_many_notes, make_note, make_path, make_topic


def make_one_in_each_state(**fields):
    """A note in each state; "published" is the only one readers may see."""
    return {
        "published": make_note(**fields),
        "draft": make_note(published_at=None, **fields),
        "scheduled": make_note(published_at=timezone.now() + timedelta(hours=1), **fields),
        "withdrawn": make_note(withdrawn="It was wrong.", **fields),
        "trash": make_note(trashed=True, **fields),
    }


class PublishedTests(TestCase):
    def test_readers_see_what_is_published_and_nothing_else(self):
        notes = make_one_in_each_state()
        assert {state: note.state for state, note in notes.items()} == {s: s for s in notes}
        assert list(Note.objects.published()) == [notes["published"]]
        assert list(Note.objects.visible_to(AnonymousUser())) == [notes["published"]]

    def test_authors_see_everything_but_the_trash(self):
        notes = make_one_in_each_state()
        trashed = notes.pop("trash")
        visible = set(Note.objects.visible_to(make_author()))
        assert visible == set(notes.values())
        assert trashed not in visible

    def test_somebody_with_an_account_and_no_right_is_a_reader(self):
        notes = make_one_in_each_state()
        user = make_author(is_staff=False)
        assert list(Note.objects.visible_to(user)) == [notes["published"]]
        gone = make_author(is_active=False)
        assert list(Note.objects.visible_to(gone)) == [notes["published"]]

    def test_a_scheduled_note_is_public_in_its_second(self):
        at = timezone.now().replace(microsecond=0) + timedelta(hours=1)
        note = make_note(published_at=at)
        with time_machine.travel(at - timedelta(microseconds=1), tick=False):
            assert not Note.objects.published().exists()
        with time_machine.travel(at, tick=False):
            assert list(Note.objects.published()) == [note]

    def test_newest_first_keeps_one_order_where_dates_are_equal(self):
        at = timezone.now() - timedelta(days=1)
        notes = [make_note(published_at=at) for _ in range(4)]
        assert list(Note.objects.published().newest_first()) == notes[::-1]


class FeaturedTests(TestCase):
    def test_the_pinned_note_comes_before_the_newest(self):
        pinned = make_note(pinned=True)
        newest = make_note()
        assert list(Note.objects.featured()) == [pinned]
        pinned.pinned = False
        save_note(pinned)
        assert list(Note.objects.featured()) == [newest]

    def test_a_pinned_note_that_is_not_public_is_not_featured(self):
        make_note(pinned=True, published_at=None)
        public = make_note()
        assert list(Note.objects.featured()) == [public]

    def test_brings_the_number_of_public_notes_along(self):
        make_one_in_each_state()
        make_many_notes(6)
        with self.assertNumQueries(1):
            assert Note.objects.featured().get().note_count == 7

    def test_an_empty_site_features_nothing(self):
        make_note(published_at=None)
        assert not Note.objects.featured().exists()


class ListTests(TestCase):
    def test_a_card_loads_no_text_and_takes_two_queries(self):
        topic = make_topic()
        make_many_notes(5, topics=[topic])
        with self.assertNumQueries(2):
            notes = list(Note.objects.published().for_cards())
            assert [note.topics_list for note in notes] == [[topic]] * 5
        assert notes[0].get_deferred_fields() == set(HEAVY_FIELDS)

    def test_a_topic_counts_its_public_notes_alone(self):
        topic, hidden, empty = make_topic(), make_topic(), make_topic()
        make_one_in_each_state(topics=[topic])
        make_note(topics=[topic])
        make_note(topics=[hidden], published_at=None)
        listed = list(Topic.objects.with_public_notes().with_note_counts())
        assert [(t.name, t.note_count) for t in listed] == [(topic.name, 2)]
        assert empty not in listed

    def test_on_topic_holds_only_notes_filed_there(self):
        topic, other = make_topic(), make_topic()
        note = make_note(topics=[topic, other])
        make_note(topics=[other])
        assert list(Note.objects.published().on_topic(topic)) == [note]


class NeighbourTests(TestCase):
    def test_neighbours_are_the_public_notes_before_and_after(self):
        oldest = make_note()
        make_note(published_at=None)
        middle = make_note()
        make_note(withdrawn="It was wrong.")
        newest = make_note()
        with self.assertNumQueries(1):
            assert older_and_newer(middle) == (oldest, newest)
        assert older_and_newer(oldest) == (None, middle)
        assert older_and_newer(newest) == (middle, None)

    def test_notes_of_one_second_have_an_order_too(self):
        at = timezone.now().replace(microsecond=0) - timedelta(days=1)
        first, second, third = (make_note(published_at=at) for _ in range(3))
        assert older_and_newer(second) == (first, third)

    def test_a_draft_has_no_neighbours(self):
        make_note()
        assert older_and_newer(make_note(published_at=None)) == (None, None)

    def test_backlinks_are_public_notes_and_count_once_and_never_itself(self):
        note = make_note(slug="target")
        save_note(note)
        text = "A [link](/notes/target/), and [another](/notes/target/).\n"
        linking = make_one_in_each_state(source=text)
        note.source = text
        save_note(note)
        assert list(backlinks_to(note)) == [linking["published"]]

    def test_backlinks_survive_a_new_name(self):
        note = make_note(slug="former")
        linking = make_note(source="A [link](/notes/former/).\n")
        note.slug = "latter"
        save_note(note)
        assert list(backlinks_to(note)) == [linking]


class StepTests(TestCase):
    def test_only_public_notes_in_public_paths_are_steps_for_a_reader(self):
        notes = make_one_in_each_state()
        path = make_path(*notes.values())
        for hidden in ({"published_at": None}, {"published_at": timezone.now() + timedelta(1)}):
            make_path(notes["published"], **hidden)
        steps = list(Step.objects.public())
        assert [(step.path, step.note) for step in steps] == [(path, notes["published"])]
        assert list(ReadingPath.objects.published()) == [path]

    def test_a_path_without_a_public_step_is_not_public(self):
        make_path(make_note(published_at=None))
        make_path()
        assert not ReadingPath.objects.published().exists()

    def test_numbers_count_public_steps(self):
        first, second = make_note(), make_note()
        make_path(make_note(published_at=None), first, make_note(trashed=True), second)
        numbers = [step.position_number for step in Step.objects.public().numbered()]
        assert numbers == [1, 2]

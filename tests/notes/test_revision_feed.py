"""The feed of what was revised and corrected."""

import feedparser
from django.test import TestCase

from notes.publishing import save_note, withdraw
from tests.factories import make_note


class RevisionFeedTests(TestCase):
    def entries(self):
        response = self.client.get("/revisions.atom")
        feed = feedparser.parse(
            response.content, response_headers={"content-type": response["Content-Type"]}
        )
        assert not feed.bozo
        return feed.entries

    def revise(self, note, kind="correction", sentence="A sign & more was wrong."):
        note.source = f"{note.source}\nMore.\n"
        return save_note(note, kind=kind, sentence=sentence)

    def test_tells_of_corrections_with_their_sentence_and_no_first_publication(self):
        note = make_note(title="Lag", slug="lag")
        assert self.entries() == []
        self.revise(note)
        note.source += "Minor.\n"
        save_note(note)
        (entry,) = self.entries()
        assert entry.title == "Lag: Correction"
        assert entry.summary == "A sign &amp; more was wrong."
        assert entry.link == "http://127.0.0.1:8000/notes/lag/history/2/"
        assert entry.id == f"{note.uid}#2"

    def test_the_newest_comes_first_and_each_has_its_own_id(self):
        notes = [make_note() for _ in range(2)]
        for note in (*notes, notes[0]):
            self.revise(note, "revision", "More.")
        ids = [entry.id for entry in self.entries()]
        assert ids == [f"{notes[0].uid}#3", f"{notes[1].uid}#2", f"{notes[0].uid}#2"]

    def test_nothing_of_a_note_that_was_taken_back(self):
        note = make_note()
        self.revise(note)
        withdraw(note, "It was wrong.")
        assert self.entries() == []

    def test_takes_two_queries_and_pages(self):
        for _ in range(31):
            self.revise(make_note(), "revision", "More.")
        with self.assertNumQueries(2):
            assert len(self.entries()) == 30
        second = feedparser.parse(self.client.get("/revisions.atom?page=2").content)
        assert len(second.entries) == 1

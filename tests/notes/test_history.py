"""The public history of a note, and how two of its states are compared."""

from datetime import timedelta

from bs4 import BeautifulSoup
from django.test import TestCase
from django.utils import timezone

from notes.comparison import MOST_BLOCKS, Block, Piece, compare
from notes.publishing import save_note, unpublish
from tests.factories import make_note


def revise(note, source, **fields):
    note.source = source
    return save_note(note, **{"kind": "revision", "sentence": f"Now {source.strip()}"} | fields)


class HistoryTests(TestCase):
    @classmethod
    def setUpTestData(cls):
        cls.note = make_note(slug="lag", source="The cost is one.\n\nIt stays.\n")
        revise(cls.note, "The cost is two.\n\nIt stays.\n", sentence="Counted anew.")
        cls.note.source = "The cost is two!\n\nIt stays.\n"
        save_note(cls.note)

    def page(self, below):
        return BeautifulSoup(self.client.get(f"/notes/lag/{below}").content, "html.parser")

    def test_lists_what_readers_were_told_of_and_no_minor_save(self):
        entries = self.page("history/").select(".state-entry")
        assert [entry.a["href"] for entry in entries] == [
            "/notes/lag/history/2/", "/notes/lag/history/1/",
        ]  # fmt: skip
        assert "Counted anew." in entries[0].get_text()

    def test_a_state_shows_the_text_as_it_stood(self):
        assert "The cost is one." in self.page("history/1/").select_one(".note-text").get_text()
        state = self.page("history/2/")
        assert "The cost is two." in state.select_one(".note-text").get_text()
        assert state.select_one(".comparison del").get_text() == "one"
        assert state.select_one(".comparison ins").get_text() == "two"

    def test_a_state_is_cited_at_its_own_address(self):
        text = self.page("history/1/").select_one(".cite-text").get_text()
        assert "Public state 1" in text
        assert text.endswith("/notes/lag/history/1/")

    def test_engines_are_led_to_the_text_that_holds(self):
        page = self.page("history/1/")
        assert page.select_one("meta[name=robots]")["content"] == "noindex"
        assert page.select_one("link[rel=canonical]")["href"].endswith("/notes/lag/")

    def test_the_note_shows_its_history_once_it_was_revised(self):
        assert [a["href"] for a in self.page("").select(".history .state-name")] == [
            "/notes/lag/history/2/", "/notes/lag/history/1/",
        ]  # fmt: skip
        make_note(slug="new")
        assert b'class="history"' not in self.client.get("/notes/new/").content

    def test_a_state_that_is_none_answers_404(self):
        for number in (3, 99, 0):
            assert self.client.get(f"/notes/lag/history/{number}/").status_code == 404

    def test_what_is_promised_is_no_state_yet(self):
        make_note(slug="later", published_at=timezone.now() + timedelta(days=1))
        assert self.client.get("/notes/later/history/1/").status_code == 404
        assert self.client.get("/notes/later/history/").status_code == 404

    def test_goes_with_the_note(self):
        unpublish(self.note)
        for below in ("history/", "history/1/", "history/2/"):
            assert self.client.get(f"/notes/lag/{below}").status_code == 404

    def test_follows_a_renamed_note(self):
        self.note.slug = "delay"
        save_note(self.note)
        response = self.client.get("/notes/lag/history/1/")
        assert (response.status_code, response["Location"]) == (301, "/notes/delay/history/1/")

    def test_asks_as_much_of_a_long_history_as_of_a_short_one(self):
        for number in range(20):
            revise(self.note, f"Text {number}.\n")
        with self.assertNumQueries(5):
            self.client.get("/notes/lag/history/")
        with self.assertNumQueries(4):
            self.client.get("/notes/lag/history/9/")


def test_equal_texts_have_no_difference():
    assert compare("A.\n\nB.\n", "A.\n\nB.\n") == []


def test_words_are_compared_in_a_reworded_paragraph():
    assert compare("The cost is one.\n", "The cost is two.\n") == [
        Block(
            "changed",
            (
                Piece("same", "The cost is "),
                Piece("removed", "one"),
                Piece("added", "two"),
                Piece("same", "."),
            ),
        )
    ]


def test_a_paragraph_that_is_another_stands_whole():
    kinds = [block.kind for block in compare("Cats sleep all day.\n", "x = 1; y = 2; z = 3\n")]
    assert kinds == ["removed", "added"]


def test_unchanged_stretches_are_left_out_but_for_their_ends():
    older = "\n\n".join(f"Paragraph {n}." for n in range(10))
    newer = older.replace("Paragraph 5.", "Paragraph five.")
    assert [block.kind for block in compare(older, newer)] == [
        "skipped", "same", "changed", "same", "skipped",
    ]  # fmt: skip


def test_nothing_of_either_text_is_lost():
    older = "A one.\n\nB two.\n\nC three.\n"
    newer = "A one!\n\nNew.\n\nC three.\n\nD four.\n"
    blocks = compare(older, newer)
    kept = "".join(p.text for b in blocks for p in b.pieces if p.kind != "added")
    now = "".join(p.text for b in blocks for p in b.pieces if p.kind != "removed")
    assert kept == older.replace("\n", "")
    assert now == newer.replace("\n", "")


def test_texts_past_the_bound_are_still_compared():
    older = "\n\n".join(f"p{n}" for n in range(MOST_BLOCKS + 1))
    blocks = compare(older, f"{older}\n\nmore")
    assert blocks[-1] == Block("added", (Piece("added", "more"),))

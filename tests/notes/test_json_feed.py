"""JSON Feed: what the Atom feed says, in the other form."""

import json

import feedparser
from django.test import TestCase

from notes.publishing import withdraw
from tests.factories import make_many_notes, make_note, make_path, make_topic

SITE = "http://127.0.0.1:8000"


class JsonFeedTests(TestCase):
    def feed(self, address):
        response = self.client.get(address)
        assert response["Content-Type"] == "application/feed+json; charset=utf-8"
        return json.loads(response.content)

    def test_holds_whole_texts_with_absolute_links(self):
        make_note(slug="target")
        note = make_note(
            title="Gains <here>",
            source="Let $x^2$ be. See [[target]].[^1]\n\n[^1]: Really.\n",
            authors=[{"name": "Ada", "orcid": "0000-0002-1825-0097"}],
            topics=[make_topic(name="Systems")],
        )
        feed = self.feed("/feed.json")
        assert feed["version"] == "https://jsonfeed.org/version/1.1"
        assert feed["feed_url"] == f"{SITE}/feed.json"
        item = feed["items"][0]
        assert (item["id"], item["title"]) == (note.uid, "Gains <here>")
        assert "<math" in item["content_html"]
        assert f'href="{SITE}/notes/target/"' in item["content_html"]
        assert f'href="{SITE}{note.get_absolute_url()}#fn-1"' in item["content_html"]
        assert item["authors"] == [{"name": "Ada", "url": "https://orcid.org/0000-0002-1825-0097"}]
        assert item["tags"] == ["Systems"]

    def test_says_what_the_atom_feed_says(self):
        notes = [make_note() for _ in range(3)]
        withdraw(notes[1], "It was wrong.")
        items = self.feed("/feed.json")["items"]
        entries = feedparser.parse(self.client.get("/feed.atom").content).entries
        assert [item["id"] for item in items] == [entry.id for entry in entries]
        assert [item["date_modified"] for item in items] == [entry.updated for entry in entries]
        assert [item["content_html"] for item in items] == [
            self.content_of(note) for note in (notes[2], notes[0])
        ]

    def content_of(self, note):
        return f"<p>{note.source.strip()}</p>\n"

    def test_leads_to_the_older_entries(self):
        make_many_notes(40)
        first = self.feed("/feed.json")
        assert len(first["items"]) == 30
        assert first["next_url"] == f"{SITE}/feed.json?page=2"
        second = self.feed("/feed.json?page=2")
        assert len(second["items"]) == 10
        assert "next_url" not in second
        assert self.client.get("/feed.json?page=3").status_code == 404

    def test_a_topic_and_a_path_have_theirs(self):
        note, other = make_note(topics=[make_topic(slug="systems")]), make_note()
        make_path(other, slug="way")
        (item,) = self.feed("/topics/systems/feed.json")["items"]
        assert item["id"] == note.uid
        (item,) = self.feed("/paths/way/feed.json")["items"]
        assert item["id"] == other.uid

    def test_an_empty_feed_is_a_feed(self):
        assert self.feed("/feed.json")["items"] == []

    def test_what_has_not_changed_is_not_sent_again(self):
        make_note()
        tag = self.client.get("/feed.json")["ETag"]
        again = self.client.get("/feed.json", headers={"if-none-match": tag})
        assert again.status_code == 304

"""The feed of a reading path."""

from datetime import timedelta

import feedparser
from django.test import TestCase
from django.utils import timezone

from series.publishing import save_path
from tests.factories import make_author, make_many_notes, make_note, make_path


class PathFeedTests(TestCase):
    def entries(self, path):
        response = self.client.get(f"/paths/{path.slug}/feed.atom")
        feed = feedparser.parse(
            response.content, response_headers={"content-type": response["Content-Type"]}
        )
        assert not feed.bozo
        return feed.feed, feed.entries

    def test_holds_the_public_steps_newest_first(self):
        older, newer = make_note(), make_note()
        path = make_path(newer, make_note(published_at=None), older, title="The way")
        make_note()
        feed, entries = self.entries(path)
        assert [entry.id for entry in entries] == [newer.uid, older.uid]
        assert feed.title == "The way · Research notes"

    def test_keeps_its_stored_id_under_another_name(self):
        path = make_path(make_note())
        before, _ = self.entries(path)
        path.slug = "another"
        save_path(path)
        after, _ = self.entries(path)
        assert before.id == after.id == path.uid
        assert after.link == "http://127.0.0.1:8000/paths/another/"

    def test_a_path_that_is_not_public_has_none_for_authors_neither(self):
        draft = make_path(make_note(), published_at=None)
        later = make_path(make_note(), published_at=timezone.now() + timedelta(hours=1))
        self.client.force_login(make_author())
        for path in (draft, later):
            assert self.client.get(f"/paths/{path.slug}/feed.atom").status_code == 404

    def test_takes_four_queries(self):
        path = make_path(*make_many_notes(40))
        with self.assertNumQueries(4):
            self.client.get(f"/paths/{path.slug}/feed.atom")

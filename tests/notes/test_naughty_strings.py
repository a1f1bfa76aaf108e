"""The Big List of Naughty Strings as titles, through every door a title comes in by."""

import json
import tempfile
from pathlib import Path
from urllib.parse import urlsplit
from xml.etree import ElementTree

import feedparser
import yaml
from django.test import TestCase
from django.urls import reverse

from notes.models import Note
from notes.publishing import publish
from notesite.content import import_content
from tests.factories import make_author

STRINGS = json.loads((Path(__file__).parents[1] / "data" / "blns" / "blns.json").read_text())


def assert_all_are_there(client):
    notes = Note.objects.published()
    assert notes.count() == len(STRINGS)
    for note in notes:
        response = client.get(note.get_absolute_url())
        assert response.status_code == 200, (note.title, note.slug)
    addresses = {note.get_absolute_url() for note in notes}
    assert len(addresses) == len(STRINGS)
    assert addresses <= in_sitemap(client)
    assert addresses == in_feed(client)


def in_sitemap(client):
    tree = ElementTree.fromstring(client.get("/sitemap.xml").content)  # noqa: S314
    return {path_of(location.text) for location in tree.iterfind(".//{*}loc")}


def in_feed(client):
    found, page = set(), 1
    while (response := client.get(f"/feed.atom?page={page}", follow=True)).status_code == 200:
        ElementTree.fromstring(response.content)  # noqa: S314
        feed = feedparser.parse(response.content)
        assert not feed.bozo, feed.bozo_exception
        found |= {path_of(entry.link) for entry in feed.entries}
        page += 1
    return found


def path_of(address):
    return urlsplit(address).path


class NaughtyTitleTests(TestCase):
    def test_each_is_saved_by_the_form_reachable_and_in_feed_and_sitemap(self):
        self.client.force_login(make_author())
        for string in STRINGS:
            answer = self.client.post(
                reverse("admin:notes_note_add"), {"title": string, "source": "Some text."}
            )
            assert answer.status_code == 302, (string, answer.context["errors"])
        self.client.logout()
        for note in Note.objects.all():
            publish(note)
        assert_all_are_there(self.client)

    def test_each_is_imported_reachable_and_in_feed_and_sitemap(self):
        with tempfile.TemporaryDirectory() as folder:
            posts = Path(folder, "_posts")
            posts.mkdir()
            for number, string in enumerate(STRINGS):
                header = yaml.safe_dump({"title": string, "date": "2020-01-01"})
                text = f"---\n{header}---\nSome text.\n"
                (posts / f"2020-01-01-post-{number}.md").write_text(text, encoding="utf-8")
            result = import_content(Path(folder))
        assert result.exit_code == 0, result.as_text()
        assert_all_are_there(self.client)

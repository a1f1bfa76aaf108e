"""/sitemap.xml: what search engines are told."""

import xml.etree.ElementTree as ET
from datetime import UTC, datetime, timedelta
from unittest import mock

import time_machine
from django.test import TestCase
from django.utils import timezone

from notes.publishing import save_note, save_reference
from tests.factories import make_many_notes, make_note, make_path, make_topic

SPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
SITE = "http://127.0.0.1:8000"


class SitemapTests(TestCase):
    def entries(self, address="/sitemap.xml", element="url"):
        response = self.client.get(address, headers={"host": "localhost"})
        assert response["Content-Type"].startswith("application/xml")
        root = ET.fromstring(response.content)  # noqa: S314  # our own bytes
        return {
            entry.findtext(f"{SPACE}loc"): entry.findtext(f"{SPACE}lastmod")
            for entry in root.findall(f"{SPACE}{element}")
        }

    def test_names_every_public_page_once_and_each_answers(self):
        topic, hidden = make_topic(slug="größe"), make_topic()
        cited = save_reference("@misc{a/b:2020, title = {T}}")
        hidden_one = save_reference("@misc{secret, title = {T}}")
        note = make_note(topics=[topic], slug="lag-零", source=f"[@{cited.key}]\n")
        path = make_path(note)
        make_note(source=f"[@{hidden_one.key}]\n", published_at=None)
        make_note(topics=[hidden], published_at=None)
        make_note(withdrawn="It was wrong.")
        make_note(trashed=True)
        make_note(published_at=timezone.now() + timedelta(hours=1))
        make_path(note, published_at=None)
        make_path(make_note(published_at=None))
        things = [thing.get_absolute_url() for thing in (note, topic, path, cited)]
        pages = ["/", "/archive/", "/about/", "/topics/", "/paths/", "/references/", *things]
        assert set(self.entries()) == {f"{SITE}{page}" for page in pages}
        for page in pages:
            assert self.client.get(page).status_code == 200

    def test_dates_are_those_of_what_changed_for_readers(self):
        topic = make_topic()
        at = datetime(2026, 1, 5, 9, tzinfo=UTC)
        with time_machine.travel(at, tick=False):
            note = make_note(topics=[topic], published_at=at)
            other = make_note(published_at=at - timedelta(days=9))
            path = make_path(note, other, published_at=at - timedelta(days=20))
        with time_machine.travel(at + timedelta(days=1), tick=False):
            note.source = "A revision.\n"
            save_note(note, kind="revision", sentence="It is wider.")
            other.source = "A minor edit.\n"
            save_note(other)
        entries = self.entries()
        revised = "2026-01-06T09:00:00Z"
        for page in ("/", "/archive/", *(t.get_absolute_url() for t in (note, topic, path))):
            assert entries[f"{SITE}{page}"] == revised, page
        assert entries[f"{SITE}{other.get_absolute_url()}"] == "2025-12-27T09:00:00Z"
        assert entries[f"{SITE}/about/"] is None

    def test_takes_five_queries(self):
        topics = [make_topic(), make_topic()]
        make_path(*make_many_notes(50, topics=topics))
        for number in range(5):
            save_reference(f"@misc{{key{number}, title = {{T}}}}")
            make_note(source=f"[@key{number}]\n")
        with self.assertNumQueries(5):
            self.client.get("/sitemap.xml")

    def test_beyond_the_bound_it_is_an_index_of_files(self):
        make_many_notes(8)  # and the index, the archive and about
        with mock.patch("notesite.sitemaps.LARGEST", 11):
            assert len(self.entries()) == 11
            assert self.client.get("/sitemap-1.xml").status_code == 404
        with mock.patch("notesite.sitemaps.LARGEST", 5):
            files = list(self.entries(element="sitemap"))
            assert files == [f"{SITE}/sitemap-{n}.xml" for n in (1, 2, 3)]
            parts = [self.entries(file.removeprefix(SITE)) for file in files]
            assert [len(part) for part in parts] == [5, 5, 1]
            assert len(set().union(*parts)) == 11
            assert self.client.get("/sitemap-4.xml").status_code == 404

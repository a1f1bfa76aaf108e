"""Atom feeds: whole, well-formed, stable, paged, asked conditionally."""

import xml.etree.ElementTree as ET
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

import feedparser
import time_machine
from django.db import connection
from django.test import TestCase, override_settings
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.http import http_date

from notes.feeds.atom import CleanXMLGenerator
from notes.models import Note
from notes.publishing import add_figure, publish, replace_figure, save_note, withdraw
from notesite.models import Site
from notesite.publishing import save_site
from tests.factories import make_many_notes, make_note, make_topic
from tests.notes.image_files import encode, gradient

ATOM = "{http://www.w3.org/2005/Atom}"
SITE = "http://127.0.0.1:8000"


def parsed(response):
    """What feedparser makes of it, which finds nothing to complain about."""
    assert response.status_code == 200
    feed = feedparser.parse(
        response.content, response_headers={"content-type": response["Content-Type"]}
    )
    assert not feed.bozo, feed.get("bozo_exception")
    assert tree(response) is not None
    return feed


def tree(response):
    """What a strict parser makes of it."""
    return ET.fromstring(response.content)  # noqa: S314  # our own bytes


def links(feed):
    return {link["rel"]: link["href"] for link in feed.feed.links}


class SiteFeedTests(TestCase):
    def test_holds_the_whole_text_with_formulas_and_absolute_links(self):
        make_note(slug="target")
        note = make_note(
            title="Gains & losses <here>",
            dek="What we gain & lose.",
            source="Let $x^2$ be. See [the other](/notes/target/) and this.[^1]\n\n[^1]: Really.\n",
        )
        feed = parsed(self.client.get("/feed.atom"))
        entry = feed.entries[0]
        assert entry.title == "Gains & losses <here>"
        assert entry.summary == "What we gain & lose."
        assert entry.link == f"{SITE}{note.get_absolute_url()}"
        html = tree(self.client.get("/feed.atom")).find(f".//{ATOM}content").text
        assert "<math" in html
        assert f'href="{SITE}/notes/target/"' in html
        assert "Really." in html
        assert "\ufdd0" not in html

    def test_footnotes_lead_to_the_page_of_the_note(self):
        note = make_note(source="This.[^1]\n\n[^1]: Really.\n")
        content = tree(self.client.get("/feed.atom")).find(f".//{ATOM}content")
        base = content.get("{http://www.w3.org/XML/1998/namespace}base")
        assert base == f"{SITE}{note.get_absolute_url()}"
        assert f'href="{base}#fn-1"' in content.text

    @override_settings(MEDIA_URL="https://media.example.org/files/")
    def test_figures_come_from_where_media_are(self):
        note = make_note()
        Note.objects.filter(pk=note.pk).update(html='<img src="\ufdd1figures/ab.webp" alt="">')
        response = self.client.get("/feed.atom")
        self.assertContains(response, "https://media.example.org/files/figures/ab.webp")

    def test_names_the_site_and_its_licence(self):
        site = Site.objects.current()
        site.author, site.tagline, site.licence = "Hao Zhang", "On learning.", "CC BY 4.0"
        save_site(site)
        feed = parsed(self.client.get("/feed.atom")).feed
        assert feed.title == "Hao Zhang · Research notes"
        assert feed.subtitle == "On learning."
        assert feed.rights == "CC BY 4.0"
        assert feed.author == "Hao Zhang"
        assert feed.id == feed.link == f"{SITE}/"

    def test_names_people_and_organisations_as_authors(self):
        make_note(
            authors=[
                {"name": "Ada L.", "orcid": "0000-0002-1825-0097"},
                {"name": "Bo", "url": "https://bo.example"},
                {"name": "The Lag Group", "organisation": True},
            ]
        )
        make_note()
        own, with_three = parsed(self.client.get("/feed.atom")).entries
        assert [author.get("name") for author in with_three.authors] == [
            "Ada L.",
            "Bo",
            "The Lag Group",
        ]
        assert with_three.authors[0]["href"] == "https://orcid.org/0000-0002-1825-0097"
        assert with_three.authors[1]["href"] == "https://bo.example"
        assert not own.get("authors")  # the feed's author holds

    def test_files_notes_under_their_topics(self):
        make_note(topics=[make_topic(name="Größe & lag", slug="size")])
        tag = parsed(self.client.get("/feed.atom")).entries[0].tags[0]
        assert (tag["term"], tag["label"]) == ("size", "Größe & lag")

    def test_holds_published_notes_only(self):
        shown = make_note()
        make_note(published_at=None)
        make_note(published_at=timezone.now() + timedelta(hours=1))
        make_note(withdrawn="It was wrong.")
        make_note(trashed=True)
        entries = parsed(self.client.get("/feed.atom")).entries
        assert [entry.id for entry in entries] == [shown.uid]

    def test_takes_three_queries(self):
        topic = make_topic()
        make_note(topics=[topic])
        with self.assertNumQueries(3):
            self.client.get("/feed.atom")
        make_many_notes(50, topics=[topic])
        with self.assertNumQueries(3):
            self.client.get("/feed.atom")

    def test_an_empty_feed_is_a_feed_and_the_same_each_time(self):
        first, second = self.client.get("/feed.atom"), self.client.get("/feed.atom")
        assert parsed(first).entries == []
        assert first.content == second.content

    def test_absolute_addresses_never_come_from_the_request(self):
        make_note()
        headers = {"host": "localhost", "x-forwarded-host": "evil.example"}
        response = self.client.get("/feed.atom?page=evil&x=evil", headers=headers, secure=True)
        for strange in ("evil", "localhost", "https://127"):
            self.assertNotContains(response, strange)

    def test_post_is_refused_and_head_answered(self):
        assert self.client.post("/feed.atom").status_code == 405
        assert self.client.head("/feed.atom").status_code == 200


class StableTests(TestCase):
    def test_an_entry_keeps_its_id_through_renaming_and_publishing_anew(self):
        note = make_note()
        uid = note.uid
        note.slug = "another"
        save_note(note)
        publish(note, at=timezone.now() - timedelta(hours=1))
        assert parsed(self.client.get("/feed.atom")).entries[0].id == uid

    def test_a_minor_edit_moves_no_date_and_a_revision_only_updated(self):
        at = datetime(2026, 1, 5, 9, tzinfo=UTC)
        with time_machine.travel(at, tick=False):
            note = make_note(published_at=at)
        with time_machine.travel(at + timedelta(days=1), tick=False):
            note.source = "A minor edit.\n"
            save_note(note)
            response = self.client.get("/feed.atom")
            entry = parsed(response).entries[0]
            assert entry.published == entry.updated == "2026-01-05T09:00:00+00:00"
            self.assertContains(response, "A minor edit.")
        with time_machine.travel(at + timedelta(days=2), tick=False):
            note.source = "A revision.\n"
            save_note(note, kind="revision", sentence="The result is wider.")
            entry = parsed(self.client.get("/feed.atom")).entries[0]
            assert entry.published == "2026-01-05T09:00:00+00:00"
            assert entry.updated == "2026-01-07T09:00:00+00:00"

    def test_a_scheduled_note_is_in_the_feed_in_its_second(self):
        at = datetime(2026, 1, 5, 9, tzinfo=UTC)
        with time_machine.travel(at - timedelta(days=1), tick=False):
            make_note(published_at=at)
        with time_machine.travel(at - timedelta(seconds=1), tick=False):
            assert not parsed(self.client.get("/feed.atom")).entries
        with time_machine.travel(at, tick=False):
            assert parsed(self.client.get("/feed.atom")).entries


class ConditionalTests(TestCase):
    def test_what_has_not_changed_is_not_sent_again(self):
        make_note()
        first = self.client.get("/feed.atom")
        again = self.client.get("/feed.atom", headers={"if-none-match": first["ETag"]})
        assert (again.status_code, again.content) == (304, b"")

    def assert_sent(self, first):
        """Whatever a reader's program remembers of its first visit."""
        now = http_date((timezone.now() + timedelta(minutes=1)).timestamp())
        for headers in (
            {"if-none-match": first["ETag"]},
            {"if-modified-since": now},
            {"if-none-match": first["ETag"], "if-modified-since": now},
        ):
            response = self.client.get("/feed.atom", headers=headers)
            assert response.status_code == 200, headers
            assert response.content != first.content
        return response

    def test_a_minor_edit_is_sent_though_it_moves_no_date(self):
        with time_machine.travel(timezone.now() - timedelta(hours=1), tick=False):
            note = make_note()
        first = self.client.get("/feed.atom")
        note.source = "Other words.\n"
        save_note(note)
        self.assertContains(self.assert_sent(first), "Other words.")

    def test_a_note_that_has_come_due_is_sent(self):
        at = timezone.now().replace(microsecond=0)
        with time_machine.travel(at - timedelta(days=2), tick=False):
            make_note(published_at=at - timedelta(days=3))
            make_note(published_at=at - timedelta(days=1))
            first = self.client.get("/feed.atom")
        assert len(parsed(self.assert_sent(first)).entries) == 2

    def test_a_withdrawn_note_is_gone_for_whoever_asks_by_date(self):
        make_note()
        note = make_note()
        first = self.client.get("/feed.atom")
        withdraw(note, "It was wrong.")
        assert len(parsed(self.assert_sent(first)).entries) == 1

    def test_a_replaced_figure_is_sent_though_its_note_was_not_saved(self):
        with TemporaryDirectory() as folder, override_settings(MEDIA_ROOT=Path(folder)):
            figure = add_figure(encode(gradient(), "PNG"), name="plot.png", alt="A plot")
            make_note(source="![A plot](figures/plot.png)\n")
            first = self.client.get("/feed.atom")
            replace_figure(figure, encode(gradient(size=(80, 20)), "PNG"))
            self.assert_sent(first)

    def test_no_date_is_given_that_a_program_could_ask_by(self):
        assert "Last-Modified" not in self.client.get("/feed.atom")
        make_note()
        assert "Last-Modified" not in self.client.get("/feed.atom")


class PagedFeedTests(TestCase):
    def test_a_feed_holds_thirty_and_leads_to_the_others(self):
        make_many_notes(61)
        ids, address = [], "/feed.atom"
        seen = []
        while address:
            feed = parsed(self.client.get(address))
            seen.append(links(feed))
            assert links(feed)["self"] == f"{SITE}{address}"
            assert feed.feed.id == f"{SITE}/"
            ids += [entry.id for entry in feed.entries]
            address = links(feed).get("next", "").removeprefix(SITE)
        assert len(seen) == 3
        assert "previous" not in seen[0]
        assert seen[1]["previous"] == f"{SITE}/feed.atom"
        assert seen[2]["previous"] == f"{SITE}/feed.atom?page=2"
        wanted = Note.objects.published().newest_first().values_list("uid", flat=True)
        assert ids == list(wanted)

    def test_thirty_are_one_page(self):
        make_many_notes(30)
        feed = parsed(self.client.get("/feed.atom"))
        assert len(feed.entries) == 30
        assert not {"next", "previous", "first"} & links(feed).keys()
        assert self.client.get("/feed.atom?page=2").status_code == 404

    def test_page_one_is_the_bare_address_and_nonsense_is_ignored(self):
        make_many_notes(31)
        response = self.client.get("/feed.atom?page=1")
        assert (response.status_code, response["Location"]) == (301, "/feed.atom")
        bare = self.client.get("/feed.atom").content
        for nonsense in ("page=0", "page=-1", "page=x", "page=", "page=02", "page=٢", "q=2"):
            assert self.client.get(f"/feed.atom?{nonsense}").content == bare, nonsense
        assert self.client.get("/feed.atom?page=999999").status_code == 404


class TopicFeedTests(TestCase):
    def test_holds_the_notes_of_the_topic(self):
        topic = make_topic(name="Lag", description="How late.")
        note = make_note(topics=[topic])
        make_note()
        feed = parsed(self.client.get(f"{topic.get_absolute_url()}feed.atom"))
        assert [entry.id for entry in feed.entries] == [note.uid]
        assert feed.feed.title == "Lag · Research notes"
        assert feed.feed.link == f"{SITE}{topic.get_absolute_url()}"

    def test_a_topic_without_public_notes_has_no_feed(self):
        topic = make_topic()
        make_note(topics=[topic], published_at=None)
        assert self.client.get(f"{topic.get_absolute_url()}feed.atom").status_code == 404

    def test_takes_four_queries(self):
        topic = make_topic()
        make_many_notes(50, topics=[topic])
        with CaptureQueriesContext(connection) as queries:
            self.client.get(f"{topic.get_absolute_url()}feed.atom")
        assert len(queries) == 4


class UncleanTextTests(TestCase):
    """Cleaning on save keeps such text out; rows from elsewhere break no feed all the same."""

    def test_text_that_xml_cannot_hold_is_left_out(self):
        bad = "".join(map(chr, [1, 8, 11, 12, 14, 31, 0xFFFE, 0xFFFF]))
        note = make_note()
        Note.objects.filter(pk=note.pk).update(
            title=f"A{bad}B ]]> <b>&amp;",
            dek=f"C{bad}D",
            html=f"<p>E{bad}F \U0001f600 ]]></p>",
            authors=[{"name": f"G{bad}H", "url": f"https://x.example/{bad}"}],
        )
        Site.objects.update_or_create(defaults={"name": f"N{bad}M", "licence": f"L{bad}"})
        root = tree(self.client.get("/feed.atom"))
        assert root.findtext(f"{ATOM}title") == "NM"
        entry = root.find(f"{ATOM}entry")
        assert entry.findtext(f"{ATOM}title") == "AB ]]> <b>&amp;"
        assert entry.findtext(f"{ATOM}summary") == "CD"
        assert entry.findtext(f"{ATOM}content") == "<p>EF \U0001f600 ]]></p>"
        assert entry.findtext(f"{ATOM}author/{ATOM}name") == "GH"
        assert entry.findtext(f"{ATOM}author/{ATOM}uri") == "https://x.example/"

    def test_nor_does_what_no_database_holds_get_through(self):
        written = StringIO()
        generator = CleanXMLGenerator(written, "utf-8")
        generator.startElement("a", {"b": "c\x00\ud800d"})
        generator.characters("e\x00\udffff")
        assert written.getvalue() == '<a b="cd">ef'

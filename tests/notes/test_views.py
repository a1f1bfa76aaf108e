"""Notes, topics and the archive as a reader meets them, through their addresses."""

import unicodedata
from datetime import UTC, datetime, timedelta
from urllib.parse import unquote

from bs4 import BeautifulSoup
from django.db import connection
from django.test import TestCase
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from notes.models import Note
from notes.publishing import delete_topic, purge_trash, save_note, save_topic, trash, withdraw
from notesite.models import Redirect, Site
from notesite.publishing import save_site
from tests.factories import make_author, make_many_notes, make_note, make_path, make_topic


def soup_of(response):
    return BeautifulSoup(response.content, "html.parser")


class NoteDetailTests(TestCase):
    def test_shows_the_note(self):
        topic = make_topic(name="Policy lag")
        note = make_note(
            title="Who is late?",
            dek="On lag.",
            source="## The problem\n\nIt lags.\n\n## What to take away\n\n- Be early.\n",
            topics=[topic],
        )
        response = self.client.get(note.get_absolute_url())
        assert response.status_code == 200
        for text in ("Who is late?", "On lag.", "It lags.", "Be early.", "Policy lag"):
            self.assertContains(response, text)
        assert response.context["takeaways"][0]["text"] == "Be early."
        assert [heading["text"] for heading in response.context["contents"]] == [
            "The problem",
            "What to take away",
        ]

    def test_has_its_own_address_as_canonical_whatever_the_host_says(self):
        note = make_note()
        response = self.client.get(
            f"{note.get_absolute_url()}?utm_source=x", headers={"x-forwarded-host": "evil.example"}
        )
        address = f"http://127.0.0.1:8000{note.get_absolute_url()}"
        soup = soup_of(response)
        assert soup.find("link", rel="canonical")["href"] == address
        assert soup.find("meta", property="og:url")["content"] == address
        self.assertNotContains(response, "evil.example")
        self.assertNotContains(response, "utm_source")

    def test_names_where_it_was_first_published(self):
        note = make_note(canonical="https://example.org/first")
        soup = soup_of(self.client.get(note.get_absolute_url()))
        assert soup.find("link", rel="canonical")["href"] == "https://example.org/first"

    def test_shows_neighbours_paths_and_backlinks(self):
        older, note = make_note(), make_note(slug="middle")
        newer = make_note(source="See [this](/notes/middle/).\n")
        path = make_path(make_note(published_at=None), older, note)
        context = self.client.get("/notes/middle/").context
        assert (context["older"], context["newer"]) == (older, newer)
        assert list(context["backlinks"]) == [newer]
        assert [(s.path, s.position_number) for s in context["paths_of"]] == [(path, 2)]

    def test_takes_seven_queries_at_most_and_no_more_for_many_notes(self):
        topic = make_topic()
        note = make_note(slug="middle", topics=[topic])
        make_path(note)
        with CaptureQueriesContext(connection) as few:
            self.client.get("/notes/middle/")
        make_many_notes(200, topics=[topic])
        for _ in range(5):
            make_note(source="See [this](/notes/middle/).\n", topics=[topic])
            make_path(make_note(), note)
        # Site, note, topics, older and newer, paths, backlinks.
        assert len(few) == 6
        with self.assertNumQueries(6):
            self.client.get("/notes/middle/")

    def test_sets_no_cookie_and_asks_no_session(self):
        response = self.client.get(make_note().get_absolute_url())
        assert not response.cookies
        assert "Cookie" not in response["Vary"]

    def test_head_is_answered_and_nothing_but_reading_allowed(self):
        address = make_note().get_absolute_url()
        assert self.client.head(address).status_code == 200
        for method in ("post", "put", "patch", "delete", "options", "trace"):
            assert getattr(self.client, method)(address).status_code == 405, method


class NoteStateTests(TestCase):
    def assert_same_as_missing(self, address, of="/notes/there-never-was-one/"):
        with CaptureQueriesContext(connection) as asked:
            response = self.client.get(address)
        with CaptureQueriesContext(connection) as missed:
            missing = self.client.get(of)
        assert response.status_code == missing.status_code == 404
        assert response.content == missing.content
        assert response.headers == missing.headers
        assert len(asked) == len(missed)

    def test_what_is_not_public_cannot_be_told_from_what_never_was(self):
        draft = make_note(published_at=None)
        scheduled = make_note(published_at=timezone.now() + timedelta(hours=1))
        for note in (draft, scheduled, make_note(trashed=True)):
            self.assert_same_as_missing(note.get_absolute_url())

    def test_a_withdrawn_note_is_gone_and_says_why(self):
        note = make_note(source="Secret.\n", withdrawn="The measurements were wrong.")
        response = self.client.get(note.get_absolute_url())
        assert response.status_code == 410
        self.assertContains(response, "The measurements were wrong.", status_code=410)
        self.assertNotContains(response, "Secret.", status_code=410)

    def test_the_trash_wins_over_withdrawn(self):
        self.assert_same_as_missing(make_note(withdrawn="Why", trashed=True).get_absolute_url())

    def test_a_purged_note_is_gone_for_good(self):
        note, draft = make_note(), make_note(published_at=None)
        for each in (note, draft):
            trash(each)
        purge_trash(timezone.now() + timedelta(days=31))
        assert self.client.get(note.get_absolute_url()).status_code == 410
        self.assert_same_as_missing(draft.get_absolute_url())

    def test_authors_see_a_draft_marked_and_nothing_keeps_it(self):
        self.client.force_login(make_author())
        for fields in (
            {"published_at": None},
            {"published_at": timezone.now() + timedelta(hours=1)},
            {"withdrawn": "It was wrong."},
        ):
            response = self.client.get(make_note(**fields).get_absolute_url())
            assert response.status_code == 200
            assert response["Cache-Control"] == "private, no-store"
            soup = soup_of(response)
            assert soup.find(class_="state-banner")
            assert soup.find("meta", attrs={"name": "robots"})["content"] == "noindex"

    def test_authors_look_in_the_trash_in_the_admin_only(self):
        self.client.force_login(make_author())
        response = self.client.get(make_note(trashed=True).get_absolute_url())
        assert response.status_code == 404

    def test_an_account_without_the_right_sees_no_draft(self):
        self.client.force_login(make_author(is_staff=False))
        response = self.client.get(make_note(published_at=None).get_absolute_url())
        assert response.status_code == 404


class NoteAddressTests(TestCase):
    def assert_leads(self, address, target, status=301):
        response = self.client.get(address)
        assert (response.status_code, unquote(response["Location"])) == (status, unquote(target))
        assert self.client.get(response["Location"]).status_code == 200

    def rename(self, note, slug):
        note.slug = slug
        save_note(note)

    def test_a_renamed_note_is_one_hop_away_from_each_former_name(self):
        note = make_note(slug="one")
        for slug in ("two", "three", "four"):
            self.rename(note, slug)
        for former in ("one", "two", "three"):
            self.assert_leads(f"/notes/{former}/", "/notes/four/")

    def test_there_and_back_again_is_no_loop(self):
        note = make_note(slug="one")
        self.rename(note, "two")
        self.rename(note, "one")
        assert self.client.get("/notes/one/").status_code == 200
        self.assert_leads("/notes/two/", "/notes/one/")

    def test_a_former_name_answers_as_the_note_does(self):
        note = make_note(slug="one")
        self.rename(note, "two")
        withdraw(note, "It was wrong.")
        self.assertContains(self.client.get("/notes/one/"), "It was wrong.", status_code=410)
        trash(note)
        assert self.client.get("/notes/one/").status_code == 404

    def test_a_redirect_without_target_is_gone_with_its_sentence(self):
        Redirect.objects.create(kind="note", slug="old", sentence="Merged into another.")
        self.assertContains(self.client.get("/notes/old/"), "Merged into another.", status_code=410)

    def test_a_redirect_to_nothing_is_a_miss(self):
        Redirect.objects.create(kind="note", slug="old", target="never-there")
        assert self.client.get("/notes/old/").status_code == 404

    def test_a_redirect_of_another_kind_does_not_count(self):
        make_note(slug="new")
        Redirect.objects.create(kind="topic", slug="old", target="new")
        assert self.client.get("/notes/old/").status_code == 404

    def test_other_spellings_lead_to_the_stored_form(self):
        make_note(slug="größe-零")
        decomposed = unicodedata.normalize("NFD", "größe-零")
        for spelling in ("Größe-零", "GRÖßE-零", decomposed):
            self.assert_leads(f"/notes/{spelling}/", "/notes/größe-零/")

    def test_another_spelling_of_a_former_name_is_one_hop_too(self):
        self.rename(make_note(slug="größe"), "weite")
        self.assert_leads("/notes/GRÖßE/", "/notes/weite/")

    def test_another_spelling_of_a_draft_is_a_miss(self):
        make_note(slug="größe", published_at=None)
        assert self.client.get("/notes/Größe/").status_code == 404

    def test_addresses_that_no_slug_can_have_are_not_looked_up(self):
        for part in (
            "a.md",
            "%00",
            "a%00b",
            "-a",
            "a--b",
            "x" * 81,
            "a b",
            "%ff",
            "ａ",
            "..",
            "%2e",
        ):
            with CaptureQueriesContext(connection) as queries:
                assert self.client.get(f"/notes/{part}/").status_code == 404, part
            assert not [q for q in queries if q["sql"].startswith('SELECT "notes_note"')], part

    def test_the_list_of_notes_is_the_archive(self):
        response = self.client.get("/notes/")
        assert (response.status_code, response["Location"]) == (301, "/archive/")

    def test_a_read_writes_nothing(self):
        note = make_note(slug="one")
        self.rename(note, "two")
        writes = ("INSERT", "UPDATE", "DELETE", "SAVEPOINT", "BEGIN")
        for address in ("/", "/notes/one/", "/notes/two/", "/feed.atom", "/sitemap.xml", "/none"):
            with CaptureQueriesContext(connection) as queries:
                self.client.get(address)
            assert not [q for q in queries if q["sql"].startswith(writes)], address


class StaleTests(TestCase):
    def test_a_stale_note_is_shown_as_it_renders_now(self):
        note = make_note(source="New text.\n")
        Note.objects.filter(pk=note.pk).update(html="<p>Old text.</p>", stale_at=timezone.now())
        self.assertContains(self.client.get(note.get_absolute_url()), "New text.")


class TopicTests(TestCase):
    def test_lists_topics_that_have_public_notes_with_their_number(self):
        topic, hidden = make_topic(name="Lag"), make_topic(name="Unseen")
        make_many_notes(3, topics=[topic])
        make_note(topics=[hidden, topic], published_at=None)
        response = self.client.get("/topics/")
        self.assertContains(response, "3 notes")
        self.assertNotContains(response, "Unseen")
        assert self.client.get(hidden.get_absolute_url()).status_code == 404

    def test_shows_the_topic_and_its_public_notes(self):
        topic = make_topic(description="How late a policy is.")
        shown = make_note(topics=[topic])
        make_note(topics=[topic], published_at=None)
        make_note()
        response = self.client.get(topic.get_absolute_url())
        self.assertContains(response, "How late a policy is.")
        assert list(response.context["page"]) == [shown]

    def test_a_renamed_topic_leads_on_also_from_a_later_page(self):
        topic = make_topic(slug="one")
        make_many_notes(61, topics=[topic])
        topic.slug = "two"
        save_topic(topic)
        for former, latter in (
            ("/topics/one/", "/topics/two/"),
            ("/topics/One/", "/topics/two/"),
            ("/topics/one/page/1/", "/topics/two/"),
            ("/topics/one/page/2/", "/topics/two/page/2/"),
            ("/topics/one/feed.atom", "/topics/two/feed.atom"),
        ):
            response = self.client.get(former)
            assert (response.status_code, response["Location"]) == (301, latter)
            assert self.client.get(latter).status_code == 200

    def test_a_deleted_topic_is_gone(self):
        topic = make_topic(slug="one")
        make_note(topics=[topic])
        delete_topic(topic)
        assert self.client.get("/topics/one/").status_code == 410
        assert self.client.get("/topics/one/feed.atom").status_code == 410

    def test_takes_few_queries_whatever_the_number_of_notes(self):
        topic = make_topic()
        make_note(topics=[topic])
        for address, number in (("/topics/", 3), (topic.get_absolute_url(), 5)):
            with self.assertNumQueries(number):
                self.client.get(address)
        make_many_notes(70, topics=[topic, make_topic(), make_topic()])
        for address, number in (("/topics/", 3), (topic.get_absolute_url(), 5)):
            with self.assertNumQueries(number):
                self.client.get(address)


class PagedListTests(TestCase):
    def test_a_list_is_whole_up_to_sixty(self):
        topic = make_topic()
        make_many_notes(60, topics=[topic])
        for address in ("/", "/archive/", topic.get_absolute_url()):
            assert len(self.client.get(address).context["page"]) == 60
            assert self.client.get(f"{address}page/2/").status_code == 404

    def test_from_sixty_one_on_it_has_pages(self):
        topic = make_topic()
        make_many_notes(61, topics=[topic])
        for address in ("/", "/archive/", topic.get_absolute_url()):
            first, second = self.client.get(address), self.client.get(f"{address}page/2/")
            assert len(first.context["page"]) == 60
            assert len(second.context["page"]) == 1
            assert soup_of(first).find("a", rel="next")["href"] == f"{address}page/2/"
            assert soup_of(second).find("a", rel="prev")["href"] == address
            canonical = soup_of(second).find("link", rel="canonical")["href"]
            assert canonical == f"http://127.0.0.1:8000{address}page/2/"

    def test_page_one_leads_to_the_bare_address(self):
        topic = make_topic()
        make_note(topics=[topic])
        make_path(make_note())
        for address in ("/", "/archive/", "/topics/", "/paths/", topic.get_absolute_url()):
            response = self.client.get(f"{address}page/1/")
            assert (response.status_code, response["Location"]) == (301, address)

    def test_there_is_no_page_beyond_the_last_nor_of_another_form(self):
        for number in ("2", "0", "01", "-1", "9999999", "99999999999999999999", "x", "٢"):
            assert self.client.get(f"/page/{number}/").status_code == 404, number
            assert self.client.get(f"/archive/page/{number}/").status_code == 404, number

    def test_long_lists_of_topics_and_paths_have_pages_too(self):
        note = make_note(topics=[make_topic() for _ in range(61)])
        for _ in range(61):
            make_path(note)
        for address in ("/topics/", "/paths/"):
            assert soup_of(self.client.get(address)).find("a", rel="next"), address
            assert self.client.get(f"{address}page/2/").status_code == 200
            assert self.client.get(f"{address}page/3/").status_code == 404


class ArchiveTests(TestCase):
    def test_goes_by_year_in_the_zone_of_the_site(self):
        site = Site.objects.current()
        site.time_zone = "Asia/Tokyo"
        save_site(site)
        new_year = make_note(published_at=datetime(2023, 12, 31, 20, tzinfo=UTC))
        before = make_note(published_at=datetime(2023, 12, 31, 10, tzinfo=UTC))
        make_note(published_at=None)
        years = self.client.get("/archive/").context["years"]
        assert years == [(2024, [new_year]), (2023, [before])]

    def test_takes_three_queries(self):
        make_note()
        with self.assertNumQueries(3):
            self.client.get("/archive/")
        make_many_notes(70)
        with self.assertNumQueries(3):
            self.client.get("/archive/")

from datetime import timedelta
from typing import Any

from bs4 import BeautifulSoup
from django.contrib.admin.models import LogEntry
from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone

from notes.models import Note
from notes.publishing import save_note
from notesite.models import Site
from notesite.publishing import save_site
from tests.factories import make_note, make_topic
from tests.notes.admin_case import (
    WITH_ERROR,
    AdminTestCase,
    address_of,
    publication_of,
    text_of,
)


class ConflictTests(AdminTestCase):
    """Somebody else saves between the look at the form and the save."""

    def setUp(self):
        super().setUp()
        self.note = make_note(source="one\n\ntwo\n\nthree\n", dek="Old dek.")
        self.mine = self.fields_of(address_of(self.note), source="one\n\nMINE\n\nthree\n")
        theirs = Note.objects.get(pk=self.note.pk)
        theirs.source = "one\n\nTHEIRS\n\nthree\n"
        save_note(theirs)

    def test_overwrites_nothing_and_shows_both_texts_and_the_difference(self):
        response = self.client.post(address_of(self.note), self.mine)
        self.note.refresh_from_db()
        assert self.note.source == "one\n\nTHEIRS\n\nthree\n"
        page = BeautifulSoup(response.content, "html.parser")
        assert "MINE" in page.select_one("#id_source").text
        assert "THEIRS" in page.select_one(".stored-text").text
        assert page.select_one(".difference ins").text == "mine | MINE"
        assert page.select_one(".difference del").text == "stored | THEIRS"

    def test_shows_every_field_that_would_be_overwritten(self):
        kept, taken = make_topic(name="Kept"), make_topic(name="Theirs")
        note = make_note(topics=[kept], about=["smith2026"], lang="en")
        mine = self.fields_of(address_of(note), topics=[kept.pk], pinned="on", key="mine")
        theirs = Note.objects.get(pk=note.pk)
        theirs.authors = [{"name": "Ada Lovelace", "orcid": "0000-0002-1825-0097"}]
        theirs.about, theirs.doi, theirs.lang = ["jones2025", "smith2026"], "10.1234/theirs", "de"
        theirs.macros = {"\\R": "\\mathbb{R}"}
        theirs.canonical, theirs.short_name = "https://theirs.example/", "Theirs"
        save_note(theirs, topics=[kept, taken])
        page = BeautifulSoup(self.client.post(address_of(note), mine).content, "html.parser")
        conflict = page.select_one(".conflict")
        shown = {
            heading.text: heading.find_next_sibling("pre").get_text(" ", strip=True)
            for heading in conflict.select("h3")
        }
        assert shown.pop("Citation key") == f"stored | {theirs.key} mine | mine"
        assert shown.pop("Pinned") == "stored | no mine | yes"
        assert shown == {
            "Topics": "Kept stored | Theirs",
            "About": "stored | jones2025, smith2026 mine | smith2026",
            "Short name": "stored | Theirs",
            "Authors": "stored | Ada Lovelace; 0000-0002-1825-0097",
            "Language": "stored | de mine | en",
            "DOI": "stored | 10.1234/theirs",
            "Canonical address": "stored | https://theirs.example/",
            "Macros": "stored | \\R = \\mathbb{R}",
        }

    def test_compares_what_cannot_be_read_as_it_was_typed(self):
        self.mine["authors"] = "Ada; nonsense"
        page = BeautifulSoup(
            self.client.post(address_of(self.note), self.mine).content, "html.parser"
        )
        assert "mine | Ada; nonsense" in [line.text for line in page.select(".difference ins")]

    def test_conflicts_again_until_the_author_decides(self):
        again = self.fields_of_answer(self.client.post(address_of(self.note), self.mine))
        self.client.post(address_of(self.note), again)
        self.note.refresh_from_db()
        assert "THEIRS" in self.note.source

    def test_saves_mine_when_told_to(self):
        version = Note.objects.get(pk=self.note.pk).version
        self.client.post(address_of(self.note), self.mine | {"keep_mine": version})
        self.note.refresh_from_db()
        assert "MINE" in self.note.source
        assert any("THEIRS" in revision.source for revision in self.note.revisions.all())

    def test_does_not_take_a_decision_for_a_version_nobody_saw(self):
        version = Note.objects.get(pk=self.note.pk).version
        save_note(Note.objects.get(pk=self.note.pk))
        self.client.post(address_of(self.note), self.mine | {"keep_mine": version})
        self.note.refresh_from_db()
        assert "THEIRS" in self.note.source

    def test_counts_a_form_without_a_version_as_outdated(self):
        del self.mine["seen_version"]
        response = self.client.post(address_of(self.note), self.mine)
        assert "Somebody saved a newer version" in text_of(response)

    def fields_of_answer(self, response: HttpResponse) -> dict[str, Any]:
        page = BeautifulSoup(response.content, "html.parser")
        return self.mine | {"seen_version": page.select_one("[name=seen_version]")["value"]}


class PublicationTests(AdminTestCase):
    def act(self, note: Note, verb: str, **data: Any) -> HttpResponse:
        version = Note.objects.get(pk=note.pk).version
        data = {"verb": verb, "version": version} | data
        response = self.client.post(publication_of(note), data, follow=True)
        note.refresh_from_db()
        return response

    def test_publishes_now(self):
        note = make_note(published_at=None)
        response = self.act(note, "publish")
        assert note.state == "published"
        assert "Published." in text_of(response)
        assert note.revisions.get(number=1).kind == "publication"

    def test_schedules_in_the_zone_of_the_site(self):
        note = make_note(published_at=None)
        day = (timezone.now() + timedelta(days=3)).date()
        self.act(note, "schedule", at=f"{day}T09:00")
        assert note.state == "scheduled"
        assert note.published_at.isoformat() == f"{day}T00:00:00+00:00"

    def test_refuses_a_time_that_does_not_exist(self):
        site = Site.objects.current()
        site.time_zone = "Europe/Berlin"
        save_site(site)
        note = make_note(published_at=None)
        response = self.act(note, "schedule", at="2027-03-28T02:30")
        assert note.state == "draft"
        assert "may be ambiguous or it may not exist" in text_of(response)

    def test_asks_about_errors_before_anything_is_public(self):
        note = make_note(published_at=None, source=WITH_ERROR)
        response = self.act(note, "publish")
        assert note.state == "draft"
        assert "mend them, or confirm them here" in text_of(response)
        self.act(note, "publish", confirm_errors="on")
        assert note.state == "published"

    def test_says_what_a_public_note_should_have(self):
        note = make_note(published_at=None, dek="")
        page = text_of(self.client.get(publication_of(note)))
        assert "Still missing" in page
        assert "a topic: readers find notes by it" in page

    def test_unpublishes(self):
        note = make_note()
        self.act(note, "unpublish")
        assert note.state == "draft"
        assert self.client.get(note.get_absolute_url()).status_code == 200  # an author's look
        self.client.logout()
        assert self.client.get(note.get_absolute_url()).status_code == 404

    def test_withdraws_with_a_sentence_only_and_back(self):
        note = make_note()
        response = self.act(note, "withdraw")
        assert note.state == "published"
        assert "Say in one sentence why" in text_of(response)
        self.act(note, "withdraw", sentence="The numbers were wrong.")
        assert note.state == "withdrawn"
        self.act(note, "reinstate")
        assert note.state == "published"

    def test_trashes_and_restores(self):
        note = make_note()
        self.act(note, "trash")
        assert note.state == "trash"
        self.act(note, "restore")
        assert note.state == "published"

    def test_does_nothing_that_the_state_does_not_allow(self):
        note = make_note(published_at=None)
        response = self.act(note, "withdraw", sentence="Why not.")
        assert note.state == "draft"
        assert "this can't be done any more" in text_of(response)

    def test_does_nothing_to_a_version_that_was_not_seen(self):
        note = make_note(published_at=None)
        response = self.act(note, "publish", version=99)
        assert note.state == "draft"
        assert "Somebody saved a newer version" in text_of(response)

    def test_is_logged(self):
        note = make_note(published_at=None)
        self.act(note, "publish")
        entry = LogEntry.objects.get()
        assert (entry.user, entry.change_message) == (self.author, "Published.")


class DeletionTests(AdminTestCase):
    def test_of_a_note_means_the_trash(self):
        note = make_note(title="Old")
        address = reverse("admin:notes_note_delete", args=[note.pk])
        assert "within thirty days" in text_of(self.client.get(address))
        response = self.client.post(address, {"post": "yes"}, follow=True)
        note.refresh_from_db()
        assert note.state == "trash"
        assert "“Old” is in the trash." in text_of(response)
        assert self.client.post(address, {"post": "yes"}).status_code == 403

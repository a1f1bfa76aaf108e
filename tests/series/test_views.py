"""Reading paths and the notes inside them, through their addresses."""

from datetime import timedelta

import pytest
from bs4 import BeautifulSoup
from django.core.exceptions import ValidationError
from django.db import connection
from django.test import TestCase
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from series.publishing import purge_trash, save_path, trash_path
from tests.factories import make_author, make_many_notes, make_note, make_path


class PathListTests(TestCase):
    def test_lists_public_paths_in_order_with_their_public_steps(self):
        first, second = make_note(), make_note()
        later = make_path(first, position=2)
        earlier = make_path(make_note(published_at=None), second, first, position=1)
        make_path(first, published_at=None)
        make_path(first, published_at=timezone.now() + timedelta(hours=1))
        make_path(make_note(published_at=None))
        paths = self.client.get("/paths/").context["paths"]
        assert [entry["path"] for entry in paths] == [earlier, later]
        assert [step.note for step in paths[0]["steps"]] == [second, first]

    def test_takes_four_queries(self):
        make_path(make_note())
        with self.assertNumQueries(4):
            self.client.get("/paths/")
        for _ in range(5):
            make_path(*[make_note() for _ in range(3)])
        with self.assertNumQueries(4):
            self.client.get("/paths/")

    def test_an_empty_list_is_a_page(self):
        assert self.client.get("/paths/").status_code == 200


class PathDetailTests(TestCase):
    def test_shows_public_steps_with_bridges_and_their_minutes(self):
        long, short = make_note(source="word " * 700), make_note()
        hidden = make_note(published_at=None, source="word " * 5000)
        path = make_path(
            long, hidden, short, bridges=["Start *here*.", "Never seen.", "Then this."]
        )
        response = self.client.get(path.get_absolute_url())
        self.assertContains(response, "Start <em>here</em>.")
        self.assertContains(response, "Then this.")
        self.assertNotContains(response, "Never seen.")
        assert response.context["minutes"] == long.minutes + short.minutes == 4
        assert [step.note for step in response.context["steps"]] == [long, short]

    def test_takes_three_queries_whatever_the_number_of_steps(self):
        path = make_path(make_note())
        with self.assertNumQueries(3):
            self.client.get(path.get_absolute_url())
        path = make_path(*make_many_notes(40))
        with self.assertNumQueries(3):
            self.client.get(path.get_absolute_url())

    def test_what_is_not_public_cannot_be_told_from_what_never_was(self):
        note = make_note()
        trashed = trash_path(make_path(note))
        draft = make_path(note, published_at=None)
        scheduled = make_path(note, published_at=timezone.now() + timedelta(hours=1))
        hollow = make_path(make_note(published_at=None))
        for path in (trashed, draft, scheduled, hollow, make_path()):
            for below in ("", f"{note.slug}/", "feed.atom"):
                with CaptureQueriesContext(connection) as asked:
                    response = self.client.get(f"{path.get_absolute_url()}{below}")
                with CaptureQueriesContext(connection) as missed:
                    missing = self.client.get(f"/paths/never-there/{below}")
                assert response.status_code == missing.status_code == 404
                assert response.content == missing.content
                assert len(asked) == len(missed)

    def test_authors_see_a_draft_path_whole_and_nothing_keeps_it(self):
        note, draft = make_note(), make_note(published_at=None)
        path = make_path(note, draft, published_at=None)
        self.client.force_login(make_author())
        for address in (path.get_absolute_url(), f"{path.get_absolute_url()}{note.slug}/"):
            response = self.client.get(address)
            assert response.status_code == 200
            assert response["Cache-Control"] == "private, no-store"
            assert len(response.context["steps"]) == 2

    def test_a_renamed_path_leads_on_in_one_hop(self):
        path = make_path(make_note(), slug="one")
        for slug in ("two", "three"):
            path.slug = slug
            save_path(path)
        for former in ("one", "two", "Two"):
            for below in ("", "feed.atom"):
                response = self.client.get(f"/paths/{former}/{below}")
                assert (response.status_code, response["Location"]) == (
                    301,
                    f"/paths/three/{below}",
                )

    def test_a_purged_path_is_gone(self):
        note = make_note()
        path = trash_path(make_path(note, slug="one"))
        purge_trash(timezone.now() + timedelta(days=31))
        assert path.was_public
        for below in ("", "feed.atom", f"{note.slug}/"):
            assert self.client.get(f"/paths/one/{below}").status_code == 410


class PathNoteTests(TestCase):
    def test_shows_the_bridge_above_and_the_way_on(self):
        first, second, third = make_note(), make_note(), make_note()
        path = make_path(first, second, third, bridges=["One.", "Two.", "Three."])
        response = self.client.get(f"{path.get_absolute_url()}{second.slug}/")
        assert response.context["bridge"] == "<p>Two.</p>\n"
        assert response.context["previous_step"].note == first
        assert response.context["next_step"].note == third
        self.assertContains(response, "step 2 of 3")
        self.assertNotContains(response, "Three.")

    def test_is_canonical_at_the_note_and_itself_for_sharing(self):
        note = make_note()
        path = make_path(note)
        address = f"{path.get_absolute_url()}{note.slug}/"
        soup = BeautifulSoup(self.client.get(address).content, "html.parser")
        canonical = soup.find("link", rel="canonical")["href"]
        assert canonical == f"http://127.0.0.1:8000{note.get_absolute_url()}"
        shared = soup.find("meta", property="og:url")["content"]
        assert shared == f"http://127.0.0.1:8000{address}"

    def test_other_spellings_lead_to_the_stored_form(self):
        note = make_note(slug="größe")
        make_path(note, slug="weite")
        response = self.client.get("/paths/Weite/GRÖßE/")
        assert (response.status_code, response["Location"]) == (
            301,
            "/paths/weite/gr%C3%B6%C3%9Fe/",
        )

    def test_takes_seven_queries_whatever_the_number_of_steps(self):
        for notes in ([make_note()], make_many_notes(40)):
            path = make_path(*notes)
            with self.assertNumQueries(7):
                response = self.client.get(f"{path.get_absolute_url()}{notes[0].slug}/")
            assert response.status_code == 200

    def test_a_way_of_reading_that_changes_nothing(self):
        note = make_note()
        address = f"{make_path(note).get_absolute_url()}{note.slug}/"
        assert self.client.head(address).status_code == 200
        assert self.client.post(address).status_code == 405


@pytest.mark.django_db
def test_reserved_names_are_no_notes_in_a_path(client):
    path = make_path(make_note())
    for reserved in ("all", "page", "history", "feed"):
        with pytest.raises(ValidationError, match="reserved"):
            make_path(make_note(slug=reserved))
        assert client.get(f"{path.get_absolute_url()}{reserved}/").status_code == 404

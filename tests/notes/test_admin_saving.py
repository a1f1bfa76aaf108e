"""What becomes of a save: it asks what it is, holds no lock while rendering, and loses no text."""

from datetime import timedelta
from typing import Any
from unittest import mock

import time_machine
from bs4 import BeautifulSoup
from django.contrib.admin.models import LogEntry
from django.db import IntegrityError, OperationalError, connection
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from notes.models import Note
from notes.publishing import add_figure, save_reference
from notesite.models import Redirect
from tests.factories import make_note, make_path, make_topic
from tests.notes.admin_case import AdminTestCase, address_of, publication_of, text_of
from tests.notes.image_files import encode, gradient

BUSY = "Somebody is saving at this moment; nothing was lost. Save again."
LOCKED = OperationalError("database is locked")
TAKEN = IntegrityError("UNIQUE constraint failed")


class KindTests(AdminTestCase):
    """A save that readers will see says what it is to them."""

    def sent(self, note: Note, **changes: Any) -> HttpResponse:
        """Send the form as it came, with no answer but those in ``changes``."""
        fields = self.fields_of(address_of(note))
        fields.pop("kind", None)
        return self.client.post(address_of(note), fields | {"source": "New.\n"} | changes)

    def is_asked(self, note: Note) -> bool:
        """Whether a save without an answer is refused, and the form kept."""
        response = self.sent(note)
        stored = Note.objects.get(pk=note.pk)
        if response.status_code == 302:
            assert stored.source == "New.\n"
            return False
        assert "choose what this save is to them" in text_of(response)
        assert "New." in response.content.decode()
        assert stored.source != "New.\n"
        return True

    def test_is_asked_where_readers_see_the_note_or_see_it_again(self):
        assert self.is_asked(make_note())
        assert self.is_asked(make_note(withdrawn="It was wrong."))
        assert self.is_asked(make_note(trashed=True))

    def test_is_not_asked_of_what_readers_never_saw(self):
        assert not self.is_asked(make_note(published_at=None))
        assert not self.is_asked(make_note(published_at=timezone.now() + timedelta(days=1)))

    def test_is_asked_by_the_clock_at_which_the_form_is_sent(self):
        note = make_note(published_at=timezone.now() + timedelta(hours=1))
        fields = self.fields_of(address_of(note), source="Corrected.\n")
        assert "kind" not in fields
        with time_machine.travel(note.published_at + timedelta(seconds=1), tick=False):
            response = self.client.post(address_of(note), fields)
            assert "choose what this save is to them" in text_of(response)
            answer = {"kind": "correction", "sentence": "The sign was wrong."}
            self.client.post(address_of(note), fields | answer)
        assert note.revisions.get(number=2).sentence == "The sign was wrong."

    def test_has_no_answer_beforehand_and_stands_with_the_buttons(self):
        page = BeautifulSoup(self.client.get(address_of(make_note())).content, "html.parser")
        row = page.select_one(".submit-row")
        kinds = [radio["value"] for radio in row.select("input[type=radio]")]
        assert kinds == ["minor", "revision", "correction"]
        assert not row.select("[checked]")
        assert row.select_one("input[name=sentence]")
        assert len(page.select("[name=sentence]")) == 1

    def test_keeps_the_answer_of_a_form_that_comes_back(self):
        response = self.sent(make_note(), kind="revision")
        page = BeautifulSoup(response.content, "html.parser")
        assert page.select_one("input[type=radio][checked]")["value"] == "revision"
        assert "Say in one sentence for readers what changed." in text_of(response)

    def test_is_no_change_of_the_note(self):
        note = make_note()
        self.save(note, kind="correction", sentence="Why.")
        assert LogEntry.objects.get().get_change_message() == "No fields changed."


class TransactionTests(AdminTestCase):
    def test_is_opened_by_publishing_when_the_text_is_rendered(self):
        from notes.publishing import rendering

        note = make_note()
        fields = self.fields_of(address_of(note), source="New text.\n")
        around, seen = len(connection.atomic_blocks), []

        def render(*args: Any) -> Any:
            seen.append(len(connection.atomic_blocks))
            return original(*args)

        original = rendering.render
        with mock.patch("notes.publishing.rendering.render", render):
            self.client.post(address_of(note), fields)
        assert set(seen) == {around}  # the second, for the errors that it would bring to readers
        note.refresh_from_db()
        assert "New text." in note.html

    def test_leaves_the_token_against_forgery_asked_for(self):
        client = Client(enforce_csrf_checks=True)
        client.force_login(self.author)
        note = make_note()
        response = client.post(address_of(note), self.fields_of(address_of(note)))
        assert response.status_code == 403


class BusyTests(AdminTestCase):
    """The database takes nothing; the author is told, and has the text."""

    def refused(self, write: str, address: str, error: Exception, **changes: Any) -> str:
        fields = self.fields_of(address, **changes)
        with mock.patch(write, side_effect=error), self.assertLogs("notes.admin", "WARNING"):
            response = self.client.post(address, fields)
        assert response.status_code == 200
        assert BUSY in text_of(response)
        return response.content.decode()

    def test_every_form_comes_back_with_what_was_typed(self):
        figure = add_figure(encode(gradient(), "PNG"), name="a.png")
        reference = save_reference("@misc{smith2026, title = {On Lag}}")
        path = make_path(make_note())
        changes = [
            ("notes.publishing.save_note", "notes_note", make_note().pk, "source"),
            ("notes.publishing.save_topic", "notes_topic", make_topic().pk, "description"),
            ("notes.publishing.save_figure", "notes_figure", figure.pk, "caption"),
            ("series.publishing.save_path", "series_readingpath", path.pk, "description"),
            ("notesite.publishing.save_site", "notesite_site", 1, "about"),
        ]
        for write, name, pk, field in changes:
            address = reverse(f"admin:{name}_change", args=[pk])
            for error in (LOCKED, TAKEN):
                assert "Typed by hand" in self.refused(
                    write, address, error, **{field: "Typed by hand\n"}
                )
        address = reverse("admin:notes_reference_change", args=[reference.pk])
        bibtex = "@misc{smith2026, title = {Typed by hand}}"
        assert "Typed by hand" in self.refused(
            "notes.publishing.save_reference", address, LOCKED, bibtex=bibtex
        )

    def test_a_new_note_comes_back_too(self):
        address = reverse("admin:notes_note_add")
        page = self.refused("notes.publishing.save_note", address, LOCKED, source="Mine.\n")
        assert "Mine." in page
        assert not Note.objects.exists()

    def test_the_same_form_is_saved_the_next_time(self):
        note = make_note()
        fields = self.fields_of(address_of(note), source="Mine.\n")
        with (
            mock.patch("notes.publishing.saving.claim", side_effect=LOCKED),
            self.assertLogs("notes.admin", "WARNING"),
        ):
            self.client.post(address_of(note), fields)
        self.client.post(address_of(note), fields)
        note.refresh_from_db()
        assert note.source == "Mine.\n"

    def test_what_is_saved_is_not_refused_for_want_of_a_log(self):
        note = make_note()
        fields = self.fields_of(address_of(note), source="Mine.\n")
        with (
            mock.patch.object(LogEntry.objects, "log_actions", side_effect=LOCKED),
            self.assertLogs("notes.admin", "WARNING"),
        ):
            response = self.client.post(address_of(note), fields)
        assert response.status_code == 302
        note.refresh_from_db()
        assert note.source == "Mine.\n"

    def test_the_sentence_of_a_withdrawal_is_kept(self):
        note = make_note()
        data = {"verb": "withdraw", "version": note.version, "sentence": "It was wrong."}
        with (
            mock.patch("notes.publishing.withdraw", side_effect=LOCKED),
            self.assertLogs("notes.admin", "WARNING"),
        ):
            response = self.client.post(publication_of(note), data)
        assert BUSY in text_of(response)
        assert 'value="It was wrong."' in response.content.decode()

    def test_actions_say_it_for_each_note(self):
        note = make_note(title="Shown")
        data = {"action": "unpublish", "_selected_action": [note.pk], "index": 0}
        with (
            mock.patch("notes.publishing.unpublish", side_effect=LOCKED),
            self.assertLogs("notes.admin", "WARNING"),
        ):
            address = reverse("admin:notes_note_changelist")
            response = self.client.post(address, data, follow=True)
        assert f"“Shown”: {BUSY}" in text_of(response)

    def test_a_list_put_in_order_and_a_deletion_are_answered_by_a_page(self):
        topic, note = make_topic(), make_note()
        redirect = Redirect.objects.create(kind="note", slug="old", target="new")
        order = {
            "form-TOTAL_FORMS": 1,
            "form-INITIAL_FORMS": 1,
            "form-0-id": topic.pk,
            "form-0-position": 9,
            "_save": "Save",
        }
        for write, name, args, data in (
            ("notes.publishing.order_topics", "notes_topic_changelist", [], order),
            ("notes.publishing.trash", "notes_note_delete", [note.pk], {"post": "yes"}),
            (
                "notesite.publishing.delete_redirect",
                "notesite_redirect_delete",
                [redirect.pk],
                {"post": "yes"},
            ),
        ):
            with (
                mock.patch(write, side_effect=LOCKED),
                self.assertLogs("notes.admin", "WARNING"),
            ):
                response = self.client.post(reverse(f"admin:{name}", args=args), data)
            assert response.status_code == 503
            assert BUSY in text_of(response)

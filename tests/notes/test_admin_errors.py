"""Errors in a text are asked about before readers see them, whatever the door."""

from datetime import timedelta
from typing import Any

from bs4 import BeautifulSoup
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone

from notes import publishing
from notes.models import Note, Reference
from notes.publishing import save_reference
from tests.factories import make_note
from tests.notes.admin_case import AdminTestCase, address_of, publication_of, text_of

ASKED = "The text has errors that readers would see"
WRONG = "See [@nobody2020].\n"


class SavingTests(AdminTestCase):
    def sent(self, note: Note, **changes: Any) -> HttpResponse:
        fields = self.fields_of(address_of(note)) | {"kind": "minor"} | changes
        return self.client.post(address_of(note), fields)

    def test_a_public_text_with_a_new_error_comes_back_whole(self):
        note = make_note(source="Right.\n")
        response = self.sent(note, source=WRONG)
        assert ASKED in text_of(response)
        assert "nobody2020" in text_of(response)
        page = BeautifulSoup(response.content, "html.parser")
        assert page.select_one("#id_source").text.strip() == WRONG.strip()
        # Without scripts too, what stands under the text is what is wrong with it.
        assert "nobody2020" in page.select_one("#problems").text
        assert page.select_one(".ask-about-errors .problem-quote").text == WRONG.strip()
        assert Note.objects.get().source == "Right.\n"

    def test_confirmed_it_is_saved_and_not_asked_about_again(self):
        note = make_note(source="Right.\n")
        assert self.sent(note, source=WRONG, confirm_errors="on").status_code == 302
        assert Note.objects.get().source == WRONG
        assert self.sent(Note.objects.get(), source=WRONG + "More.\n").status_code == 302

    def test_one_error_more_is_asked_about(self):
        note = make_note(source=WRONG)
        response = self.sent(note, source=WRONG + "And [@nobody2021].\n")
        assert ASKED in text_of(response)

    def test_a_scheduled_text_is_asked_about_as_well(self):
        note = make_note(source="Right.\n", published_at=timezone.now() + timedelta(days=1))
        assert ASKED in text_of(self.sent(note, source=WRONG))

    def test_macros_and_about_of_the_same_save_are_taken_into_account(self):
        note = make_note(source="Right.\n")
        mended = self.sent(note, source="$\\Real$\n", macros="\\Real = \\mathbb{R}")
        assert mended.status_code == 302
        assert ASKED in text_of(self.sent(Note.objects.get(), about="nobody2020"))

    def test_drafts_and_warnings_are_never_asked_about(self):
        draft = make_note(published_at=None)
        assert self.sent(draft, source=WRONG).status_code == 302
        note = make_note(source="Right.\n")
        assert self.sent(note, source="This TODO is a warning.\n").status_code == 302


class PublishingTests(AdminTestCase):
    def act(self, note: Note, verb: str, **data: Any) -> HttpResponse:
        note.refresh_from_db()
        data = {"verb": verb, "version": note.version} | data
        response = self.client.post(publication_of(note), data)
        note.refresh_from_db()
        return response

    def assert_asks(self, note: Note, verb: str, state: str, **data: Any) -> None:
        """A verb leaves the note as it is until its errors are confirmed."""
        before = note.state
        response = self.act(note, verb, **data)
        assert ASKED in text_of(response)
        assert "nobody2020" in text_of(response)
        assert note.state == before
        self.act(note, verb, confirm_errors="on", **data)
        assert note.state == state

    def test_publishing_now_asks(self):
        self.assert_asks(make_note(source=WRONG, published_at=None), "publish", "published")

    def test_a_date_ahead_asks_and_stands_in_the_form_that_comes_back(self):
        note = make_note(source=WRONG, published_at=None)
        at = f"{(timezone.now() + timedelta(days=3)).date()}T09:00:00"
        assert at in self.act(note, "schedule", at=at).content.decode()
        self.assert_asks(note, "schedule", "scheduled", at=at)

    def test_what_was_confirmed_for_a_later_date_is_asked_about_when_it_comes_out_now(self):
        note = make_note(source=WRONG, published_at=timezone.now() + timedelta(days=1))
        self.assert_asks(note, "publish", "published")

    def test_undoing_a_withdrawal_asks(self):
        self.assert_asks(make_note(source=WRONG, withdrawn="Wrong."), "reinstate", "published")

    def test_coming_out_of_the_trash_into_the_public_asks(self):
        self.assert_asks(make_note(source=WRONG, trashed=True), "restore", "published")

    def test_a_draft_comes_out_of_the_trash_unasked(self):
        draft = make_note(source=WRONG, published_at=None, trashed=True)
        assert "confirm_errors" not in self.client.get(publication_of(draft)).content.decode()
        self.act(draft, "restore")
        assert draft.state == "draft"

    def test_a_public_note_gets_another_date_unasked(self):
        note = make_note(source=WRONG)
        self.act(note, "schedule", at="2026-01-01T09:00")
        assert note.published_at.year == 2026

    def test_shows_the_box_with_the_errors_and_a_way_to_each(self):
        note = make_note(source=f"First.\n\n{WRONG}", published_at=None)
        page = BeautifulSoup(self.client.get(publication_of(note)).content, "html.parser")
        assert page.select_one("[name=confirm_errors]")
        place = page.select_one(".problem-error a")["href"]
        assert place == f"{address_of(note)}#line-3-6"

    def test_asks_about_what_is_wrong_by_now(self):
        reference = save_reference("@article{nobody2020, title={Something}}")
        note = make_note(source=WRONG, published_at=None)
        assert publishing.errors_of(note) == []
        Reference.objects.filter(pk=reference.pk).delete()
        Note.objects.update(stale_at=timezone.now())
        self.assert_asks(note, "publish", "published")


class ManyTests(AdminTestCase):
    """The actions of the list ask on a page of their own, about those with errors alone."""

    def act(self, action: str, *notes: Note, query: str = "", **data: str) -> HttpResponse:
        selected = [note.pk for note in notes]
        data = {"action": action, ACTION_CHECKBOX_NAME: selected, "index": "0"} | data
        address = reverse("admin:notes_note_changelist") + query
        response = self.client.post(address, data, follow=True)
        for note in notes:
            note.refresh_from_db()
        return response

    def test_publishing_many_publishes_the_sound_and_asks_about_the_others(self):
        wrong = make_note(source=WRONG, published_at=None, title="Wrong")
        right = make_note(source="Right.\n", published_at=None, title="Right")
        response = self.act("publish_now", wrong, right)
        assert (wrong.state, right.state) == ("draft", "published")
        page = BeautifulSoup(response.content, "html.parser")
        fields = {
            field["name"]: field.get("value") for field in page.select("#content-main input[name]")
        }
        assert (fields["action"], fields[ACTION_CHECKBOX_NAME]) == ("publish_now", str(wrong.pk))
        assert "nobody2020" in text_of(response)
        self.act("publish_now", wrong, confirm_errors="yes")
        assert wrong.state == "published"

    def test_taking_many_out_of_the_trash_asks_as_well(self):
        wrong = make_note(source=WRONG, trashed=True)
        draft = make_note(source=WRONG, published_at=None, trashed=True)
        self.act("restore", wrong, draft, query="?state=trash")
        assert (wrong.state, draft.state) == ("trash", "draft")
        self.act("restore", wrong, query="?state=trash", confirm_errors="yes")
        assert wrong.state == "published"

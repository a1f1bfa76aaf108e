"""Errors in a text are asked about before readers see them, whatever the door."""

from datetime import timedelta
from typing import Any

from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone

from notes.models import Note
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
        assert "See [@nobody2020]." in response.content.decode()
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
    def test_the_page_that_publishes_asks_and_takes_a_confirmation(self):
        note = make_note(source=WRONG, published_at=None)
        fields = {"verb": "publish", "version": note.version}
        response = self.client.post(publication_of(note), fields)
        assert "The text has errors" in text_of(response)
        assert not Note.objects.published().exists()
        self.client.post(publication_of(note), fields | {"confirm": "yes"})
        assert Note.objects.published().exists()

    def test_publishing_many_leaves_out_those_with_errors(self):
        wrong = make_note(source=WRONG, published_at=None, title="Wrong")
        right = make_note(source="Right.\n", published_at=None)
        data = {"action": "publish_now", ACTION_CHECKBOX_NAME: [wrong.pk, right.pk], "index": 0}
        response = self.client.post(reverse("admin:notes_note_changelist"), data, follow=True)
        assert "“Wrong”: It has errors" in text_of(response)
        assert list(Note.objects.published()) == [right]

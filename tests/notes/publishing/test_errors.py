"""Who is asked about errors before readers see them, and who is not."""

from datetime import timedelta

import pytest
import time_machine
from django.test import TestCase

from notes import publishing
from notes.models import Note, PendingVersion
from notes.publishing import ErrorsInText
from tests.notes.publishing.saved import NOW, draft, public

WRONG = "See [@nobody2020].\n"


class AskingTests(TestCase):
    def test_a_door_that_is_no_person_is_never_asked(self):
        note = publishing.publish(draft(source=WRONG))
        assert note.is_public
        publishing.save_pending(note, {"source": WRONG * 2}, release_at=NOW + timedelta(hours=1))
        with time_machine.travel(NOW + timedelta(hours=2)):
            assert publishing.release_due() == 1

    def test_a_refusal_names_the_errors_and_gives_the_note_back_as_it_came(self):
        note = draft(source=WRONG)
        with pytest.raises(ErrorsInText) as refused:
            publishing.publish(note, errors_confirmed=False)
        assert [error["code"] for error in refused.value.errors] == ["unknown-citation"]
        assert refused.value.note.source == WRONG
        assert (note.published_at, note.version) == (None, Note.objects.get().version)

    def test_the_release_of_a_pending_version_asks_and_keeps_it(self):
        note = public()
        publishing.save_pending(note, {"source": WRONG})
        with pytest.raises(ErrorsInText):
            publishing.release_pending(note, errors_confirmed=False)
        assert PendingVersion.objects.get().source == WRONG
        assert Note.objects.get().source != WRONG
        publishing.release_pending(note, errors_confirmed=True)
        assert Note.objects.get().source == WRONG

    def test_a_pending_version_is_asked_about_when_it_gets_its_time(self):
        note = public()
        publishing.save_pending(note, {"source": WRONG}, errors_confirmed=False)
        pending = PendingVersion.objects.get()
        later = {"release_at": NOW + timedelta(hours=1), "expected_version": pending.version}
        with pytest.raises(ErrorsInText):
            publishing.save_pending(note, {"source": WRONG}, errors_confirmed=False, **later)
        assert PendingVersion.objects.get().release_at is None
        publishing.save_pending(note, {"source": WRONG}, errors_confirmed=True, **later)
        assert PendingVersion.objects.get().release_at is not None

    def test_what_readers_see_already_is_not_asked_about_again(self):
        note = public(source=WRONG)
        note.title = "Another title"
        publishing.save_note(note, errors_confirmed=False)
        note.source = WRONG + "And [@nobody2021].\n"
        with pytest.raises(ErrorsInText) as refused:
            publishing.save_note(note, errors_confirmed=False)
        assert ["nobody2021" in error["message"] for error in refused.value.errors] == [True]

"""Pending versions, and what is rendered anew."""

from datetime import timedelta

import pytest
import time_machine
from django.core.exceptions import ValidationError
from django.test import TestCase
from django.utils import timezone

from notes import publishing
from notes.models import Note, PendingVersion, Revision
from notesite.models import Site
from tests.notes.publishing.saved import NOW, draft, public


class PendingVersionTests(TestCase):
    def test_leaves_the_note_alone_until_it_is_released(self):
        note = public()
        publishing.save_pending(note, {"title": "Next", "source": "New.\n"}, topics=[])
        assert Note.objects.get().title == "A note"
        publishing.release_pending(note)
        note.refresh_from_db()
        assert (note.title, note.source) == ("Next", "New.\n")
        assert not PendingVersion.objects.exists()

    def test_is_released_when_its_time_has_come(self):
        note = public()
        publishing.save_pending(
            note,
            {"title": "Next"},
            kind="revision",
            sentence="Said more.",
            release_at=NOW + timedelta(hours=1),
        )
        Site.objects.create()
        assert publishing.release_due() == 0
        with time_machine.travel(NOW + timedelta(hours=2)):
            assert Site.objects.current().has_due_release
            assert publishing.release_due() == 1
        assert Note.objects.get().title == "Next"
        assert note.revisions.get(number=2).kind == "revision"

    def test_that_cannot_be_saved_stays_without_its_time_and_stops_nobody(self):
        note = public()
        publishing.save_pending(note, {"title": "Next"}, release_at=NOW)
        PendingVersion.objects.update(doi="not a DOI")
        assert publishing.release_due() == 0
        assert PendingVersion.objects.get().release_at is None
        assert Note.objects.get().title == "A note"

    def test_of_a_trashed_note_waits_there(self):
        Site.objects.create()
        note = public()
        publishing.save_pending(note, {"title": "Next"}, release_at=NOW)
        publishing.trash(note)
        assert not Site.objects.current().has_due_release
        assert publishing.release_due() == 0

    def test_of_somebody_else_is_not_written_over(self):
        note = public()
        publishing.save_pending(note, {"title": "Theirs"})
        with pytest.raises(publishing.Conflict):
            publishing.save_pending(note, {"title": "Mine"})
        publishing.save_pending(note, {"title": "Mine"}, expected_version=1)
        assert PendingVersion.objects.get().title == "Mine"

    def test_is_for_published_notes(self):
        with pytest.raises(ValidationError, match="save the draft"):
            publishing.save_pending(draft(), {"title": "Next"})


def test_every_kind_of_revision_but_publication_can_be_asked_for():
    assert {kind for kind, _ in PendingVersion._meta.get_field("kind").choices} == (
        set(Revision.Kind.values) - {"publication"}
    )


class RerenderTests(TestCase):
    def test_renders_what_an_older_renderer_wrote(self):
        note = draft(source="Text.\n")
        Note.objects.update(renderer_version=0, html="old")
        assert publishing.rerender() == 1
        note.refresh_from_db()
        assert "Text." in note.html
        assert publishing.rerender() == 0

    def test_a_page_that_became_stale_once_more_is_not_written_back(self):
        public()
        Note.objects.update(stale_at=timezone.now())
        note = Note.objects.get()
        later = timezone.now() + timedelta(seconds=1)
        Note.objects.update(stale_at=later, html="newer")
        publishing.refresh(note)
        assert Note.objects.get().stale_at == later

    def test_a_stale_page_is_written_back_without_moving_the_site(self):
        Site.objects.create()
        note = public()
        Note.objects.update(stale_at=timezone.now(), html="old")
        revision = Site.objects.get().revision
        publishing.refresh(Note.objects.get())
        assert "Text." in Note.objects.get(pk=note.pk).html
        assert Site.objects.get().revision == revision

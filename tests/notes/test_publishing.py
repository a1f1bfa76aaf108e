"""What one save brings along, and what it refuses."""

from datetime import timedelta
from pathlib import Path

import pytest
import time_machine
from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.test import TestCase
from django.utils import timezone

from notes import publishing
from notes.markdown.roots import MEDIA_MARK, SITE_MARK
from notes.models import Note, PendingVersion, Revision, Topic
from notesite.models import Redirect, Site
from notesite.publishing import save_site
from series.models import ReadingPath
from series.publishing import save_path
from tests.notes.image_files import encode, gradient

NOW = timezone.now().replace(microsecond=0)
PICTURE = encode(gradient(), "PNG")


def draft(**fields):
    return publishing.save_note(Note(**{"title": "A note", "source": "Text.\n"} | fields))


def public(**fields):
    return draft(**{"published_at": timezone.now() - timedelta(days=1)} | fields)


def numbers(note):
    states = note.revisions.filter(number__isnull=False).order_by("number")
    return [(state.number, state.kind, state.source) for state in states]


class SavingTests(TestCase):
    def test_cleans_every_field_whatever_the_door(self):
        note = draft(title=" Two\x00\nlines ", source="\r\n    code\x01\r\n\r\n", dek="a\u2028b")
        note.refresh_from_db()
        assert (note.title, note.source, note.dek) == ("Two lines", "\n    code\n", "a b")

    def test_a_draft_needs_a_title_or_a_text_and_nothing_else(self):
        assert draft(title="", source="Only text here.").slug == "note"
        assert draft(title="Only a title", source="").display_title == "Only a title"
        with pytest.raises(ValidationError, match="title or a text"):
            draft(title="\x00", source=" \n")

    def test_renders_and_stores_what_lists_and_pages_need(self):
        note = draft(
            source="## The problem\n\nWords $x^2$ here.\n\n## What to take away\n\n- One.\n"
        )
        note.refresh_from_db()
        assert "<math" in note.html
        assert note.has_math
        assert [part["name"] for part in note.anatomy] == ["problem", "take-aways"]
        assert [takeaway["text"] for takeaway in note.takeaways] == ["One."]
        assert note.minutes == 1

    def test_refuses_to_write_over_a_newer_version(self):
        note = draft()
        theirs, mine = Note.objects.get(pk=note.pk), Note.objects.get(pk=note.pk)
        theirs.title = "Theirs"
        publishing.save_note(theirs)
        mine.title = "Mine"
        with pytest.raises(publishing.Conflict) as conflict:
            publishing.save_note(mine)
        assert conflict.value.current.title == "Theirs"
        assert Note.objects.get(pk=note.pk).title == "Theirs"
        assert note.revisions.count() == 2

    def test_a_refused_save_leaves_the_version_as_it_was(self):
        note = draft()
        note.title = note.source = ""
        with pytest.raises(ValidationError):
            publishing.save_note(note)
        note.title = "Right again"
        assert publishing.save_note(note).title == "Right again"

    def test_refuses_what_is_too_long_on_every_database(self):
        with pytest.raises(ValidationError, match="300"):
            draft(title="x" * 301)

    def test_finds_a_free_slug_for_equal_titles(self):
        assert [draft(title="C++").slug, draft(title="C#").slug] == ["c", "c-2"]

    def test_one_note_is_pinned_at_a_time(self):
        first, second = draft(pinned=True), draft(pinned=True)
        first.refresh_from_db()
        assert (first.pinned, second.pinned) == (False, True)

    def test_taking_the_pin_is_a_write_to_the_other_note(self):
        Site.objects.create()
        first = public(pinned=True)
        revision = Site.objects.get().revision
        draft(title="Draft", pinned=True)
        assert Site.objects.get().revision > revision
        with pytest.raises(publishing.Conflict):
            publishing.save_note(first)

    def test_a_failed_save_gives_the_object_back(self):
        note = Note(title="New", published_at=NOW, macros={"wrong": "x"})
        with pytest.raises(ValidationError):
            publishing.save_note(note)
        assert (note.pk, note.slug, note.first_published_at) == (None, "", None)
        note.macros = {}
        assert publishing.save_note(note).slug == "new"

    def test_refuses_years_that_another_zone_could_not_hold(self):
        for year in (1, 9999):
            with pytest.raises(ValidationError, match="out of bounds"):
                draft(published_at=NOW.replace(year=year, month=1, day=1))

    def test_refuses_to_write_over_a_newer_topic_figure_or_reference(self):
        topic = publishing.save_topic(Topic(name="Models"))
        figure = publishing.add_figure(PICTURE, name="lag.png")
        reference = publishing.save_reference("@misc{a, title={T}}")
        for row, save in (
            (topic, publishing.save_topic),
            (figure, publishing.save_figure),
            (reference, lambda row: publishing.save_reference(row.bibtex, replaces=row)),
        ):
            older = type(row).objects.get()
            save(row)
            with pytest.raises(publishing.Conflict):
                save(older)

    def test_refuses_bylines_without_a_name(self):
        with pytest.raises(ValidationError, match="Every author has a name"):
            draft(authors=[{"url": "https://example.org"}])

    def test_moves_the_site_revision_with_what_readers_can_see(self):
        Site.objects.create()
        draft()
        assert Site.objects.get().revision == 1
        public()
        assert Site.objects.get().revision == 2


class PublicStateTests(TestCase):
    def test_the_first_publication_is_state_one(self):
        note = draft(source="Draft.\n")
        publishing.publish(note)
        assert numbers(note) == [(1, "publication", "Draft.\n")]
        assert note.first_published_at == note.published_at
        assert note.revised_at is None

    def test_a_minor_save_makes_no_state_and_moves_no_date(self):
        note = public()
        note.source = "Text!\n"
        publishing.save_note(note, kind="minor")
        assert [number for number, *_ in numbers(note)] == [1]
        assert note.revised_at is None

    def test_a_revision_and_a_correction_make_one_each(self):
        note = public()
        for kind in ("revision", "correction"):
            note.source = f"{kind}.\n"
            publishing.save_note(note, kind=kind, sentence="Said more.")
        assert [kind for _, kind, _ in numbers(note)] == ["publication", "revision", "correction"]
        assert note.revised_at is not None

    def test_a_correction_needs_its_sentence(self):
        note = public()
        with pytest.raises(ValidationError, match="one sentence"):
            publishing.save_note(note, kind="correction")
        assert note.revisions.count() == 1

    def test_the_first_state_of_a_scheduled_note_is_its_text_when_the_time_comes(self):
        note = draft(published_at=NOW + timedelta(days=1), source="Early.\n")
        note.source = "Late.\n"
        publishing.save_note(note)
        assert numbers(note) == [(1, "publication", "Late.\n")]
        with time_machine.travel(NOW + timedelta(days=2)):
            note.source = "Later.\n"
            publishing.save_note(note, kind="revision", sentence="Said more.")
        assert [number for number, *_ in numbers(note)] == [1, 2]

    def test_taking_back_a_schedule_takes_back_its_state(self):
        note = draft(published_at=NOW + timedelta(days=1))
        publishing.unpublish(note)
        assert numbers(note) == []
        assert note.first_published_at is None

    def test_publishing_again_with_changed_text_makes_a_state(self):
        note = public()
        first = note.first_published_at
        publishing.unpublish(note)
        note.source = "Changed.\n"
        publishing.save_note(note)
        publishing.publish(note)
        assert [number for number, *_ in numbers(note)] == [1, 2]
        assert note.first_published_at == first

    def test_publishing_again_unchanged_makes_none(self):
        note = public()
        publishing.unpublish(note)
        publishing.publish(note)
        assert [number for number, *_ in numbers(note)] == [1]

    def test_a_text_that_was_changed_out_of_sight_comes_back_as_a_state(self):
        for away, back in (
            (publishing.trash, publishing.restore),
            (lambda note: publishing.withdraw(note, "Wrong."), publishing.reinstate),
        ):
            note = public(title=f"Note {away}")
            away(note)
            note.source = "Rewritten.\n"
            publishing.save_note(note)
            assert [number for number, *_ in numbers(note)] == [1]
            back(note)
            assert [source for _, _, source in numbers(note)] == ["Text.\n", "Rewritten.\n"]

    def test_coming_back_as_it_went_makes_no_state(self):
        note = public()
        note.source = "Text!\n"
        publishing.save_note(note)
        for away, back in (
            (publishing.trash, publishing.restore),
            (publishing.unpublish, publishing.publish),
        ):
            away(note)
            back(note)
        assert [number for number, *_ in numbers(note)] == [1]
        assert note.revised_at is None

    def test_keeps_the_marks_of_the_roots_in_its_html(self):
        figure = publishing.add_figure(PICTURE, name="lag.png")
        note = public(source=f"[b](/notes/b/) ![Lag](figures/{figure.name})\n")
        revision = note.revisions.get()
        assert revision.html == note.html
        assert SITE_MARK in revision.html
        assert MEDIA_MARK in revision.html

    def test_imported_states_leave_the_rows_saved_here(self):
        note = public()
        state = Revision(number=1, public_at=NOW - timedelta(days=9), kind="publication", source="")
        publishing.write_public_states(note, [state])
        assert note.revisions.count() == 2
        assert [number for number, *_ in numbers(note)] == [1]

    def test_every_explicit_save_leaves_a_row_with_its_user(self):
        user = User.objects.create(username="ada")
        note = publishing.save_note(Note(title="Kept"), by=user)
        publishing.save_note(note, by=user)
        assert [revision.saved_by for revision in note.revisions.all()] == [user, user]


class StateTests(TestCase):
    def test_trash_wins_over_withdrawn_and_withdrawn_over_the_date(self):
        note = public()
        publishing.withdraw(note, "The proof is wrong.")
        assert note.state == "withdrawn"
        publishing.trash(note)
        assert note.state == "trash"
        publishing.restore(note)
        assert note.state == "withdrawn"
        publishing.reinstate(note)
        assert note.state == "published"

    def test_only_what_was_public_is_withdrawn_and_never_without_a_sentence(self):
        with pytest.raises(ValidationError, match="draft"):
            publishing.withdraw(draft(), "Because.")
        with pytest.raises(ValidationError, match="one sentence"):
            publishing.withdraw(public(), " ")

    def test_a_note_has_the_verbs_of_its_state(self):
        note = public()
        publishing.trash(note)
        for verb in (publishing.publish, publishing.trash, publishing.unpublish):
            with pytest.raises(ValidationError, match="trash"):
                verb(note)
        assert note.published_at
        publishing.restore(note)
        assert note.state == "published"

    def test_a_scheduled_note_leaves_the_trash_as_a_draft_and_was_never_public(self):
        note = draft(published_at=NOW + timedelta(hours=1))
        publishing.trash(note)
        with time_machine.travel(NOW + timedelta(days=40)):
            assert not note.was_public
            publishing.purge_trash()
        assert not Redirect.objects.exists()
        note = draft(published_at=NOW + timedelta(hours=1))
        publishing.restore(publishing.trash(note))
        assert note.state == "draft"
        assert numbers(note) == []

    def test_only_a_due_untouched_note_is_published(self):
        there = public(title="There")
        draft(title="Draft")
        draft(title="Ahead", published_at=NOW + timedelta(hours=1))
        publishing.withdraw(public(title="Back"), "Wrong.")
        publishing.trash(public(title="Bin"))
        assert list(Note.objects.published()) == [there]

    def test_what_is_due_is_there_in_its_second(self):
        note = draft(published_at=NOW + timedelta(hours=1))
        with time_machine.travel(NOW + timedelta(minutes=59, seconds=59), tick=False):
            assert not Note.objects.published().exists()
        with time_machine.travel(NOW + timedelta(hours=1), tick=False):
            assert Note.objects.published().get() == note

    def test_the_trash_is_purged_after_thirty_days_and_a_public_address_is_gone(self):
        seen, unseen = public(title="Seen"), draft(title="Unseen")
        publishing.trash(seen)
        publishing.trash(unseen)
        assert publishing.purge_trash() == 0
        assert publishing.purge_trash(timezone.now() + timedelta(days=30, seconds=1)) == 2
        assert list(Redirect.objects.values_list("slug", "target")) == [("seen", "")]


class AddressTests(TestCase):
    def rename(self, note, slug, **options):
        note.slug = slug
        return publishing.save_note(note, **options)

    def leads(self):
        return dict(Redirect.objects.values_list("slug", "target"))

    def test_a_renamed_public_note_leaves_one_hop_however_often(self):
        note = public(title="One")
        for slug in ("two", "three", "four"):
            self.rename(note, slug)
        assert self.leads() == {"one": "four", "two": "four", "three": "four"}

    def test_there_and_back_again_leaves_no_loop(self):
        note = public(title="One")
        self.rename(note, "two")
        self.rename(note, "one")
        assert self.leads() == {"two": "one"}

    def test_a_draft_leaves_nothing(self):
        self.rename(draft(title="One"), "two")
        assert self.leads() == {}

    def test_a_retired_address_is_given_away_only_after_asking(self):
        self.rename(public(title="One"), "two")
        other = draft(title="Other")
        with pytest.raises(publishing.RetiredSlug):
            self.rename(other, "one")
        self.rename(other, "one", take_retired_slug=True)
        assert self.leads() == {}

    def test_a_new_title_avoids_a_retired_address(self):
        self.rename(public(title="One"), "two")
        assert draft(title="One").slug == "one-2"

    def test_a_reserved_slug_is_refused_with_the_reason(self):
        with pytest.raises(ValidationError, match="reserved"):
            self.rename(draft(), "history")


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


class TopicTests(TestCase):
    def test_come_after_those_there_are_and_in_the_order_given(self):
        first = publishing.save_topic(Topic(name="Évaluation"))
        second = publishing.save_topic(Topic(name="Models"))
        publishing.order_topics([second.pk])
        assert [topic.slug for topic in Topic.objects.all()] == ["models", "évaluation"]
        assert first.pk in Topic.objects.values_list("pk", flat=True)

    def test_renamed_ones_stay_with_pending_versions(self):
        topic = publishing.save_topic(Topic(name="Models"))
        note = public()
        publishing.save_pending(note, {"title": "Next"}, topics=["models"])
        topic.slug = "systems"
        publishing.save_topic(topic)
        publishing.release_pending(note)
        assert list(note.topics.all()) == [topic]

    def test_deleted_before_readers_saw_them_leave_no_trace(self):
        topic = publishing.save_topic(Topic(name="Models"))
        note = Note(title="Ahead", published_at=NOW + timedelta(days=1))
        publishing.save_note(note, topics=[topic])
        publishing.delete_topic(topic)
        assert not Redirect.objects.exists()

    def test_renamed_ones_leave_a_redirect(self):
        topic = publishing.save_topic(Topic(name="Models"))
        topic.slug = "systems"
        publishing.save_topic(topic)
        assert Redirect.objects.get().target == "systems"


class ReferenceTests(TestCase):
    def test_a_note_about_it_shows_it_once_it_is_there(self):
        note = draft(about=["müller2020"])
        assert [problem["code"] for problem in note.problems] == ["unknown-reference"]
        publishing.save_reference(
            '@misc{müller2020, title={On {T}races}, author={M{\\"u}ller, Jan and {Ada Lab}}}'
        )
        note.refresh_from_db()
        assert note.problems == []
        assert note.about_cards[0]["title"] == "On Traces"
        assert note.about_cards[0]["authors"] == ["Jan Müller", "Ada Lab"]

    def test_an_address_that_is_no_page_is_no_link(self):
        reference = publishing.save_reference(
            "@misc{a, title={T}, url={javascript:alert(1)}, code={data:text/html,x}}"
        )
        assert (reference.url, reference.code_url) == ("", "")
        assert "javascript" in reference.bibtex

    def test_a_retired_key_is_given_away_only_after_asking(self):
        first = publishing.save_reference("@misc{a, title={T}}")
        publishing.save_reference("@misc{b, title={T}}", replaces=first)
        with pytest.raises(publishing.RetiredSlug):
            publishing.save_reference("@misc{a, title={Other}}")
        publishing.save_reference("@misc{a, title={Other}}", take_retired_key=True)
        assert not Redirect.objects.exists()

    def test_a_broken_entry_is_refused_with_its_line(self):
        with pytest.raises(ValidationError, match="Line 1"):
            publishing.save_reference("@misc{a, title={open")


class SiteTests(TestCase):
    def test_a_new_macro_reaches_the_notes(self):
        site = save_site(Site())
        note = draft(source="$\\field$\n")
        assert "ℚ" not in note.html
        site.macros = {"\\field": "\\mathbb{Q}"}
        save_site(site)
        note.refresh_from_db()
        assert "ℚ" in note.html

    def test_what_would_break_pages_is_refused_at_every_door(self):
        for field, value in (
            ("links", [{"name": "x", "url": "javascript:alert(1)"}]),
            ("macros", {"notamacro": "x"}),
            ("synonyms", {"bogus": []}),
        ):
            with pytest.raises(ValidationError):
                save_site(Site(**{field: value}))

    def test_a_replaced_figure_reaches_about_and_paths(self):
        figure = publishing.add_figure(PICTURE, name="lag.png")
        save_site(Site(about="![Lag](figures/lag.png)\n"))
        path = save_path(ReadingPath(title="Path"), [(public(), "![Lag](figures/lag.png)\n")])
        publishing.replace_figure(figure, encode(gradient(size=(30, 60)), "PNG"))
        assert figure.path in Site.objects.get().about_html
        assert figure.path in path.steps.get().bridge_html

    def test_an_accent_that_cannot_be_read_is_refused(self):
        with pytest.raises(ValidationError, match="4.5:1"):
            save_site(Site(accent_colour="#ffcc00"))

    def test_saving_keeps_the_revision_that_others_moved(self):
        site = save_site(Site())
        public()
        before = Site.objects.get().revision
        save_site(Site.objects.get())
        assert Site.objects.get().revision == before + 1
        with pytest.raises(publishing.Conflict):
            save_site(site)


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


def test_every_kind_of_revision_but_publication_can_be_asked_for():
    assert {kind for kind, _ in PendingVersion._meta.get_field("kind").choices} == (
        set(Revision.Kind.values) - {"publication"}
    )


class FigureNameTests(TestCase):
    def test_of_any_script_are_found_in_a_source_however_written(self):
        figure = publishing.add_figure(PICTURE, name="图.png", exact_name=True)
        for written in ("图.png", "%E5%9B%BE.png"):
            assert figure.path in draft(source=f"![x](figures/{written})\n").html

    def test_that_are_refused_leave_no_file(self):
        files = set(Path(settings.MEDIA_ROOT).rglob("*"))
        picture = encode(gradient(size=(31, 17)), "PNG")
        with pytest.raises(ValidationError):
            publishing.add_figure(picture, name="bad name!.png", exact_name=True)
        assert set(Path(settings.MEDIA_ROOT).rglob("*")) == files

    def test_names_that_differ_in_capitals_alone_are_told_apart(self):
        names = [publishing.add_figure(PICTURE, name=name).name for name in ("Lag.png", "lag.PNG")]
        assert names == ["lag.png", "lag-2.png"]
        with pytest.raises(ValidationError, match="but for capitals"):
            publishing.add_figure(PICTURE, name="LAG.png", exact_name=True)

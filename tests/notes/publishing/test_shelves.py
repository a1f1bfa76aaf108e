"""Topics, references, figures and the site itself."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.core.exceptions import ValidationError
from django.test import TestCase

from notes import publishing
from notes.models import Note, Topic
from notesite.models import Redirect, Site
from notesite.publishing import save_site
from series.models import ReadingPath
from series.publishing import save_path
from tests.notes.image_files import encode, gradient
from tests.notes.publishing.saved import NOW, PICTURE, draft, public


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

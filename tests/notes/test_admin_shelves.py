import os
import time
from pathlib import Path
from typing import Any
from unittest import mock

from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.urls import reverse

from notes.admin.reference import ReferenceForm
from notes.models import Figure, Note, Reference, Topic
from notes.publishing import add_figure, delete_figure, missing_files, save_reference
from notesite.clean_up import clean_up
from notesite.models import Redirect, Site
from tests.factories import make_note, make_topic
from tests.notes.admin_case import AdminTestCase, text_of
from tests.notes.drawings import HOSTILE
from tests.notes.image_files import animation, encode, gradient, photo


class TopicTests(AdminTestCase):
    def test_are_put_in_order_by_their_numbers(self):
        topics = [make_topic(name=name) for name in "ABCD"]
        self.order(topics, D=1)
        assert self.names() == ["D", "A", "B", "C"]
        self.order(topics, D=3)
        assert self.names() == ["A", "B", "D", "C"]
        positions = Topic.objects.order_by("position").values_list("position", flat=True)
        assert list(positions) == [1, 2, 3, 4]

    def test_move_the_site_revision_once_for_a_new_order(self):
        topics = [make_topic(name=name) for name in "ABCD"]
        before = Site.objects.current().revision
        self.order(topics, A=4, B=3, C=2, D=1)
        assert self.names() == ["D", "C", "B", "A"]
        assert Site.objects.current().revision == before + 1

    def test_leave_a_redirect_when_they_are_renamed(self):
        topic = make_topic(slug="old")
        address = reverse("admin:notes_topic_change", args=[topic.pk])
        self.client.post(address, self.fields_of(address, slug="new"))
        assert Redirect.objects.get().target == "new"

    def test_are_added_and_deleted_through_publishing(self):
        address = reverse("admin:notes_topic_add")
        self.client.post(address, self.fields_of(address, name="Policy lag", slug=""))
        topic = Topic.objects.get(slug="policy-lag")
        before = Site.objects.current().revision
        self.client.post(reverse("admin:notes_topic_delete", args=[topic.pk]), {"post": "yes"})
        assert not Topic.objects.exists()
        assert Site.objects.current().revision == before + 1

    def names(self) -> list[str]:
        return list(Topic.objects.order_by("position").values_list("name", flat=True))

    def order(self, topics: list[Topic], **places: int) -> None:
        topics = list(Topic.objects.order_by("position", "slug"))
        data: dict[str, Any] = {
            "form-TOTAL_FORMS": len(topics),
            "form-INITIAL_FORMS": len(topics),
            "_save": "Save",
        }
        for number, topic in enumerate(topics):
            data[f"form-{number}-id"] = topic.pk
            data[f"form-{number}-position"] = places.get(topic.name, topic.position)
        response = self.client.post(reverse("admin:notes_topic_changelist"), data)
        assert response.status_code == 302


class FigureTests(AdminTestCase):
    def upload(self, address: str, data: bytes, **fields: Any) -> HttpResponse:
        file = SimpleUploadedFile("Lag Plot.png", data, "image/png")
        return self.client.post(address, self.fields_of(address, file=file, **fields))

    def test_are_added_by_file(self):
        address = reverse("admin:notes_figure_add")
        self.upload(address, encode(gradient(), "PNG"), alt="A plot")
        figure = Figure.objects.get()
        assert (figure.name, figure.alt, figure.width) == ("lag-plot.png", "A plot", 60)

    def test_say_why_a_file_is_refused(self):
        response = self.upload(reverse("admin:notes_figure_add"), b"no image", alt="A plot")
        assert "not a JPEG, PNG, WebP, GIF, AVIF or SVG image" in text_of(response)
        assert "A plot" in response.content.decode()
        assert not Figure.objects.exists()

    def test_keep_their_name_when_the_file_is_replaced(self):
        figure = add_figure(encode(gradient(), "PNG"), name="a.png")
        note = make_note(source="![A](figures/a.png)\n")
        address = reverse("admin:notes_figure_change", args=[figure.pk])
        assert note.title in text_of(self.client.get(address))
        self.upload(address, encode(gradient(size=(80, 40)), "PNG"))
        changed = Figure.objects.get()
        assert (changed.name, changed.width) == ("a.png", 80)
        note.refresh_from_db()
        assert changed.path in note.html

    def test_take_drawings_and_moving_pictures(self):
        address = reverse("admin:notes_figure_add")
        self.upload(address, HOSTILE["script"][0], name="Plan.svg")
        self.upload(address, animation("GIF"), name="move.gif")
        assert set(Figure.objects.values_list("name", flat=True)) == {"plan.svg", "move.gif"}
        page = text_of(self.client.get(reverse("admin:notes_figure_changelist")))
        assert "40 × 20" in page

    def test_of_no_note_can_be_found(self):
        for name in ("used.png", "idle.png"):
            add_figure(encode(gradient(), "PNG"), name=name, alt="A" if name == "used.png" else "")
        make_note(title="Which shows it", source="![A](figures/used.png)\n")
        address = reverse("admin:notes_figure_changelist")
        for query, shown, hidden in (
            ("use=none", "idle.png", "used.png"),
            ("use=some", "used.png", "idle.png"),
            ("alt__isempty=1", "idle.png", "used.png"),
        ):
            page = text_of(self.client.get(f"{address}?{query}"))
            assert shown in page
            assert hidden not in page
        used = Figure.objects.get(name="used.png")
        page = text_of(self.client.get(reverse("admin:notes_figure_change", args=[used.pk])))
        assert "Which shows it" in page

    def test_say_which_files_are_missing_and_make_copies_anew(self):
        figure = add_figure(encode(photo(), "JPEG", quality=92), name="a.jpg")
        note = make_note(source="![A](figures/a.jpg)\n")
        change = reverse("admin:notes_figure_change", args=[figure.pk])
        changelist = reverse("admin:notes_figure_changelist")
        page = text_of(self.client.get(change))
        assert "image/webp at 640, 1000 pixels" in page
        assert "backup" not in page
        (media,) = [copy["path"] for copy in figure.variants if copy["path"].endswith("-640.webp")]
        (Path(settings.MEDIA_ROOT) / media).unlink()
        assert f"{media}. Make the copies anew" in text_of(self.client.get(change))
        assert media in text_of(self.client.get(changelist))
        Figure.objects.update(variants=[copy for copy in figure.variants if copy["path"] != media])

        action = {"action": "renew_copies", "_selected_action": [figure.pk]}
        page = text_of(self.client.post(changelist, action, follow=True))
        assert "Made the copies of one figure anew." in page
        assert Figure.objects.get().variants == figure.variants
        assert media in Note.objects.get(pk=note.pk).html
        assert missing_files(figure) == []

        (Path(settings.MEDIA_ROOT) / figure.path).unlink()
        assert "Replace the file, or bring it back" in text_of(self.client.get(change))
        page = text_of(self.client.post(changelist, action, follow=True))
        assert "“a.jpg” has no new copies: No such file" in page
        self.upload(change, encode(photo(), "JPEG", quality=92))
        assert missing_files(Figure.objects.get()) == []

    def test_leave_their_files_to_the_cleaning(self):
        figure = add_figure(encode(photo((1000, 703)), "JPEG", quality=92), name="a.jpg")
        files = [Path(settings.MEDIA_ROOT) / path for path in figure.files]
        delete_figure(figure)
        assert all(path.exists() for path in files)  # a public state may show them
        clean_up()
        assert all(path.exists() for path in files)  # or an upload may be on its way
        two_days_ago = time.time() - 2 * 24 * 3600
        for path in files:
            os.utime(path, (two_days_ago, two_days_ago))
        clean_up()
        assert not any(path.exists() for path in files)

    def test_are_listed_with_bounded_queries(self):
        for number in range(5):
            add_figure(encode(gradient(size=(10 + number, 10)), "PNG"), name="a.png")
        with self.assertNumQueries(7):
            self.client.get(reverse("admin:notes_figure_changelist"))

    def test_are_deleted_with_their_file_unknown_to_notes(self):
        figure = add_figure(encode(gradient(), "PNG"), name="a.png")
        note = make_note(source="![A](figures/a.png)\n")
        self.client.post(reverse("admin:notes_figure_delete", args=[figure.pk]), {"post": "yes"})
        note.refresh_from_db()
        assert any("a.png" in problem["message"] for problem in note.problems)


class ReferenceTests(AdminTestCase):
    entry = "@misc{smith2026,\n  title = {On Lag},\n  author = {Smith, Ada},\n  year = {2026},\n}\n"

    def add(self, bibtex: str) -> HttpResponse:
        address = reverse("admin:notes_reference_add")
        return self.client.post(address, self.fields_of(address, bibtex=bibtex))

    def test_are_read_from_their_entry(self):
        self.add(self.entry)
        reference = Reference.objects.get()
        assert (reference.key, reference.title, reference.year) == ("smith2026", "On Lag", "2026")
        assert "smith2026" in text_of(self.client.get(reverse("admin:notes_reference_changelist")))

    def test_name_the_line_of_a_broken_entry(self):
        response = self.add("@misc{smith2026, title = {On Lag\n")
        assert response.status_code == 200
        assert "Line 1 of the entry cannot be read" in text_of(response)

    def test_never_take_the_place_of_another_with_the_same_key(self):
        save_reference(self.entry)
        response = self.add(self.entry.replace("On Lag", "Something else"))
        assert "Another reference has the key “smith2026”." in text_of(response)
        assert Reference.objects.get().title == "On Lag"

    def test_leave_a_redirect_when_their_key_changes(self):
        reference = save_reference(self.entry)
        address = reverse("admin:notes_reference_change", args=[reference.pk])
        bibtex = self.entry.replace("smith2026", "smith2027")
        self.client.post(address, self.fields_of(address, bibtex=bibtex))
        assert Redirect.objects.get().target == "smith2027"

    def test_take_a_retired_key_when_the_box_is_ticked(self):
        Redirect.objects.leave(Redirect.Kind.REFERENCE, "smith2026", "smith2027")
        address = reverse("admin:notes_reference_add")
        fields = self.fields_of(address, bibtex=self.entry)
        response = self.client.post(address, fields)
        assert "Give the earlier address to this one all the same" in text_of(response)
        assert self.client.post(address, fields | {"take_retired_slug": "on"}).status_code == 302
        assert Reference.objects.get().key == "smith2026"

    def test_overwrite_nothing_that_was_saved_after_the_form_looked(self):
        reference = save_reference(self.entry)
        address = reverse("admin:notes_reference_change", args=[reference.pk])
        fields = self.fields_of(address, bibtex=self.entry.replace("On Lag", "Mine"))
        clean = ReferenceForm.clean

        def clean_and_lose_the_race(form):
            cleaned = clean(form)
            save_reference(self.entry.replace("On Lag", "Theirs"))
            return cleaned

        with mock.patch.object(ReferenceForm, "clean", clean_and_lose_the_race):
            self.client.post(address, fields)
        assert Reference.objects.get().title == "Theirs"

    def test_reach_the_notes_when_they_are_deleted(self):
        reference = save_reference(self.entry)
        note = make_note(about=["smith2026"])
        address = reverse("admin:notes_reference_delete", args=[reference.pk])
        self.client.post(address, {"post": "yes"})
        note.refresh_from_db()
        assert note.about_cards == []

from datetime import timedelta
from typing import Any

from bs4 import BeautifulSoup
from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone

from notes.models import Note
from notesite.models import Redirect, Site
from series.models import ReadingPath
from series.publishing import save_path
from tests.factories import make_note, make_path
from tests.notes.admin_case import AdminTestCase, text_of

LIST = reverse("admin:series_readingpath_changelist")
ADD = reverse("admin:series_readingpath_add")


def address_of(path: ReadingPath) -> str:
    return reverse("admin:series_readingpath_change", args=[path.pk])


class PathFormTests(AdminTestCase):
    def setUp(self):
        super().setUp()
        self.notes = [make_note(title=title) for title in "ABC"]
        self.path = make_path(*self.notes, bridges=["to A", "to B", "to C"])

    def save(self, **changes: Any) -> HttpResponse:
        address = address_of(self.path)
        return self.client.post(address, self.fields_of(address, **changes))

    def new_step(self, number: int, note: Note, **fields: Any) -> dict[str, Any]:
        values = {"id": "", "path": self.path.pk, "note": note.pk, "position": "", "bridge": ""}
        return {f"steps-{number}-{name}": value for name, value in (values | fields).items()} | {
            "steps-TOTAL_FORMS": number + 1
        }

    def steps(self) -> list[str]:
        return [step.note.title for step in self.path.steps.order_by("position")]

    def test_sent_as_it_came_changes_nothing(self):
        before = list(self.path.steps.values())
        self.save()
        assert list(self.path.steps.values()) == before

    def test_orders_the_steps_by_their_numbers(self):
        self.save(**{"steps-2-position": 1})
        assert self.steps() == ["C", "A", "B"]
        self.save(**{"steps-0-position": 3})
        assert self.steps() == ["A", "B", "C"]
        positions = self.path.steps.order_by("position").values_list("position", flat=True)
        assert list(positions) == [1, 2, 3]

    def test_keeps_each_bridge_with_its_note(self):
        self.save(**{"steps-0-position": 9, "steps-0-bridge": "to A, *later*"})
        last = self.path.steps.order_by("position").last()
        assert (last.note.title, last.bridge) == ("A", "to A, *later*\n")
        assert "<em>later</em>" in last.bridge_html

    def test_adds_a_step_where_its_number_says(self):
        self.save(**self.new_step(3, make_note(title="D"), position=2, bridge="to D"))
        assert self.steps() == ["A", "B", "D", "C"]
        self.save(**self.new_step(4, make_note(title="E")))
        assert self.steps() == ["A", "B", "D", "C", "E"]

    def test_ignores_an_empty_step_whatever_its_number(self):
        empty = self.new_step(3, self.notes[0], position=2) | {"steps-3-note": ""}
        response = self.save(**empty)
        assert response.status_code == 302
        assert self.steps() == ["A", "B", "C"]

    def test_removes_a_step_and_renumbers(self):
        self.save(**{"steps-0-DELETE": "on"})
        assert self.steps() == ["B", "C"]
        assert self.path.steps.get(note=self.notes[1]).position == 1

    def test_refuses_a_note_twice_and_keeps_what_was_typed(self):
        response = self.save(**self.new_step(3, self.notes[0], bridge="once more"))
        assert response.status_code == 200
        assert "once more" in response.content.decode()
        assert self.steps() == ["A", "B", "C"]

    def test_writes_path_and_steps_at_once(self):
        before = Site.objects.current().revision
        version = ReadingPath.objects.get(pk=self.path.pk).version
        self.save(title="New title", **{"steps-2-position": 1})
        assert Site.objects.current().revision == before + 1
        assert ReadingPath.objects.get(pk=self.path.pk).version == version + 1

    def test_overwrites_no_newer_version(self):
        mine = self.fields_of(address_of(self.path), description="MINE\n")
        theirs = ReadingPath.objects.get(pk=self.path.pk)
        theirs.description = "THEIRS\n"
        save_path(theirs)
        response = self.client.post(address_of(self.path), mine)
        page = BeautifulSoup(response.content, "html.parser")
        assert "MINE" in page.select_one("#id_description").text
        assert "THEIRS" in page.select_one(".stored-text").text
        version = ReadingPath.objects.get(pk=self.path.pk).version
        self.client.post(address_of(self.path), mine | {"keep_mine": version})
        assert ReadingPath.objects.get(pk=self.path.pk).description == "MINE\n"

    def test_shows_how_the_steps_differ_from_newer_ones(self):
        mine = self.fields_of(address_of(self.path), **{"steps-0-bridge": "MY WAY TO A"})
        a, b, c = self.notes
        save_path(ReadingPath.objects.get(pk=self.path.pk), [(a, "THEIR WAY"), (c, ""), (b, "")])
        page = BeautifulSoup(self.client.post(address_of(self.path), mine).content, "html.parser")
        assert page.select_one(".conflict h3").text == "Steps"
        mine_only = [line.text for line in page.select(".difference ins")]
        theirs_only = [line.text for line in page.select(".difference del")]
        assert "mine | MY WAY TO A" in mine_only
        assert "stored | THEIR WAY" in theirs_only
        assert "stored | 2. C" in theirs_only

    def test_keeps_mine_after_somebody_took_a_step_away(self):
        mine = self.fields_of(address_of(self.path), **{"steps-1-bridge": "MINE"})
        save_path(ReadingPath.objects.get(pk=self.path.pk), [(self.notes[0], "to A")])
        page = BeautifulSoup(self.client.post(address_of(self.path), mine).content, "html.parser")
        assert "MINE" in page.select_one(".difference").text
        version = ReadingPath.objects.get(pk=self.path.pk).version
        response = self.client.post(address_of(self.path), mine | {"keep_mine": version})
        assert response.status_code == 302
        assert self.steps() == ["A", "B", "C"]
        assert self.path.steps.get(note=self.notes[1]).bridge == "MINE\n"

    def test_makes_a_path_with_steps(self):
        data = self.fields_of(ADD, title="Another way", line="Why.")
        data |= self.new_step(0, self.notes[2], path="") | {"steps-TOTAL_FORMS": 1}
        self.client.post(ADD, data)
        path = ReadingPath.objects.get(slug="another-way")
        assert path.state == "draft"
        assert [step.note for step in path.steps.all()] == [self.notes[2]]

    def test_publishes_by_a_date_in_the_zone_of_the_site(self):
        day = (timezone.now() + timedelta(days=2)).date()
        self.save(published_at=f"{day}T09:00")
        self.path.refresh_from_db()
        assert self.path.state == "scheduled"
        assert self.path.published_at.isoformat() == f"{day}T00:00:00+00:00"
        self.save(published_at="")
        self.path.refresh_from_db()
        assert self.path.state == "draft"

    def test_leaves_a_redirect_when_it_is_renamed(self):
        old = self.path.slug
        self.save(slug="renamed")
        assert Redirect.objects.get(slug=old).target == "renamed"

    def test_says_which_steps_readers_do_not_see(self):
        draft = make_note(title="Hidden", published_at=None)
        save_path(ReadingPath.objects.get(pk=self.path.pk), [(draft, "")])
        assert "Hidden (draft)" in text_of(self.client.get(address_of(self.path)))

    def test_takes_the_same_queries_for_any_number_of_steps(self):
        with self.assertNumQueries(7):
            self.client.get(address_of(self.path))
        notes = [make_note() for _ in range(30)]
        save_path(ReadingPath.objects.get(pk=self.path.pk), [(note, "") for note in notes])
        with self.assertNumQueries(7):
            self.client.get(address_of(self.path))

    def test_offers_notes_by_their_title_but_none_from_the_trash(self):
        make_note(title="A needle")
        make_note(title="A needle in the trash", trashed=True)
        query = {"term": "needle", "app_label": "series", "model_name": "step"}
        address = reverse("admin:autocomplete")
        answer = self.client.get(address, query | {"field_name": "note"}).json()
        assert [result["text"] for result in answer["results"]] == ["A needle"]


class PathListTests(AdminTestCase):
    def test_shows_state_and_steps(self):
        make_path(make_note(), make_note(), title="The way")
        text = text_of(self.client.get(LIST))
        assert "The way" in text
        assert "published" in text

    def test_puts_the_paths_in_order(self):
        paths = [make_path(make_note(), title=title) for title in "ABC"]
        data: dict[str, Any] = {
            "form-TOTAL_FORMS": 3,
            "form-INITIAL_FORMS": 3,
            "_save": "Save",
        }
        for number, (path, place) in enumerate(zip(paths, (3, 2, 1), strict=True)):
            data |= {f"form-{number}-id": path.pk, f"form-{number}-position": place}
        assert self.client.post(LIST, data).status_code == 302
        ordered = ReadingPath.objects.order_by("position")
        assert [path.title for path in ordered] == ["C", "B", "A"]
        assert all(path.steps.count() == 1 for path in ordered)

    def test_deletion_means_the_trash_and_there_is_a_way_back(self):
        path = make_path(make_note())
        address = reverse("admin:series_readingpath_delete", args=[path.pk])
        assert "within thirty days" in text_of(self.client.get(address))
        self.client.post(address, {"post": "yes"})
        path.refresh_from_db()
        assert path.state == "trash"
        assert "0 results" in text_of(self.client.get(LIST + "?q=Path"))
        data = {"action": "restore", "_selected_action": [path.pk], "index": 0}
        self.client.post(LIST + "?state=trash", data)
        path.refresh_from_db()
        assert path.state == "published"
        assert path.steps.count() == 1

    def test_takes_bounded_queries(self):
        for _ in range(5):
            make_path(make_note())
        with self.assertNumQueries(7):
            self.client.get(LIST)

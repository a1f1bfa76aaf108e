"""The page that adds many references: look first, then save what was chosen."""

import time

import pytest
from bs4 import BeautifulSoup
from django.contrib.admin.models import LogEntry
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from notes.models import Note, Reference
from notes.publishing import add_references, plan_references, save_reference
from notesite.models import Redirect, Site
from notesite.publishing import save_site
from tests.factories import make_note
from tests.notes.admin_case import AdminTestCase, text_of

ADDRESS = "/admin/notes/reference/add-many/"
LAG = (
    "@article{lag,\n  title = {On {Lag}},\n  author = {Müller, A.},\n  year = {2020},\n"
    "  doi = {10.1/lag},\n}\n"
)
BROKEN = "@misc{broken,\n  title = {x}\n  year = 2000\n}\n"


def many(number: int, said: str = "A") -> str:
    return "\n".join(
        f"@misc{{many{n},\n  title = {{{said} {n}}},\n  year = {{2020}},\n}}\n"
        for n in range(number)
    )


def statuses(text: str) -> list[str]:
    return [item.status.value for item in plan_references(text).items]


class Planning(AdminTestCase):
    def test_tells_what_would_happen_with_each(self):
        save_reference(LAG)
        text = "\n".join(
            [
                LAG,
                LAG.replace("2020", "2021"),
                "@misc{new, title = {New}}",
                "@misc{new, title = {New}}",
                "@misc{new, title = {Newer}}",
            ]
        )
        assert statuses(text) == ["same", "twice", "new", "again", "twice"]
        assert statuses(LAG.replace("2020", "2021")) == ["differs"]
        assert Reference.objects.count() == 1

    def test_order_and_white_space_are_no_difference(self):
        save_reference(LAG)
        assert statuses(
            '@Article { lag, year = 2020, Author="Müller, A.", doi={10.1/lag}, title={On\n {Lag}}}'
        ) == ["same"]

    def test_names_the_fields_that_differ(self):
        save_reference(LAG)
        (item,) = plan_references(LAG.replace("2020", "2021").replace("@article", "@misc")).items
        assert [(one.name, one.before, one.after) for one in item.changes] == [
            ("@", "article", "misc"),
            ("year", "2020", "2021"),
        ]

    def test_finds_the_same_work_under_another_key(self):
        save_reference(LAG)
        save_reference("@misc{attention, title = {Attention}, eprint = {1706.03762}}")
        for like, reason in (
            ("@misc{x, title = {Other}, doi = {https://doi.org/10.1/LAG}}", "DOI 10.1/lag"),
            ("@misc{x, title = {on lag!}, author = {A. M{\\\"u}ller and B. C}, year = 2020}",
             "title, year and first author"),
            ("@misc{x, journal = {arXiv preprint arXiv:1706.03762v7}}", "arXiv 1706.03762"),
            ("@misc{x, doi = {10.48550/arXiv.1706.03762}}", "arXiv 1706.03762"),
        ):  # fmt: skip
            (item,) = plan_references(like).items
            assert (item.status, item.reason) == ("like", reason), like
            assert item.choices[0] == "leave"

    def test_another_author_or_year_makes_another_work(self):
        save_reference(LAG)
        for other in ("author = {B. Smith}, year = 2020", "author = {A. Müller}, year = 2021"):
            assert statuses(f"@misc{{x, title = {{On Lag}}, {other}}}") == ["new"]

    def test_one_title_by_many_authors_costs_one_look_at_each(self):
        text = "\n".join(
            f"@misc{{k{n}, title = {{Same}}, year = 2000, author = {{A. B{n}}}}}"
            for n in range(1_000)
        )
        started = time.process_time()
        assert set(statuses(text)) == {"new"}
        assert time.process_time() - started < 4

    def test_finds_the_same_work_in_the_text_itself(self):
        text = "@misc{a, title={A}, doi={10.1/a}}\n@misc{b, title={B}, doi={10.1/a}}"
        (_first, second) = plan_references(text).items
        assert (second.status, second.other.key, second.other_line) == ("like", "a", 1)

    def test_an_earlier_key_is_not_taken(self):
        reference = save_reference(LAG)
        save_reference(LAG.replace("{lag,", "{late,"), replaces=reference)
        (failure,) = plan_references("@misc{lag, title = {Another}}").failures
        assert "leads to late" in failure.message

    def test_takes_two_queries_for_any_number(self):
        add_references(many(30), {})
        for text in (many(1), many(300, "B")):
            with self.assertNumQueries(2):
                plan_references(text)


class Adding(AdminTestCase):
    def look(self, text: str, **more):
        return self.client.post(ADDRESS, {"text": text, "look": "yes"} | more)

    def choose(self, response, **choices):
        page = BeautifulSoup(response.content, "html.parser")
        fields = {"text": page.select_one("textarea").text.removeprefix("\n"), "save": "yes"}
        fields["seen"] = page.select_one("[name=seen]")["value"]
        for radio in page.select("input[type=radio][checked]"):
            fields[radio["name"]] = radio["value"]
        fields |= {name.replace("_", "-"): value for name, value in choices.items()}
        return self.client.post(ADDRESS, fields, follow=True)

    def test_is_led_to_from_the_list_and_the_form(self):
        for name in ("changelist", "add"):
            page = self.client.get(reverse(f"admin:notes_reference_{name}"))
            self.assertContains(page, f'href="{ADDRESS}"')

    def test_saves_nothing_before_one_has_looked(self):
        response = self.look(LAG)
        assert "New (1)" in text_of(response)
        assert not Reference.objects.exists()

    def test_saves_what_is_new_and_says_how_many(self):
        response = self.choose(self.look(f"{LAG}\n@misc{{b, title = {{B}}}}"), choice_2="leave")
        assert list(Reference.objects.values_list("key", "title", "version")) == [
            ("lag", "On Lag", 1)
        ]
        assert "References added: 1; replaced: 0; there already: 0; left as they were: 1." in (
            text_of(response)
        )
        assert LogEntry.objects.count() == 1

    def test_keeps_the_stored_one_unless_told_otherwise(self):
        save_reference(LAG)
        changed = LAG.replace("2020", "2021")
        self.choose(self.look(changed))
        assert Reference.objects.get().year == "2020"
        self.choose(self.look(changed), choice_1="replace-1")
        reference = Reference.objects.get()
        assert (reference.year, reference.version) == ("2021", 2)
        assert reference.bibtex == changed

    def test_what_somebody_saved_meanwhile_is_not_overwritten(self):
        reference = save_reference(LAG)
        response = self.look(LAG.replace("2020", "2021") + "\n@misc{b, title={B}}")
        save_reference(LAG.replace("2020", "2022"), replaces=reference)
        response = self.choose(response, choice_1="replace-1")
        assert "was saved by somebody meanwhile" in text_of(response)
        assert [one.year for one in Reference.objects.all()] == ["2022"]

    def test_a_text_that_was_changed_is_looked_at_once_more(self):
        response = self.client.post(
            ADDRESS, {"text": LAG, "seen": "another", "save": "yes", "choice-1": "add"}
        )
        assert "The text has changed since." in text_of(response)
        assert not Reference.objects.exists()

    def test_a_broken_one_stays_in_the_text_and_stops_nobody(self):
        strings = "@string{x = {X}}"
        response = self.choose(self.look(f"{strings}\n{LAG}\n{BROKEN}"))
        assert Reference.objects.get().key == "lag"
        page = BeautifulSoup(response.content, "html.parser")
        kept = page.select_one("textarea").text.strip()
        assert kept == f"{strings}\n\n{BROKEN.strip()}"
        assert "1 entry could not be read; it still stands below." in text_of(response)
        assert "A comma is missing behind the field “title”." in text_of(response)

    def test_the_later_of_two_with_one_key_is_taken_if_chosen(self):
        text = "@misc{a, title={One}}\n@misc{a, title={Two}}"
        response = self.choose(self.look(text), choice_2="add")
        assert Reference.objects.get().title == "Two"
        assert "References added: 1; replaced: 0" in text_of(response)

    def test_takes_a_file(self):
        for data in (LAG.encode(), LAG.encode("utf-8-sig"), LAG.replace("\n", "\r\n").encode(),
                     LAG.encode("utf-16")):  # fmt: skip
            response = self.look("@misc{b, title = {B}}", file=SimpleUploadedFile("a.bib", data))
            assert "New (2)" in text_of(response)
            page = BeautifulSoup(response.content, "html.parser")
            assert page.select_one("textarea").text.strip().endswith(LAG.strip())

    def test_a_file_in_latin_1_is_refused_with_its_line(self):
        file = SimpleUploadedFile("a.bib", LAG.encode("latin-1"))
        response = self.look("@misc{b, title = {B}}", file=file)
        assert "This file isn't in UTF-8: line 3 holds" in text_of(response)
        assert "@misc{b" in response.text

    def test_too_much_is_refused_and_comes_back(self):
        response = self.look(many(2001))
        assert "At most 2,000 entries are added at once." in text_of(response)
        assert "many2000" in response.text
        big = SimpleUploadedFile("a.bib", b" " * (5 * 1024 * 1024 + 1))
        assert "larger than 5 MB" in text_of(self.look("", file=big))
        assert "Paste entries, or choose a file." in text_of(self.look(" "))
        assert "There is no entry in this text." in text_of(self.look("Hello"))

    def test_what_is_pasted_is_shown_as_text(self):
        response = self.look("@misc{a, title={<script>alert(1)</script>}}\n@misc{<b>x, t={}")
        assert "<script>alert" not in response.text
        assert "<b>x" not in response.text

    def test_is_for_those_who_may_add_references(self):
        self.author.groups.clear()
        assert self.client.get(ADDRESS).status_code == 403
        assert self.look(LAG).status_code == 403


class Rendering(AdminTestCase):
    def test_notes_show_what_a_batch_changed(self):
        note = make_note(source="As [@lag] says.\n")
        about = make_note(about=["lag"])
        add_references(LAG, {})
        note.refresh_from_db()
        about.refresh_from_db()
        assert "On Lag" in note.html
        assert about.about_cards[0]["title"] == "On Lag"

    def test_short_texts_show_what_a_batch_changed(self):
        save_reference(LAG)
        site = Site.objects.get()
        site.intro = "As [@lag] says.\n"
        save_site(site)
        add_references(LAG.replace("Müller", "Smith"), {1: "replace-1"})
        assert "Smith" in Site.objects.get().intro_html

    def test_a_redirect_is_not_left_by_a_replacement(self):
        save_reference(LAG)
        add_references(LAG.replace("2020", "2021"), {1: "replace-1"})
        assert not Redirect.objects.exists()

    def test_many_notes_are_marked_once_and_rendered_later(self):
        add_references(many(100), {})
        notes = [make_note(source=f"[@many{n}] [@many{n + 1}]\n") for n in range(60)]
        text = many(100, "B")
        chosen = dict.fromkeys(range(1, 101), "replace-1")
        with CaptureQueriesContext(
            connection,
        ) as queries:
            add_references(text, chosen)
        assert len(queries) < 30
        assert Note.objects.exclude(stale_at=None).count() == len(notes)


@pytest.mark.parametrize("number", [1, 400])
def test_adding_takes_few_queries_for_any_number(db, number):
    text = many(number)
    with CaptureQueriesContext(connection) as queries:
        add_references(text, {})
    assert len(queries) <= 20
    assert Reference.objects.count() == number

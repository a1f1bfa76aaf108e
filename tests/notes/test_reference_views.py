"""/references/: what public notes cite or are about."""

from urllib.parse import quote

from django.test import TestCase

from notes.models import Reference
from notes.publishing import delete_reference, save_reference
from tests.factories import make_many_notes, make_note


def make_reference(key, **fields):
    values = {"title": f"The work {key}", "author": "Smith, Ada", "year": "2020"} | fields
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in values.items())
    return save_reference(f"@article{{{key},\n{lines}}}\n")


class ReferenceListTests(TestCase):
    def test_names_what_public_notes_use_and_nothing_else(self):
        for key in ("cited", "about", "drafted", "unused"):
            make_reference(key)
        make_note(source="[@cited] [@nobody]\n", about=["about", "cited"])
        make_note(source="[@cited]\n")
        make_note(source="[@drafted]\n", published_at=None)
        page = self.client.get("/references/")
        found = [(one.key, one.note_count) for one in page.context["page"]]
        assert found == [("about", 1), ("cited", 2)]
        self.assertContains(page, '<a href="/references/cited/" dir="auto">The work cited</a>')
        self.assertContains(page, "Ada Smith, 2020")

    def test_says_so_where_nothing_is_cited(self):
        self.assertContains(self.client.get("/references/"), "No note cites anything yet.")

    def test_is_paged(self):
        keys = [f"key{number:03}" for number in range(61)]
        for key in keys:
            Reference.objects.create(key=key, bibtex=f"@misc{{{key}}}", entry_type="misc")
        make_note(source=" ".join(f"[@{key}]" for key in keys))
        assert len(self.client.get("/references/").context["page"]) == 60
        assert [one.key for one in self.client.get("/references/page/2/").context["page"]] == keys[
            60:
        ]
        assert self.client.get("/references/page/3/").status_code == 404
        response = self.client.get("/references/page/1/")
        assert (response.status_code, response["Location"]) == (301, "/references/")

    def test_takes_the_same_queries_for_any_number(self):
        for number in range(30):
            make_reference(f"key{number}")
            make_note(source=f"[@key{number}]\n")
            if number in (0, 29):
                with self.assertNumQueries(3):
                    self.client.get("/references/")


class ReferenceDetailTests(TestCase):
    def test_shows_the_work_and_the_notes_that_use_it(self):
        make_reference("smith", journal="Birds", url="https://example.org/birds")
        citing = make_note(source="[@smith]\n")
        about = make_note(about=["smith"])
        other = make_note()
        page = self.client.get("/references/smith/")
        for words in ("The work smith", "Ada Smith", "Birds", 'href="https://example.org/birds"'):
            self.assertContains(page, words)
        assert list(page.context["page"]) == [about, citing]
        assert other.title not in page.text

    def test_no_page_without_a_public_note(self):
        make_reference("unused")
        make_reference("drafted")
        make_note(source="[@drafted]\n", published_at=None)
        missing = self.client.get("/references/nobody/")
        for key in ("unused", "drafted", "Unused", "a b", "a%00b", "x" * 101):
            response = self.client.get(f"/references/{key}/")
            assert response.status_code == 404, key
            assert response.content == missing.content

    def test_keys_are_percent_encoded(self):
        for key in ("a/b:c+d", "größe_2020", "doe.2020", "q?x&y"):
            reference = make_reference(key)
            make_note(source=f"[@{key}]\n")
            for address in (reference.get_absolute_url(), f"/references/{quote(key, safe='')}/"):
                assert self.client.get(address).status_code == 200, address

    def test_a_former_key_leads_to_the_new_one(self):
        reference = make_reference("first")
        make_note(source="[@second]\n")
        save_reference(reference.bibtex.replace("first", "second"), replaces=reference)
        response = self.client.get("/references/first/")
        assert (response.status_code, response["Location"]) == (301, "/references/second/")
        assert self.client.get("/references/second/").status_code == 200

    def test_a_former_key_of_what_no_public_note_uses_leads_nowhere(self):
        reference = make_reference("first")
        make_note(source="[@second]\n", published_at=None)
        save_reference(reference.bibtex.replace("first", "second"), replaces=reference)
        assert self.client.get("/references/first/").status_code == 404

    def test_a_deleted_one_is_not_there(self):
        reference = make_reference("first")
        make_note(source="[@first]\n")
        delete_reference(reference)
        assert self.client.get("/references/first/").status_code == 404

    def test_an_address_that_runs_is_no_link(self):
        make_reference("bad", url="javascript:alert(1)", code="javascript:alert(2)")
        note = make_note(source="[@bad]\n", about=["bad"])
        for address in ("/references/bad/", "/references/", note.get_absolute_url(), "/"):
            assert "javascript:" not in self.client.get(address).text

    def test_takes_the_same_queries_for_any_number_and_is_paged(self):
        make_reference("smith")
        make_note(about=["smith"])
        with self.assertNumQueries(5):
            self.client.get("/references/smith/")
        for note in make_many_notes(65):
            note.mentions.create(kind="reference", name="smith")
        with self.assertNumQueries(5):
            assert len(self.client.get("/references/smith/").context["page"]) == 60
        assert len(self.client.get("/references/smith/page/2/").context["page"]) == 6
        assert self.client.get("/references/smith/page/1/").status_code == 301
        assert self.client.get("/references/smith/page/3/").status_code == 404

    def test_lists_and_notes_lead_here(self):
        make_reference("smith")
        note = make_note(source="[@smith]\n")
        self.assertContains(self.client.get(note.get_absolute_url()), 'href="/references/smith/"')
        self.assertContains(self.client.get("/"), 'href="/references/"')

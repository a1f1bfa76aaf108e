"""What notes cite: handed to the rendering, kept up to date; what notes say of each other."""

import pytest
from django.test import TestCase

from notes.citing import citable
from notes.models import Mention, Note
from notes.publishing import delete_reference, save_note, save_reference
from notesite.models import Site
from notesite.publishing import save_site
from tests.factories import make_note

BIRDS = """@article{smith2020,
  author = {van der Berg, Ada and M{\\"u}ller, Bo and others},
  title = {On {B}irds},
  journal = {Journal of Birds},
  year = {2020},
  doi = {https://doi.org/10.1234/birds},
}
"""


class Rendering(TestCase):
    def test_a_note_shows_what_it_cites(self):
        save_reference(BIRDS)
        page = self.client.get(make_note(source="As [@smith2020, p. 3] says.\n").get_absolute_url())
        self.assertContains(page, 'href="#c-smith2020">van der Berg et al. 2020</a>, p. 3)')
        self.assertContains(page, "van der Berg, Ada, Bo Müller and others (2020).")
        self.assertContains(page, '<a href="/references/smith2020/"><cite>On Birds</cite></a>')
        self.assertContains(page, '<a href="https://doi.org/10.1234/birds">doi:10.1234/birds</a>')

    def test_a_reference_reaches_the_notes_that_looked_for_it_in_vain(self):
        note = make_note(source="See [@smith2020] and @jones.\n")
        assert [one["code"] for one in note.problems] == ["unknown-citation"]
        save_reference(BIRDS)
        save_reference(BIRDS.replace("smith2020", "jones"))
        note = Note.objects.get(pk=note.pk)
        assert note.problems == []
        assert 'href="#c-smith2020"' in note.html
        assert 'href="#c-jones"' in note.html

    def test_a_deleted_reference_leaves_the_authors_text(self):
        reference = save_reference(BIRDS)
        note = make_note(source="See [@smith2020].\n")
        delete_reference(reference)
        note = Note.objects.get(pk=note.pk)
        assert "[@smith2020]" in note.html
        assert [(one["code"], one["line"]) for one in note.problems] == [("unknown-citation", 1)]

    def test_the_sites_style_is_that_of_every_note(self):
        save_site(Site.objects.current())
        save_reference(BIRDS)
        note = make_note(source="See [@smith2020].\n")
        site = Site.objects.current()
        site.citation_style = "numbered"
        save_site(site)
        assert 'href="#c-smith2020">1</a>]' in Note.objects.get(pk=note.pk).html

    def test_references_are_asked_for_once_however_many_keys_there_are(self):
        save_reference(BIRDS)
        note = make_note(source=" ".join(f"@key{number}" for number in range(2_000)))
        note.source += "\n\n[@smith2020]\n"
        save_note(note)
        assert 'href="#c-smith2020"' in note.html


@pytest.mark.parametrize(
    ("bibtex", "families", "container"),
    [
        ("@misc{a, author = {Guido van Ross}, eprint = {2001.1}}", ("van Ross",), "arXiv:2001.1"),
        ("@misc{a, author = {{The Alan Turing Institute}}}", ("The Alan Turing Institute",), ""),
        ("@book{a, editor = {Erd{\\H o}s, P. and 张三}, publisher = {X}}", ("Erdős", "张三"), "X"),
        ("@inproceedings{a, author = {A B}, booktitle = {Proc}, publisher = {X}}", ("B",), "Proc"),
        ("@misc{a, title = {Nobody}}", (), ""),
    ],
)  # fmt: skip
def test_names_and_places_are_read_from_the_record(db, bibtex, families, container):
    entry = citable(save_reference(bibtex))
    assert (entry.families, entry.container) == (families, container)


class Backlinks(TestCase):
    def test_say_the_sentence_around_the_link(self):
        other = make_note(slug="other")
        note = make_note(source="First. It is told in [[other|another note]]. Last.\n", dek="Dek")
        page = self.client.get(other.get_absolute_url()).text
        assert '<span class="line-below">It is told in another note.</span>' in page
        note.source = "Now [[other]] says so.\n"
        save_note(note)
        assert "Now other says so." in self.client.get(other.get_absolute_url()).text

    def test_survive_a_new_address_of_what_they_link_to(self):
        other = make_note(slug="first")
        make_note(source="It is told in [[first|another note]].\n")
        other.slug = "second"
        save_note(other)
        assert "It is told in another note." in self.client.get("/notes/second/").text

    def test_a_draft_says_nothing(self):
        other = make_note(slug="other")
        make_note(source="A secret about [[other]].\n", published_at=None)
        assert "A secret" not in self.client.get(other.get_absolute_url()).text

    def test_are_written_once_for_each_note(self):
        note = make_note(source="[[a]] and [[a]] and [b](/notes/b/).\n")
        before = {(one.pk, one.sentence) for one in Mention.objects.all()}
        save_note(note)
        assert {(one.pk, one.sentence) for one in Mention.objects.all()} == before
        assert len(before) == 2

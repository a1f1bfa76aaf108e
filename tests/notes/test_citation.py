"""A note's own citation, in every form, at its address and in the page's head."""

import json
from datetime import UTC, datetime

import pytest
from bibtexparser import parse_string
from bs4 import BeautifulSoup
from django.test import TestCase

from notes.citation import Author, citation_of
from notes.models import Note
from notes.publishing import save_note, trash
from notesite.models import Site
from notesite.publishing import save_site
from tests.factories import make_note, make_topic

FIRST = datetime(2026, 3, 5, 9, tzinfo=UTC)


def published(**fields):
    defaults = {
        "slug": "lag",
        "key": "lovelace2026lag",
        "title": "Lag & drift: 100 % of {it}",
        "dek": "What lag costs.",
        "authors": [
            {"name": "Ada Lovelace", "orcid": "0000-0002-1825-0097"},
            {"name": "Guido van Rossum"},
            {"name": "The Lag Group", "organisation": True},
        ],
        "doi": "10.1234/lag_1",
        "published_at": FIRST,
    }
    return make_note(**defaults | fields)


@pytest.mark.parametrize(
    ("byline", "author"),
    [
        ({"name": "Ada Lovelace"}, Author("Lovelace", "Ada")),
        ({"name": "Guido van Rossum"}, Author("van Rossum", "Guido")),
        ({"name": "The Lag Group", "organisation": True}, Author("The Lag Group")),
        ({"name": "Plato"}, Author("Plato")),
        ({"name": "张浩"}, Author("张浩")),
        ({"name": "José Ortega y Gasset"}, Author("y Gasset", "José Ortega")),
        ({"name": "{odd} name}"}, Author("{odd} name}")),
    ],
)
def test_a_byline_is_taken_apart_as_bibtex_does(byline, author):
    assert Author.of(byline) == author


class CitationTests(TestCase):
    @classmethod
    def setUpTestData(cls):
        save_site(Site(name="Research notes", author="Hao Zhang", time_zone="Asia/Shanghai"))
        cls.note = published(topics=[make_topic(name="Systems")])

    def get(self, ending):
        return self.client.get(f"/notes/lag{ending}")

    def test_bibtex_is_read_back_whole(self):
        response = self.get(".bib")
        assert response["Content-Type"] == "application/x-bibtex; charset=utf-8"
        (entry,) = parse_string(response.content.decode()).entries
        assert (entry.entry_type, entry.key) == ("misc", "lovelace2026lag")
        fields = {field.key: field.value for field in entry.fields}
        assert fields["author"] == "Lovelace, Ada and van Rossum, Guido and {The Lag Group}"
        assert fields["title"] == r"{Lag \& drift: 100 \% of \{it\}}"
        assert (fields["year"], fields["month"]) == ("2026", "mar")
        assert fields["doi"] == "10.1234/lag_1"
        assert fields["url"].endswith("/notes/lag/")

    def test_ris_has_its_lines_in_order_and_ends(self):
        response = self.get(".ris")
        assert response["Content-Type"].startswith("application/x-research-info-systems")
        lines = response.content.decode().split("\r\n")
        assert lines[0] == "TY  - BLOG"
        assert lines[-2:] == ["ER  - ", ""]
        assert [line[6:] for line in lines if line.startswith("AU")] == [
            "Lovelace, Ada", "van Rossum, Guido", "The Lag Group",
        ]  # fmt: skip
        assert "DA  - 2026/03/05/" in lines

    def test_csl_says_the_same(self):
        response = self.get(".csl.json")
        (item,) = json.loads(response.content)
        assert item["type"] == "post-weblog"
        assert item["title"] == self.note.title
        assert item["author"][2] == {"literal": "The Lag Group"}
        assert item["issued"] == {"date-parts": [[2026, 3, 5]]}
        assert item["DOI"] == "10.1234/lag_1"

    def test_the_page_shows_it_and_says_it_in_its_head(self):
        soup = BeautifulSoup(self.get("/").content, "html.parser")
        text = soup.select_one(".cite-text").get_text()
        assert text == (
            "Ada Lovelace, Guido van Rossum, The Lag Group (2026). Lag & drift: 100 % of {it}. "
            "Research notes. https://doi.org/10.1234/lag_1"
        )
        said = [(tag["name"], tag["content"]) for tag in soup.select("meta[name^=citation_]")]
        assert ("citation_title", self.note.title) in said
        assert ("citation_author", "Lovelace, Ada") in said
        assert ("citation_publication_date", "2026/03/05") in said
        assert ("citation_doi", "10.1234/lag_1") in said
        assert ("citation_keywords", "Systems") in said
        links = {link["href"] for link in soup.select(".cite-files a")}
        assert links == {f"/notes/lag{ending}" for ending in (".bib", ".ris", ".csl.json", ".md")}

    def test_dates_are_those_of_the_sites_zone(self):
        published(slug="late", key="late", published_at=datetime(2026, 3, 5, 20, tzinfo=UTC))
        (item,) = json.loads(self.client.get("/notes/late.csl.json").content)
        assert item["issued"] == {"date-parts": [[2026, 3, 6]]}

    def test_the_sites_author_stands_in(self):
        published(slug="bare", key="bare", authors=[])
        (item,) = json.loads(self.client.get("/notes/bare.csl.json").content)
        assert item["author"] == [{"family": "Zhang", "given": "Hao"}]

    def test_a_revised_note_names_its_state(self):
        note = Note.objects.get(slug="lag")
        note.source = "Another text.\n"
        save_note(note, kind="correction", sentence="A sign was wrong.")
        (item,) = json.loads(self.get(".csl.json").content)
        assert item["version"] == "2"
        assert "Public state 2" in self.get(".bib").content.decode()

    def test_a_former_address_leads_on_and_nothing_hidden_answers(self):
        note = Note.objects.get(slug="lag")
        note.slug = "delay"
        save_note(note)
        for ending in (".bib", ".ris", ".csl.json", ".md"):
            response = self.get(ending)
            assert (response.status_code, response["Location"]) == (301, f"/notes/delay{ending}")
        trash(note)
        for ending in (".bib", ".ris", ".csl.json", ".md"):
            assert self.client.get(f"/notes/delay{ending}").status_code == 404


def test_a_title_of_signs_that_tex_reads_stays_one_title():
    note = Note(slug="odd", title="a\\b_c^d~e#f$g", key="odd")
    note.published_at = note.first_published_at = FIRST
    (entry,) = parse_string(citation_of(note, Site(name="A_b")).bibtex).entries
    title = next(field.value for field in entry.fields if field.key == "title")
    assert title == r"{a\textbackslash{}b\_c\textasciicircum{}d\textasciitilde{}e\#f\$g}"

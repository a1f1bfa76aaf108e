"""What search engines read: JSON-LD that is whole, true and cannot end its element."""

import json

from bs4 import BeautifulSoup
from django.test import TestCase

from notes.publishing import save_note, save_reference
from tests.factories import make_note, make_path, make_topic

SITE = "http://127.0.0.1:8000"


class StructuredDataTests(TestCase):
    def graph(self, page):
        soup = BeautifulSoup(self.client.get(page).content, "html.parser")
        (block,) = soup.find_all("script", type="application/ld+json")
        data = json.loads(block.string)
        assert data["@context"] == "https://schema.org"
        return {thing["@type"]: thing for thing in data["@graph"]}

    def test_a_note_is_a_posting_about_its_papers(self):
        save_reference("@article{lag1, title = {On Lag}, author = {Lovelace, Ada}, year = 1843}\n")
        note = make_note(
            slug="lag",
            title="Lag </script><b>",
            authors=[
                {"name": "Ada", "orcid": "0000-0002-1825-0097"},
                {"name": "Group", "organisation": True},
            ],
            about=["lag1"],
            topics=[make_topic(name="Systems", slug="systems")],
        )
        note.source += "\nMore.\n"
        save_note(note, kind="revision", sentence="More.")
        graph = self.graph("/notes/lag/")
        posting = graph["BlogPosting"]
        assert posting["headline"] == "Lag </script><b>"
        assert posting["author"] == [
            {"@type": "Person", "name": "Ada", "sameAs": "https://orcid.org/0000-0002-1825-0097"},
            {"@type": "Organization", "name": "Group"},
        ]
        (paper,) = posting["about"]
        assert (paper["@type"], paper["name"], paper["datePublished"]) == (
            "ScholarlyArticle", "On Lag", "1843",
        )  # fmt: skip
        assert posting["dateModified"] == note.revised_at.isoformat()
        way = [item["item"] for item in graph["BreadcrumbList"]["itemListElement"]]
        assert way == [f"{SITE}/", f"{SITE}/topics/systems/", f"{SITE}/notes/lag/"]

    def test_a_path_is_a_list_of_its_public_steps(self):
        first, hidden, last = make_note(), make_note(published_at=None), make_note()
        make_path(first, hidden, last, slug="way")
        listed = self.graph("/paths/way/")["ItemList"]
        assert [item["url"] for item in listed["itemListElement"]] == [
            f"{SITE}/paths/way/{first.slug}/", f"{SITE}/paths/way/{last.slug}/",
        ]  # fmt: skip
        assert listed["numberOfItems"] == 2

    def test_the_index_and_topics_list_their_notes(self):
        note = make_note(topics=[make_topic(slug="systems")])
        for page in ("/", "/topics/systems/"):
            (item,) = self.graph(page)["ItemList"]["itemListElement"]
            assert item["url"] == f"{SITE}{note.get_absolute_url()}"

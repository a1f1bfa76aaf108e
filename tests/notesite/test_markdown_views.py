"""A note's source by address and by Accept."""

from django.test import TestCase

from notesite.content.form import read_note
from tests.factories import make_note, make_topic


class MarkdownTests(TestCase):
    @classmethod
    def setUpTestData(cls):
        cls.note = make_note(slug="lag", source="Let $x$ be [[other]].\n", topics=[make_topic()])

    def test_the_source_comes_with_its_front_matter(self):
        response = self.client.get("/notes/lag.md")
        assert response["Content-Type"] == "text/markdown; charset=utf-8"
        document = read_note(response.content.decode(), "lag", "lag.md")
        assert (document.title, document.source) == (self.note.title, self.note.source)
        assert response["Link"].endswith('/notes/lag/>; rel="canonical"')

    def test_whoever_prefers_markdown_gets_it_at_the_pages_address(self):
        response = self.client.get("/notes/lag/", headers={"accept": "text/markdown"})
        assert response["Content-Type"] == "text/markdown; charset=utf-8"
        assert response["Content-Location"] == "/notes/lag.md"
        assert "Accept" in response["Vary"]

    def test_browsers_and_whoever_takes_anything_get_the_page(self):
        for accept in (
            "text/html,application/xhtml+xml,*/*;q=0.8",
            "*/*",
            "",
            "text/markdown;q=0.5, text/html",
        ):
            response = self.client.get("/notes/lag/", headers={"accept": accept})
            assert response["Content-Type"].startswith("text/html"), accept

    def test_asks_four_queries(self):
        with self.assertNumQueries(4):
            self.client.get("/notes/lag.md")

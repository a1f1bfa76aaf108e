"""The cases of `tests/data/cases` that need a feed, a page or a form."""

import re
import xml.etree.ElementTree as ET

from bs4 import BeautifulSoup
from django.test import TestCase

from tests.factories import make_note
from tests.notes.admin_case import AdminTestCase, address_of
from tests.notes.markdown.expectations import case

CONTENT = "{http://www.w3.org/2005/Atom}content"


class FeedTests(TestCase):
    def feed_of(self, name: str) -> tuple[str, str]:
        """The whole feed, which is well-formed, and the note's html in it."""
        make_note(source=case(name).source, dek="")
        feed = self.client.get("/feed.atom").content.decode()
        content = ET.fromstring(feed).find(f".//{CONTENT}")  # noqa: S314  # our own bytes
        assert content is not None
        return feed, content.text or ""

    def test_a_non_character_leaves_the_feed_well_formed(self):
        feed, html = self.feed_of("feed-non-character")
        assert "lone CDATA end ]]> here" in BeautifulSoup(html, "html5lib").get_text()
        assert "\ufffe" not in feed

    def test_every_address_is_absolute(self):
        _, html = self.feed_of("feed-relative-urls")
        root = BeautifulSoup(html, "html5lib")
        addresses = [str(one.get("href") or one.get("src")) for one in root.select("[href], [src]")]
        assert len(addresses) == 3
        assert all(re.match(r"https?://", one) for one in addresses), addresses
        assert any(re.search(r"[^#]+#part$", one) for one in addresses), addresses

    def test_no_summary_ends_in_half_an_entity(self):
        feed, _ = self.feed_of("feed-summary-entity")
        assert not re.search(r"&amp;(am?|quo?|l|g|#3?)?(\.\.\.|…)", feed)


class PageTests(TestCase):
    def test_the_contents_show_formulas_and_code_and_lead_somewhere(self):
        note = make_note(source=case("page-toc-math").source)
        page = BeautifulSoup(self.client.get(note.get_absolute_url()).content, "html5lib")
        entries = page.select(".contents-list a")
        assert [one.get_text() for one in entries] == [
            "The ϵ-greedy rule",
            "A code heading",
            "方法",
        ]
        for entry in entries:
            assert page.find(id=str(entry["href"]).removeprefix("#")), entry


class FormTests(AdminTestCase):
    def test_the_form_keeps_leading_spaces_and_names_a_nul(self):
        source = case("form-keeps-text").source
        note = make_note(source="Text.\n")
        response = self.save(note, source=source)
        page = BeautifulSoup(response.content, "html.parser")
        assert "held a NUL" in page.text
        shown = page.select_one("textarea[name=source]").text.removeprefix("\n")
        assert shown == source.replace("\0", "")
        assert self.save(note, source=shown).status_code == 302
        assert self.fields_of(address_of(note))["source"] == [shown]

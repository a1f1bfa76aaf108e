"""The handbook shows every construct, and only what the pipeline makes of it."""

import re

import pytest
from bs4 import BeautifulSoup
from django.test import TestCase
from django.urls import reverse

from notes.handbook import chapters
from notes.markdown.parser import EXTENSIONS
from notes.markdown.pipeline import STAGES
from notes.markdown.problems import CATALOGUE
from tests.factories import make_author

EXAMPLES = [example for chapter in chapters() for example in chapter.examples]
SOURCES = "\n".join(example.source for example in EXAMPLES)

# DESIGN's syntax table, each form as a pattern.
SYNTAX = {
    "$…$": r"\$\\pi",
    "$$…$$": r"^\$\$\n",
    r"\(…\)": r"\\\(\\gamma",
    r"\[…\]": r"\\\[ ",
    r"\begin{align}…": r"^\\begin\{align\}",
    "money": r"\$5 and then \$10",
    "![alt](figures/x “caption”){#fig:x}": r'!\[[^]]+\]\(figures/\S+ "[^"]+"\)\{#fig:',
    ": caption {#tbl:x}": r"^: .+\{#tbl:",
    r"\label{eq:x}": r"\\label\{eq:",
    "## Text {#sec:x}": r"^## .+\{#sec:",
    "[@fig:x]": r"\[@fig:",
    "bare @fig:x": r"(?<!\[)@fig:",
    "[@key]": r"\[@\w+\d{4}\]",
    "[@a; @b]": r"\[[^]]*@\w+[^]]*; [^]]*@\w+",
    "[see @key, p. 3]": r"\[see @\w+, p\. \d+",
    "[-@key]": r"\[-@",
    "bare @key": r"^@\w+\d{4} ",
    "[[slug]]": r"\[\[\w+\]\]",
    "[[slug#anchor|text]]": r"\[\[\w+#[\w-]+\|[^]]+\]\]",
    "callouts": r"> \[!NOTE\]\n",
    "own title": r"> \[!TIP\] \w",
    "folded": r"> \[!WARNING\]- ",
    "open": r"> \[!IMPORTANT\]\+ ",
    "^[inline note]": r"\^\[",
    "[^1]": r"\[\^most\]: ",
    "~sub~": r"~2~",
    "^sup^": r"\^2\^",
    "{.class}": r"\{\.small\}",
    "tables": r"^\|---",
    "task lists": r"- \[x\]",
    "strikethrough": r"~~\w",
    "definition lists": r"^: How",
    "details": r"<details>",
}


@pytest.mark.parametrize("pattern", SYNTAX.values(), ids=SYNTAX.keys())
def test_every_row_of_the_syntax_table_has_an_example(pattern: str) -> None:
    assert re.search(pattern, SOURCES, re.M)


def test_every_stage_and_every_extension_of_the_parser_is_shown() -> None:
    modules = {part.__module__ for part in STAGES} | {part.__name__ for part in EXTENSIONS}
    shown = {name for example in EXAMPLES for name in example.shows}
    assert {module.rpartition(".")[2] for module in modules} <= shown


def test_an_example_has_problems_only_where_it_shows_a_mistake() -> None:
    for example in EXAMPLES:
        serious = [one for one in example.problems if one.code != "missing-anatomy"]
        assert bool(example.problems if "mistake" in example.shows else serious) == (
            "mistake" in example.shows
        ), example.source


def test_the_text_between_the_examples_has_none() -> None:
    for chapter in chapters():
        for piece in chapter.pieces:
            assert not (piece.problems and not piece.source), chapter.title


class PageTests(TestCase):
    def setUp(self):
        self.client.force_login(make_author())

    def test_is_for_authors_and_found_from_where_they_write(self):
        address = reverse("handbook")
        assert address in self.client.get(reverse("admin:index")).content.decode()
        assert address in self.client.get(reverse("admin:notes_note_add")).content.decode()
        self.client.logout()
        assert self.client.get(address).status_code == 302

    def test_shows_source_beside_result_and_no_id_twice(self):
        page = BeautifulSoup(self.client.get(reverse("handbook")).content, "html.parser")
        sources = [one.text for one in page.select(".example-source code")]
        assert [one.strip() for one in sources] == [one.source.strip() for one in EXAMPLES]
        assert len(page.select(".example-result")) == len(EXAMPLES)
        ids = [one["id"] for one in page.select("[id]")]
        assert len(ids) == len(set(ids))
        for link in page.select('main a[href^="#"]'):
            # One example is of a link to nowhere.
            assert link["href"][1:] in {*ids, "nowhere"}, link

    def test_names_every_problem(self):
        page = BeautifulSoup(self.client.get(reverse("handbook")).content, "html.parser")
        shown = {one.text for one in page.select(".handbook-problems code")}
        assert shown == set(CATALOGUE)

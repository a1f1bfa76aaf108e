"""What the site itself writes into a note is in the note's language."""

from dataclasses import fields
from html import unescape

import pytest
from bs4 import BeautifulSoup

from notes.markdown import FigureFile, Inputs, ReferenceEntry, place, render
from notes.markdown.vocabulary import ENGLISH, ROWS, VOCABULARIES, Vocabulary, vocabulary_of

FIGURES = {"plot": FigureFile("plot", "figures/ab12.webp", 640, 480, alt="A plot")}
REFERENCES = {"two": ReferenceEntry("two", ("A", "B"), ("X A", "Y B"), "", "Two")}
ALL = """\
## One {#sec:one}

![](figures/plot){#fig:plot}

| a |
|---|
| b |
: Said {#tbl:said}

$$x \\label{eq:x}$$

> [!TIP]
> Do.

- [x] done
- [ ] open

```
code
```

See @fig:plot, @tbl:said, @eq:x, @sec:one, @two.[^1]

[^1]: Note.
"""


def rendered(language: str) -> BeautifulSoup:
    inputs = Inputs(figures=FIGURES, references=REFERENCES, language=language)
    return BeautifulSoup(str(place(render(ALL, inputs).html)), "html5lib")


@pytest.mark.parametrize("language", ["en", "de", "zh-TW", "he"])
def test_every_word_of_ours_is_in_the_notes_language(language: str) -> None:
    page, words = rendered(language), vocabulary_of(language)
    assert [one.get_text() for one in page.select(".cross-ref")] == [
        words.numbered(kind, "1") for kind in ("figure", "table", "equation", "section")
    ]
    assert page.select_one(".figure-number").get_text() == words.numbered("figure", "1")
    assert page.select_one(".table-number").get_text() == words.numbered("table", "1")
    assert page.select_one(".callout-title").get_text() == words.tip
    assert page.select_one(".references h2").get_text() == words.references
    assert page.select_one(".citation").get_text() == f"A{words.last}B ({words.undated})"
    assert {one["aria-label"] for one in page.select("[aria-label]")} == {
        words.table,
        words.equation,
        words.code,
        words.footnotes,
        words.references,
        words.back,
        words.done,
        words.open,
    }


def test_a_language_is_chosen_by_its_tag_its_script_and_its_first_part() -> None:
    assert vocabulary_of("de-AT").figure == "Abbildung"
    assert vocabulary_of("PT_br").figure == "Figura"
    assert vocabulary_of("zh").figure == vocabulary_of("zh-Hans-TW").figure == "图"
    assert vocabulary_of("zh-HK").figure == vocabulary_of("zh-Hant-CN").figure == "圖"
    assert vocabulary_of("zh-CN").numbered("section", "2.1") == "第 2.1 节"
    assert vocabulary_of("tlh") is vocabulary_of("") is vocabulary_of("en-GB") is ENGLISH


def test_every_language_has_every_word_and_its_place_for_a_number() -> None:
    assert len(VOCABULARIES) == 15
    for tag, row in ROWS.items():
        assert row.count("|") == len(fields(Vocabulary)) - 1, tag
        words = VOCABULARIES[tag]
        assert all(getattr(words, one.name).strip() for one in fields(words)), tag
        for kind in ("figure", "table", "equation", "section"):
            assert words.numbered(kind, "7").count("7") == 1


@pytest.mark.parametrize(
    ("language", "curled"),
    [
        ("en", "“a ‘b’ it’s”"),
        ("de-AT", "„a ‚b‘ it’s“"),
        ("de-CH", "«a ‹b› it’s»"),
        ("fr", "«\u00a0a “b” it’s\u00a0»"),
        ("es-MX", "«a “b” it’s»"),
        ("it", "«a “b” it’s»"),
        ("pt", "“a ‘b’ it’s”"),
        ("nl", "“a ‘b’ it’s”"),
        ("pl", "„a ‚b’ it’s”"),
        ("ru", "«a „b“ it’s»"),
        ("uk", "«a „b“ it’s»"),
        ("zh", "“a ‘b’ it’s”"),
        ("ja", "“a ‘b’ it’s”"),
        ("ko", "“a ‘b’ it’s”"),
        ("ar", "«a ‹b› it’s»"),
        ("he", "”a ’b’ it’s”"),
    ],
)
def test_quotes_follow_the_language(language: str, curled: str) -> None:
    html = render("\"a 'b' it's\"", Inputs(language=language)).html
    assert unescape(html.strip()) == f"<p>{curled}</p>"

"""What `Rendered` carries, and what holds for any source at all."""

import dataclasses
import subprocess
import sys
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from notes.markdown import (
    FigureFile,
    Inputs,
    NamedNote,
    Part,
    TakeAway,
    Variant,
    bounds,
    place,
    render,
)
from notes.markdown.parser import parser
from notes.markdown.roots import MEDIA_MARK, SITE_MARK
from tests.notes.markdown.elements import assert_harmless, parsed

WHOLE = """\
Before $x$.

## The problem

One two three.

### A detail

Four `five`.

## The mechanism

```python
print("code is no prose")
```

## The evidence

![](figures/plot)

See [a note](/notes/other-note/#s-x) and [again](/notes/other-note/).

## What to take away

- First $y$[^1].
- Second.
  - inner

Not an item.

[^1]: A note.
"""
PLOT = FigureFile("plot", "figures/ab12.webp", 640, 480, alt="A plot")


def test_the_four_parts_are_found_with_their_words() -> None:
    rendered = render(WHOLE)
    assert rendered.anatomy == (
        Part("problem", "s-the-problem", 5),
        Part("mechanism", "s-the-mechanism", 0),
        Part("evidence", "s-the-evidence", 6),
        Part("take-aways", "s-what-to-take-away", 7),
    )
    codes = {problem.code for problem in rendered.problems}
    assert codes == {"unknown-note", "unknown-figure"}


def test_take_aways_are_data_with_anchors_and_no_ids_inside() -> None:
    rendered = render(WHOLE)
    first, second = rendered.takeaways
    assert first.anchor == "t-1"
    assert first.text == "First y."
    assert first.html.startswith("First <math>")
    assert "footnote" not in first.html
    assert second.text == "Second. inner"
    assert parsed(rendered.html).select_one("li#t-2") is not None


def test_take_aways_without_a_list_are_its_paragraphs() -> None:
    rendered = render("## Take-aways\n\nOne *a*.\n\nTwo.\n\n## More\n\nThree.")
    assert rendered.takeaways == (
        TakeAway("t-1", "One <em>a</em>.", "One a."),
        TakeAway("t-2", "Two.", "Two."),
    )


def test_a_part_is_recognised_by_the_sites_own_words() -> None:
    inputs = Inputs(synonyms={"problem": ("Das Problem",)})
    assert [part.name for part in render("## DAS PROBLEM:\n\nx", inputs).anatomy] == ["problem"]
    assert render("## The problem\n\nx", inputs).anatomy == ()


def test_missing_parts_are_one_notice_and_only_if_there_is_a_part() -> None:
    (problem,) = render("## The problem\n\nx").problems
    assert (problem.code, problem.severity) == ("missing-anatomy", "notice")
    assert "the evidence" in problem.message
    assert render("## Something else\n\nx").problems == ()


def test_a_part_named_twice_counts_once() -> None:
    rendered = render("## The problem\n\na\n\n## The problem\n\nb")
    assert [part.anchor for part in rendered.anatomy] == ["s-the-problem"]


def test_text_is_gathered_by_section() -> None:
    sections = render(WHOLE).sections
    assert [(one.anchor, one.part) for one in sections] == [
        ("", ""),
        ("s-the-problem", "problem"),
        ("s-a-detail", "problem"),
        ("s-the-mechanism", "mechanism"),
        ("s-the-evidence", "evidence"),
        ("s-what-to-take-away", "take-aways"),
        ("fn-1", ""),
    ]
    assert sections[0].text == "Before x."
    assert sections[3].text == 'print("code is no prose")'
    assert sections[6].text == "A note."


def test_contents_show_formulas_readable_and_footnotes_not_at_all() -> None:
    (heading,) = render("## The $\\epsilon$-greedy *rule*[^1]\n\n[^1]: x").contents
    assert heading.text == "The ϵ-greedy rule"


def test_links_and_figures_are_listed_once_each() -> None:
    notes = {"other-note": NamedNote(("s-x",))}
    rendered = render(WHOLE, Inputs(figures={"plot": PLOT}, notes=notes))
    assert rendered.links == ("other-note",)
    assert rendered.figures == ("plot",)
    assert rendered.problems == ()


def test_every_copy_of_a_figure_has_the_root_of_where_media_are() -> None:
    copies = tuple(Variant(f"figures/ab12-{width}.webp", width, "image/webp") for width in (64, 90))
    figure = dataclasses.replace(PLOT, variants=copies)
    html = render("![x](figures/plot)", Inputs(figures={"plot": figure})).html
    assert "ab12" not in html.replace(f"{MEDIA_MARK}figures/ab12", "")
    placed = place(html, media_root="https://m.example/")
    assert (
        'srcset="https://m.example/figures/ab12-64.webp 64w, '
        'https://m.example/figures/ab12-90.webp 90w"'
    ) in placed


def test_figures_that_are_not_there_are_listed_too() -> None:
    assert render("![x](figures/none)").figures == ("none",)


def test_roots_are_marked_in_what_is_stored_and_placed_for_a_page() -> None:
    html = render(WHOLE, Inputs(figures={"plot": PLOT})).html
    assert f'href="{SITE_MARK}notes/other-note/#s-x"' in html
    assert f'src="{MEDIA_MARK}figures/ab12.webp"' in html
    placed = place(html, site_root="https://example.org/b/", media_root="https://m.example/")
    assert 'href="https://example.org/b/notes/other-note/#s-x"' in placed
    assert 'src="https://m.example/figures/ab12.webp"' in placed


def test_words_leave_out_code_blocks_and_count_a_formula_as_one() -> None:
    assert render("One two $a + b$.\n\n    code code code").words == 3


def test_chinese_and_japanese_are_counted_by_character() -> None:
    rendered = render("方法 and かな")
    assert (rendered.words, rendered.cjk) == (1, 4)


@pytest.mark.parametrize(("words", "minutes"), [(0, 1), (230, 1), (690, 3)])
def test_minutes_follow_from_words(words: int, minutes: int) -> None:
    assert render("word " * words).minutes() == minutes


def test_a_reworded_heading_keeps_its_anchor() -> None:
    before = render("## Setup\n\n## Result\n\n## End")
    after = render("## Setup\n\n## Results at last\n\n## End", Inputs(anchors=before.anchors))
    assert [heading.anchor for heading in after.contents] == ["s-setup", "s-result", "s-end"]


def test_moved_headings_take_their_anchors_along() -> None:
    before = render("## A\n\n## B\n\n## C")
    after = render("## C\n\n## New\n\n## A", Inputs(anchors=before.anchors))
    assert [heading.anchor for heading in after.contents] == ["s-c", "s-b", "s-a"]


def test_a_new_heading_never_takes_an_anchor_that_is_kept() -> None:
    inputs = Inputs(anchors=(("Old words", "s-new"),))
    rendered = render("## Old words\n\n## New", inputs)
    assert [heading.anchor for heading in rendered.contents] == ["s-new", "s-new-2"]


def test_anchors_from_elsewhere_are_not_trusted() -> None:
    inputs = Inputs(anchors=(("A", 's-"><script>'), ("B", "location"), ("C", "s-c"), ("D", "s-c")))
    rendered = render("## A\n\n## B\n\n## C\n\n## D", inputs)
    assert [heading.anchor for heading in rendered.contents] == ["s-a", "s-b", "s-c", "s-d"]


def test_twenty_thousand_equal_headings_cost_no_more_each() -> None:
    started = time.process_time()
    rendered = render("# same\n\n" * 20_000)
    assert len({heading.anchor for heading in rendered.contents}) == 20_000
    assert time.process_time() - started < 20


def test_equal_input_gives_an_equal_value() -> None:
    inputs = Inputs(figures={"plot": PLOT}, macros={"\\R": "\\mathbb{R}"})
    assert render(WHOLE, inputs) == render(WHOLE, dataclasses.replace(inputs))


def test_macros_of_the_site_are_known_in_every_formula() -> None:
    assert "ℝ" in render("$x \\in \\R$", Inputs(macros={"\\R": "\\mathbb{R}"})).html


def test_a_macro_of_the_note_is_known_further_on() -> None:
    assert "α" in render("$\\newcommand{\\mine}{\\alpha}\\mine$\n\n$$\n\\mine + 1\n$$").html


def test_straight_quotes_stay_where_the_site_wants_them() -> None:
    assert render('"a" it\'s', Inputs(smart_quotes=False)).html.strip() == '<p>"a" it\'s</p>'


def test_the_line_of_a_formula_is_counted_inside_its_paragraph() -> None:
    (problem,) = render("a\n\nb\nc $\\nosuch$\n").problems
    assert (problem.line, problem.severity) == (4, "error")
    assert "nosuch" in problem.message
    assert problem.cure


@pytest.mark.parametrize(
    ("source", "kept"),
    [
        ("> " * 150 + "deep words", "deep words"),
        ("- " * 150 + "deep words", "deep words"),
        ("<span>" * 500 + "deep words", "deep words"),
        ("|a" * 300 + "|\n" + "|-" * 300 + "|\n" + "|deep words\n" * 100, "deep words"),
        ("$" + "\\sqrt " * 800 + "x$ deep words", "deep words"),
        ("$" + "x" * 6000 + "$ deep words", "deep words"),
        ("many " * 20_001 + "deep words", "deep words"),
        ("x\n" * 200_001 + "deep words", "deep words"),
    ],
    ids=[
        "quotes",
        "lists",
        "elements",
        "cells",
        "nested formula",
        "long formula",
        "long paragraph",
        "lines",
    ],
)
def test_what_is_past_a_bound_keeps_its_words(source: str, kept: str) -> None:
    rendered = render(source)
    assert kept in parsed(rendered.html).get_text()
    assert rendered.problems


def test_images_inside_images_keep_their_words() -> None:
    html = render("![" * 60 + "deep words" + "](/x.png)" * 60).html
    assert "deep words" in html
    assert_harmless(html)


def test_a_text_with_too_many_bytes_is_shown_as_plain_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "SOURCE_BYTES", 20)
    rendered = render("# One\n\n*two* <b>three</b>, four")
    assert rendered.html == "<p># One</p>\n<p>*two* &lt;b&gt;three&lt;/b&gt;, four</p>"
    assert [problem.code for problem in rendered.problems] == ["past-bound"]


def test_too_large_a_page_is_shown_as_plain_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "OUTPUT_BYTES", 20)
    assert render("*one* and *two* and *three*").html == "<p>*one* and *two* and *three*</p>"


def test_link_references_past_the_bound_stay_as_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "REFERRED_CHARACTERS", 10)
    rendered = render("[a] ![a] [a]\n\n[b]: /y\n[a]: /four")
    assert rendered.html.count("four") == 2
    assert rendered.html.endswith(" [a]</p>\n")
    found = [(problem.code, problem.line) for problem in rendered.problems]
    assert ("past-bound", 4) in found


def test_lines_are_quoted_as_often_as_the_bound_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "QUOTE_READINGS", 0)
    rendered = render("> one\n\n> two")
    assert rendered.html.count("<blockquote>") == 1
    assert "&gt; two" in rendered.html
    assert [(problem.code, problem.line) for problem in rendered.problems] == [("past-bound", 3)]


def test_formulas_past_the_bound_show_their_source(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "FORMULAS", 1)
    rendered = render("$a$ $b$ $c$")
    assert rendered.html.count("<math") == 1
    assert rendered.html.count("math-error") == 2
    assert [problem.code for problem in rendered.problems] == ["past-bound"]


def test_one_parser_serves_every_note() -> None:
    assert parser() is parser()
    assert render("[^1]\n\n[^1]: x").html != render("[^1]").html


def test_renders_without_django_settings() -> None:
    program = "from notes.markdown import render; print(render('# *a* $x$').html)"
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env={}, check=True
    )
    assert "<em>a</em>" in result.stdout


PIECES = st.sampled_from(
    [
        *"*_`~[](){}<>!#$^|\\\"'&:-+.@=/\n\t ",
        "\n\n",
        "a",
        "word ",
        "方",
        "ش",
        "    ",
        "> ",
        "- ",
        "1. ",
        "```\n",
        "$$",
        "\\(",
        "\\)",
        "\\[",
        "\\]",
        "\\begin{align}",
        "\\end{align}",
        "\\eqref{a}",
        "[^1]",
        "[^1]: ",
        "^[",
        "![x](figures/plot)",
        "](/notes/a/)",
        "| a | b |\n|--|--|\n",
        "> [!NOTE]\n",
        "<b>",
        "</b>",
        "<table>",
        "<td>",
        "</p>",
        "<a href='",
        "<details>",
        "<!--",
        "<script>",
        "<svg>",
        "&#x6a;",
        "javascript:",
        "https://example.org/",
        "## The problem\n",
        "## Take-aways\n",
        "\ufdd0",
        "\0",
        "\ud800",
    ]
)
SOURCES = st.lists(PIECES, max_size=40).map("".join) | st.text(max_size=200)


@given(SOURCES)
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_text_renders_harmless_balanced_and_the_same_twice(source: str) -> None:
    inputs = Inputs(figures={"plot": PLOT})
    rendered = render(source, inputs)
    assert_harmless(str(place(rendered.html)))
    assert render(source, inputs) == rendered
    for heading in rendered.contents:
        assert heading.anchor.startswith("s-")
    again = render(source, dataclasses.replace(inputs, anchors=rendered.anchors))
    assert [one.anchor for one in again.contents] == [one.anchor for one in rendered.contents]

"""Problems stand where their words stand: line and column of the source, both from 1."""

import pytest

from notes.markdown import Inputs, render

PLACES = [
    ("a\n\nb\nsee [@nobody]\n", "unknown-citation", 4, 6),
    ("> - a\n> - see [@nobody]\n", "unknown-citation", 2, 10),
    ("| a |\n|---|\n| see [@nobody] |\n", "unknown-citation", 3, 8),
    ("a[^1]\n\n[^1]: b\n\n    c [@nobody]\n", "unknown-citation", 5, 8),
    ("a\r\n\r\nsee [@nobody]\r\n", "unknown-citation", 3, 6),
    ("see @fig:none\n", "unknown-label", 1, 5),
    ("a\nin $\\nowhere$ b\n", "bad-formula", 2, 5),
    ("a\n\n$$\n\\nowhere\n$$\n", "bad-formula", 4, 1),
    ("a \\eqref{eq:none}\n", "unknown-equation", 1, 10),
    ("a\n\n![x](figures/none.png)\n", "unknown-figure", 3, 14),
    ("a\nb ![x](https://a.example/x.png)\n", "external-image", 2, 8),
    ("a\n\nb ![](/x.png)\n", "missing-alt", 3, 7),
    ("a [b](javascript:x)\n", "dropped-link", 1, 7),
    ("a\nb <span onclick=x>c</span>\n", "unsafe-html", 2, 9),
    ('a\n\n<iframe src="https://a.example/1"></iframe>\n', "frame", 3, 14),
    ("a\n\n[^1]: b\n", "unused-footnote", 3, 1),
    ("a\n\nb is TODO here\n", "unfinished", 3, 6),
    ("a\nb the the c\n", "repeated-word", 2, 3),
    ("a [here](https://a.example)\n", "vague-link", 1, 3),
    ("a [](https://a.example)\n", "empty-link", 1, 3),
    ("a [b](#none)\n", "unknown-anchor", 1, 3),
    ("## a\n\n#### b\n", "heading-jump", 3, 1),
    ("## a\n\n##\n", "empty-heading", 3, 1),
    ("a\n\n|  |\n|--|\n| b |\n", "headless-table", 3, 1),
    ("## The evidence\n\na\n", "missing-anatomy", 1, 1),
    ("## Take-aways\n\n- a\n- no sentence here\n", "take-away-no-sentence", 3, 3),
    ("## A {#sec:a}\n\n## B {#sec:a}\n", "repeated-label", 3, 8),
]


@pytest.mark.parametrize(
    ("source", "code", "line", "column"), PLACES, ids=lambda one: str(one)[:20]
)
def test_a_problem_names_its_place(source: str, code: str, line: int, column: int) -> None:
    found = [one for one in render(source, Inputs()).problems if one.code == code]
    assert (found[0].line, found[0].column) == (line, column)

"""LaTeX that the typesetter lacks, and what our pages need of its MathML."""

import re

import pytest

from notes.markdown import render
from notes.markdown.equations import classes_of, nearest_colour, prepared

UNDERSTOOD = (
    r"\begin{split}a&=b\end{split}",
    r"\begin{smallmatrix}a&b\end{smallmatrix}",
    r"\begin{eqnarray}a&=b\end{eqnarray}",
    r"\begin{flalign*}a&=b\end{flalign*}",
    r"\begin{alignat}{2}a&=b\end{alignat}",
    r"\begin{alignedat}{2}a&=b\end{alignedat}",
    r"\begin{multline}a\\b\\c\end{multline}",
    r"\begin{array}{|c|r|}\hline a&b\\\hdashline c&d\end{array}",
    r"a \tag{3}",
    r"a \label{eq:a_b}",
    r"\newcommand{\vect}[1]{\mathbf{#1}} \vect{x}",
    r"\renewcommand\R{\mathbb{R}} \R",
    r"\DeclareMathOperator{\tr}{tr} \tr A",
    r"\DeclareMathOperator*{\best}{best} \best_x A",
    r"x \text{ if $x_1$ holds}",
    r"\text{a_b & c}",
    r"\mathcal{L}_\text{style_fwd}",
    r"\sum_{\substack{a\\b}} \pmb{x} \mbox{y} \sgn z \argmax_x \mathbbm{1}",
    r"\widetilde{xyz} \small{x} \mathop{x}\limits_a \require{cancel} x",
    r"\textcolor{red}{x} \color{blue} y",
    r"a \! b \negmedspace c \hspace{-1em} d \kern-3pt e",
)


@pytest.mark.parametrize("formula", UNDERSTOOD)
def test_a_formula_is_typeset_without_inline_styles(formula: str) -> None:
    rendered = render(f"$$\n{formula}\n$$")
    assert rendered.problems == ()
    assert "<math" in rendered.html
    assert " style=" not in rendered.html


@pytest.mark.parametrize("formula", UNDERSTOOD)
def test_the_source_for_copying_is_the_authors(formula: str) -> None:
    html = render(f"$$\n{formula}\n$$").html
    annotation = re.search(r'<annotation encoding="application/x-tex">(.*?)</annotation>', html)
    assert annotation is not None
    assert annotation[1].replace("&amp;", "&") == formula


def test_a_tag_is_the_number_that_a_reference_shows() -> None:
    html = render(
        "$$\na \\tag{*}\\label{eq:star}\n$$\n\nBy \\eqref{eq:star} and \\ref{eq:star}."
    ).html
    assert '<a class="equation-ref" href="#eq-star">(*)</a>' in html
    assert '<a class="equation-ref" href="#eq-star">*</a>' in html
    assert html.count('id="eq-star"') == 1


def test_a_label_set_twice_is_an_id_once() -> None:
    equation = "\\begin{equation}\na \\label{eq:a}\n\\end{equation}\n\n"
    assert render(equation * 2).html.count('id="eq-a"') == 1


def test_no_link_stands_inside_a_formula() -> None:
    html = render("\\begin{equation}\na \\label{eq:a}\n\\end{equation}\n\n$x \\eqref{eq:a}$").html
    assert "<a " not in html


def test_a_style_that_is_not_known_leaves_nothing() -> None:
    assert classes_of("text-align: right;position: fixed;") == ["math-right"]


def test_a_colour_becomes_the_nearest_of_the_palette() -> None:
    assert nearest_colour("FF1010") == "red"
    assert classes_of("color:#0000F0;") == ["math-color-blue"]


def test_a_label_in_an_unnumbered_display_numbers_it() -> None:
    assert prepared(r"a\label{x}", display=True).startswith(r"\begin{equation}")
    assert prepared(r"a\label{x}", display=False) == r"a\label{x}"


def test_a_step_backwards_becomes_a_class() -> None:
    assert '<mspace class="math-back-3"/>' in render(r"$a\!b$").html

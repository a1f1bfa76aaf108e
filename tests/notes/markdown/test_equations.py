"""LaTeX that the typesetter lacks, and what our pages need of its MathML."""

import re
from html import unescape

import pytest

from notes.markdown import Inputs, render
from notes.markdown.equations import classes_of
from notes.markdown.formula_colours import nearest_colour

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
    r"a \\ b \tag{2}",
    r"a \nonumber",
    r"\begin{aligned}a&=b\\&=c\tag{$\star$}\end{aligned}",
    r"\begin{CD} A @>f>> B \\ @VgVV @AAhA \\ C @= D \end{CD}",
    r"\begin{pmatrix*}[r]1&-1\\-1&0\end{pmatrix*}",
    r"\begin{array}{@{}l*{2}{c}p{3cm}|}a&b&c&d\end{array}",
    r"\begin{aligned}[t]a\end{aligned} \begin{array}[b]{c}a\end{array}",
    r"\begin{subequations}\begin{align}a\\b\end{align}\end{subequations}",
    r"\left< a \middle| b \right> \bigl. x \bigr\rvert",
    r"\begin{vmatrix}a & b \cr c & d\end{vmatrix}",
    r"\operatorname{\mathbf{curl}} F \operatorname{\mathrm{tr}} A \operatorname*{Tr_x}_y",
    r"\mathop{\forall}\limits_{a\subseteq b} \mathop{\rm best}_x \mathop{=}\limits^{?}",
    r"\text{over $(S,\overline{S})$ edges} \textbf{bold $x$} \textup{gcd}(a,b)",
    r"\epsilon*x \sum*y",
    r"\textcolor{#228B22}{a} \color{ForestGreen} b \textcolor[RGB]{10,20,200}{c}",
    r"x,\dotsc,y \smallsetminus \varlimsup_n \shortmid \thicksim \varpropto",
    r"∴ a ⊥ b ∠ c ∅",
    r"\footnotesize x \mskip{3mu} y \mkern 3mu \rule{0pt}{3ex} \allowbreak \KaTeX",
    r"\def\unless{a}\unless \gdef\never#1{#1}\never b",
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
    assert unescape(annotation[1]) == formula


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


def test_a_step_backwards_becomes_a_class() -> None:
    assert '<mspace class="math-back-3"/>' in render(r"$a\!b$").html


def mathml(source: str) -> str:
    html = render(source).html
    return re.sub(r"<annotation .*?</annotation>", "", html, flags=re.DOTALL)


def test_a_gap_below_a_row_is_space_and_not_its_length_in_signs() -> None:
    html = mathml("$$\n\\begin{aligned}a&=b\\\\[6pt]c&=d\\end{aligned}\n$$")
    assert '<mspace depth="0.9em"/>' in html
    assert "<mi>p</mi><mi>t</mi>" not in html
    assert html.count("<mtr>") == 2


def test_rows_outside_any_environment_stay_rows() -> None:
    assert mathml("$$\na \\\\ b\n$$").count("<mtr>") == 2


def test_an_empty_last_row_has_no_number() -> None:
    html = mathml("\\begin{align}\na&=b\\\\\nc&=d\\\\\n\\end{align}")
    assert "<mtext>(2)</mtext>" in html
    assert "<mtext>(3)</mtext>" not in html


def test_a_last_line_of_a_table_is_no_row() -> None:
    html = mathml(r"$\begin{array}{|c|c|}\hline a&b\\\hline c&d\\\hline\end{array}$")
    assert html.count("<mtr>") == 2
    assert '<mtable class="math-solid-bottom math-solid-left math-solid-top"' in html


def test_a_relation_of_ones_own_keeps_its_space() -> None:
    assert '<mpadded class="math-thick-left math-thick-right">' in mathml(r"$a\mathrel{R}b$")


def test_limits_of_an_operator_of_ones_own_stand_below_it() -> None:
    assert "<munder><mo>⨆</mo>" in re.sub(
        "<mo [^>]*>", "<mo>", mathml(r"$$\mathop{\bigsqcup}\limits_{i} x$$")
    )
    assert "<munder>" in mathml(r"$$\mathop{\mathrm{best}}_{i} x$$")


@pytest.mark.parametrize("tag", [r"$\star$", "1'", "é", r"\text{A}"])
def test_a_tag_may_be_any_sign(tag: str) -> None:
    shown = {r"$\star$": "⋆", "1'": "1′", "é": "é", r"\text{A}": "A"}[tag]
    html = render(f"$$\na \\tag{{{tag}}}\\label{{t}}\n$$\n\n\\eqref{{t}}").html
    assert f"<mtext>({shown})</mtext>" in html
    assert f">({shown})</a>" in html


def test_a_label_may_hold_any_letter() -> None:
    html = render("$$\na \\label{eq:größe}\n$$\n\n\\eqref{eq:größe}").html
    assert ">(1)</a>" in html
    assert html.count('id="eq-gr') == 1


def test_a_label_set_twice_is_a_problem() -> None:
    equation = "\\begin{equation}\na \\label{eq:a}\n\\end{equation}\n\n"
    problems = render(equation * 2).problems
    assert [(problem.code, problem.line) for problem in problems] == [("repeated-label", 6)]


def test_a_reference_inside_a_formula_is_checked_too() -> None:
    problems = render("Text.\n\n$x \\eqref{eq:none}$").problems
    assert [(problem.code, problem.line) for problem in problems] == [("unknown-equation", 3)]


def test_ref_inside_a_formula_is_the_number_alone() -> None:
    equation = "\\begin{equation}\na \\label{eq:a}\n\\end{equation}\n\n"
    html = mathml(equation + r"$x \ref{eq:a} \eqref{eq:a}$")
    assert "<mtext>1</mtext><mtext>(1)</mtext>" in html


def test_a_macro_of_one_formula_is_known_in_the_next() -> None:
    rendered = render("$$\n\\newcommand{\\E}[1]{\\mathbb{E}[#1]}\n$$\n\nThen $\\E{x}$.")
    assert rendered.problems == ()
    assert "𝔼" in rendered.html
    assert rendered.html.count("<math") == 1
    assert "math display" not in rendered.html


def test_macros_of_the_site_may_use_all_that_formulas_may() -> None:
    macros = {"up": r"\textup{#1}", r"\tr": r"\operatorname{\mathrm{tr}}", "br": r"\\"}
    rendered = render(r"$\up{a} \tr A$ $\begin{matrix}a\br b\end{matrix}$", Inputs(macros=macros))
    assert rendered.problems == ()


def test_a_percent_sign_in_a_line_is_one_and_a_comment_is_none() -> None:
    assert "<mi>%</mi>" in mathml("$95%$ sure")
    assert "hidden" not in mathml("$$\na % hidden\n+ b \\label{x} % hidden\n$$")


def test_rows_stay_rows_in_a_line_too() -> None:
    assert mathml(r"$a \\ b$").count("<mtr>") == 2


def test_an_arrow_above_a_letter_is_one_that_browsers_centre() -> None:
    assert '<mo stretchy="false" class="math-vec">→</mo>' in mathml(r"$\vec{v}$")


def test_a_determinant_has_its_limits_below() -> None:
    assert "<munder>" in mathml("$$\n\\det_{i} A\n$$")


def test_braces_with_two_backslashes_in_a_line_are_those_of_a_set() -> None:
    html = mathml(r"$x \in \\{1, 2\\}$")
    assert re.sub("<[^>]*>", "", html).strip() == "x∈{1,2}"
    assert "<mtr>" not in html


def test_a_formula_may_hold_any_number_of_spaces() -> None:
    assert not render("$$" + r"a\quad b\," * 150 + "$$").problems

"""Runs every case of `cases/*.md`: title, source and html, each closed by a line with a full stop.

The html is compared with its formulas shortened to their source. Lines that begin with `! ` close a
case's html and are its problems, as `! code line` or `! code line:column`.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from notes.markdown import FigureFile, Inputs, Problem, Rendered, place, render

CASES = Path(__file__).with_name("cases")
FORMULA = re.compile(r"<math[^>]*>.*?<annotation [^>]*>(.*?)</annotation></semantics></math>", re.S)
FIGURES = {
    "loss": FigureFile(
        "loss", "figures/a1b2.webp", 640, 480, "A falling curve", "Loss by *step*", "Ada"
    ),
    "bare": FigureFile("bare", "figures/c3d4.webp", 320, 200),
}


def cases() -> Iterator[tuple[str, str, str]]:
    """Name, source and expected result of every case."""
    for file in sorted(CASES.glob("*.md")):
        pieces = re.split(r"^\.\n", file.read_text(encoding="utf-8"), flags=re.M)
        for title, source, expected in zip(pieces[::3], pieces[1::3], pieces[2::3], strict=False):
            yield f"{file.stem}: {title.strip()}", source, expected


def shown(rendered: Rendered) -> str:
    """The result as a case file writes it."""
    lines = [FORMULA.sub(r"<math>\1</math>", str(place(rendered.html))).strip()]
    lines += [f"! {problem.code} {place_of(problem)}" for problem in rendered.problems]
    return "\n".join(lines).strip() + "\n"


def place_of(problem: Problem) -> str:
    """The line, and the column unless the problem is at the line's beginning."""
    line, column = problem.line, problem.column
    return f"{line}" if column <= 1 else f"{line}:{column}"


@pytest.mark.parametrize(
    ("source", "expected"), [pytest.param(*case[1:], id=case[0]) for case in cases()]
)
def test_a_case_comes_out_as_its_file_says(source: str, expected: str) -> None:
    assert shown(render(source, Inputs(figures=FIGURES))) == expected.strip() + "\n"


def test_every_case_file_is_whole() -> None:
    for file in CASES.glob("*.md"):
        marks = re.findall(r"^\.$", file.read_text(encoding="utf-8"), flags=re.M)
        assert marks, file.name
        assert len(marks) % 3 == 0, file.name

"""Runs every case of `cases/*.md`: title, source and html, each closed by a line with a full stop.

The html is compared with its formulas shortened to their source. Lines that begin with `! ` close a
case's html and are its problems, as `! code line`.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from notes.markdown import FigureFile, Inputs, Rendered, Variant, place, render

CASES = Path(__file__).with_name("cases")
FORMULA = re.compile(r"<math[^>]*>.*?<annotation [^>]*>(.*?)</annotation></semantics></math>", re.S)
COPIES = [(kind, width) for kind in ("avif", "webp") for width in (640, 1500)]
FIGURES = {
    "loss": FigureFile(
        "loss", "figures/a1b2.webp", 640, 480, "A falling curve", "Loss by *step*", "Ada"
    ),
    "bare": FigureFile("bare", "figures/c3d4.webp", 320, 200),
    "plot": FigureFile(
        "plot",
        "figures/e5f6.png",
        1500,
        900,
        variants=tuple(Variant(f"figures/e5f6-{w}.{k}", w, f"image/{k}") for k, w in COPIES),
    ),
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
    lines += [f"! {problem.code} {problem.line}" for problem in rendered.problems]
    return "\n".join(lines).strip() + "\n"


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

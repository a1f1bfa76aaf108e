"""Runs every case of `cases/*.md`: title, source and html, each closed by a line with a full stop.

The html is compared with its formulas shortened to their source. Lines that begin with `! ` close a
case's html and are its problems, as `! code line` or `! code line:column`. A title that ends
in "(numbered)" is a case of the numbered citation style.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from notes.markdown import (
    FigureFile,
    Inputs,
    NamedNote,
    NoteTarget,
    Problem,
    ReferenceEntry,
    Rendered,
    Variant,
    place,
    render,
    resolve_note_links,
)
from notes.markdown.roots import SITE_MARK

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
REFERENCES = {
    entry.key: entry
    for entry in (
        ReferenceEntry(
            "smith2020", ("Smith",), ("Ada Smith",), "2020", "On birds", "Journal of Birds",
            doi="10.1234/birds",
        ),
        ReferenceEntry(
            "smith-more", ("Smith",), ("Ada Smith",), "2020-05", "A <b>study</b>",
            url="https://www.example.org/a?b=c&d",
        ),
        ReferenceEntry("ng", ("Ng", "Ågren"), ("Li Ng", "Bo Ågren"), "1999", "Well?"),
        ReferenceEntry("many", ("A", "B", "C"), ("X A", "Y B", "Z C"), "2001", "Many", "Venue"),
        ReferenceEntry("a/b:c+d", title="A report that nobody in particular has signed"),
    )
}  # fmt: skip
NOTES = {"known": NoteTarget(f"{SITE_MARK}notes/known/", "A <known> note")}
NAMED_NOTES = {
    "known": NamedNote(("s-the-problem", "s-why")),
    "own": NamedNote(is_own=True),
    "lora": NamedNote(),  # a draft, say, that nobody may see
}


def cases() -> Iterator[tuple[str, str, str]]:
    """Name, source and expected result of every case."""
    for file in sorted(CASES.glob("*.md")):
        pieces = re.split(r"^\.\n", file.read_text(encoding="utf-8"), flags=re.M)
        for title, source, expected in zip(pieces[::3], pieces[1::3], pieces[2::3], strict=False):
            yield f"{file.stem}: {title.strip()}", source, expected


def shown(rendered: Rendered) -> str:
    """The result as a case file writes it."""
    html = place(resolve_note_links(rendered.html, NOTES))
    lines = [FORMULA.sub(r"<math>\1</math>", str(html)).strip()]
    lines += [f"! {problem.code} {place_of(problem)}" for problem in rendered.problems]
    return "\n".join(lines).strip() + "\n"


def place_of(problem: Problem) -> str:
    """The line, and the column unless the problem is at the line's beginning."""
    line, column = problem.line, problem.column
    return f"{line}" if column <= 1 else f"{line}:{column}"


@pytest.mark.parametrize(
    ("name", "source", "expected"), [pytest.param(*case, id=case[0]) for case in cases()]
)
def test_a_case_comes_out_as_its_file_says(name: str, source: str, expected: str) -> None:
    style = "numbered" if name.endswith("(numbered)") else "author-year"
    inputs = Inputs(figures=FIGURES, references=REFERENCES, citation_style=style, notes=NAMED_NOTES)
    assert shown(render(source, inputs)) == expected.strip() + "\n"


def test_every_case_file_is_whole() -> None:
    for file in CASES.glob("*.md"):
        marks = re.findall(r"^\.$", file.read_text(encoding="utf-8"), flags=re.M)
        assert marks, file.name
        assert len(marks) % 3 == 0, file.name

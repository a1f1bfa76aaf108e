"""The words after a code block's language."""

import time

import pytest

from notes.markdown import render
from notes.markdown.code_options import CodeOptions, read


@pytest.mark.parametrize(
    ("info", "options"),
    [
        ("", CodeOptions()),
        ("python", CodeOptions("python")),
        ("C++", CodeOptions("c++")),
        ("python file=train.py", CodeOptions("python", "train.py")),
        ('js title="a b.js" start=10', CodeOptions("js", "a b.js", 10)),
        ("python {2,4-6}", CodeOptions("python", marks=((2, 2), (4, 6)))),
        ("python{2}", CodeOptions("python", marks=((2, 2),))),
        ("{2}", CodeOptions(marks=((2, 2),))),
        ("file=a.txt", CodeOptions(file="a.txt")),
        ("numbers", CodeOptions(start=1)),
        ('{.python .numberLines startFrom="5"}', CodeOptions("python", start=5)),
        ('{.python filename="a.py"}', CodeOptions("python", "a.py")),
        ('py linenums="3" hl_lines="1 3-4"', CodeOptions("py", start=3, marks=((1, 1), (3, 4)))),
        ("python nonsense=1 onclick=alert(1) start=x", CodeOptions("python")),
        ("python start=99999999", CodeOptions("python")),
    ],
)
def test_reads_ours_and_other_programs_spellings(info: str, options: CodeOptions) -> None:
    assert read(info) == options


def test_a_long_block_with_everything_takes_time_in_proportion() -> None:
    start = time.process_time()
    render("```python numbers {" + "1-999999," * 5000 + "}\n" + "a = 1\n" * 20_000 + "```\n")
    assert time.process_time() - start < 4

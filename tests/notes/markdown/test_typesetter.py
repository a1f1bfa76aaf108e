"""The typesetting child dies or hangs on hostile formulas; a note loses no more than those."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest

from notes.markdown import render
from notes.markdown.typesetter import PROGRAM, Refused, Typesetter

GOOD = ("x", False)
HOSTILE = {
    "nested fractions": "\\frac{" * 4000,
    "nested roots": "\\sqrt{" * 4000 + "}" * 4000,
    "nested hats": "\\hat{" * 4000 + "}" * 4000,
    "roots without braces": "\\sqrt" * 6000 + "x",
    "nested fences": "\\left(" * 6000 + "\\right)" * 6000,
    "braces": "{" * 6000 + "}" * 6000,
    "a macro": r"\def\a{" + r"\hat " * 200 + "}" + r"\a" * 40,
    "some unmatched delimiters": r"\bigl(" * 30,
    "unmatched delimiters": r"\bigl(" * 500,
}


@pytest.fixture
def typesetter() -> Iterator[Typesetter]:
    typesetter = Typesetter()
    yield typesetter
    typesetter.close()


def child_of(typesetter: Typesetter) -> subprocess.Popen[bytes]:
    typesetter.typeset([GOOD], {})
    child = typesetter._child
    assert child is not None
    return child


@pytest.mark.parametrize("formula", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_formula_that_kills_the_child_costs_itself_alone(
    typesetter: Typesetter, formula: str
) -> None:
    before, hostile, after = typesetter.typeset([GOOD, (formula, False), GOOD], {})
    assert isinstance(hostile, Refused)
    assert "<mi>x</mi>" in str(before)
    assert before == after


def test_numbers_are_right_around_a_formula_that_kills_the_child(typesetter: Typesetter) -> None:
    numbered = [(rf"\begin{{equation}}x\label{{{name}}}\end{{equation}}", True) for name in "ab"]
    killer = (HOSTILE["nested fractions"], True)
    results = typesetter.typeset([numbered[0], killer, numbered[1], (r"\eqref{b}", False)], {})
    assert "<mtext>(1)</mtext>" in str(results[0])
    assert "<mtext>(2)</mtext>" in str(results[2])
    assert "(2)" in str(results[3])


def test_a_killed_child_is_started_anew(typesetter: Typesetter) -> None:
    child = child_of(typesetter)
    child.kill()
    child.wait()
    assert "<mi>x</mi>" in str(typesetter.typeset([GOOD], {})[0])


def test_a_child_killed_at_work_costs_nothing_harmless(typesetter: Typesetter) -> None:
    child = child_of(typesetter)
    os.kill(child.pid, signal.SIGSTOP)  # it takes the formulas, and does nothing
    killer = threading.Timer(0.3, child.kill)
    killer.start()
    results = typesetter.typeset([GOOD, GOOD], {})
    killer.join()
    assert all("<mi>x</mi>" in str(result) for result in results)


def test_the_child_is_kept_running(typesetter: Typesetter) -> None:
    first = child_of(typesetter).pid
    assert child_of(typesetter).pid == first


def test_a_fork_gets_a_child_of_its_own(typesetter: Typesetter) -> None:
    first = child_of(typesetter).pid
    reading, writing = os.pipe()
    forked = os.fork()
    if forked == 0:
        status = 1
        try:
            os.write(writing, str(child_of(typesetter).pid).encode())
            typesetter.close()
            status = 0
        finally:
            os._exit(status)
    os.close(writing)
    with os.fdopen(reading) as answer:
        other = int(answer.read())
    assert os.waitpid(forked, 0)[1] == 0
    assert other != first
    assert child_of(typesetter).pid == first


def test_the_child_ends_with_its_parent() -> None:
    child = subprocess.Popen(
        [sys.executable, "-I", str(PROGRAM)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert child.stdin is not None
    assert child.stdout is not None
    child.stdin.close()
    assert child.wait(timeout=10) == 0
    child.stdout.close()


def test_threads_share_one_child(typesetter: Typesetter) -> None:
    results: dict[int, str] = {}

    def work(number: int) -> None:
        for _ in range(20):
            results[number] = str(typesetter.typeset([(f"x_{number}", False)], {})[0])

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(f"<mn>{number}</mn>" in result for number, result in results.items())


def test_a_macro_without_end_is_an_error_and_not_a_hang(typesetter: Typesetter) -> None:
    started = time.monotonic()
    (result,) = typesetter.typeset([(r"\def\a{\a\a}\a", False)], {})
    assert isinstance(result, Refused)
    assert time.monotonic() - started < 60


def test_one_bad_macro_of_the_site_leaves_the_others(typesetter: Typesetter) -> None:
    macros = {"R": r"\mathbb{R}", "bad": "#", "also": r"\frac{"}
    good, bad = typesetter.typeset([(r"\R", False), (r"\bad", False)], macros)
    assert "ℝ" in str(good)
    assert isinstance(bad, Refused)


def test_a_note_with_hostile_formulas_keeps_the_others() -> None:
    rendered = render(f"One $a$.\n\nTwo ${HOSTILE['a macro']}$.\n\nThree $b$.")
    assert rendered.html.count("<math") == 2
    assert [(problem.code, problem.line) for problem in rendered.problems] == [("bad-formula", 3)]


def test_no_answer_is_anothers_when_formulas_of_a_note_kill_the_child() -> None:
    formulas = [one for pair in enumerate(HOSTILE.values()) for one in (f"x_{pair[0]}", pair[1])]
    html = render("\n\n".join(f"${formula}$" for formula in formulas)).html
    answers = re.findall(r"<mi>x</mi><mn>(\d+)</mn>", html)
    assert answers == [str(number) for number in range(len(HOSTILE))]


def test_macros_make_no_more_than_a_page_of_a_note(
    typesetter: Typesetter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("notes.markdown.bounds.FORMULAS_OUTPUT", 3000)
    large, killer = (r"\a", False), (HOSTILE["nested roots"], False)
    for formulas, kept in (
        ([GOOD, large, large, GOOD], [True, True, False, False]),
        ([GOOD, killer, large, large, GOOD], [True, False, True, False, False]),
    ):
        results = typesetter.typeset(formulas, {"a": "x+" * 80})
        assert [isinstance(one, str) for one in results] == kept


def test_a_formula_too_large_costs_itself_alone(
    typesetter: Typesetter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("notes.markdown.bounds.FORMULA_OUTPUT", 1000)
    results = typesetter.typeset([GOOD, (r"\a", False), GOOD], {"a": "x+" * 80})
    assert [isinstance(one, str) for one in results] == [True, False, True]

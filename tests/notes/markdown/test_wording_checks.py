"""Checks of wording: what their case file cannot say."""

import time

from notes.markdown import Inputs, render


def codes(source: str, **inputs: object) -> list[str]:
    return [problem.code for problem in render(source, Inputs(**inputs)).problems]


def test_words_are_held_against_english_alone() -> None:
    assert codes("sie sie", language="en-GB") == ["repeated-word"]
    assert codes("Die, die die kennen", language="de") == []


def test_thirty_words_of_chinese_are_counted_by_characters() -> None:
    heading = "## What to take away\n\n- "
    assert "take-away-too-long" not in codes(heading + "它" * 50 + "。")
    assert "take-away-too-long" in codes(heading + "它" * 60 + "。")


def test_places_are_true_in_lists_quotes_and_after_entities() -> None:
    source = "> 1. a &amp; \\* `x` **b** [c](/d 'TODO') ~~e~~\n>    ![TODO](figures/x) TODO\n"
    found = [one for one in render(source).problems if one.code == "unfinished"]
    lines = source.splitlines()
    assert [(one.line, one.column) for one in found] == [(2, 8), (2, 25)]
    assert all(lines[one.line - 1][one.column - 1 :].startswith("TODO") for one in found)


def test_many_finds_in_one_paragraph_take_time_in_proportion() -> None:
    def seconds(count: int) -> float:
        start = time.process_time()
        render("[here](#a) TODO `b` &amp; the the\n" * count)
        return time.process_time() - start

    seconds(10)
    assert seconds(2000) < 4 * seconds(1000) + 0.1

"""Attribute lists: what their case file cannot say."""

import time

import pytest

from notes.markdown import render
from notes.markdown.attributes import step_of


@pytest.mark.parametrize(
    ("width", "step"),
    [("50%", 50), ("48%", 50), ("350", 50), ("200px", 25), ("100%", 0), ("0", 0), ("5em", 0)],
)
def test_a_width_becomes_the_nearest_step(width: str, step: int) -> None:
    assert step_of(width) == step


def test_an_anchor_that_the_author_gives_is_kept_as_it_is_written() -> None:
    rendered = render("## A {#Setup}\n\n## Setup\n\n## B {#Setup}\n\n[c](#Setup) [d](#setup)")
    assert [heading.anchor for heading in rendered.contents] == ["s-Setup", "s-setup", "s-b"]
    assert rendered.problems == ()


@pytest.mark.parametrize(
    "family", ["*a*{.b}", "{.b ", "a {.b}\n", "{#a", "~a", "^a", "x~a~", "![](a){.b}", "{.a .a}"]
)
def test_what_is_hostile_takes_time_in_proportion(family: str) -> None:
    start = time.process_time()
    render(family * (50_000 // len(family)))
    assert time.process_time() - start < 2

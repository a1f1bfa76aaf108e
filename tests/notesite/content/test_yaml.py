"""YAML as strings, lists and mappings: what is refused, and that what is written reads back."""

from __future__ import annotations

import datetime

import pytest
import yaml as pyyaml
from hypothesis import given, settings
from hypothesis import strategies as st

from notesite.content import yaml
from notesite.content.report import Refusal
from notesite.text import clean_line, clean_text
from tests.notesite.content.generated import lines, texts


def value_of(node: yaml.Node) -> object:
    if isinstance(node, yaml.Text):
        return node.value
    if isinstance(node, yaml.Items):
        return [value_of(item) for item in node.values]
    return {key: value_of(value) for key, value in node.values.items()}


@pytest.mark.parametrize(
    "scalar", ["no", "true", "12:30", "0x1F", "1e3", "2026-04-07", "~", "null"]
)
def test_a_scalar_is_text_whatever_it_looks_like(scalar: str):
    assert value_of(yaml.load(f"title: {scalar}\n")) == {"title": scalar}


@pytest.mark.parametrize(
    ("text", "line", "word"),
    [
        ("a: b\nc: &x d\n", 2, "Anchors"),
        ("a: b\nc: *x\n", 2, "Anchors"),
        ("a: !!python/object:os.system x\n", 1, "Tags"),
        ("a: b\nc: !x d\n", 2, "Tags"),
        ("a: b\nc: d\na: e\n", 3, "a second time"),
        ("title: Notes: part 2\n", 1, "not valid YAML"),
        ("a: b\n\tc: d\n", 2, "not valid YAML"),
        ("a: [\n", 2, "not valid YAML"),
        ("a: b\nc: \x07\n", 2, "U+0007"),
        ("a: " + "[" * 2000 + "\n", 1, "nested"),
        ("a: b\n--- \nc: d\n", 2, "second YAML document"),
        ("[a, b]: c\n", 1, "key must be text"),
        ("a: " + "x" * 70_000, 1, "64 kB"),
    ],
)
def test_what_is_dangerous_or_surprising_is_refused_at_its_line(text: str, line: int, word: str):
    with pytest.raises(Refusal) as caught:
        yaml.load(text)
    assert word in caught.value.message
    assert caught.value.line == line


def test_aliases_that_would_expand_to_millions_cost_nothing():
    bomb = 'a0: &a0 ["x"]\n' + "".join(
        f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 9)
    )
    with pytest.raises(Refusal):
        yaml.load(bomb)


def test_two_thousand_brackets_are_a_refusal_and_no_recursion():
    for text in ("[" * 2000 + "]" * 2000, "{a: " * 2000 + "}" * 2000, "- " * 2000 + "x"):
        with pytest.raises(Refusal, match="nested"):
            yaml.load(text)


def test_times_are_written_in_utc_with_z_and_whole_seconds():
    berlin = datetime.timezone(datetime.timedelta(hours=2))
    time = datetime.datetime(2026, 4, 7, 11, 0, 0, 999, tzinfo=berlin)
    assert yaml.dump({"published": time}) == "published: 2026-04-07T09:00:00Z\n"


def test_strings_are_quoted_only_where_yaml_needs_it():
    plain = {"a": "Plain words, “quotes” and 日本語", "b": "no", "c": "x: y", "d": "two\nlines\n"}
    assert yaml.dump(plain) == (
        "a: Plain words, “quotes” and 日本語\nb: 'no'\nc: 'x: y'\nd: |\n  two\n  lines\n"
    )


def test_a_long_line_is_not_folded():
    line = "word " * 100 + "end"
    assert yaml.dump({"dek": line}) == f"dek: {line}\n"


@given(
    st.dictionaries(
        lines.map(clean_line),
        st.one_of(
            lines.map(clean_line),
            texts.map(clean_text),
            st.lists(lines.map(clean_line), min_size=1),
            st.lists(st.lists(texts.map(clean_text), min_size=1), min_size=1),
        ),
        min_size=1,
    )
)
@settings(max_examples=300, deadline=None, database=None)
def test_whatever_is_stored_reads_back_here_and_in_another_reader(value: dict[str, yaml.Plain]):
    written = yaml.dump(value)
    assert value_of(yaml.load(written)) == value
    assert pyyaml.safe_load(written) == value
    assert "\r" not in written and written.endswith("\n")

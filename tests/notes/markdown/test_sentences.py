"""The sentence around a link to a note."""

import time

import pytest

from notes.markdown import render


def sentence(source: str) -> str:
    (said,) = render(source).sentences
    assert said[0] == "lora"
    return said[1]


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("One. Two is [[lora|in it]]. Three.", "Two is in it."),
        ("[[lora]] comes first. Then more.", "lora comes first."),
        ("It ends with [[lora]]", "It ends with lora"),
        ("By Hu et al. (21), in [it](/notes/lora/), p. 3. So.", "By Hu et al. (21), in it, p. 3."),
        ("Above.\n\n- In a list [[lora]]\n- Below\n", "In a list lora"),
        ("> Quoted: “so.” See [[lora]]! Yes?", "See lora!"),
        ("Of $x^2$ and `code` [[lora]].", "Of x2 and code lora."),
        ("先说一句。再看[[lora]]吧。完了。", "再看lora吧。"),
        ("## About [[lora]]\n\nText.", ""),
        ("First [[lora]]. Again [[lora]].", "First lora."),
    ],
)  # fmt: skip
def test_is_the_sentence_of_the_first_link(source: str, said: str) -> None:
    assert sentence(source) == said


def test_a_long_one_is_cut_around_the_link() -> None:
    said = sentence("word " * 200 + "[[lora]]" + " word" * 200)
    assert len(said) <= 300
    assert "lora" in said
    assert said.startswith("…")
    assert said.endswith("…")


def test_costs_the_same_for_each_of_many_links() -> None:
    start = time.process_time()
    rendered = render(" ".join(f"[[n{number}]]" for number in range(8_000)))
    assert len(rendered.sentences) == 8_000
    assert time.process_time() - start < 8

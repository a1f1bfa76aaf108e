"""Work grows with the text: a flood of any mark costs what its length says, not its square.

Sizes are small here; tests/long measures 100 kB of each against two seconds.
"""

import gc
import time
from collections.abc import Callable

import pytest

from notes.markdown import render
from tests.notes.markdown.floods import families

SIZE = 25_000
NOT_WORTH_COMPARING = 0.5  # seconds; below, a ratio is noise


def processor_time(text: str) -> float:
    gc.collect()
    gc.disable()  # what other tests have left lying about is not this flood's
    try:
        started = time.process_time()
        render(text)
        return time.process_time() - started
    finally:
        gc.enable()


@pytest.mark.parametrize("build", families().values(), ids=families().keys())
def test_a_flood_is_linear(build: Callable[[int], str]) -> None:
    double = processor_time(build(2 * SIZE))
    assert double < 1.5
    if double > NOT_WORTH_COMPARING:
        assert double < 3 * max(processor_time(build(SIZE)), NOT_WORTH_COMPARING / 3)

"""A hundred kilobytes of every flood in two seconds, a megabyte in ten and half a gigabyte.

`pytest tests/long/test_floods.py`: some minutes.
"""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.notes.markdown.floods import families

ROOT = Path(__file__).parents[2]
MEASURED = """
import os, resource, sys, time
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
import django
django.setup()
from notes.markdown import render
from tests.notes.markdown.floods import families
render("a $x$ b")
for name in sys.argv[2:]:
    text = families()[name](int(sys.argv[1]))
    started = time.process_time()
    render(text)
    print(time.process_time() - started)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def measured(size: int, names: list[str]) -> tuple[list[float], int]:
    """Seconds of processor time of each family, and the most memory, in kilobytes."""
    output = subprocess.run(
        [sys.executable, "-c", MEASURED, str(size), *names],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
        timeout=600,
    ).stdout.split()
    return [float(seconds) for seconds in output[:-1]], int(output[-1])


def test_a_hundred_kilobytes_take_less_than_two_seconds() -> None:
    names = list(families())
    seconds, _ = measured(100_000, names)
    assert {name: one for name, one in zip(names, seconds, strict=True) if one > 2} == {}


@pytest.mark.parametrize("name", families())
def test_a_megabyte_takes_less_than_ten_seconds_and_half_a_gigabyte(name: str) -> None:
    (seconds,), kilobytes = measured(1_000_000, [name])
    assert seconds < 10
    assert kilobytes < 512 * 1024

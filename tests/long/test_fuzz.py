"""Texts that nobody would write: none may crash a rendering or come out unsafe.

For atheris: `uv run --group fuzz pytest tests/long/test_fuzz.py -n 0 -s --minutes 10`.
"""

import random
import re
import subprocess
import sys
import time
from pathlib import Path

from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from tests.long.fuzzing import PIECES, check
from tests.notes.markdown.test_floods import processor_time

ROOT = Path(__file__).parents[2]
TEXTS = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=4)), max_size=60)


def test_hypothesis_finds_nothing(minutes: float) -> None:
    end, rounds = time.monotonic() + minutes * 60, 0
    while time.monotonic() < end or not rounds:

        @seed(random.randrange(2**32))  # noqa: S311
        @settings(
            max_examples=300,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
        )
        @given(TEXTS.map("".join))
        def holds(source: str) -> None:
            check(source)

        holds()
        rounds += 1
    print(f"{300 * rounds} texts of hypothesis")


def test_random_floods_are_linear(minutes: float) -> None:
    """Some pieces, the same again and again, then others: the sum of all quadratic texts."""
    chooser = random.Random()  # noqa: S311

    def pieces(*counts: int) -> str:
        return "".join(chooser.choices(PIECES, k=chooser.choice(counts)))

    end, rounds = time.monotonic() + minutes * 60, 0
    while time.monotonic() < end or not rounds:
        before, first, second = pieces(0, 0, 1, 3), pieces(1, 2, 3, 4, 5), pieces(1, 2, 3)

        def flood(size: int, parts: tuple[str, ...] = (before, first, second)) -> str:
            return parts[0] + "".join(part * (size // 2 // len(part)) for part in parts[1:])

        if (double := processor_time(flood(50_000))) > 1:
            single = processor_time(flood(25_000))
            assert double < min(3 * single, 3), (before, first, second, single, double)
        rounds += 1
    print(f"{rounds} floods")


def test_atheris_finds_nothing(minutes: float, tmp_path: Path) -> None:
    seconds = max(1, int(minutes * 60))
    ran = subprocess.run(
        [
            sys.executable,
            "-m",
            "tests.long.fuzzing",
            f"-max_total_time={seconds}",
            "-rss_limit_mb=1024",
            "-timeout=10",
            f"-artifact_prefix={tmp_path}/",
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=seconds + 120,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout[-2000:] + ran.stderr[-4000:]
    done = re.findall(r"Done (\d+) runs", ran.stderr)
    assert done, ran.stderr[-1000:]
    print(f"{done[-1]} texts of atheris")

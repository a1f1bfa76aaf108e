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

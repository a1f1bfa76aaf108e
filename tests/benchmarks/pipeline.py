"""What one note costs: `uv run python -m tests.benchmarks.pipeline`.

A note of 1,500 words with eight formulas, three blocks of code and two figures is rendered by
notesite, by Python-Markdown with its usual extensions, and by markdown-it-py bare, in the same run;
then each stage's share, and how the time grows with the text up to a megabyte. Processor time of
this process, medians; that of the typesetter's child is told beside it.
"""

from __future__ import annotations

import os
import platform
import random
import statistics
import time
from collections.abc import Callable

import django

ROUNDS = 15
SIZES = (10_000, 100_000, 300_000, 1_000_000)
PROSE = (
    "the learner waits for data while a queue of old batches grows and every slot keeps its result "
    "until the trainer asks so that age and use of what was sampled depend on the bound alone"
)
FORMULAS = (
    r"\pi_\theta(a \mid s)",
    r"\frac{1}{B}\sum_{i=1}^{B} A_i \nabla_\theta \log \pi_\theta(a_i)",
    r"\mathbb{E}_{\tau \sim \mu}\Bigl[\prod_{t \le T} \rho_t\Bigr]",
    r"1 - (1-s)^T",
    r"\sqrt{\frac{k-1}{r}}",
    r"\lambda W",
    r"\begin{cases} 1 & x > 0 \\ 0 & \text{otherwise} \end{cases}",
    r"\hat g = \frac{m_i A_i}{T_i} \sum_{t} \rho_{i,t}",
)
CODE = "def lag(slots, queue, batch):\n    return slots / batch + queue  # versions\n" * 4


def note(words: int = 1500, number: int = 0) -> str:
    """A text of about so many words, with what a research note holds; `number` varies it."""
    chooser = random.Random(number)  # noqa: S311  (the same text in every run)
    known = PROSE.split()
    paragraphs: list[str] = []
    while sum(len(one.split()) for one in paragraphs) < words:
        chosen = [chooser.choice(known) for _ in range(70)]
        chosen[9] = f"*{chosen[9]}*"
        chosen[30] = f"[{chosen[30]}](https://a.example/{number})"
        paragraphs.append(" ".join(chosen).capitalize() + ".")
    for index, formula in enumerate(FORMULAS):
        varied = formula if not number else f"{formula} + {number}"
        inline, place = index % 2 == 0, index % len(paragraphs)
        if inline:
            paragraphs[place] += f" So ${varied}$ holds."
        else:
            paragraphs[place] += f"\n\n$$\n{varied}\n$$"
    for index in range(3):
        paragraphs.insert(3 + 5 * index, f"```python\n{CODE}```")
    for index in range(2):
        paragraphs.insert(5 + 6 * index, f'![A curve.](figures/curve-{index}.png "What it shows.")')
    headings = ("The problem", "The mechanism", "The evidence", "What to take away")
    for index, heading in enumerate(headings):
        paragraphs.insert(index * (len(paragraphs) // 4), f"## {heading}")
    return "\n\n".join(paragraphs) + "\n"


def median(action: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Milliseconds of processor time."""
    times = []
    for _ in range(rounds):
        started = time.process_time()
        action()
        times.append(time.process_time() - started)
    return 1000 * statistics.median(times)


def shares(source: str) -> dict[str, float]:
    """Milliseconds of each stage, and of what follows them, medians."""
    from notes.markdown import pipeline, wording_checks
    from notes.markdown.assemble import Assembly
    from notes.markdown.parser import parser
    from notes.markdown.sanitize import sanitize
    from notes.markdown.work import Work

    found: dict[str, list[float]] = {}

    def timed(name: str, action: Callable[..., object], *arguments: object) -> object:
        started = time.process_time()
        result = action(*arguments)
        found.setdefault(name, []).append(1000 * (time.process_time() - started))
        return result

    for _ in range(ROUNDS):
        work = Work.begin(source, inputs())
        for stage in pipeline.STAGES:
            name = f"{stage.__module__.rpartition('.')[2]}.{stage.__name__}"
            timed(name, stage, work)
        markup = timed(
            "write html", parser().renderer.render, work.tokens, parser().options, work.env
        )
        clean = timed("sanitize", sanitize, markup)
        assembly = Assembly(work)
        timed("assemble", assembly.walk, clean)
        timed("wording_checks.check_anchors", wording_checks.check_anchors, work, assembly.ids)
    return {name: statistics.median(times) for name, times in found.items()}


def inputs() -> object:
    from notes.markdown import FigureFile, Inputs

    names = [f"curve-{index}.png" for index in range(2)]
    return Inputs(figures={one: FigureFile(one, f"figures/{one}", 1400, 900) for one in names})


def main() -> None:
    """Print the comparison, the shares and the growth."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    import markdown
    from markdown_it import MarkdownIt

    from notes.markdown import render

    source, given = note(), inputs()
    usual = ["extra", "codehilite", "toc", "sane_lists", "smarty"]
    print(f"{platform.python_version()} on {platform.machine()}, {len(source.split())} words")
    render(source, given)  # the child is started, the formulas are known
    print(f"notesite, formulas seen before   {median(lambda: render(source, given)):7.1f} ms")
    numbers = iter(range(1, 10_000))
    print(
        "notesite, formulas never seen    "
        f"{median(lambda: render(note(number=next(numbers)), given)):7.1f} ms"
        "  (and what the typesetter's child takes)"
    )
    wall = time.perf_counter()
    render(note(number=20_000), given)
    print(f"  one of these on the clock      {1000 * (time.perf_counter() - wall):7.1f} ms")
    print(
        "Python-Markdown, usual extensions"
        f"{median(lambda: markdown.markdown(source, extensions=usual)):7.1f} ms"
    )
    bare = MarkdownIt("commonmark")
    print(f"markdown-it-py, bare             {median(lambda: bare.render(source)):7.1f} ms")
    print("\nshare of each stage, formulas seen before")
    parts = shares(source)
    whole = sum(parts.values())
    for name, milliseconds in sorted(parts.items(), key=lambda part: -part[1]):
        print(f"  {name:34s} {milliseconds:6.2f} ms {milliseconds / whole:6.1%}")
    print("\ngrowth")
    for size in SIZES:
        text = "\n\n".join(note(number=index) for index in range(1 + size // len(source)))[:size]
        milliseconds = median(lambda text=text: render(text, given), rounds=3)
        print(
            f"  {size:9,} bytes {milliseconds:8.0f} ms, {milliseconds / size * 1000:5.2f} µs a byte"
        )


if __name__ == "__main__":
    main()

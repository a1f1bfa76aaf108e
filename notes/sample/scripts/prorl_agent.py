"""Toy computation of the note on ProRL Agent: one slot for a whole job, or a pool for each stage.

Four thousand jobs pass three stages (prepare, run, score) whose times are log-normal. Coupled, a
worker keeps its slot through all three; staged, each stage has a pool and a queue of its own. All
jobs wait at the door from the start. Not the scheduler of ProRL Agent, which is not modelled.
"""

import heapq
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from notes.sample.scripts import style

SEED = 13
JOBS = 4000
LONG_RUN = 40_000  # jobs enough that filling and draining the pools hardly counts
RUN_SLOTS = 64
LOG_MEANS = (2.5, 4.0, 2.0)  # prepare, run, score; of the logarithm of seconds
LOG_SPREADS = (0.5, 0.8, 0.7)
PREPARE, RUN, SCORE = 0, 1, 2

LAYOUTS = ((8, 64, 8), (16, 64, 12), (32, 64, 24), (4, 64, 12))
BATCHES = (16, 64, 256)
DRAWS_PER_BATCH = 800
SWEEP = (2, 4, 6, 8, 10, 12, 14, 16, 20, 24)  # sizes of the pool that prepares

Seconds = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Outcome:
    """Finished jobs a second, and the share of its time that a run slot does model work."""

    rate: float
    busy: float


def draw_seconds(rng: np.random.Generator, jobs: int) -> Seconds:
    """Return what each job will need in each stage: a row a job, a column a stage."""
    return np.exp(rng.normal(LOG_MEANS, LOG_SPREADS, size=(jobs, 3)))


def coupled(seconds: Seconds, slots: int) -> Outcome:
    """Let every worker take a job through all three stages before it takes the next."""
    free_at = [0.0] * slots
    for job in seconds:
        heapq.heappush(free_at, heapq.heappop(free_at) + job.sum())
    end = max(free_at)
    return Outcome(len(seconds) / end, seconds[:, RUN].sum() / (slots * end))


def staged(seconds: Seconds, pools: tuple[int, int, int]) -> Outcome:
    """Let each stage serve jobs in the order in which the stage before has finished them."""
    ready = np.zeros(len(seconds))
    for stage, workers in enumerate(pools):
        free_at = [0.0] * workers
        finished = np.zeros(len(seconds))
        for job in np.argsort(ready, kind="stable"):
            start = max(ready[job], heapq.heappop(free_at))
            finished[job] = start + seconds[job, stage]
            heapq.heappush(free_at, finished[job])
        ready = finished
    end = ready.max()
    return Outcome(len(seconds) / end, seconds[:, RUN].sum() / (pools[RUN] * end))


def bound(means: Seconds, pools: tuple[int, int, int]) -> float:
    """Return the jobs a second that the slowest pool allows in the long run."""
    return float(min(workers / mean for workers, mean in zip(pools, means, strict=True)))


def draw(sizes: tuple[int, ...], rates: list[float], means: Seconds, coupled_rate: float) -> None:
    """Plot jobs a second over the size of the first pool, with the bound and the coupled layout."""
    figure, (axes,) = style.panels(1, height=5.4)
    grid = np.linspace(0.5, 25, 400)
    ceiling = [
        min(size / means[PREPARE], RUN_SLOTS / means[RUN], 12 / means[SCORE]) for size in grid
    ]
    axes.plot(grid, ceiling, color=style.QUIET, linestyle="--", linewidth=2.2)
    axes.axhline(coupled_rate, color=style.VERMILION, linestyle=":", linewidth=3)
    axes.plot(sizes, rates, color=style.BLUE, marker="o")
    axes.text(25, 0.875, "bound of the slowest pool", ha="right", color=style.QUIET)
    axes.text(25, 0.715, "staged pools", ha="right", color=style.BLUE)
    axes.text(25, 0.55, f"{RUN_SLOTS} coupled slots", ha="right", color=style.VERMILION)
    axes.set(xlim=(0, 25.4), ylim=(0, 0.97))
    axes.set_xticks([0, 4, 8, 12, 16, 20, 24])
    axes.set_yticks([0, 0.2, 0.4, 0.6, 0.8])
    axes.set_xlabel(f"workers that prepare ({RUN_SLOTS} run, 12 score)")
    style.heading(axes, "Finished jobs a second")
    style.save(figure, "prorl-agent-stages.png")


def main() -> None:
    """Print every number that the note uses, then draw its figure."""
    rng = np.random.default_rng(SEED)
    seconds = draw_seconds(rng, JOBS)
    means = seconds.mean(axis=0)
    share = means[RUN] / means.sum()
    prepare, run, score = means
    print(f"mean seconds: prepare {prepare:.1f}, run {run:.1f}, score {score:.1f}")
    print(f"run share of a job {share:.3f}")

    together = coupled(seconds, RUN_SLOTS)
    formula = RUN_SLOTS / means.sum()
    print(
        f"coupled, {RUN_SLOTS} slots: {together.rate:.3f} jobs/s (formula {formula:.3f}), "
        f"busy with runs {together.busy:.2f}"
    )
    for pools in LAYOUTS:
        apart = staged(seconds, pools)
        print(
            f"staged, pools {pools}, {sum(pools)} workers: {apart.rate:.3f} jobs/s "
            f"(bound {bound(means, pools):.3f}), busy with runs {apart.busy:.2f}"
        )
    longer = staged(draw_seconds(np.random.default_rng(SEED), LONG_RUN), LAYOUTS[1])
    print(f"staged, pools {LAYOUTS[1]}, {LONG_RUN} jobs: {longer.rate:.3f} jobs/s")
    print(f"workers that prepare at the knee: {RUN_SLOTS * prepare / run:.1f}")

    for size in BATCHES:
        slowest = np.mean([rng.choice(seconds[:, RUN], size).max() for _ in range(DRAWS_PER_BATCH)])
        print(f"a batch of {size} waits {slowest / run:.1f} mean runs for its slowest member")

    rates = [staged(seconds, (size, RUN_SLOTS, 12)).rate for size in SWEEP]
    for size, rate in zip(SWEEP, rates, strict=True):
        print(f"figure: {size} workers prepare, {rate:.3f} jobs/s")
    draw(SWEEP, rates, means, together.rate)


if __name__ == "__main__":
    main()

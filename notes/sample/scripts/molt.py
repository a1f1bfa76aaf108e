"""Toy computation of the note on Molt: how busy a learner is, and how old its data, in one loop.

Slots produce rollouts of log-normal length with the newest weights; a queue of bounded length holds
them; one learner takes a batch at a time. A slot whose result finds the queue full keeps it and
waits. Weights change hands at once. Not Molt's own scheduler, which is not modelled.
"""

import heapq
import math
from collections import deque
from dataclasses import dataclass

import numpy as np

from notes.sample.scripts import style

SEED = 9
BATCH = 64  # rollouts
STEP = 8.0  # seconds the learner needs for a batch
LOG_MEAN, LOG_SPREAD = 3.0, 0.8  # of the logarithm of a rollout's seconds; median 20 s
STEPS, WARM_UP = 600, 100
SYNCHRONOUS_STEPS = 400

SLOTS = (64, 128, 256, 512)
QUEUES = (1, 2, 8)  # bound of the queue, in batches
SWEEP = (64, 128, 192, 208, 240, 256, 320, 384, 448, 512)


@dataclass(frozen=True, slots=True)
class Outcome:
    """Share of time the learner works, mean age of its data in versions, rollouts not yet used."""

    busy: float
    lag: float
    waiting: float  # in batches: started and not yet taken by the learner


def synchronous() -> float:
    """Return the learner's share of time if every batch starts only after the last update."""
    rng = np.random.default_rng(SEED)
    total = 0.0
    for _ in range(SYNCHRONOUS_STEPS):
        total += np.exp(rng.normal(LOG_MEAN, LOG_SPREAD, BATCH)).max() + STEP
    return SYNCHRONOUS_STEPS * STEP / total


def asynchronous(slots: int, queue: int) -> Outcome:
    """Follow the loop event by event until the learner has made its last step."""
    rng = np.random.default_rng(SEED)

    def rollout(version: int, now: float) -> tuple[float, int]:
        return now + float(np.exp(rng.normal(LOG_MEAN, LOG_SPREAD))), version

    running = [rollout(0, 0.0) for _ in range(slots)]
    heapq.heapify(running)
    queued: deque[int] = deque()  # versions that produced the finished rollouts
    held: deque[int] = deque()  # the same for slots that found the queue full
    now, version, step_ends = 0.0, 0, math.inf
    measured_from, working, unused = 0.0, 0.0, 0.0
    lags: list[int] = []

    def admit() -> None:
        while held and len(queued) < queue * BATCH:
            queued.append(held.popleft())
            heapq.heappush(running, rollout(version, now))

    while version < STEPS:
        next_rollout = running[0][0] if running else math.inf
        upcoming = min(next_rollout, step_ends)
        if version >= WARM_UP:
            unused += (upcoming - now) * (len(running) + len(held) + len(queued))
        now = upcoming
        if step_ends <= next_rollout:
            version, step_ends = version + 1, math.inf
        else:
            held.append(heapq.heappop(running)[1])
        admit()
        if step_ends == math.inf and len(queued) >= BATCH:
            taken = [queued.popleft() for _ in range(BATCH)]
            if version >= WARM_UP:
                measured_from = measured_from or now
                lags.extend(version - born for born in taken)
                working += STEP
            step_ends = now + STEP
            admit()
    span = now - measured_from
    return Outcome(working / span, float(np.mean(lags)), unused / span / BATCH)


def draw(outcomes: dict[tuple[int, int], Outcome], knee: float) -> None:
    """Plot use and age over the number of slots, one line of age for each bound of the queue."""
    figure, (use, age) = style.panels(2, height=7.4)
    use.plot(SWEEP, [100 * outcomes[slots, 1].busy for slots in SWEEP], "o-", color=style.INK)
    use.set(ylim=(0, 112), yticks=[0, 50, 100])
    style.heading(use, "Learner at work, % of the time")
    looks = ((8, style.VERMILION, "^-."), (2, style.BLUE, "s--"), (1, style.GREEN, "o-"))
    for queue, colour, look in looks:
        age.plot(SWEEP, [outcomes[slots, queue].lag for slots in SWEEP], look, color=colour)
    age.text(500, 16.9, "queue of 8 batches", ha="right", color=style.VERMILION)
    age.text(375, 8.7, "2 batches", ha="right", color=style.BLUE)
    age.text(410, 4.4, "1 batch", ha="left", color=style.GREEN)
    age.set(ylim=(0, 19.5), yticks=[0, 5, 10, 15], xlim=(40, 530), xticks=[64, 128, 256, 384, 512])
    age.set_xlabel("rollout slots at work")
    style.heading(age, "Age of the data, in versions")
    for axes in (use, age):
        axes.axvline(knee, color=style.QUIET, linestyle=":", linewidth=2.2)
    use.text(knee + 8, 12, f"{knee:.0f} slots just feed it", color=style.QUIET)
    style.save(figure, "molt-queue.png")


def main() -> None:
    """Print every number that the note uses, then draw its figure."""
    print(f"synchronous: learner busy {synchronous():.0%}")
    mean_rollout = math.exp(LOG_MEAN + LOG_SPREAD**2 / 2)
    knee = mean_rollout * BATCH / STEP
    print(f"mean rollout {mean_rollout:.1f} s, median {math.exp(LOG_MEAN):.1f} s")
    print(f"slots that just feed the learner: {knee:.0f}")
    outcomes = {
        (slots, queue): asynchronous(slots, queue)
        for slots in sorted({*SLOTS, *SWEEP})
        for queue in QUEUES
    }
    for slots, queue in outcomes:
        outcome = outcomes[slots, queue]
        print(
            f"{slots} slots, queue of {queue}: learner busy {outcome.busy:.0%}, "
            f"mean lag {outcome.lag:.2f}, rollouts not yet used / batch {outcome.waiting:.2f}, "
            f"slots / batch + queue {slots / BATCH + queue:.0f}"
        )
    draw(outcomes, knee)


if __name__ == "__main__":
    main()

"""Toy computations of the note on Polar: what merging saves, and what a text round trip breaks.

First, a session of model calls whose prompts extend each other, unless the harness rewrites its
context, which it does before a call with a fixed probability. Second, token ids turned into text
and back with a greedy tokeniser of five entries. Neither is a measurement of Polar.
"""

from dataclasses import dataclass

import numpy as np

from notes.sample.scripts import style

SEED = 11
CALLS = 30
PROMPT = 1500  # tokens before the first observation
OBSERVED = 400  # mean tokens a call adds by what the harness reports
SAMPLED = 120  # tokens a call samples
SESSIONS = 300
REWRITES = (0.0, 0.03, 0.1, 0.3, 1.0)

VOCABULARY = ("aba", "ab", "ba", "a", "b")  # longest first, which makes the match greedy
SPLIT = 0.002  # chance that a token of several characters was sampled as its characters
LENGTHS = (50, 200, 800)
ROLLOUTS = 600


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens that a trainer processes for one session, and the samples that merging leaves."""

    separate: float
    merged: float
    samples: float


def session(rng: np.random.Generator, rewrite: float) -> Tokens:
    """Count the tokens of one session."""
    length, separate, closed, samples = PROMPT, 0, 0, 1
    for call in range(CALLS):
        if call and rng.random() < rewrite:
            closed += length
            samples += 1
            length = PROMPT + OBSERVED  # the context is rewritten: prompt and a summary
        length += int(rng.poisson(OBSERVED)) + SAMPLED
        separate += length
    return Tokens(separate, closed + length, samples)


def expected(rewrite: float) -> Tokens:
    """Return the same counts in expectation, by the recursion that the note derives."""
    length = float(PROMPT + OBSERVED + SAMPLED)
    separate, merged = length, 0.0
    for _ in range(CALLS - 1):
        merged += rewrite * length
        length = (1 - rewrite) * length + rewrite * (PROMPT + OBSERVED) + OBSERVED + SAMPLED
        separate += length
    return Tokens(separate, merged + length, 1 + rewrite * (CALLS - 1))


def encode(text: str) -> list[str]:
    """Split a text as the tokeniser would: from the left, the longest entry that fits."""
    tokens = []
    while text:
        token = next(entry for entry in VOCABULARY if text.startswith(entry))
        tokens.append(token)
        text = text[len(token) :]
    return tokens


def round_trip(rng: np.random.Generator, length: int) -> tuple[float, float]:
    """Return how often text and back changes the ids, and the chance of a split per token."""
    changed, several = [], []
    for _ in range(ROLLOUTS):
        canonical = encode("".join(rng.choice(["a", "b"], size=3 * length)))[:length]
        sampled: list[str] = []
        for token in canonical:
            split = len(token) > 1 and rng.random() < SPLIT
            sampled.extend(token if split else [token])
        changed.append(encode("".join(sampled)) != sampled)
        several.append(np.mean([len(token) > 1 for token in canonical]))
    return float(np.mean(changed)), SPLIT * float(np.mean(several))


def draw(factors: list[float]) -> None:
    """Plot how many times fewer tokens merging leaves, over the chance of a rewrite."""
    figure, (axes,) = style.panels(1, height=5.4)
    grid = np.linspace(0, 1, 400) ** 2
    curve = [(tokens := expected(chance)).separate / tokens.merged for chance in grid]
    # A square-root axis: the rare rewrites, where the saving is decided, get the room.
    axes.set_xscale("function", functions=(np.sqrt, np.square))
    axes.axhline(1, color=style.QUIET, linestyle="--", linewidth=2.2)
    axes.plot(grid, curve, color=style.BLUE)
    axes.plot(REWRITES, factors, "o", color=style.BLUE, clip_on=False, zorder=5)
    for chance, factor in zip(REWRITES[:-1], factors, strict=False):
        axes.annotate(
            f"{factor:.1f}", (chance, factor), (12, 6), textcoords="offset points", color=style.BLUE
        )
    axes.text(0.012, 1.45, "1 = nothing saved", color=style.QUIET)
    axes.set(xlim=(0, 1.0), ylim=(0, 18.5))
    axes.set_xticks(REWRITES, ["0", "0.03", "0.1", "0.3", "1"])
    axes.set_yticks([0, 5, 10, 15])
    axes.set_xlabel("chance that the harness rewrites before a call")
    style.heading(axes, "Tokens unmerged, divided by merged")
    style.save(figure, "polar-merging.png")


def main() -> None:
    """Print every number that the note uses, then draw its figure."""
    rng = np.random.default_rng(SEED)
    factors = []
    for rewrite in REWRITES:
        runs = [session(rng, rewrite) for _ in range(SESSIONS)]
        separate = np.mean([run.separate for run in runs])
        merged = np.mean([run.merged for run in runs])
        samples = np.mean([run.samples for run in runs])
        exact = expected(rewrite)
        factors.append(float(separate / merged))
        print(
            f"rewrite {rewrite}: separate {separate:,.0f}, merged {merged:,.0f}, "
            f"factor {separate / merged:.1f} (expected {exact.separate / exact.merged:.1f}), "
            f"samples {samples:.1f}"
        )
    for length in LENGTHS:
        changed, split = round_trip(rng, length)
        formula = 1 - (1 - split) ** length
        print(
            f"{length} tokens, split rate {split:.5f}: ids change in {changed:.0%} of "
            f"{ROLLOUTS} rollouts (formula {formula:.1%})"
        )
    draw(factors)


if __name__ == "__main__":
    main()

"""The widest note there may be, on a path and under a topic that are as wide."""

from tests.factories import make_note, make_path, make_topic

# The widest of the formulas that the sample notes are written from.
FORMULAS = [
    r"\rho=\frac{\pi^{\text{train}}_{\text{new}}(a)}{\mu^{\text{rollout}}_{\text{old}}(a)}"
    r"=\underbrace{\frac{\pi^{\text{train}}_{\text{old}}(a)}{\mu^{\text{rollout}}_{\text{old}}(a)}}"
    r"_{\text{mismatch}}\cdot\underbrace{\frac{\pi^{\text{train}}_{\text{new}}(a)}"
    r"{\pi^{\text{train}}_{\text{old}}(a)}}_{\text{lag}},\qquad \nabla J=\mathbb E_{a\sim\mu}"
    r"\big[\rho\,A(a)\,\nabla\log\pi(a)\big]\ \text{ for one decision.}",
    r"\sum_a \pi(a)\Big(\frac{\mu(a)}{\hat\mu(a)}-1\Big)A(a)\nabla\log\pi(a),\qquad\text{and}"
    r"\qquad \mathbb E_\mu\Big[\prod_{t\le T}\rho_t^2\Big]=\big(1+\chi^2(\pi\,\|\,\mu)\big)^T",
    r"\mathrm{KL}(\pi\,\|\,\pi_{+\eta\Delta})\approx\tfrac12\eta^2\,\mathbb E_x"
    r"\mathrm{Var}_{a\sim\pi}[\delta z_a]",
]
WORD = "Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz"
TITLE = f"{WORD * 2}: " + "how far a title may go before somebody stops reading it " * 4
COLUMNS = 14
SOURCE = f"""## The problem

{"A" + "bcdefghij" * 33 + "kl"} is one word of three hundred letters. It stands before
${FORMULAS[0]}$, a formula that is written into a line of text.

$$
{FORMULAS[0]}
$$

$$
{FORMULAS[1]}
$$

- A list holds a formula as well:

  $${FORMULAS[0]}$$

> > A quote in a quote holds `{"a_name_of_forty_characters_without_any_gap" * 3}`.

## The mechanism

```python
result = {"function(argument, " * 10}None{")" * 10}
```

## The evidence

|{" column |" * COLUMNS}
|{" --- |" * COLUMNS}
|{" 1234567.89 |" * COLUMNS}

See https://example.org/{"a-long-address/" * 12}.

## What to take away

1. A take-away may hold ${FORMULAS[0]}$ too.
2. {WORD * 3}
"""


def make_wide():
    """Make them; the address of every kind of page they stand on."""
    topic = make_topic(name=WORD, slug="wide", description=f"{WORD * 3} and what follows.")
    note = make_note(
        title=TITLE[:300], slug="wide", dek=f"{WORD * 3}.", source=SOURCE, topics=[topic]
    )
    make_path(
        note,
        title=f"{WORD * 2} in a path",
        slug="wide",
        line=WORD * 3,
        description=f"${FORMULAS[0]}$",
        bridges=[f"{WORD * 3} and ${FORMULAS[0]}$"],
    )
    return {
        "wide note": "/notes/wide/",
        "wide path": "/paths/wide/",
        "wide note in a path": "/paths/wide/wide/",
        "wide topic": "/topics/wide/",
    }

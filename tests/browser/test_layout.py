"""Pages that fit: on the narrowest screen, with the widest things in a note, and on paper."""

import pytest

from tests.factories import make_note, make_path, make_topic

pytestmark = pytest.mark.browser

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


@pytest.fixture
def wide(library):
    """The widest note there may be, on a path and under a topic that are as wide."""
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
    return library | {
        "wide note": "/notes/wide/",
        "wide path": "/paths/wide/",
        "wide note in a path": "/paths/wide/wide/",
        "wide topic": "/topics/wide/",
    }


# How far the page scrolls sideways and what sticks out of it; null if it doesn't.
TOO_WIDE = """
    () => {
      const root = document.scrollingElement;
      scrollTo(10000, 0);
      const over = root.scrollWidth - root.clientWidth;
      if (over <= 0 && scrollX === 0) return null;
      const sticksOut = (one) =>
        !one.closest(".math.display, .table, .code, math") &&
        one.getBoundingClientRect().right + scrollX > root.clientWidth + 1;
      const out = [...document.querySelectorAll("body *")].filter(sticksOut).slice(-3);
      return `${over}px: ${out.map((one) => one.outerHTML.slice(0, 120)).join(" … ")}`;
    }
"""


def test_no_page_scrolls_sideways(open_window, wide):
    page = open_window(320)
    found = {}
    for name, address in wide.items():
        page.goto(address)
        for width in (320, 390, 1280):
            page.set_viewport_size({"width": width, "height": 900})
            if over := page.evaluate(TOO_WIDE):
                found[name, width] = over
    assert not found, "\n".join(f"{key}: {over}" for key, over in found.items())


def test_nothing_hides_what_is_too_wide(open_window, wide):
    page = open_window(320)
    page.goto(wide["wide note"])
    for root in ("html", "body", "main"):
        overflow = page.locator(root).evaluate("one => getComputedStyle(one).overflowX")
        assert overflow == "visible", root


def test_wide_things_scroll_in_a_box_that_the_keyboard_reaches(open_window, wide):
    page = open_window(320)
    page.goto(wide["wide note"])
    for kind in (".math.display", ".table", ".code"):
        boxes = page.locator(f".note-text {kind}")
        assert boxes.count() >= 1, kind
        for box in boxes.all():
            assert box.evaluate("box => box.scrollWidth > box.clientWidth"), kind
            assert box.get_attribute("role") == "group"
            assert box.get_attribute("aria-label")
            box.focus()
            assert box.evaluate("box => box === document.activeElement"), kind
            page.keyboard.press("ArrowRight")
            page.wait_for_function(
                "box => box.scrollLeft > 0", arg=box.element_handle(), timeout=2000
            )


def test_the_widest_note_reads_the_same_without_scripts(open_window, wide):
    texts = []
    for scripts in (True, False):
        page = open_window(390, java_script_enabled=scripts)
        page.goto(wide["wide note"])
        texts.append(page.locator("main").inner_text())
    assert texts[0] == texts[1]


def test_text_of_twice_the_size_still_fits(open_window, wide):
    """400 % on a screen of 1280 is 320 wide; this is only larger text, as a browser is set to."""
    page = open_window(640)
    found = {}
    for name, address in wide.items():
        page.goto(address)
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        if over := page.evaluate(TOO_WIDE):
            found[name] = over
    assert not found, "\n".join(f"{key}: {over}" for key, over in found.items())


def test_paper_holds_the_note_and_nothing_around_it(open_window, wide):
    page = open_window()
    page.emulate_media(media="print")
    for name in ("note", "last note in a path", "wide note"):
        page.goto(wide[name])
        for gone in (".site-nav", ".theme-choice", ".contents", ".rail", ".site-footer ul"):
            assert not page.locator(gone).first.is_visible(), f"{gone} on {name}"
        for kept in ("h1", ".note-text", ".short-version", ".brand"):
            assert page.locator(kept).first.is_visible(), f"{kept} on {name}"


def test_paper_cuts_no_code_and_shows_where_links_lead(open_window, wide):
    page = open_window(700)
    page.emulate_media(media="print", color_scheme="dark")
    page.goto(wide["wide note"])
    code = page.locator(".note-text .code")
    assert code.evaluate("box => box.scrollWidth <= box.clientWidth + 1")
    link = page.locator(".note-text a[href^=http]").first
    assert "example.org" in link.evaluate("link => getComputedStyle(link, '::after').content")
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == "rgb(255, 255, 255)"

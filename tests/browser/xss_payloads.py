"""Every text of tests/data/xss that tries to run a script, and the ideas times their spellings."""

import re
from collections.abc import Sequence
from datetime import date
from itertools import product
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "data" / "xss"
CHARACTER = re.compile("⟨([0-9A-F]{4})⟩")

NAMES_OF_EVENTS = (
    "abort animationend animationiteration animationstart auxclick beforeinput beforecopy blur "
    "canplay change click close compositionstart contextmenu copy cuechange cut dblclick drag "
    "dragend dragenter dragover drop durationchange ended error focus focusin focusout formdata "
    "gotpointercapture input invalid keydown keypress keyup load loadeddata mousedown mouseenter "
    "mouseleave mousemove mouseout mouseover mouseup mousewheel paste pause play pointerdown "
    "pointermove pointerover pointerrawupdate pointerup reset scroll search select submit toggle "
    "touchstart transitionend transitionrun volumechange webkitanimationend wheel"
)
EVENTS = tuple(NAMES_OF_EVENTS.split())
SCHEMES = (
    "javascript:",
    "JaVaScRiPt:",
    " javascript:",
    "java\tscript:",
    "java\nscript:",
    "javascript\r:",
    "&#x1;javascript:",
    "&Tab;javascript&colon;",
    "java&#13;script&#58;",
    "&#000106;avascript&#0000058;",
)
HOLDERS = (
    "<a href='{}run()'>x</a>",
    "<form action='{}run()'><button>x</button></form>",
    "<iframe src='{}run()'></iframe>",
    "<svg><a xlink:href='{}run()'><text y=9>x</text></a></svg>",
)
# Where a text may stand in a note: what it becomes part of.
CONTEXTS = {
    "alone": "{}",
    "in a paragraph": "Some words {} and more.",
    "in bold": "**Some {} words**",
    "in a heading": "## The {} problem\n\nText.",
    "in an item": "- One\n- {}\n",
    "in a quotation": "> {}",
    "in a callout": "> [!NOTE] {}\n> {}",
    "in a cell": "| {} | b |\n|---|---|\n| c | {} |\n\n: Caption {}",
    "in a link": "[{}](https://example.org)",
    "as an address": "[x]({}) [y](<{}>)",
    "as a link's title": '[x](https://example.org "{}")',
    "as a definition": '[x]\n\n[x]: {} "{}"',
    "as alternative text": "![{}](figures/shown.png)",
    "as an image's title": '![x](figures/shown.png "{}")',
    "as a figure's name": "![x](figures/{})",
    "in an attribute list": "*x*{{.wide {}}}",
    "as a heading's id": "## x {{#{}}}",
    "as code": "```\n{}\n```",
    "as a code block's words": "```{}\nx\n```",
    "as a code block's file": '```python {{file="{}"}}\nx\n```',
    "in a footnote": "x[^1]\n\n[^1]: {}",
    "as a footnote's label": "x[^{}]\n\n[^{}]: y",
    "as a footnote in the line": "x^[{}]",
    "as a term": "{}\n: {}",
    "in a link to a note": "[[attacked|{}]] [[{}]]",
    "in a citation": "[see {} @cited, {}] [@{}]",
    "as a formula": "${}$ and\n\n$$\n{}\n$$",
    "as words in a formula": "$\\text{{{}}}$ $\\href{{{}}}{{x}}$",
    "in raw HTML": "<div>\n{}\n</div>",
    "in an attribute": '<b title="{}">x</b>',
    "in a comment": "<!-- {} -->",
    "as a take-away": "## What to take away\n\n1. {}\n",
}


def read(path: Path) -> dict[str, list[str]]:
    """The texts of one file by idea."""
    ideas: dict[str, list[str]] = {}
    texts: list[str] = []
    for line in path.read_text("utf-8").split("\n"):
        if line.startswith("=== "):
            texts = ideas.setdefault(line.removeprefix("=== "), [])
        elif line:
            line = line.replace("⏎", "\n").replace("⇥", "\t")
            texts.append(CHARACTER.sub(lambda match: chr(int(match[1], 16)), line))
    return ideas


def ideas() -> dict[str, list[str]]:
    """All texts by idea, those that are spelled out and those that are made."""
    found: dict[str, list[str]] = {}
    for path in sorted(FOLDER.glob("*.txt")):
        found |= read(path)
    found["every event"] = [f"<b tabindex=1 on{event}=run()>x</b>" for event in EVENTS]
    found["every spelling of a scheme"] = [
        holder.format(scheme) for scheme, holder in product(SCHEMES, HOLDERS)
    ]
    return found


PAYLOADS = tuple(dict.fromkeys(text for texts in ideas().values() for text in texts))


def of_the_day(texts: Sequence[Any], one_in: int) -> Sequence[Any]:
    """One in so many, others every day."""
    return texts[date.today().toordinal() % one_in :: one_in]


def without_those_of_tomorrow() -> tuple[str, ...]:
    """Two thirds of all, so that a run is short and three days try everything."""
    left_out = (date.today().toordinal() + 1) % 3
    return tuple(text for number, text in enumerate(PAYLOADS) if number % 3 != left_out)


def placed_in(context: str, payload: str) -> str:
    """A payload where a context has its gaps."""
    return context.format(*[payload] * 4)


def in_some_context(number: int, payload: str) -> str:
    """A payload in one of the contexts: another one for each, all of them over the list."""
    contexts = list(CONTEXTS.values())[1:]
    return placed_in(contexts[number % len(contexts)], payload)

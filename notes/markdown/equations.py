r"""Formulas typeset and numbered, and their MathML brought to what our pages allow.

Inline styles become classes (the policy forbids styles), ids are kept unique, links leave `<math>`.
"""

import html
import re

from markdown_it.token import Token

from notes.markdown import bounds
from notes.markdown.boxes import boxes
from notes.markdown.formula_colours import nearest_colour
from notes.markdown.latex import LABEL, ROW_GAP_UNIT, anchor_of, prepared, reworded, shown_tags
from notes.markdown.latex_macros import MACROS
from notes.markdown.typesetter import Refused, typesetter
from notes.markdown.work import Formula, Work

ANCHOR_OF_ROW = re.compile(r'id="(eq-[^"]*)"[^>]*><mtext>([^<]*)</mtext>')
TAG = re.compile(r'<([a-z]+)((?: [a-z-]+="[^"]*")+)(/?)>')
BEGINNING_OR_END = re.compile(r"<(/?)[a-z][^<>]*(?<!/)>")  # `<mspace/>` holds nothing
ATTRIBUTE = re.compile(r' ([a-z-]+)="([^"]*)"')
# In a line, a formula this long may be wider than a phone: it scrolls, so the keyboard reaches it.
LONG_IN_A_LINE = 50
# Signs that Chromium sets beside their place, and those that it sets where they belong.
VECTOR = '<mo stretchy="false">\u20d7</mo></mover>'
VECTOR_ARROW = '<mo stretchy="false" class="math-vec">→</mo></mover>'
REFERENCE = re.compile(r'<a href="[^"]*">([^<]*)</a>')
DEFINES = re.compile(r"\\(?:(?:re|provide)?newcommand|g?def|let|DeclareMathOperator)(?![A-Za-z])")
# An empty last row that only carries a line; the line belongs below the row before it.
LAST_LINE = re.compile(r'<mtr>(?:<mtd class="math-(solid|dashed)-top[^"]*"></mtd>)+</mtr></mtable>')
GAP = re.compile(r'<mspace width="(0\.0000\d{1,3})em"/>')
# Chromium hangs a sized parenthesis with a script, `\big)^2`, below the line, but not in a row.
SIZED_BASE = re.compile(r"(<m(?:sub|sup|subsup)>)(<mo [^>]*minsize=[^>]*>[^<]*</mo>)")
STYLES = {
    "width:100%": "math-wide",
    "width:50%": "math-half",
    "width:7.5%": "math-margin",
    "text-align:left": "math-left",
    "text-align:right": "math-right",
    "text-align:center": "math-center",
    "padding-left:0": "math-tight-left",
    "padding-right:0": "math-tight-right",
    "padding-top:0": "math-tight-top",
    "padding-top:0.1667em": "math-gap-top",
    "padding-bottom:0": "math-tight-bottom",
    "padding-left:1em": "math-gap-left",
    "padding-right:1em": "math-gap-right",
}
BORDER = re.compile(r"border-(top|right|bottom|left):0\.05em (solid|dashed) currentcolor")
BACKWARDS = re.compile(r"margin-left:-(\d*\.?\d+)r?em")
SPACE = re.compile(r"padding-(left|right):(0\.1667|0\.2222|0\.2778)em")
SPACES = {"0.1667": "thin", "0.2222": "medium", "0.2778": "thick"}
COLOUR = re.compile(r"(color|background-color|background):#([0-9a-fA-F]{6})")


def typeset(work: Work) -> None:
    """Give every formula its html; one that cannot be typeset shows its source and is a problem."""
    accepted: list[Formula] = []
    for index, formula in enumerate(work.formulas):
        if index >= bounds.FORMULAS:
            if index == bounds.FORMULAS:
                what = "There are too many formulas"
                work.problems.add("past-bound", formula.line, what=what, limit=bounds.FORMULAS)
            show_source(formula)
        elif len(formula.source) > bounds.FORMULA_CHARACTERS:
            limit = bounds.FORMULA_CHARACTERS
            refuse(work, formula, f"it is longer than {limit} characters")
        else:
            accepted.append(formula)
    if not accepted:
        return
    macros = MACROS | {
        name.lstrip("\\"): reworded(text) for name, text in sorted(work.inputs.macros.items())
    }
    snippets = [(prepared(one.source, display=one.display), one.display) for one in accepted]
    anchors: set[str] = set()
    numbers: dict[str, str] = work.env.setdefault("equation_numbers", {})  # type: ignore[assignment]
    for formula, result in zip(accepted, typesetter().typeset(snippets, macros), strict=True):
        if isinstance(result, Refused):
            refuse(work, formula, result.reason)
            continue
        if depth_of(result) > bounds.FORMULA_DEPTH:
            refuse(work, formula, "it is nested deeper than a page can take")
            continue
        result = shown_tags(result)
        keep_numbers(work, formula, result, numbers)
        markup = adjusted(result, formula, anchors)
        formula.text = readable(markup)
        formula.html = boxed(work, markup) if formula.display and not formula.block else markup
        if not formula.text and DEFINES.match(formula.source):
            formula.html = ""
    for formula in accepted:
        for kind, label in LABEL.findall(formula.source):
            if kind != "label" and formula.text and f"eq-{anchor_of(label)}" not in numbers:
                work.problems.add("unknown-equation", formula.line, name=label)


def keep_numbers(work: Work, formula: Formula, mathml: str, numbers: dict[str, str]) -> None:
    """Remember the number that each label stands for; one set twice keeps its first."""
    labels = {f"eq-{anchor_of(label)}": label for _, label in LABEL.findall(formula.source)}
    for anchor, number in ANCHOR_OF_ROW.findall(mathml):
        if anchor in numbers:
            name = labels.get(anchor, anchor)
            work.problems.add("repeated-label", formula.line, name=name)
        else:
            numbers[anchor] = number


def depth_of(mathml: str) -> int:
    """How many elements stand inside each other."""
    depth = deepest = 0
    for end in BEGINNING_OR_END.findall(mathml):
        if end:
            depth -= 1
        else:
            depth += 1
            if depth > deepest:  # cheaper than max(), and there are a million of them
                deepest = depth
    return deepest


def adjusted(mathml: str, formula: Formula, anchors: set[str]) -> str:
    """MathML for our pages: the author's source as annotation, classes for styles, ids once."""
    head, _, _ = mathml.partition("<annotation ")
    kinds = iter([kind for kind, _ in LABEL.findall(formula.source) if kind != "label"])
    head = REFERENCE.sub(
        lambda match: match[1].strip("()") if next(kinds, "") == "ref" else match[1], head
    )
    if not formula.display and len(formula.source) > LONG_IN_A_LINE:
        head = head.replace("<math", '<math tabindex="0"', 1)
    head = head.replace(VECTOR, VECTOR_ARROW)
    head = SIZED_BASE.sub(r"\1<mrow>\2</mrow>", head)
    head = TAG.sub(lambda match: allowed_tag(match, anchors), head)
    head = closed_by_line(GAP.sub(gap_below, head))
    source = html.escape(formula.source, quote=False)
    return (
        f'{head}<annotation encoding="application/x-tex">{source}</annotation></semantics></math>'
    )


def gap_below(match: re.Match[str]) -> str:
    """The space that `row_gap` hid: it reaches below its row, and pushes the next one down."""
    return f'<mspace depth="{round(float(match[1]) / ROW_GAP_UNIT) / 100}em"/>'


def closed_by_line(mathml: str) -> str:
    """Tables that end in an empty row with a line above it end in the line instead."""
    while match := LAST_LINE.search(mathml):
        depth, start = 1, match.start()
        while depth and (start := mathml.rfind("mtable", 0, start)) > 0:
            depth += 1 if mathml[start - 1] == "/" else -1
        # The tag begins with its name; a class of its own comes first.
        line = f"math-{match[1]}-bottom"
        head, rest = mathml[: start + len("mtable")], mathml[start + len("mtable") : match.start()]
        if rest.startswith(' class="'):
            rest = f' class="{line} {rest.removeprefix(' class="')}'
        else:
            rest = f' class="{line}"{rest}'
        mathml = f"{head}{rest}</mtable>{mathml[match.end() :]}"
    return mathml


def allowed_tag(match: re.Match[str], anchors: set[str]) -> str:
    """One tag without its style and without an id that was there before."""
    kept = []
    for name, value in ATTRIBUTE.findall(match[2]):
        if name == "style":
            if classes := " ".join(classes_of(value)):
                kept.append(f' class="{classes}"')
        elif name != "id":
            kept.append(f' {name}="{value}"')
        elif value not in anchors:
            anchors.add(value)
            kept.append(f' id="{value}"')
    return f"<{match[1]}{''.join(kept)}{match[3]}>"


def classes_of(style: str) -> list[str]:
    """`text-align: right;padding-right: 0;` → `math-right`, `math-tight-right`."""
    classes = []
    for declaration in style.split(";"):
        rule = re.sub(r"\s*:\s*", ":", declaration.strip())
        if rule in STYLES:
            classes.append(STYLES[rule])
        elif match := BORDER.fullmatch(rule):
            classes.append(f"math-{match[2]}-{match[1]}")
        elif match := SPACE.fullmatch(rule):
            classes.append(f"math-{SPACES[match[2]]}-{match[1]}")
        elif match := BACKWARDS.fullmatch(rule):
            classes.append(f"math-back-{min(18, max(1, round(float(match[1]) * 18)))}")
        elif match := COLOUR.fullmatch(rule):
            kind = "math-color" if match[1] == "color" else "math-background"
            classes.append(f"{kind}-{nearest_colour(match[2])}")
    return classes


def readable(mathml: str) -> str:
    """The formula's signs without its source, for contents and search."""
    head, _, _ = mathml.partition("<annotation ")
    text = html.unescape(re.sub(r"<[^>]*>", "", head))
    return " ".join(re.sub("[\u2061-\u2064]", "", text).split())


def boxed(work: Work, markup: str) -> str:
    """A displayed formula inside a line of text: the same box as for one on lines of its own."""
    return f'<span class="math display"{boxes(work.words)["math display"]}>{markup}</span>'


def show_source(formula: Formula) -> None:
    """What readers see of a formula that is not typeset."""
    source = html.escape(formula.source, quote=False)
    formula.html = f'<code class="math-error">{source}</code>'
    formula.text = formula.source


def refuse(work: Work, formula: Formula, reason: str) -> None:
    """Show the source and say why."""
    show_source(formula)
    work.problems.add("bad-formula", formula.line, source=formula.source, reason=reason)


def link_reference(work: Work, token: Token, line: int) -> None:
    """Give a reference the equation's anchor and number, or name the label that nobody set."""
    match = LABEL.search(token.content)
    label = match[2] if match else ""
    anchor = f"eq-{anchor_of(label)}"
    numbers: dict[str, str] = work.env.get("equation_numbers", {})  # type: ignore[assignment]
    if anchor not in numbers:
        work.problems.add("unknown-equation", line, name=label)
        return
    number = numbers[anchor]
    token.meta["anchor"] = anchor
    token.meta["text"] = number.strip("()") if token.content.startswith("\\ref") else number

r"""LaTeX brought to what the typesetter knows, and its MathML brought to what our pages allow.

Before: `\label`s become anchors, environments and commands it lacks become ones it has. After:
inline styles become classes (the policy forbids styles), ids are kept unique, links leave `<math>`.
"""

import html
import re

from markdown_it.token import Token

from notes.markdown import bounds
from notes.markdown.boxes import boxes
from notes.markdown.typesetter import Refused, typesetter
from notes.markdown.work import Formula, Work

LABEL = re.compile(r"\\(label|eqref|ref)\{([^{}\n]{1,200})\}")
ANCHOR_OF_ROW = re.compile(r'id="(eq-[^"]*)"[^>]*><mtext>([^<]*)</mtext>')
NUMBERED = re.compile(r"\\begin\{(?:equation|align|alignat|gather|multline|flalign|eqnarray)\*?\}")
PLAIN_TEXT = re.compile(r"\\text(?:tt|bf|it|rm|sf)?\{[^{}$]*\}")
TEXT_WITH_MATH = re.compile(r"\\(?:text|mbox)\{([^{}$]*\$[^{}]*)\}")
REPLACED = (
    (re.compile(r"\\(begin|end)\{split\}"), r"\\\1{aligned}"),
    (re.compile(r"\\(begin|end)\{smallmatrix\}"), r"\\\1{matrix}"),
    (re.compile(r"\\(begin|end)\{eqnarray(\*?)\}"), r"\\\1{align\2}"),
    (re.compile(r"\\(begin|end)\{flalign(\*?)\}"), r"\\\1{align\2}"),
    (re.compile(r"\\begin\{alignedat\}\{\d+\}"), r"\\begin{aligned}"),
    (re.compile(r"\\end\{alignedat\}"), r"\\end{aligned}"),
    (re.compile(r"\\require\{[^{}]*\}"), ""),
    (re.compile(r"\\(?:tiny|small|normalsize|large|Large|LARGE|huge|Huge)(?![A-Za-z])"), ""),
    (re.compile(r"(?<=\})\s*\\limits(?![A-Za-z])"), ""),
    (re.compile(r"\\begin\{alignat(\*?)\}\{\d+\}"), r"\\begin{align\1}"),
    (re.compile(r"\\end\{alignat(\*?)\}"), r"\\end{align\1}"),
    (
        re.compile(r"\\(?:re)?newcommand\*?\s*\{?\s*(\\[A-Za-z]+)\s*\}?\s*(?:\[(\d)\])?(?=\{)"),
        lambda match: rf"\def{match[1]}{parameters(match[2])}",
    ),
    (
        re.compile(r"\\DeclareMathOperator(\*?)\s*\{\s*(\\[A-Za-z]+)\s*\}\s*\{([^{}]*)\}"),
        r"\\def\2{\\operatorname\1{\3}}",
    ),
)
MACROS = {
    "pmb": r"\boldsymbol{#1}",
    "mbox": r"\text{#1}",
    "substack": r"\begin{matrix}#1\end{matrix}",
    "mathbbm": r"\mathbb{#1}",
    "mathnormal": "#1",
    "smash": "#1",
    "vcenter": "#1",
    "llap": "#1",
    "rlap": "#1",
    "mathclap": "#1",
    "mathllap": "#1",
    "mathrlap": "#1",
    "strut": "",
    "hfill": r"\quad",
    "TeX": r"\text{TeX}",
    "LaTeX": r"\text{LaTeX}",
    "sgn": r"\operatorname{sgn}",
    "argmax": r"\operatorname*{arg\,max}",
    "argmin": r"\operatorname*{arg\,min}",
}

TAG = re.compile(r'<([a-z]+)((?: [a-z-]+="[^"]*")+)(/?)>')
ATTRIBUTE = re.compile(r' ([a-z-]+)="([^"]*)"')
# In a line, a formula this long may be wider than a phone: it scrolls, so the keyboard reaches it.
LONG_IN_A_LINE = 50
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
    "padding-bottom:0": "math-tight-bottom",
    "padding-left:1em": "math-gap-left",
    "padding-right:1em": "math-gap-right",
}
BORDER = re.compile(r"border-(top|right|bottom|left):0\.05em (solid|dashed) currentcolor")
BACKWARDS = re.compile(r"margin-left:-(\d*\.?\d+)r?em")
COLOUR = re.compile(r"(color|background-color|background):#([0-9a-fA-F]{6})")
PALETTE = {
    "black": (0, 0, 0),
    "grey": (128, 128, 128),
    "white": (255, 255, 255),
    "red": (255, 0, 0),
    "orange": (255, 128, 0),
    "yellow": (255, 255, 0),
    "green": (0, 128, 0),
    "teal": (0, 128, 128),
    "blue": (0, 0, 255),
    "purple": (128, 0, 128),
    "magenta": (255, 0, 255),
    "brown": (128, 64, 0),
}


def parameters(count: str | None) -> str:
    """`#1#2` for two parameters."""
    return "".join(f"#{number}" for number in range(1, int(count or 0) + 1))


def anchor_of(label: str) -> str:
    """`eq:loss_1` → `loss-1`: a label that the typesetter accepts, without its kind."""
    return re.sub(r"[^\w]+|_+", "-", label.strip().removeprefix("eq:")).strip("-") or "equation"


def prepared(source: str, *, display: bool) -> str:
    """The source in words that the typesetter knows."""
    text = LABEL.sub(lambda match: rf"\{match[1]}{{{anchor_of(match[2])}}}", source)
    text = re.sub(r"\\ref\{", r"\\eqref{", text)
    for pattern, replacement in REPLACED:
        text = pattern.sub(replacement, text)
    text = TEXT_WITH_MATH.sub(text_and_math, text)
    text = PLAIN_TEXT.sub(lambda match: re.sub(r"(?<!\\)([_&#])", r"\\\1", match[0]), text)
    if display and re.search(r"\\(?:tag\*?|label)\{", text) and not NUMBERED.search(text):
        text = rf"\begin{{equation}}{text}\end{{equation}}"
    return text


def text_and_math(match: re.Match[str]) -> str:
    r"""`\text{if $x$ holds}` → `\text{if }x\text{ holds}`."""
    pieces = match[1].split("$")
    return "".join(
        rf"\text{{{piece}}}" if index % 2 == 0 else f"{{{piece}}}"
        for index, piece in enumerate(pieces)
        if piece
    )


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
    macros = MACROS | {name.lstrip("\\"): text for name, text in sorted(work.inputs.macros.items())}
    snippets = [(prepared(one.source, display=one.display), one.display) for one in accepted]
    anchors: set[str] = set()
    numbers: dict[str, str] = work.env.setdefault("equation_numbers", {})  # type: ignore[assignment]
    for formula, result in zip(accepted, typesetter().typeset(snippets, macros), strict=True):
        if isinstance(result, Refused):
            refuse(work, formula, result.reason)
            continue
        if len(result) > bounds.FORMULA_OUTPUT or depth_of(result) > bounds.FORMULA_DEPTH:
            refuse(work, formula, "it is larger or nested deeper than a page can take")
            continue
        for anchor, number in ANCHOR_OF_ROW.findall(result):
            numbers.setdefault(anchor, number)
        markup = adjusted(result, formula, anchors)
        formula.text = readable(markup)
        formula.html = boxed(work, markup) if formula.display and not formula.block else markup


def depth_of(mathml: str) -> int:
    """How many elements stand inside each other."""
    depth = deepest = 0
    for match in re.finditer(r"<(/?)[a-z]", mathml):
        depth += -1 if match[1] else 1
        deepest = max(deepest, depth)
    return deepest


def adjusted(mathml: str, formula: Formula, anchors: set[str]) -> str:
    """MathML for our pages: the author's source as annotation, classes for styles, ids once."""
    head, _, _ = mathml.partition("<annotation ")
    head = re.sub(r'<a href="[^"]*">([^<]*)</a>', r"\1", head)
    if not formula.display and len(formula.source) > LONG_IN_A_LINE:
        head = head.replace("<math", '<math tabindex="0"', 1)
    head = SIZED_BASE.sub(r"\1<mrow>\2</mrow>", head)
    head = TAG.sub(lambda match: allowed_tag(match, anchors), head)
    source = html.escape(formula.source, quote=False)
    return (
        f'{head}<annotation encoding="application/x-tex">{source}</annotation></semantics></math>'
    )


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
        elif match := BACKWARDS.fullmatch(rule):
            classes.append(f"math-back-{min(18, max(1, round(float(match[1]) * 18)))}")
        elif match := COLOUR.fullmatch(rule):
            kind = "math-color" if match[1] == "color" else "math-background"
            classes.append(f"{kind}-{nearest_colour(match[2])}")
    return classes


def nearest_colour(hexadecimal: str) -> str:
    """The nearest colour of our palette: with a dark theme, free colours can't stay."""
    wanted = tuple(int(hexadecimal[place : place + 2], 16) for place in (0, 2, 4))
    return min(
        PALETTE,
        key=lambda name: sum((a - b) ** 2 for a, b in zip(wanted, PALETTE[name], strict=True)),
    )


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

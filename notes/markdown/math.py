r"""Formulas: `$x$`, `$$x$$`, `\(x\)`, `\[x\]`, `\begin{align}…`, and what tells them from money.

An opening dollar is followed and a closing one preceded by a non-space, and no digit follows the
closing one: "$5 and $10" is money. The first dollar after the opening one decides, so prices never
pair up with a formula further on.
"""

import re
from collections.abc import Iterator, Sequence

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from notes.markdown import equations
from notes.markdown.work import Formula, Work, children_of, line_in

# A dollar inside \text{…} belongs to the formula: $x \text{ if $y$}$.
BODY = r"(?:\\(?:text|mbox)\{[^{}]*+\}|\\[\s\S]|[^\\$])++"
DOLLAR = re.compile(rf"\$(?![\s$])({BODY})(?<!\s)\$(?!\d)")
DOUBLE_DOLLAR = re.compile(rf"\$\$((?:{BODY}|\$(?!\$))++)\$\$")
PARENTHESES = re.compile(r"\\\(((?:[^\\]|\\(?![()]))++)\\\)")
BRACKETS = re.compile(r"\\\[((?:[^\\]|\\(?![\[\]]))++)\\\]")
EMPTY = " \n\t\\"  # what makes no formula by itself: `\\[\\\\\\]` is three escapes
REFERENCE = re.compile(r"\\(?:eq)?ref\{([^{}\n]{1,200})\}")
ENVIRONMENTS = "equation|align|alignat|gather|multline|flalign|eqnarray"
BEGIN = re.compile(rf"\\begin\{{((?:{ENVIRONMENTS})\*?)\}}")


def extend(markdown: MarkdownIt) -> None:
    """Before escapes, which would eat TeX's own backslashes."""
    markdown.inline.ruler.before("escape", "math", inline_math)
    markdown.block.ruler.before(
        "blockquote", "math", block_math, {"alt": ["paragraph", "reference", "blockquote", "list"]}
    )
    markdown.add_render_rule("math_inline", render_math_inline)
    markdown.add_render_rule("math_block", render_math_block)
    markdown.add_render_rule("equation_reference", render_equation_reference)


def inline_math(state: StateInline, silent: bool) -> bool:
    """A formula in running text, or a reference to an equation."""
    source, start = state.src, state.pos
    first = source[start]
    if first == "$":
        double = source.startswith("$$", start)
        match = (DOUBLE_DOLLAR if double else DOLLAR).match(source, start, state.posMax)
        display = double
    elif first == "\\":
        following = source[start + 1 : start + 2]
        if following in "er" and (match := REFERENCE.match(source, start, state.posMax)):
            return push_reference(state, match, silent)
        if following not in ("(", "["):
            return False
        display = following == "["
        match = (BRACKETS if display else PARENTHESES).match(source, start, state.posMax)
    else:
        return False
    if match is None or not match[1].strip(EMPTY):
        return False
    if not silent:
        token = state.push("math_inline", "math", 0)
        token.content = match[1].strip()
        token.markup = match[0]
        token.meta = {"position": start, "display": display}
    state.pos = match.end()
    return True


def push_reference(state: StateInline, match: re.Match[str], silent: bool) -> bool:
    r"""`\eqref{eq:loss}` in running text is a link, and needs no formula around it."""
    if not silent:
        token = state.push("equation_reference", "a", 0)
        token.content = match[0]
        token.meta = {"position": state.pos}
    state.pos = match.end()
    return True


def block_math(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A formula on lines of its own; a blank line before its end leaves everything as text."""
    position = state.bMarks[start] + state.tShift[start]
    first_line = state.src[position : state.eMarks[start]].rstrip()
    if first_line[:1] not in ("$", "\\") or state.is_code_block(start):
        return False
    if first_line.startswith("$$"):
        opening, closing = 2, "$$"
    elif first_line.startswith("\\["):
        opening, closing = 2, "\\]"
    elif match := BEGIN.match(first_line):
        opening, closing = 0, f"\\end{{{match[1]}}}"
    else:
        return False
    line = closing_line(state, start, end, first_line[2:], closing)
    if line is None:
        return False
    lines = [state.src[position : state.eMarks[start]]]
    lines += [
        state.src[
            min(state.bMarks[number] + state.tShift[number], state.eMarks[number]) : state.eMarks[
                number
            ]
        ]
        for number in range(start + 1, line + 1)
    ]
    content = "\n".join(lines).rstrip()
    body = (content[opening : -len(closing)] if opening else content).strip()
    if not body.strip(EMPTY):
        return False
    if silent:
        return True
    token = state.push("math_block", "math", 0)
    token.block = True
    token.content = body
    token.map = [start, line + 1]
    token.meta = {"display": True}
    state.line = line + 1
    return True


def closing_line(state: StateBlock, start: int, end: int, rest: str, closing: str) -> int | None:
    """The line that a formula ends on; remembers where none was found, to read no line twice."""
    if closing in rest:
        ends_here = rest.endswith(closing) and rest.index(closing) == len(rest) - len(closing)
        return start if ends_here and rest != closing else None
    failed: dict[str, int] = state.env.setdefault("unclosed_math", {})
    if start < failed.get(closing, 0):
        return None
    for line in range(start + 1, end):
        text = state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]].strip()
        if not text or state.sCount[line] < state.blkIndent:
            failed[closing] = line
            return None
        if closing in text:
            ends_here = text.endswith(closing) and text.index(closing) == len(text) - len(closing)
            if ends_here:
                return line
            failed[closing] = line
            return None
    failed[closing] = end
    return None


def typeset(work: Work) -> None:
    """Typeset every formula of the note in one go, so that its numbers come out right."""
    references: list[tuple[Token, int]] = []
    for block, token in mathematical(work.tokens):
        line = line_in(block, token.meta.get("position", 0))
        if token.type != "equation_reference":
            token.meta["formula"] = len(work.formulas)
            work.formulas.append(
                Formula(token.content, token.meta["display"], block is token, line)
            )
        else:
            references.append((token, line))
    equations.typeset(work)
    for token, line in references:
        equations.link_reference(work, token, line)


def mathematical(tokens: list[Token]) -> Iterator[tuple[Token, Token]]:
    """Formulas and references in the order of the note, each with the block that it stands in."""
    for block in tokens:
        if block.type == "math_block":
            yield block, block
        for _, token in children_of([block]):
            if token.type == "math_inline" and REFERENCE.fullmatch(token.content):
                token.type = "equation_reference"
            if token.type in ("math_inline", "equation_reference"):
                yield block, token


def render_math_inline(
    _renderer: object, tokens: Sequence[Token], index: int, _options: object, env: dict[str, Work]
) -> str:
    """A placeholder, which the last stage replaces by the formula."""
    return f"{env['work'].marker}{tokens[index].meta['formula']}-"


def render_math_block(
    _renderer: object, tokens: Sequence[Token], index: int, _options: object, env: dict[str, Work]
) -> str:
    """The same, in a block of its own; one that only defines macros leaves nothing."""
    marker, formula = env["work"].marker, tokens[index].meta["formula"]
    if not env["work"].formulas[formula].html:
        return ""
    return f'<div class="{marker}math {marker}display">{marker}{formula}-</div>\n'


def render_equation_reference(
    _renderer: object, tokens: Sequence[Token], index: int, _options: object, env: dict[str, Work]
) -> str:
    """A link to the equation, or the source where there is none."""
    token, marker = tokens[index], env["work"].marker
    if not token.meta.get("anchor"):
        return f'<code class="{marker}math-error">{escapeHtml(token.content)}</code>'
    text = escapeHtml(token.meta["text"])
    return f'<a class="{marker}equation-ref" href="#{escapeHtml(token.meta["anchor"])}">{text}</a>'

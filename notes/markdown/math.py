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

from notes.markdown import bounds, equations
from notes.markdown.work import Formula, Work, children_of, line_in

# A dollar inside \text{…} belongs to the formula: $x \text{ if $y$}$.
BODY = r"(?:\\(?:text|mbox)\{[^{}]*+\}|\\[\s\S]|[^\\$])++"
DOLLAR = re.compile(rf"\$(?![\s$])({BODY})(?<!\s)\$(?!\d)")
DOUBLE_DOLLAR = re.compile(rf"\$\$(?!\$)((?:{BODY}|\$(?!\$))++)\$\$")
PARENTHESES = re.compile(r"\\\(((?:[^\\]|\\(?![()]))++)\\\)")
BRACKETS = re.compile(r"\\\[((?:[^\\]|\\(?![\[\]]))++)\\\]")
EMPTY = " \n\t\\"  # what makes no formula by itself: `\\[\\\\\\]` is three escapes
REFERENCE = re.compile(r"\\(?:eq)?ref\{([^{}\n]{1,200})\}")
ENVIRONMENTS = (
    "equation|align|alignat|gather|multline|flalign|eqnarray|subequations|CD|split|aligned|alignedat"
    "|gathered|array|[dr]?cases|(?:small|[pbBvV])?matrix"
)
BEGIN = re.compile(rf"\\begin\{{((?:{ENVIRONMENTS})\*?)\}}")
NESTED = 20  # environments of one name inside each other
NOT_ALONE = -1  # a formula ends on a line that has more to say


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
        if double and state.pending.endswith("$"):
            return False  # a run of dollars
        match = (DOUBLE_DOLLAR if double else DOLLAR).match(source, start, state.posMax)
        display = double
    elif first == "\\":
        following = source[start + 1 : start + 2]
        if following == "b":
            return environment_in_line(state, silent)
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
    push_formula(state, match[1].strip(), match.end(), display=display, silent=silent)
    return True


def push_formula(
    state: StateInline, content: str, end: int, *, display: bool, silent: bool
) -> None:
    """A formula in running text, and on to what follows it."""
    if not silent:
        token = state.push("math_inline", "math", 0)
        token.content = content
        token.markup = state.src[state.pos : end]
        token.meta = {"position": state.pos, "display": display}
    state.pos = end


def environment_in_line(state: StateInline, silent: bool) -> bool:
    r"""`\begin{align}…\end{align}.`: displayed, though words follow it in its line."""
    match = BEGIN.match(state.src, state.pos, state.posMax)
    if match is None or state.env.get("no_end_of", {}).get(match[1]) is state.src:
        return False
    depth = 0
    edge = re.compile(rf"\\(begin|end)\{{{re.escape(match[1])}\}}")
    for found in edge.finditer(state.src, state.pos, state.posMax):
        depth += 1 if found[1] == "begin" else -1
        if not depth:
            content = state.src[state.pos : found.end()]
            push_formula(state, content, found.end(), display=True, silent=silent)
            return True
    state.env.setdefault("no_end_of", {})[match[1]] = state.src
    return False


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
    opening = ""
    if first_line.startswith("$$"):
        closing = "$$"
    elif first_line.startswith("\\["):
        closing = "\\]"
    elif match := BEGIN.match(first_line):
        opening, closing = match[0], f"\\end{{{match[1]}}}"
    else:
        return False
    line = closing_line(state, start, end, opening, closing)
    # Dollars below other words may be the end of a formula that begins among these.
    if line is None and (opening or (len(first_line) == len(closing) and not silent)):
        name_unclosed(state, start, first_line, closing)
    if line is None or line == NOT_ALONE:
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
    body = (content if opening else content[2 : -len(closing)]).strip()
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


def closing_line(state: StateBlock, start: int, end: int, opening: str, closing: str) -> int | None:
    """The line that a formula ends on; remembers where none was found, to read no line twice."""
    failed: dict[str, int] = state.env.setdefault("unclosed_math", {})
    depth, seen = 1, False
    for line in range(start, end):
        text = state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]].strip()
        if line == start:
            text = text[len(opening) or 2 :]
            if closing not in text and start < failed.get(closing, 0):
                return None
        elif depth > 1 and (
            depth > NESTED or state.eMarks[line] - state.bMarks[start] > bounds.FORMULA_CHARACTERS
        ):
            return None
        elif not text or state.sCount[line] < state.blkIndent:
            end = line
            break
        depth += text.count(opening) if opening else 0
        if closing in text:
            seen = True
            depth -= text.count(closing)
            if depth <= 0:
                alone = text.endswith(closing) and depth == 0 and text != closing * (line == start)
                return line if alone else NOT_ALONE
    if not seen:
        failed[closing] = end
    return None


def name_unclosed(state: StateBlock, line: int, first_line: str, closing: str) -> None:
    """Name a formula whose end a blank line hides, and not the dollars at that end as another."""
    lines: set[int] = state.env.setdefault("unclosed_lines", set())
    waiting: set[str] = state.env.setdefault("unclosed_waiting", set())
    if line in lines:
        return
    lines.add(line)
    if closing in waiting:
        waiting.discard(closing)
        return
    if closing == "$$":
        waiting.add(closing)
    work: Work = state.env["work"]
    work.problems.add("unclosed-formula", line + 1, source=first_line)


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

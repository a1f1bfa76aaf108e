r"""LaTeX brought to what the typesetter knows: `\begin{split}`, `\DeclareMathOperator`, `\\[6pt]`.

Nothing here expands the author's macros, the typesetter does; their texts come through `reworded`.
"""

import re
from collections.abc import Callable

from notes.markdown import commutative_diagrams, formula_colours
from notes.markdown.latex_macros import SYMBOLS, TAG_SIGNS

LABEL = re.compile(r"\\(label|eqref|ref)\{([^{}\n]{1,200})\}")
NUMBERED = re.compile(r"\\begin\{(?:equation|align|alignat|gather|multline|flalign|eqnarray)\*?\}")

WORD_END = "(?![A-Za-z])"
SIZES = "tiny|small|normalsize|large|Large|LARGE|huge|Huge|footnotesize|scriptsize|sixptsize"
STARRED = "operatorname|tag|DeclareMathOperator|newcommand|renewcommand|providecommand"
FENCE = r"(?:left|right|middle|[bB]igg?[lrm]?)"
REPLACED: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\\\n"), r"\\ "),
    (re.compile(r"\\(?:cr|newline)" + WORD_END), r"\\\\"),
    (re.compile(r"\\require\{[^{}]*\}"), ""),
    (re.compile(rf"\\(?:{SIZES}){WORD_END}"), ""),
    (re.compile(r"\\(?:mbox|hbox|textup|textmd|textnormal)" + WORD_END), r"\\text"),
    (re.compile(r"\\varlimsup" + WORD_END), r"\\mathop{\\overline{\\mathrm{lim}}}"),
    (re.compile(r"\\varliminf" + WORD_END), r"\\mathop{\\underline{\\mathrm{lim}}}"),
    (re.compile(r"\\varinjlim" + WORD_END), r"\\mathop{\\underrightarrow{\\mathrm{lim}}}"),
    (re.compile(r"\\varprojlim" + WORD_END), r"\\mathop{\\underleftarrow{\\mathrm{lim}}}"),
    (re.compile(r"\\x(?:right|left)equilibrium" + WORD_END), r"\\xrightleftharpoons"),
    (re.compile(r"\\xrightleftarrows" + WORD_END), r"\\xtofrom"),
    (re.compile(r"\\(over|under)linesegment" + WORD_END), r"\\\1line"),
    (re.compile(r"\\rule\s*(?:\[[^\[\]]*\])?\{0[a-z]*\}\{[^{}]*\}"), ""),
    (re.compile(r"\\hspace\*"), r"\\hspace"),
    # `\epsilon*x` is a product, but the typesetter would look for a starred command.
    (re.compile(rf"(\\(?!(?:{STARRED})\*)[A-Za-z]+)\*"), r"\1 *"),
    (re.compile(rf"(\\{FENCE})\s*(?:<|\\lt{WORD_END})"), r"\1\\langle "),
    (re.compile(rf"(\\{FENCE})\s*(?:>|\\gt{WORD_END})"), r"\1\\rangle "),
    (re.compile(r"\\[bB]igg?[lrm]?\s*\."), ""),
    (re.compile(r"\\(m?kern|[mh]skip)\s*\{([^{}]*)\}"), r"\\\1 \2 "),
    # An empty last row is none.
    (re.compile(r"(?<!\\)\\\\[ \n\t]*(?:\[[-\d.a-z ]*\][ \n\t]*)?(?=\\end\{)"), ""),
    (re.compile(r"\\(begin|end)\{split\}"), r"\\\1{aligned}"),
    (re.compile(r"\\(begin|end)\{(?:eqnarray|flalign)(\*?)\}"), r"\\\1{align\2}"),
    (re.compile(r"\\begin\{(align|aligned)at(\*?)\}(?:\[[tcb]\])?\{\s*\d+\s*\}"), r"\\begin{\1\2}"),
    (re.compile(r"\\begin\{alignedat\}(?:\[[tcb]\])?\{\s*\d+\s*\}"), r"\\begin{aligned}"),
    (re.compile(r"\\end\{alignat(\*?)\}"), r"\\end{align\1}"),
    (re.compile(r"\\end\{alignedat\}"), r"\\end{aligned}"),
    (re.compile(r"\\begin\{(array|darray|aligned|gathered)\}\s*\[[tcb]\]"), r"\\begin{\1}"),
    (re.compile(r"\\begin\{smallmatrix\}"), r"\\begin{subarray}{c}"),
    (re.compile(r"\\end\{smallmatrix\}"), r"\\end{subarray}"),
    (re.compile(r"\\begin\{subequations\}\s*(?:\\label\{[^{}]*\})?"), ""),
    (re.compile(r"\\end\{subequations\}"), ""),
)
NEW_COMMAND = re.compile(
    r"\\(?:re)?newcommand\*?\s*\{?\s*(\\[A-Za-z]+)\s*\}?\s*(?:\[(\d)\])?\s*(?=\{)"
)
NEW_OPERATOR = re.compile(r"\\DeclareMathOperator(\*?)\s*\{?\s*(\\[A-Za-z]+)\s*\}?\s*(?=\{)")
OPERATOR = re.compile(r"\\operatorname(\*?)\s*(?=\{)")
MATHOP = re.compile(r"\\mathop\s*(?=\{)")
BIG = re.compile(r"\\(?:sum|(?:co)?prod|i{0,3}int|oint|big(?:cap|cup|vee|wedge|o[a-z]+|[a-z]+cup))")
LIMITS = re.compile(r"(?<=\})\s*\\(?:no)?limits" + WORD_END)
STARRED_MATRIX = re.compile(r"\\begin\{([pbBvV]?)matrix\*\}\s*(?:\[\s*([lcr])\s*\])?")
MATRIX_END = re.compile(r"\\end\{([pbBvV]?)matrix\*\}")
JOINED = (("---", "—"), ("--", "–"), ("``", "“"), ("''", "”"))
FENCES = {
    "": (".", "."),
    "p": ("(", ")"),
    "b": ("[", "]"),
    "B": (r"\{", r"\}"),
    "v": ("|", "|"),
    "V": (r"\|", r"\|"),
}
ARRAY = re.compile(r"\\begin\{d?array\}\s*(?=\{)")
TEXT = re.compile(r"\\text(?:tt|bf|it|rm|sf)?\s*(?=\{)")
ROW_GAP = re.compile(r"\\\\\*?[ \t]*\[\s*(-?[\d.]{1,9})\s*(pt|em|ex|mm|cm|in|mu|pc|bp)\s*\]")
EM = {"pt": 0.1, "bp": 0.1, "em": 1, "ex": 0.43, "mm": 0.285, "cm": 2.85, "in": 7.23, "mu": 1 / 18}
EM["pc"] = 1.2
COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%([^\n]*)(\n[ \t]*)?")
TAG = re.compile(r"\\tag(\*?)\s*(?=\{)")
PLAIN_TAG = re.compile(r"[A-Za-z0-9 .:*-]*")
NUMBER = re.compile(r"\\tag\*?\{[^{}]*\}|\\label\{[^{}]*\}")
UNNUMBERED = re.compile(r"\\no(?:tag|number)" + WORD_END)
HIDDEN_TAG = re.compile("zz((?:[0-9a-f]{2})+)zz")

COLUMNS = 200  # of one array
REWRITES = 100  # of one kind in one formula; after that the typesetter decides
ROW_GAP_UNIT = 1e-7  # em; a space as thin as this means a gap below the row, in hundredths of an em
STRUT = 0.3  # em below the line that any row has

type Rewritten = tuple[str, int]


def anchor_of(label: str) -> str:
    """`eq:loss_1` → `loss-1`: a label that the typesetter accepts, without its kind."""
    plain = re.sub(r"[^\w]+|_+", "-", label.strip().removeprefix("eq:")).strip("-") or "equation"
    return re.sub(r"[^-A-Za-z0-9]", lambda match: f"u{ord(match[0]):x}", plain)


def prepared(source: str, *, display: bool) -> str:
    """A formula's source in words that the typesetter knows."""
    text = COMMENT.sub(lambda match: without_comment(match, display=display), source)
    if not display:
        text = with_single_backslashes(text)
    text = reworded(without_last_break(text), display=display)
    return in_rows(text, display=display)


def reworded(text: str, *, display: bool = False) -> str:
    """Part of a formula, or the text of a macro, in words that the typesetter knows."""
    text = LABEL.sub(lambda match: rf"\{match[1]}{{{anchor_of(match[2])}}}", text)
    text = re.sub(r"\\ref\{", r"\\eqref{", text).translate(SYMBOLS)
    text = NEW_COMMAND.sub(lambda match: rf"\def{match[1]}{parameters(match[2])}", text)
    text = commutative_diagrams.as_arrays(text)
    for pattern, replacement in REPLACED:
        text = pattern.sub(replacement, text)
    text = ROW_GAP.sub(row_gap, text)
    text = formula_colours.COLOUR.sub(formula_colours.named, text)
    text = STARRED_MATRIX.sub(starred_matrix, text)
    text = MATRIX_END.sub(lambda match: rf"\end{{array}}\right{FENCES[match[1]][1]}", text)
    text = rewritten(text, ARRAY, array)
    text = rewritten(text, NEW_OPERATOR, new_operator)
    text = rewritten(text, OPERATOR, operator)
    text = rewritten(text, MATHOP, mathop_display if display else mathop)
    text = LIMITS.sub("", text)
    text = rewritten(text, TEXT, text_and_math)
    return rewritten(text, TAG, tag)


def without_comment(match: re.Match[str], *, display: bool) -> str:
    """A comment goes; the percent sign of `$95%$`, which no line follows, is one that was meant."""
    if display or match[3] is not None:
        return match[1]
    return rf"{match[1]}\%{match[2]}"


def with_single_backslashes(text: str) -> str:
    r"""`\\{1, 2\\}` in a line, as other writers of Markdown need it, means `\{1, 2\}`."""
    if not has_rows(text):
        return text
    single = re.sub(r"\\\\([{}|,;:!_%#])", r"\\\1", text)
    return text if has_rows(single) else single


def without_last_break(text: str) -> str:
    r"""`a \\` has one row, not an empty second one."""
    inside = text.rstrip(" \n\t\\")
    return inside if r"\\" in text[len(inside) :] else text


def parameters(count: str | None) -> str:
    """`#1#2` for two parameters."""
    return "".join(f"#{number}" for number in range(1, int(count or 0) + 1))


def row_gap(match: re.Match[str]) -> str:
    r"""`\\[6pt]`: the typesetter prints the length; we tell ourselves of it by a hidden space."""
    try:
        gap = float(match[1]) * EM[match[2]]
    except ValueError:
        return r"\\"
    hundredths = min(999, round(100 * (gap + STRUT)))
    return rf"\hspace{{{hundredths * ROW_GAP_UNIT:.7f}em}}\\" if gap > 0 else r"\\"


def starred_matrix(match: re.Match[str]) -> str:
    r"""`\begin{pmatrix*}[r]`: an array whose columns are all aligned alike."""
    columns = (match[2] or "c") * 30
    return rf"\left{FENCES[match[1]][0]}\begin{{array}}{{{columns}}}"


def rewritten(
    text: str, pattern: re.Pattern[str], rewrite: Callable[[str, re.Match[str]], Rewritten | None]
) -> str:
    """Rewrite what stands at each match, from the last to the first, so that inner ones are done
    before outer ones; `rewrite` says what comes in its place, and where it ends."""
    matches = list(pattern.finditer(text))
    if len(matches) > REWRITES:
        return text
    for match in reversed(matches):
        if done := rewrite(text, match):
            text = text[: match.start()] + done[0] + text[done[1] :]
    return text


def group(text: str, position: int) -> tuple[str, int] | None:
    """What the braces that open at a position hold, and where they end."""
    depth = 0
    for match in re.compile(r"\\.|[{}]", re.DOTALL).finditer(text, position):
        if match[0] == "{":
            depth += 1
        elif match[0] == "}":
            depth -= 1
            if not depth:
                return text[position + 1 : match.start()], match.end()
    return None


def array(text: str, match: re.Match[str]) -> Rewritten | None:
    r"""The columns of `\begin{array}{@{}l*{2}{c}p{3cm}@{}}`, by letters alone: `lccl`."""
    found = group(text, match.end())
    if found is None:
        return None
    columns = re.sub(
        r"\*\s*\{\s*(\d{1,2})\s*\}\s*\{([^{}]*)\}", lambda one: one[2] * int(one[1]), found[0]
    )
    columns = re.sub(r"[@!<>]\s*\{(?:[^{}]|\{[^{}]*\})*\}", "", columns)
    columns = re.sub(r"[pmb]\s*\{[^{}]*\}", "l", columns)
    columns = re.sub(r"[^lcr|:]", "", columns)[:COLUMNS]
    return f"{match[0]}{{{columns}}}", found[1]


def new_operator(text: str, match: re.Match[str]) -> Rewritten | None:
    r"""`\DeclareMathOperator{\tr}{tr}` → `\def\tr{\operatorname{tr}}`."""
    found = group(text, match.end())
    if found is None:
        return None
    return rf"\def{match[2]}{{\operatorname{match[1]}{{{found[0]}}}}}", found[1]


def operator(text: str, match: re.Match[str]) -> Rewritten | None:
    """The name of an operator in letters; one that is more than a name, as what it looks like."""
    found = group(text, match.end())
    if found is None:
        return None
    inside, end = found
    name = name_in(inside)
    if name is not None:
        return rf"\operatorname{match[1]}{{{name}}}", end
    roman = inside if inside.lstrip().startswith(r"\math") else rf"\mathrm{{{inside}}}"
    return rf"\mathop{{{roman}}}" if match[1] else rf"\mathop{{{roman}}}\nolimits ", end


def name_in(inside: str) -> str | None:
    r"""`{\rm arg\,min}` → `arg\,min`, and nothing of what is no name."""
    plain = re.sub(r"\\(?:mathrm|textrm|text|rm|operatorname\*?)" + WORD_END, "", inside)
    plain = re.sub(r"[{}]", "", plain).replace("~", r"\ ").strip()
    return plain if re.fullmatch(r"(?:[A-Za-z0-9 .'*+/-]|\\[ ,;:!])+", plain) else None


def mathop_display(text: str, match: re.Match[str]) -> Rewritten | None:
    """In a display, scripts of an operator of one's own stand above and below it."""
    return mathop(text, match, display=True)


def mathop(text: str, match: re.Match[str], *, display: bool = False) -> Rewritten | None:
    r"""`\mathop{\rm best}\limits_x`, which the typesetter knows without limits only."""
    found = group(text, match.end())
    if found is None:
        return None
    inside, end = found
    placed = re.compile(r"\s*\\(limits|nolimits)" + WORD_END).match(text, end)
    if placed:
        end = placed.end()
    if BIG.fullmatch(inside.strip()):
        return f"{inside.strip()}{placed[0] if placed else ''} ", end
    name = name_in(inside)
    if name is not None and re.search(r"[A-Za-z]{2}", name):
        star = "" if placed and placed[1] == "nolimits" else "*"
        return rf"\operatorname{star}{{{name}}}", end
    beside = placed[1] == "nolimits" if placed else not display
    written = rf"\mathop{{{inside}}}"
    if beside:
        return written, end
    scripts, end = scripts_at(text, end)
    written = f"{{{inside}}}" if scripts else written
    if upper := scripts.get("^"):
        written = rf"\overset{{{upper}}}{{{written}}}"
    if lower := scripts.get("_"):
        written = rf"\underset{{{lower}}}{{{written}}}"
    return written, end


def scripts_at(text: str, position: int) -> tuple[dict[str, str], int]:
    """The scripts that follow a position, and where they end."""
    scripts: dict[str, str] = {}
    script = re.compile(r"\s*([_^])\s*(\\[A-Za-z]+|[^\s\\{}_^])?")
    while (match := script.match(text, position)) and match[1] not in scripts:
        if match[2]:
            scripts[match[1]], position = match[2], match.end()
        elif found := group(text, match.end()) if text[match.end() :].startswith("{") else None:
            scripts[match[1]], position = found
        else:
            break
    return scripts, position


def text_and_math(text: str, match: re.Match[str]) -> Rewritten | None:
    r"""`\text{if $x$ holds}` → `\text{if }{x}\text{ holds}`, with signs that are words escaped."""
    found = group(text, match.end())
    if found is None:
        return None
    inside, end = found
    pieces = re.split(r"(?<!\\)\$|\\[()]", inside)
    if len(pieces) % 2 == 0:
        return None
    command = match[0].rstrip()
    written = [
        rf"{command}{{{words(piece, command)}}}" if index % 2 == 0 else f"{{{piece}}}"
        for index, piece in enumerate(pieces)
        if piece
    ]
    return "".join(written) if len(written) == 1 else f"{{{''.join(written)}}}", end


def words(piece: str, command: str) -> str:
    """Text of a formula: signs escaped, dashes and quotes joined unless it is code."""
    for number, command_of in SYMBOLS.items():
        piece = piece.replace(command_of, chr(number))
    piece = re.sub(r"(?<!\\)([_&#])", r"\\\1", piece)
    if command == r"\texttt":
        return piece
    for written, sign in JOINED:
        piece = piece.replace(written, sign)
    return piece


def tag(text: str, match: re.Match[str]) -> Rewritten | None:
    r"""`\tag{$\star$}`: the typesetter takes letters only, so other signs go through as numbers."""
    found = group(text, match.end())
    if found is None:
        return None
    plain = re.sub(r"\\(?:text|mathrm|mathbf|mathit)\s*\{([^{}]*)\}", r"\1", found[0])
    plain = re.sub(
        r"\\([A-Za-z]+)", lambda one: TAG_SIGNS.get(one[1], one[0]), plain.replace("$", "")
    )
    plain = re.sub(r"\^?\{?′\}?|'", "′", plain).strip()
    if "\\" in plain:
        return None
    if not PLAIN_TAG.fullmatch(plain):
        plain = f"zz{plain.encode().hex()}zz"
    return rf"\tag{match[1]}{{{plain}}}", found[1]


def shown_tags(mathml: str) -> str:
    """The tags that `tag` hid, as the author wrote them."""
    return HIDDEN_TAG.sub(
        lambda match: re.sub("[<>&]", "", bytes.fromhex(match[1]).decode(errors="ignore")), mathml
    )


def in_rows(text: str, *, display: bool) -> str:
    r"""A formula with rows (`a \\ b`) or a number of its own, in the environment that it needs."""
    if NUMBERED.search(text):
        return text
    if not display:
        return rf"\begin{{gathered}}{text}\end{{gathered}}" if has_rows(text) else text
    numbers = "".join(NUMBER.findall(text))
    text = UNNUMBERED.sub("", NUMBER.sub("", text))
    if has_rows(text):
        text = rf"\begin{{gathered}}{text}\end{{gathered}}"
    return rf"\begin{{equation}}{text}{numbers}\end{{equation}}" if numbers else text


def has_rows(text: str) -> bool:
    """Whether a row ends outside every group and environment."""
    depth = 0
    for match in re.finditer(r"\\(?:begin|end)\b|\\(?:left|right)\b|\\.|[{}]", text, re.DOTALL):
        if match[0] in ("{", r"\begin", r"\left"):
            depth += 1
        elif match[0] in ("}", r"\end", r"\right"):
            depth -= 1
        elif match[0] == r"\\" and not depth:
            return True
    return False

r"""Commutative diagrams, `\begin{CD} A @>f>> B \\ @VgVV @VVhV \\ C @= D \end{CD}`, as arrays."""

import re

DIAGRAM = re.compile(r"\\begin\{CD\}(.*?)\\end\{CD\}", re.DOTALL)
PART = re.compile(r"\\.|[{}]|.", re.DOTALL)
ACROSS = {">": "xrightarrow", ")": "xrightarrow", "<": "xleftarrow", "(": "xleftarrow"}
DOWN = {"V": r"\Big\downarrow", "A": r"\Big\uparrow"}
PLAIN = {"=": r"\xlongequal{\quad}", "|": r"\Big\Vert", ".": ""}


def as_arrays(text: str) -> str:
    """Every diagram of a formula as an array, with columns for objects and for arrows."""
    return DIAGRAM.sub(as_array, text)


def as_array(match: re.Match[str]) -> str:
    """One diagram."""
    body = re.sub(r"@\\vert(?![A-Za-z])", "@|", match[1])
    rows = [cells_of(row) for row in re.split(r"\\\\", body)]
    columns = "c" * max(len(row) for row in rows)
    written = r" \\ ".join(" & ".join(row) for row in rows if any(row))
    return rf"\begin{{array}}{{{columns}}}{written}\end{{array}}"


def cells_of(row: str) -> list[str]:
    """Objects and arrows by turns; a row of arrows that go down has empty cells between them."""
    cells = [""]
    parts = [match[0] for match in PART.finditer(row)]
    index = 0
    while index < len(parts):
        sign = parts[index + 1] if parts[index] == "@" and index + 1 < len(parts) else ""
        index += 2 if sign else 1
        if sign in DOWN:
            labels, index = labels_from(parts, index, sign)
            cells[-1] = upright(DOWN[sign], *labels)
            cells += ["", ""]
        elif sign in ACROSS:
            labels, index = labels_from(parts, index, sign)
            cells += [rf"\{ACROSS[sign]}[{labels[1]}]{{{labels[0] or r'\quad'}}}", ""]
        elif sign in ("|", "."):
            cells[-1] = PLAIN[sign]
            cells += ["", ""]
        elif sign in PLAIN:
            cells += [PLAIN[sign], ""]
        else:
            cells[-1] += parts[index - 1] if not sign else f"@{sign}"
    return [cell.strip() for cell in cells]


def labels_from(parts: list[str], index: int, sign: str) -> tuple[list[str], int]:
    """The two labels of an arrow, each closed by the arrow's sign outside of braces."""
    labels = ["", ""]
    depth = number = 0
    while index < len(parts) and number < 2:
        part = parts[index]
        index += 1
        depth += {"{": 1, "}": -1}.get(part, 0)
        if part == sign and depth == 0:
            number += 1
        else:
            labels[number] += part
    return [label.strip() for label in labels], index


def upright(arrow: str, left: str, right: str) -> str:
    """An arrow up or down, its labels beside it; an unequal pair leaves the arrow in the middle."""
    before = rf"\scriptstyle {left}" if left else rf"\phantom{{\scriptstyle {right}}}"
    after = rf"\scriptstyle {right}" if right else rf"\phantom{{\scriptstyle {left}}}"
    return f"{{{before}}}{arrow}{{{after}}}"

r"""Labels, and the references to them: `@fig:x`, `[@tbl:x; @eq:y]`, `[-@sec:z]`.

Labelled are figures `![…](figures/x){#fig:x}`, tables by their caption `: … {#tbl:x}`, headings
`## … {#sec:x}` and equations `\label{eq:x}`. A reference is a link that says word and number:
`Figure 1`, `Table 2`, `Section 2.1`, `Equation 3`; with a minus, the number alone.
"""

import re
from collections.abc import Sequence

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from notes.markdown import equations
from notes.markdown.work import Label, Work, line_in

AFTER_HEADING = re.compile(r"(?:^|[ \t]+)\{#(sec:\w(?:[\w:.-]*\w)?)\}[ \t]*$")


def extend(markdown: MarkdownIt) -> None:
    """Labels leave a heading before its inline text is read."""
    markdown.core.ruler.after("block", "section_labels", take_section_labels)
    markdown.add_render_rule("cross_reference", render_reference)
    markdown.add_render_rule("table_number", render_table_number)


def take_section_labels(state: StateCore) -> None:
    """`## Text {#sec:x}` → the heading `Text`, labelled."""
    for index, token in enumerate(state.tokens):
        if token.type != "heading_open":
            continue
        inline = state.tokens[index + 1]
        if match := AFTER_HEADING.search(inline.content):
            token.meta["label"] = match[1]
            inline.content = inline.content[: match.start()]


def link(work: Work) -> None:
    """Number tables and sections, and give every reference its text."""
    number_tables(work)
    number_sections(work)
    for block in work.tokens:
        for token in block.children or ():
            if token.type == "cross_reference":
                find(work, block, token)


def number_tables(work: Work) -> None:
    """Tables with a caption are numbered in the order of the note."""
    count = 0
    table: Token | None = None
    for token in work.tokens:
        if token.type == "table_open":
            table = token
        elif token.type == "table_number" and table is not None:
            count += 1
            token.content = str(count)
            label = str(table.meta.get("label", ""))
            if label and work.label(label, Label("table", str(count), anchor_of(label)), table):
                table.attrSet("id", work.marker + anchor_of(label))


def number_sections(work: Work) -> None:
    """Headings count from the second level on: `2`, `2.1`, `2.1.1`."""
    counts = [0] * 5
    for token in work.tokens:
        if token.type != "heading_open":
            continue
        depth = max(0, int(token.tag[1]) - 2)
        counts[depth] += 1
        counts[depth + 1 :] = [0] * (4 - depth)
        if label := str(token.meta.get("label", "")):
            number = ".".join(str(one) for one in counts[: depth + 1])
            work.label(label, Label("section", number, "", heading=token), token)


def anchor_of(label: str) -> str:
    """`tbl:main results` has `tbl-main-results`: a label's own id."""
    kind, _, name = label.partition(":")
    return f"{kind}-{re.sub(r'[^\w.-]+', '-', name)}"


def find(work: Work, block: Token, token: Token) -> None:
    """Give a reference what it points at, or name the label that nothing has."""
    name = str(token.meta["label"])
    label = equation(work, name) if name.startswith("eq:") else work.labels.get(name)
    if label is None:
        line = line_in(block, token.meta["position"])
        code = "unknown-equation" if name.startswith("eq:") else "unknown-label"
        work.problems.add(code, line, name=name)
        return
    token.meta["found"] = label
    short = token.meta["short"]
    token.meta["text"] = label.number if short else work.words.numbered(label.kind, label.number)


def equation(work: Work, name: str) -> Label | None:
    """The equation with this label, as the formulas have been numbered."""
    numbers: dict[str, str] = work.env.get("equation_numbers", {})  # type: ignore[assignment]
    anchor = f"eq-{equations.anchor_of(name)}"
    number = numbers.get(anchor)
    return None if number is None else Label("equation", number.strip("()"), anchor)


def render_reference(
    _renderer: object, tokens: Sequence[Token], index: int, _options: object, env: dict[str, Work]
) -> str:
    token, work = tokens[index], env["work"]
    label: Label | None = token.meta.get("found")
    if label is None:
        return f'<span class="{work.marker}missing">{escapeHtml(token.content)}</span>'
    anchor, title = label.anchor, ""
    if label.heading is not None:
        # Sections show no numbers of their own, so the reference tells what the section is called.
        anchor = str(label.heading.attrs.get("id", "")).removeprefix(work.marker)
        title = f' title="{escapeHtml(work.heading_text(anchor))}"'
    text = escapeHtml(token.meta["text"])
    return f'<a class="{work.marker}cross-ref" href="#{escapeHtml(anchor)}"{title}>{text}</a>'


def render_table_number(
    _renderer: object, tokens: Sequence[Token], index: int, _options: object, env: dict[str, Work]
) -> str:
    work = env["work"]
    number = escapeHtml(work.words.numbered("table", tokens[index].content))
    return f'<span class="{work.marker}table-number">{number}</span> '

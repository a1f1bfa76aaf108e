"""Tables: alignment as a class, heads with a scope, bars inside formulas, and a bound on cells."""

import re

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_block import table as gfm_table

from notes.markdown import bounds, table_captions
from notes.markdown.work import Work

FORMULA = re.compile(
    r"\$(?![\s$])(?:\\.|[^\\$])++(?<!\s)\$(?!\w)"
    r"|\$\$(?:\\.|[^\\$])++\$\$|\\\((?:[^\\]|\\(?![()]))++\\\)"
)
RULE = re.compile(r"[-:| \t]*-[-:| \t]*")
BAR = "\ufdd2"  # stands for a bar inside a formula while a row is cut into cells


def extend(markdown: MarkdownIt) -> None:
    """Put our rule in the place of GFM's, around it."""
    markdown.block.ruler.at("table", table, {"alt": ["paragraph", "reference"]})


def table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """GFM's table, in which `$P(A|B)$` is one cell."""
    before, first = state.src, len(state.tokens)
    if start + 1 < end and RULE.fullmatch(line_of(state, start + 1)):
        protect_bars(state, start, start + 1)
    found = gfm_table(state, start, end, True)
    state.src = before
    if silent or not found:
        return found
    last = last_line(state, start, end)
    work: Work = state.env["work"]
    cells = (line_of(state, start + 1).count("|") + 1) * (last - start)
    if cells > bounds.TABLE_CELLS - int(str(work.env.get("cells", 0))):
        return kept_as_text(state, start, last)
    caption = table_captions.line_of_caption(state, start, end)
    protect_bars(state, start, last)
    found = gfm_table(state, start, min(end, caption or end), False)
    state.src = before
    if caption is not None and state.line <= caption and all_empty(state, caption):
        table_captions.put_in(state, first, caption)
    for token in state.tokens[first:]:
        token.content = token.content.replace(BAR, "|")
        if token.type in ("th_open", "td_open"):
            work.env["cells"] = int(str(work.env.get("cells", 0))) + 1
            style = str(token.attrs.pop("style", ""))
            if style:
                token.attrs["class"] = f"{work.marker}align-{style.removeprefix('text-align:')}"
            if token.type == "th_open":
                token.attrs["scope"] = "col"
    return found


def all_empty(state: StateBlock, until: int) -> bool:
    """Whether nothing stands between the table and the line of its caption."""
    return all(state.isEmpty(line) for line in range(state.line, until))


def line_of(state: StateBlock, line: int) -> str:
    """A line without the marks of the blocks around it."""
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


def last_line(state: StateBlock, start: int, end: int) -> int:
    """The first line that cannot belong to the table."""
    line = start
    while line < end and not state.isEmpty(line):
        line += 1
    return line


def protect_bars(state: StateBlock, start: int, last: int) -> None:
    """Hide the bars inside formulas; every position stays where it is."""
    begin, stop = state.bMarks[start], state.eMarks[last - 1]
    rows = state.src[begin:stop]
    if "$" not in rows and "\\(" not in rows:
        return
    lines = [
        FORMULA.sub(lambda match: re.sub(r"(?<!\\)\|", BAR, match[0]), row)
        for row in rows.split("\n")
    ]
    state.src = state.src[:begin] + "\n".join(lines) + state.src[stop:]


def kept_as_text(state: StateBlock, start: int, last: int) -> bool:
    """A table past the bound stays as it was written."""
    token = state.push("plain_text", "", 0)
    token.content = state.getLines(start, last, state.blkIndent, False).strip()
    token.map = [start, last]
    state.line = last
    work: Work = state.env["work"]
    what = "The tables have too many cells"
    work.problems.add("past-bound", start + 1, what=what, limit=bounds.TABLE_CELLS)
    return True

"""kramdown's tables as GFM wants them: with a header, and one rule below it."""

from __future__ import annotations

import re

_ROW = re.compile(r" {0,3}\|.*\|[ \t]*")
_FENCE = re.compile(r"[ \t>]*(?:(?:[*+:-]|\d{1,9}[.)])[ \t]+)*+(`{3,}|~{3,})")
_RULE = re.compile(r"[ |:+=-]*-[ |:+=-]*")


def with_table_headers(text: str) -> str:
    """kramdown's tables without a header, or with rules between their rows, as GFM has them."""
    lines = text.split("\n")
    made: list[str] = []
    fence = ""
    index = 0
    while index < len(lines):
        line = lines[index]
        if marks := _FENCE.match(line):
            if not fence:
                fence = marks[1]
            elif marks[1].startswith(fence):
                fence = ""
        end = index
        if not fence and (index == 0 or not lines[index - 1].strip()):
            while end < len(lines) and _ROW.fullmatch(lines[end]):
                end += 1
        if end - index < 2:
            made.append(line)
            index += 1
            continue
        rows = lines[index:end]
        is_headed = not _RULE.fullmatch(rows[0]) and bool(_RULE.fullmatch(rows[1]))
        content = [row for row in rows if not _RULE.fullmatch(row)]
        if content:
            columns = max(1, content[0].strip().strip("|").count("|") + 1)
            rule = rows[1] if is_headed else "|" + " --- |" * columns
            header = content.pop(0) if is_headed else "|" + "  |" * columns
            made += [header, rule, *content]
        index = end
    return "\n".join(made)

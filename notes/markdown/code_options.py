"""What the words after a code block's language ask for.

```` ```python file=train.py numbers {2,4-6} ````: a file's name, line numbers, marked lines. The
spellings of other programs are understood too; what is unknown is ignored.
"""

import re
from dataclasses import dataclass

LANGUAGE = re.compile(r"[{.]*([A-Za-z0-9][A-Za-z0-9+#._-]{0,39})(?![\w=])")
OPTION = re.compile(
    r"""([A-Za-z][\w-]{0,40})=("[^"]*"|'[^']*'|[^\s}]+)|\{\s*(\d[\d,\s-]*)\}|([\w.-]+)"""
)
RANGE = re.compile(r"(\d{1,6})(?:-(\d{1,6}))?")
FILE_NAMES = frozenset({"file", "filename", "title"})
MARKS = frozenset({"hl_lines", "mark"})
STARTS = frozenset({"linenums", "start", "startfrom"})
NUMBERS = frozenset({"linenos", "numbers", "numberlines", "showlinenumbers"})
OPTIONS_READ = 30
RANGES_READ = 100
FILE_NAME_CHARACTERS = 200
LINE_DIGITS = 6


@dataclass(frozen=True, slots=True)
class CodeOptions:
    """How a block is shown; `start` is the first line's number, 0 without numbers."""

    language: str = ""
    file: str = ""
    start: int = 0
    marks: tuple[tuple[int, int], ...] = ()

    def is_marked(self, line: int) -> bool:
        """Whether a line of the block, from 1, is marked."""
        return any(first <= line <= last for first, last in self.marks)


def read(info: str) -> CodeOptions:
    """`python file=train.py numbers {2,4-6}`."""
    info = info.strip()
    match = LANGUAGE.match(info)
    language = match[1].lower() if match else ""
    if language in NUMBERS or re.match(r"\{\s*\d", info):
        match, language = None, ""
    file, start, numbered = "", 0, False
    marks: list[tuple[int, int]] = []
    for count, option in enumerate(OPTION.finditer(info, match.end() if match else 0)):
        if count == OPTIONS_READ:
            break
        name, value = (option[1] or "").lower(), (option[2] or "").strip("\"'")
        if name in FILE_NAMES:
            file = " ".join(value.split())[:FILE_NAME_CHARACTERS]
        elif name in STARTS:
            start = int(value) if re.fullmatch(rf"\d{{1,{LINE_DIGITS}}}", value) else start
        elif name in MARKS or option[3]:
            marks += ranges(option[3] or value)
        elif (option[4] or "").strip(".").lower() in NUMBERS:
            numbered = True
    return CodeOptions(language, file, start or int(numbered), tuple(marks[:RANGES_READ]))


def ranges(text: str) -> list[tuple[int, int]]:
    """`2,4-6` → 2 to 2 and 4 to 6."""
    return [(int(match[1]), int(match[2] or match[1])) for match in RANGE.finditer(text[:1000])]

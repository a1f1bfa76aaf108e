"""Problems as an author is shown them: counted, named by severity, with the line they stand in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext_lazy

LABELS = {
    "error": gettext_lazy("Error"),
    "warning": gettext_lazy("Warning"),
    "notice": gettext_lazy("Notice"),
}
COUNTS = {
    "error": ngettext_lazy("%d error", "%d errors"),
    "warning": ngettext_lazy("%d warning", "%d warnings"),
    "notice": ngettext_lazy("%d notice", "%d notices"),
}
# What is quoted of a long line: a paragraph is often one.
BEFORE, AFTER = 30, 70

type Stored = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ShownProblem:
    """One problem in words; line 0 is the note as a whole, and quotes nothing."""

    severity: str
    label: str
    line: int
    column: int
    message: str
    cure: str
    quote: str


@dataclass(frozen=True, slots=True)
class ProblemList:
    """The problems of one text."""

    summary: str
    problems: tuple[ShownProblem, ...]
    words: int
    minutes: int


def counted(problems: Iterable[Stored]) -> list[tuple[str, str]]:
    """Severity and count in words, the gravest first, for those there are."""
    count = Counter(problem.get("severity") for problem in problems)
    return [(severity, words % count[severity]) for severity, words in COUNTS.items()
            if count[severity]]  # fmt: skip


def shown(problems: Iterable[Stored], source: str) -> tuple[ShownProblem, ...]:
    """The problems with what stands at their place in the text that they were found in."""
    lines = source.split("\n")
    return tuple(
        ShownProblem(
            severity=problem["severity"],
            label=str(LABELS[problem["severity"]]),
            line=problem["line"],
            column=problem["column"],
            message=problem["message"],
            cure=problem["cure"],
            quote=quoted(lines, problem["line"], problem["column"]),
        )
        for problem in problems
    )


def list_of(problems: list[dict[str, Any]], source: str, words: int, minutes: int) -> ProblemList:
    summary = ", ".join(words for _severity, words in counted(problems)) or _("No problems.")
    return ProblemList(summary, shown(problems, source), words, minutes)


def quoted(lines: list[str], line: int, column: int) -> str:
    """The line, or of a long one what stands around the column."""
    if not 0 < line <= len(lines):
        return ""
    text = lines[line - 1]
    if len(text) <= BEFORE + AFTER:
        return text.strip()
    start = max(0, min(column - 1, len(text)) - BEFORE)
    end = start + BEFORE + AFTER
    return ("…" if start else "") + text[start:end].strip() + ("…" if end < len(text) else "")

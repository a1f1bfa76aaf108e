"""What became of each thing that an import met."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum


class Refusal(Exception):
    """Something that isn't carried, with the place in its file and what to do about it."""

    def __init__(self, message: str, *, file: str = "", line: int = 0, cure: str = "") -> None:
        super().__init__(message)
        self.message, self.file, self.line, self.cure = str(message), file, line, str(cure)

    def within(self, file: str, first_line: int = 1) -> Refusal:
        """The same refusal, its file named, its line counted from ``first_line``."""
        if not self.file:
            self.file = file
            self.line = self.line + first_line - 1 if self.line else 0
        return self


class Outcome(StrEnum):
    CREATED = "created"
    UPDATED = "updated"
    UNCHANGED = "unchanged"
    REFUSED = "refused"  # not carried at all
    LOST = "lost"  # a part of something that was carried otherwise
    NOTICE = "notice"  # carried, in another form than it had


PROBLEMS = (Outcome.REFUSED, Outcome.LOST, Outcome.NOTICE)


@dataclass(frozen=True, slots=True)
class Entry:
    outcome: Outcome
    kind: str
    file: str
    line: int = 0
    message: str = ""
    cure: str = ""

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        words = " ".join(part for part in (self.message, self.cure) if part)
        return f"{place}: {words}" if words else place


@dataclass(slots=True)
class Report:
    """The entries of one import, in the order in which they came."""

    entries: list[Entry] = field(default_factory=list)

    def add(
        self,
        outcome: Outcome,
        kind: str,
        file: str,
        line: int = 0,
        message: str = "",
        cure: str = "",
    ) -> None:
        self.entries.append(Entry(outcome, kind, file, line, str(message), str(cure)))

    def refuse(self, kind: str, refusal: Refusal) -> None:
        self.add(Outcome.REFUSED, kind, refusal.file, refusal.line, refusal.message, refusal.cure)

    def of(self, *outcomes: Outcome) -> Iterator[Entry]:
        return (entry for entry in self.entries if entry.outcome in outcomes)

    def tally(self) -> Counter[tuple[str, str]]:
        """How many of each kind met each outcome."""
        return Counter((entry.kind, entry.outcome.value) for entry in self.entries)

    @property
    def exit_code(self) -> int:
        """0: all carried; 1: something refused or lost; 2: nothing could be read."""
        carried = (Outcome.CREATED, Outcome.UPDATED, Outcome.UNCHANGED)
        if not any(self.of(*carried)):
            return 2
        return 1 if any(self.of(Outcome.REFUSED, Outcome.LOST)) else 0

    def summary(self) -> str:
        """The tally as one line a kind, kinds in the order in which they came."""
        tally = self.tally()
        kinds = dict.fromkeys(entry.kind for entry in self.entries)
        lines = []
        for kind in kinds:
            counts = [(tally[kind, outcome.value], outcome.value) for outcome in Outcome]
            lines.append(f"{kind}: " + ", ".join(f"{n} {word}" for n, word in counts if n))
        return "\n".join(lines)

    def as_text(self) -> str:
        """Every entry on its line, and the tally."""
        lines = [f"{entry.outcome.value:<9} {entry.kind:<9} {entry}" for entry in self.entries]
        return "\n".join([*lines, "", self.summary(), ""])

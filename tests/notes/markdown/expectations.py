"""The rules of the cases in `tests/data/cases`: what must and must not be in a note's html."""

import json
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from bs4 import BeautifulSoup, Tag

from tests.notes.markdown.elements import assert_harmless, parsed

CASES = Path(__file__).parents[2] / "data" / "cases"
FORMULA = "math, .katex, mjx-container, .math, [data-tex], [data-math]"
SELECTOR = re.compile(r"(.+?)\s+(==|>=|~)\s+(.+)", re.S)
# Asserted where there is a page, a feed or a form: test_case_pages.py and the browser's suite.
ELSEWHERE = ("feed", "page", "form")


@dataclass(frozen=True)
class Case:
    """One folder."""

    name: str
    kind: str
    level: str
    source: str
    must_have: tuple[str, ...]
    must_not: tuple[str, ...]

    def broken(self, render: Callable[[str], str]) -> list[str]:
        """The rules that the result breaks."""
        begin = time.process_time()  # of this process: a busy machine breaks no rule
        page = Page(render(self.source))
        page.seconds = time.process_time() - begin
        assert_harmless(page.html)
        missing = [rule for rule in self.must_have if not page.holds(rule)]
        return missing + [f"not {rule}" for rule in self.must_not if page.holds(rule)]


@dataclass
class Page:
    """The html of one note, to be asked."""

    html: str
    seconds: float = field(default=0.0)

    @cached_property
    def root(self) -> Tag:
        return parsed(self.html)

    @cached_property
    def seen(self) -> str:
        """The text that a reader sees."""
        copy = BeautifulSoup(str(self.root), "html5lib")
        for source in copy.select("annotation"):
            source.decompose()
        return folded(copy.get_text())

    def formulas(self) -> list[Tag]:
        """The outermost elements of each formula."""
        found = self.root.select(FORMULA)
        inside = {id(one) for one in found}
        return [one for one in found if not any(id(above) in inside for above in one.parents)]

    def holds(self, rule: str) -> bool:
        """Whether the page is as one rule says."""
        if count := re.fullmatch(r"math\s*(==|>=)\s*(\d+)", rule):
            return compared(len(self.formulas()), count[1], int(count[2]))
        kind, _, said = rule.partition(":")
        match kind:
            case "browser":  # asked of a window
                return True
            case "seconds":
                return self.seconds <= float(said)
            case "text":
                return folded(said) in self.seen
            case "re":
                return re.search(said, self.html, re.S) is not None
            case "tex":
                sources = [one.get_text() for one in self.root.select("annotation")]
                return any(solid(said) in solid(source) for source in sources)
            case "raw":
                selector, text = said.split(" ~ ", 1)
                text = text.encode().decode("unicode_escape")
                return any(text in one.get_text() for one in self.root.select(selector))
            case "css":
                return self.selects(said)
        raise ValueError(rule)

    def selects(self, said: str) -> bool:
        """`SELECTOR`, or with `== N`, `>= N` or `~ TEXT` behind it."""
        parts = SELECTOR.fullmatch(said)
        if parts is None:
            return bool(self.root.select(said))
        found = self.root.select(parts[1])
        if parts[2] == "~":
            return any(folded(parts[3]) in folded(one.get_text()) for one in found)
        return compared(len(found), parts[2], int(parts[3]))


def compared(number: int, sign: str, wanted: int) -> bool:
    return number == wanted if sign == "==" else number >= wanted


def folded(text: str) -> str:
    return " ".join(text.split())


def solid(text: str) -> str:
    return "".join(text.split())


def cases() -> Iterator[Case]:
    """All of them, in the order of their names."""
    for file in sorted(CASES.glob("*/case.json")):
        said = json.loads(file.read_text("utf-8"))
        yield Case(
            name=said["id"],
            kind=said["kind"],
            level=said["level"],
            source=(file.parent / said["input"]).read_bytes().decode(),
            must_have=tuple(said["must_have"]),
            must_not=tuple(said["must_not"]),
        )


def case(name: str) -> Case:
    """The one of this name."""
    return next(one for one in cases() if one.name == name)

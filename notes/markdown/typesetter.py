"""The supervised child that typesets formulas.

The library behind it can kill or hang whatever process calls it, so it gets one of its own: kept
running, one for each of our processes, started anew when it dies. All formulas of a note go to it
at once. If that kills it, they go one by one; the formula that kills it then is refused, and only
that one.
"""

import atexit
import contextlib
import html
import json
import os
import re
import select
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from notes.markdown import bounds

PROGRAM = Path(__file__).with_name("typesetter_child.py")
PROCESSOR_SECONDS = 0.5  # for one formula, or for a note's, and a quarter millisecond each
WALL_SECONDS = 60.0  # for a child that is neither working nor dead
DEATHS = 20  # in one note; formulas after that are refused unread

ERROR = re.compile(
    r'<(span|p) class="math-core-error" title="(?:\d+: )?([^"]*)"><code>.*</code></\1>', re.DOTALL
)

type Snippet = tuple[str, bool]


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a formula could not be typeset."""

    reason: str


class ChildDied(Exception):
    """The child crashed, ran out of time, or was killed."""


class Typesetter:
    """Formulas to MathML; safe to share between threads and to take through a fork."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self._unread = b""
        os.register_at_fork(after_in_child=self._forget)
        atexit.register(self.close)

    def typeset(
        self, snippets: Sequence[Snippet], macros: Mapping[str, str]
    ) -> list[str | Refused]:
        """MathML, or the reason against it, for each formula of one note."""
        with self._lock:
            try:
                return [outcome(text) for text in self._together(snippets, macros)]
            except ChildDied:
                results = self._one_by_one(snippets, macros)
            # Once more without the killers: numbers and references are counted over the whole note.
            harmless = [snippet for snippet, text in zip(snippets, results, strict=True) if text]
            with contextlib.suppress(ChildDied):
                again = iter(self._together(harmless, macros) if harmless else ())
                results = [next(again) if text else None for text in results]
            return [outcome(text) for text in results]

    def close(self) -> None:
        """End the child; the next formula starts another."""
        with self._lock:
            self._stop()

    def _together(self, snippets: Sequence[Snippet], macros: Mapping[str, str]) -> list[str | None]:
        seconds = PROCESSOR_SECONDS + len(snippets) / 4000
        characters = bounds.FORMULAS_OUTPUT
        self._ask(snippets, macros, seconds=seconds, characters=characters, one_by_one=False)
        answer: list[str | None] = json.loads(self._answer())
        return answer

    def _one_by_one(
        self, snippets: Sequence[Snippet], macros: Mapping[str, str]
    ) -> list[str | None]:
        results: list[str | None] = []
        deaths, characters = 0, bounds.FORMULAS_OUTPUT
        while len(results) < len(snippets) and deaths < DEATHS:
            try:
                rest = snippets[len(results) :]
                self._ask(
                    rest,
                    macros,
                    seconds=PROCESSOR_SECONDS,
                    characters=characters,
                    one_by_one=True,
                )
                for _ in rest:
                    results.append(json.loads(self._answer()))
                    characters -= len(results[-1] or "")
            except ChildDied:
                results.append(None)
                deaths += 1
        return results + [None] * (len(snippets) - len(results))

    def _ask(
        self,
        snippets: Sequence[Snippet],
        macros: Mapping[str, str],
        *,
        seconds: float,
        characters: int,
        one_by_one: bool,
    ) -> None:
        task = {
            "snippets": list(snippets),
            "macros": dict(macros),
            "seconds": seconds,
            "characters": (bounds.FORMULA_OUTPUT, characters),
            "one_by_one": one_by_one,
        }
        line = json.dumps(task).encode() + b"\n"
        try:
            self._write(line)
        except OSError:
            # It died since the last note (killed from outside): this is no formula's fault.
            self._stop()
            try:
                self._write(line)
            except OSError as error:
                self._stop()
                raise ChildDied from error

    def _write(self, line: bytes) -> None:
        if self._child is None or self._child.poll() is not None:
            self._stop()
            self._child = subprocess.Popen(  # noqa: S603
                [sys.executable, "-I", str(PROGRAM)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
            )
        assert self._child.stdin is not None  # noqa: S101
        view = memoryview(line)
        while view:
            view = view[self._child.stdin.write(view) :]

    def _answer(self) -> bytes:
        """The child's next line."""
        assert self._child is not None  # noqa: S101
        assert self._child.stdout is not None  # noqa: S101
        output = self._child.stdout.fileno()
        deadline = time.monotonic() + WALL_SECONDS
        readable = select.poll()
        readable.register(output, select.POLLIN | select.POLLHUP)
        pieces = [self._unread]
        while b"\n" not in pieces[-1]:
            left = deadline - time.monotonic()
            ready = readable.poll(left * 1000) if left > 0 else []
            piece = os.read(output, 1 << 16) if ready else b""
            if not piece:
                self._stop()
                raise ChildDied
            pieces.append(piece)
        line, _, self._unread = b"".join(pieces).partition(b"\n")
        return line

    def _stop(self) -> None:
        child, self._child, self._unread = self._child, None, b""
        if child is None:
            return
        child.kill()
        for stream in (child.stdin, child.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        child.wait()

    def _forget(self) -> None:
        """After a fork the child is the parent's: leave it alone, close our ends of its pipes."""
        child, self._child, self._unread = self._child, None, b""
        self._lock = threading.Lock()
        if child is not None:
            for stream in (child.stdin, child.stdout):
                if stream is not None:
                    with contextlib.suppress(OSError):
                        stream.close()
            child.returncode = 0  # so that nobody waits for it here


def outcome(text: str | None) -> str | Refused:
    """What the child answered, told apart from its errors and from no answer."""
    if text is None:
        return Refused("it is more than the typesetter can take")
    if match := ERROR.fullmatch(text):
        return Refused(html.unescape(match[2]))
    return text


@cache
def typesetter() -> Typesetter:
    """The one of this process."""
    return Typesetter()

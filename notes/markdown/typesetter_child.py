"""The typesetting process: one line of JSON in, lines of JSON out; ends when its input closes.

Run as a file of its own, so that it starts without Django. The library that it calls can crash,
hang or eat memory on hostile formulas, which then costs this process alone.
"""

import contextlib
import json
import resource
import signal
import sys
from collections.abc import Iterable, Iterator

from math_core import LatexError, LatexToMathML

MEMORY = 1 << 28
EXPANSIONS = 500


def converter(macros: dict[str, str]) -> LatexToMathML:
    """A converter with the macros; with those that it accepts, if one is wrong."""
    try:
        return with_macros(macros)
    except LatexError:
        accepted: dict[str, str] = {}
        for name, text in macros.items():
            with contextlib.suppress(LatexError):
                with_macros({name: text})
                accepted[name] = text
        return with_macros(accepted)


def with_macros(macros: dict[str, str]) -> LatexToMathML:
    return LatexToMathML(
        macros=macros,
        annotation=True,
        fancy_error=False,
        continue_on_error=True,
        allow_unreliable_rendering=True,
        global_group=True,  # a macro of one formula is known in the next
        max_expansions=EXPANSIONS,
        id_prefix="eq-",
    )


def answer(value: object) -> None:
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


def bounded(texts: Iterable[str], each: int, together: int) -> Iterator[str | None]:
    """Texts as far as they fit; a macro can make gigabytes of a short note."""
    for text in texts:
        if len(text) > each:
            yield None
            continue
        together -= len(text)
        if together < 0:
            return
        yield text


def converted(
    convert: LatexToMathML, snippets: list[tuple[str, bool]], seconds: float
) -> Iterator[str]:
    """One formula after the other, each with its own time."""
    for source, display in snippets:
        signal.setitimer(signal.ITIMER_PROF, seconds)
        yield convert.convert_with_global_state(source, displaystyle=display)


def main() -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server; our input then closes
    for line in sys.stdin:
        task = json.loads(line)
        # The clock of the processor, not of the wall: a busy machine refuses no formula.
        signal.setitimer(signal.ITIMER_PROF, task["seconds"])
        convert = converter(task["macros"])
        snippets = [(source, display) for source, display in task["snippets"]]
        if task["one_by_one"]:
            rest = len(snippets)
            for text in bounded(converted(convert, snippets, task["seconds"]), *task["characters"]):
                answer(text)
                rest -= 1
            for _ in range(rest):
                answer(None)
        else:
            texts = list(bounded(convert.convert_all(snippets), *task["characters"]))
            answer(texts + [None] * (len(snippets) - len(texts)))
        signal.setitimer(signal.ITIMER_PROF, 0)


if __name__ == "__main__":
    main()

"""JSON lines in and out: one answer for each line, in order, whatever a line is."""

import json
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

from django.utils.translation import gettext as _

# The longest source, each of its bytes written as an escape of six.
LINE_BYTES = 32_000_000

Answer = Callable[[str], dict[str, Any]]


class BadLine(ValueError):
    """Why a line cannot be answered."""


def answers(stream: BinaryIO, answer: Answer) -> Iterator[str]:
    """`{"id": …, "source": …}` → `{"id": …, …}`, a line each; a bad line is named and passed."""
    number = 0
    while line := stream.readline(LINE_BYTES + 1):
        number += 1
        try:
            if len(line) > LINE_BYTES and not line.endswith(b"\n"):
                pass_over_line(stream)
                raise BadLine(_("it is longer than %(limit)d bytes") % {"limit": LINE_BYTES})
            identifier, source = read(line)
            result = {"id": identifier, **answer(source)}
        except BadLine as error:
            result = {"id": None, "error": f"line {number}: {error}"}
        except Exception as error:  # a fault of ours costs one line, not those after it
            result = {"id": None, "error": f"line {number}: {type(error).__name__}: {error}"}
        yield json.dumps(result) + "\n"


def read(line: bytes) -> tuple[Any, str]:
    """The id and the source of a line."""
    try:
        value = json.loads(line.decode("utf-8"), parse_constant=refuse_constant)
    except (ValueError, RecursionError) as error:
        raise BadLine(_("it is no JSON in UTF-8 (%(reason)s)") % {"reason": error}) from error
    if not isinstance(value, dict) or not isinstance(value.get("source"), str):
        raise BadLine(_('it is no object with a text as its "source"'))
    return value.get("id"), value["source"]


def refuse_constant(name: str) -> None:
    """`NaN` and `Infinity`, which Python reads and nobody else does."""
    raise ValueError(name)


def pass_over_line(stream: BinaryIO) -> None:
    """Read to the end of a line, keeping nothing."""
    while (rest := stream.readline(LINE_BYTES)) and not rest.endswith(b"\n"):
        pass

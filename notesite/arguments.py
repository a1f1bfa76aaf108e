"""The arguments of ``manage.py up``, which say where the data lies before settings are read."""

import argparse
import os
import re
from typing import NamedTuple

from notesite.env import host_header, is_loopback

DEFAULT_BIND = "127.0.0.1:8000"


class Bind(NamedTuple):
    host: str
    port: int

    def __str__(self) -> str:
        return f"{host_header(self.host)}:{self.port}"

    @property
    def is_loopback(self) -> bool:
        return is_loopback(self.host)


def bind(value: str) -> Bind:
    match = re.fullmatch(
        r"(?:\[(?P<six>[0-9a-fA-F:.]+)\]|(?P<host>[^\s:\[\]/]+)):(?P<port>\d+)", value
    )
    if not match or not 0 < int(match["port"]) < 65536:
        raise argparse.ArgumentTypeError(
            f"{value!r} is no HOST:PORT; write for example {DEFAULT_BIND} or [::1]:8000"
        )
    return Bind(match["six"] or match["host"], int(match["port"]))


def worker_count(value: str) -> int:
    if not value.isdecimal() or not 1 <= int(value) <= 64:
        raise argparse.ArgumentTypeError(f"{value!r} is no number of workers from 1 to 64")
    return int(value)


def add_to(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--bind",
        type=bind,
        default=DEFAULT_BIND,
        metavar="HOST:PORT",
        help=f"where to listen ({DEFAULT_BIND})",
    )
    parser.add_argument(
        "--workers", type=worker_count, default=2, metavar="N", help="server processes (2)"
    )
    parser.add_argument(
        "--data", metavar="DIR", help="the data folder (NOTESITE_DATA, else data/ here)"
    )
    parser.add_argument("--no-sample", action="store_true", help="start without the sample library")


def set_environment(arguments: list[str]) -> None:
    """Let settings.py find in the environment what the arguments of ``up`` say."""
    parser = argparse.ArgumentParser(add_help=False, exit_on_error=False)
    add_to(parser)
    try:
        options, _rest = parser.parse_known_args(arguments)
    except argparse.ArgumentError:
        return  # the command's own parser says it in full
    if options.data:
        os.environ["NOTESITE_DATA"] = os.path.abspath(options.data)
    if not os.environ.get("NOTESITE_URL", "").strip():
        if not options.bind.is_loopback:
            raise SystemExit(
                f"notesite can't start.\nWith --bind {options.bind} other machines reach the site: "
                "set NOTESITE_URL to the address they use, such as https://notes.example.org."
            )
        os.environ["NOTESITE_URL"] = f"http://{options.bind}"

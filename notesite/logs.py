"""What a log may hold."""

import logging
import re

TOKEN = re.compile(r"(?<=/)(sign-in|preview)/[^/\s\"']+")


class WithoutTokens(logging.Filter):
    """Take the tokens of one-time and preview links out of addresses: who reads a log isn't meant.

    Example: ``Not Found: /preview/ab12…/`` becomes ``Not Found: /preview/…/``.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        message = record.getMessage()
        record.msg, record.args = TOKEN.sub(r"\1/…", message), None
        return True

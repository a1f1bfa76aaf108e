"""Writing within a reader's request: at once or not at all."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection


@contextmanager
def without_waiting() -> Iterator[None]:
    """Make a locked database fail at once (``OperationalError``) instead of holding a reader up."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            waited = cursor.execute("PRAGMA busy_timeout").fetchone()[0]
            cursor.execute("PRAGMA busy_timeout = 0")
        try:
            yield
        finally:
            with connection.cursor() as cursor:
                cursor.execute(f"PRAGMA busy_timeout = {int(waited)}")
    else:
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '1ms'")
        try:
            yield
        finally:
            with connection.cursor() as cursor:
                cursor.execute("RESET lock_timeout")

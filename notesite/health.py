"""Two questions that machines ask: does the process answer, and can it do its work?"""

import os
import tempfile
from functools import cache
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe


@never_cache
@require_safe
def live(request: HttpRequest) -> JsonResponse:
    """The process answers; nothing else is asked."""
    return JsonResponse({"status": "live"})


@never_cache
@require_safe
def ready(request: HttpRequest) -> JsonResponse:
    """Database there, its tables up to date, media writable; else 503 and what is missing."""
    missing = [*what_the_database_lacks(), *what_media_lacks(Path(settings.MEDIA_ROOT))]
    if missing:
        return JsonResponse({"status": "not ready", "missing": missing}, status=503)
    return JsonResponse({"status": "ready"})


def what_the_database_lacks() -> list[str]:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        tables_are_current()
    except DatabaseError:
        return ["The database can't be asked."]
    except MigrationsMissing as error:
        return [f"{error} migrations are not applied: run manage.py migrate."]
    return []


class MigrationsMissing(Exception):
    """How many."""


@cache  # an exception isn't kept: once the tables fit this process's code, they go on fitting
def tables_are_current() -> None:
    executor = MigrationExecutor(connection)
    if plan := executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise MigrationsMissing(len(plan))


def what_media_lacks(folder: Path) -> list[str]:
    """Written to, as a folder's permissions don't say that the disk is full."""
    try:
        descriptor, name = tempfile.mkstemp(prefix=".ready-", dir=folder)
        os.write(descriptor, b"ready")
        os.close(descriptor)
        os.unlink(name)
    except OSError:
        return ["The media folder can't be written to."]
    return []

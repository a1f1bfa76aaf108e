"""Where tests differ from production; nothing else."""

import os
import tempfile
from pathlib import Path

# The data folder of a test run is its own and goes with it; no variable of the outside counts.
DATA_FOLDER = tempfile.TemporaryDirectory(prefix="notesite-tests-")
os.environ["NOTESITE_DATA"] = DATA_FOLDER.name
os.environ["NOTESITE_URL"] = "http://127.0.0.1:8000"
for name in ("SECRET_KEY", "DATABASE_URL", "NOTESITE_MEDIA_URL", "DEBUG"):
    os.environ.pop(name, None)
# Set by the tests that run others once more, on PostgreSQL.
if database_url := os.environ.get("NOTESITE_TEST_DATABASE_URL"):
    os.environ["DATABASE_URL"] = database_url
    os.environ["SECRET_KEY"] = "only for tests, which sign nothing that anybody else reads"

from notesite.settings import *  # noqa: E402, F403
from notesite.settings import DATABASES, MEDIA_ROOT, STATIC_ROOT  # noqa: E402

if not database_url:
    # A file, as in production: in memory, all threads of a live server would share a transaction.
    DATABASES["default"]["TEST"] = {"NAME": str(Path(DATA_FOLDER.name) / "test.sqlite3")}

STATIC_ROOT.mkdir()
MEDIA_ROOT.mkdir()

ALLOWED_HOSTS = ["127.0.0.1", "localhost", "[::1]", "testserver"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # fast, and only here
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    # The manifest needs collected files; tests read the sources.
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}

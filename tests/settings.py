"""Where tests differ from production; nothing else."""

import os
import tempfile

# The data folder of a test run is its own and goes with it; no variable of the outside counts.
DATA_FOLDER = tempfile.TemporaryDirectory(prefix="notesite-tests-")
os.environ["NOTESITE_DATA"] = DATA_FOLDER.name
os.environ["NOTESITE_URL"] = "http://127.0.0.1:8000"
for name in ("SECRET_KEY", "DATABASE_URL", "NOTESITE_MEDIA_URL", "DEBUG"):
    os.environ.pop(name, None)

from notesite.settings import *  # noqa: E402, F403

ALLOWED_HOSTS = ["127.0.0.1", "localhost", "[::1]", "testserver"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # fast, and only here
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    # The manifest needs collected files; tests read the sources.
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}

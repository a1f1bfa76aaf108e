"""settings.py read in processes of their own, as every start reads it."""

import json
import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from notesite.arguments import bind

ROOT = Path(__file__).resolve().parents[2]
SECRET = "q8Jw-2nVxT0pLr5Zs7Yb3Kd9Hf1Gm4Nc6Qa8Ue2Wi5Xo7Rt0By3"
SHOW = """
import json
from django.conf import settings
names = ("ALLOWED_HOSTS", "SITE_URL", "DEBUG", "SESSION_COOKIE_NAME", "CSRF_COOKIE_NAME",
    "SESSION_COOKIE_SECURE", "SECURE_HSTS_SECONDS", "SECURE_SSL_REDIRECT", "SECURE_CSP")
print(json.dumps({name: getattr(settings, name) for name in names}))
"""


def run(code, **variables):
    environment = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    environment |= {"DJANGO_SETTINGS_MODULE": "notesite.settings"} | variables
    return subprocess.run(
        [sys.executable, "-c", code], env=environment, cwd=ROOT, capture_output=True, text=True
    )


def settings_with(**variables):
    done = run(SHOW, **variables)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_with_nothing_set_only_this_machine_is_answered(tmp_path):
    found = settings_with(NOTESITE_DATA=str(tmp_path))
    assert found["SITE_URL"] == "http://127.0.0.1:8000"
    assert found["ALLOWED_HOSTS"] == ["127.0.0.1", "localhost", "[::1]"]
    assert found["DEBUG"] is False
    assert found["SESSION_COOKIE_NAME"] == "session"
    assert found["SECURE_SSL_REDIRECT"] is False


@pytest.mark.parametrize("place", ["127.0.0.1:8000", "127.0.0.2:8123", "localhost:80", "[::1]:80"])
def test_whatever_up_listens_to_unasked_the_settings_take(tmp_path, place):
    assert bind(place).is_loopback
    found = settings_with(NOTESITE_DATA=str(tmp_path), NOTESITE_URL=f"http://{place}")
    assert place.rpartition(":")[0] in found["ALLOWED_HOSTS"]
    assert {"127.0.0.1", "localhost", "[::1]"} <= set(found["ALLOWED_HOSTS"])
    assert len(found["ALLOWED_HOSTS"]) == len(set(found["ALLOWED_HOSTS"]))


def test_a_public_address_may_be_a_number(tmp_path):
    found = settings_with(NOTESITE_DATA=str(tmp_path), NOTESITE_URL="https://[2001:db8::1]/")
    assert found["ALLOWED_HOSTS"] == ["[2001:db8::1]"]


def test_a_public_address_has_host_cookies_hsts_and_redirect(tmp_path):
    found = settings_with(NOTESITE_DATA=str(tmp_path), NOTESITE_URL="https://notes.example.org/")
    assert found["SITE_URL"] == "https://notes.example.org"
    assert found["ALLOWED_HOSTS"] == ["notes.example.org"]
    assert found["SESSION_COOKIE_NAME"].startswith("__Host-")
    assert found["CSRF_COOKIE_NAME"].startswith("__Host-")
    assert found["SESSION_COOKIE_SECURE"] and found["SECURE_SSL_REDIRECT"]
    assert found["SECURE_HSTS_SECONDS"] >= 2 * 365 * 24 * 3600


def test_pictures_may_come_from_the_media_address_and_nothing_is_unsafe(tmp_path):
    media = "https://media.example.org/notes"
    policy = settings_with(NOTESITE_DATA=str(tmp_path), NOTESITE_MEDIA_URL=media)["SECURE_CSP"]
    assert policy["img-src"] == ["'self'", "https://media.example.org"]
    assert "unsafe" not in json.dumps(policy)


def test_the_address_that_up_noted_is_found(tmp_path):
    (tmp_path / "address").write_text("http://127.0.0.1:8123\n")
    assert settings_with(NOTESITE_DATA=str(tmp_path))["SITE_URL"] == "http://127.0.0.1:8123"


@pytest.mark.parametrize(
    ("variables", "name", "cure"),
    [
        ({"NOTESITE_URL": "http://notes.example.org"}, "NOTESITE_URL", "https://notes.example.org"),
        ({"NOTESITE_URL": "https://notes.example.org", "DEBUG": "True"}, "DEBUG", "Unset DEBUG"),
        ({"DATABASE_URL": "postgres://a:b@c/d"}, "SECRET_KEY", "50 random characters"),
        ({"SECRET_KEY": "secret"}, "SECRET_KEY", "50 random characters"),
    ],
)
def test_refuses_an_insecure_combination(tmp_path, variables, name, cure):
    done = run(SHOW, NOTESITE_DATA=str(tmp_path), **variables)
    assert done.returncode != 0
    last_line = done.stderr.strip().splitlines()[-1]
    assert name in last_line and cure in last_line


def test_a_refusal_at_the_command_line_is_a_sentence_not_a_traceback(tmp_path):
    done = subprocess.run(
        [sys.executable, "manage.py", "migrate"],
        env={"PATH": os.environ["PATH"], "NOTESITE_DATA": str(tmp_path), "DEBUG": "maybe"},
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert "DEBUG is 'maybe': set it to True or False." in done.stderr
    assert "Traceback" not in done.stderr


def test_reading_the_settings_makes_no_data_folder(tmp_path):
    settings_with(NOTESITE_DATA=str(tmp_path / "data"))
    assert not (tmp_path / "data").exists()


def test_the_secret_is_made_once_and_for_this_user_only(tmp_path):
    show = "from django.conf import settings; print(settings.SECRET_KEY)"
    data = str(tmp_path / "data")
    first, second = run(show, NOTESITE_DATA=data), run(show, NOTESITE_DATA=data)
    assert len(first.stdout.strip()) >= 50
    assert first.stdout == second.stdout
    assert stat.S_IMODE((tmp_path / "data" / "secret").stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "data").stat().st_mode) == 0o700


def test_sqlite_has_the_pragmas_that_keep_writers_from_failing(tmp_path):
    code = """
import django; django.setup()
from django.db import connection
with connection.cursor() as cursor:
    print([cursor.execute(f"PRAGMA {name}").fetchone()[0] for name in
        ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")])
print(connection.transaction_mode)
"""
    done = run(code, NOTESITE_DATA=str(tmp_path))
    assert done.stdout.splitlines() == ["['wal', 1, 1, 20000]", "IMMEDIATE"], done.stderr


def test_a_production_like_environment_passes_check_deploy(tmp_path):
    done = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        env={
            "PATH": os.environ["PATH"],
            "NOTESITE_DATA": str(tmp_path),
            "NOTESITE_URL": "https://notes.example.org",
            "SECRET_KEY": SECRET,
        },
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


def test_every_variable_stands_in_the_example():
    example = (ROOT / ".env.example").read_text()
    source = (ROOT / "notesite" / "settings.py").read_text()
    names = set(re.findall(r'\benv_\w+\(\s*"([A-Z_]+)"', source))
    assert {"NOTESITE_DATA", "NOTESITE_URL", "SECRET_KEY", "DATABASE_URL", "DEBUG"} <= names
    assert names == set(re.findall(r"^#? ?([A-Z_]+)=", example, re.MULTILINE)) - {
        "FORWARDED_ALLOW_IPS"  # gunicorn reads it
    }

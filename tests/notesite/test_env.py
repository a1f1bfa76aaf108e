from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from notesite import env


@pytest.mark.parametrize(
    ("value", "read"), [("True", True), ("false", False), ("", False), (" true ", True)]
)
def test_reads_a_bool(monkeypatch, value, read):
    monkeypatch.setenv("THING", value)
    assert env.env_bool("THING", default=False) is read


@pytest.mark.parametrize(
    ("reader", "value", "cure"),
    [
        (lambda: env.env_bool("THING", default=False), "yes", "set it to True or False"),
        (lambda: env.env_origin("THING", default=""), "notes.example.org", "a whole address"),
        (lambda: env.env_origin("THING", default=""), "https://", "a whole address"),
        (lambda: env.env_origin("THING", default=""), "https://a:port", "a whole address"),
        (lambda: env.env_origin("THING", default=""), "https://a/blog", "root of its host"),
        (lambda: env.env_origin("THING", default=""), "https://me:pw@a", "leave them out"),
        (lambda: env.env_secret("THING"), "short", "50 random characters"),
        (lambda: env.env_secret("THING"), "a" * 60, "50 random characters"),
        (lambda: env.env_folder_url("THING", default="", https=True), "http://m/", "use an https"),
        (lambda: env.env_folder_url("THING", default="", https=True), "https://m/?a", "follows ?"),
        (lambda: env.env_database("THING"), "mysql://me:pw@host/name", "than PostgreSQL"),
        (lambda: env.env_database("THING"), "nonsense://", "postgres://USER"),
    ],
)
def test_refuses_nonsense_and_names_variable_and_cure(monkeypatch, reader, value, cure):
    monkeypatch.setenv("THING", value)
    with pytest.raises(ImproperlyConfigured) as refusal:
        reader()
    assert "THING" in str(refusal.value)
    assert cure in str(refusal.value)


def test_never_repeats_a_password(monkeypatch):
    monkeypatch.setenv("THING", "nonsense://me:geheim@host/name")
    with pytest.raises(ImproperlyConfigured) as refusal:
        env.env_database("THING")
    assert "geheim" not in str(refusal.value)


def test_refuses_a_file_for_a_folder(monkeypatch, tmp_path):
    (tmp_path / "file").touch()
    monkeypatch.setenv("THING", str(tmp_path / "file"))
    with pytest.raises(ImproperlyConfigured, match="name a folder"):
        env.env_path("THING", default=Path())


def test_an_address_of_files_ends_with_a_slash(monkeypatch):
    monkeypatch.setenv("THING", "https://media.example.org/notes")
    url = env.env_folder_url("THING", default="/media/", https=True)
    assert url == "https://media.example.org/notes/"
    assert env.origin_of(url) == ["https://media.example.org"]
    assert env.origin_of("/media/") == []


def test_reads_a_postgresql_address(monkeypatch):
    monkeypatch.setenv("THING", "postgres://me:p%40ss@db:5433/notes")
    database = env.env_database("THING")
    assert (database["HOST"], database["PORT"], database["PASSWORD"]) == ("db", 5433, "p@ss")

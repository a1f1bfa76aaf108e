import argparse
import os

import pytest

from notesite.arguments import Bind, bind, set_environment, worker_count


@pytest.mark.parametrize(
    ("text", "host", "port", "is_loopback"),
    [
        ("127.0.0.1:8000", "127.0.0.1", 8000, True),
        ("127.0.0.2:8123", "127.0.0.2", 8123, True),
        ("localhost:80", "localhost", 80, True),
        ("localhost.example.org:80", "localhost.example.org", 80, False),
        ("128.0.0.1:80", "128.0.0.1", 80, False),
        ("[::1]:8000", "::1", 8000, True),
        ("0.0.0.0:8000", "0.0.0.0", 8000, False),
        ("[::]:8000", "::", 8000, False),
        ("notes.example.org:8000", "notes.example.org", 8000, False),
    ],
)
def test_reads_where_to_listen(text, host, port, is_loopback):
    assert bind(text) == Bind(host, port)
    assert bind(text).is_loopback is is_loopback
    assert str(bind(text)) == text


@pytest.mark.parametrize("text", ["8000", "127.0.0.1", "::1:8000", "a:0", "a:65536", "a b:80", ""])
def test_refuses_what_is_no_place_to_listen(text):
    with pytest.raises(argparse.ArgumentTypeError, match="HOST:PORT"):
        bind(text)


@pytest.mark.parametrize("text", ["0", "-1", "two", "65"])
def test_refuses_what_is_no_number_of_workers(text):
    with pytest.raises(argparse.ArgumentTypeError, match="from 1 to 64"):
        worker_count(text)


@pytest.fixture
def environment(monkeypatch):
    """What of the environment is notesite's, when asked for; nothing of it is set at first."""
    names = ("NOTESITE_DATA", "NOTESITE_URL")
    for name in names:
        monkeypatch.setenv(name, "")  # so that it is put back, whatever is set
        monkeypatch.delenv(name)
    return lambda: {name: os.environ[name] for name in names if name in os.environ}


def test_the_arguments_become_the_environment(environment, tmp_path):
    set_environment(["--bind", "127.0.0.1:8123", "--data", str(tmp_path), "--no-sample"])
    assert environment() == {
        "NOTESITE_DATA": str(tmp_path),
        "NOTESITE_URL": "http://127.0.0.1:8123",
    }


def test_a_given_address_stays(environment, monkeypatch):
    monkeypatch.setenv("NOTESITE_URL", "https://notes.example.org")
    set_environment(["--bind", "0.0.0.0:8000"])
    assert environment() == {"NOTESITE_URL": "https://notes.example.org"}


def test_listening_to_other_machines_needs_an_address(environment):
    with pytest.raises(SystemExit, match="set NOTESITE_URL"):
        set_environment(["--bind", "0.0.0.0:8000"])

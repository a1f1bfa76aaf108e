"""``manage.py up`` as an operator starts it, in processes of its own."""

import http.client
import os
import queue
import re
import resource
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest

from notesite.arguments import Bind
from notesite.serving import is_without_browser, port_forwarding

ROOT = Path(__file__).resolve().parents[2]


def free_port():
    with closing(socket.socket()) as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Site:
    """A site in a process group of its own, and what it printed."""

    def __init__(self, data, port):
        self.port = port
        self.lines = []
        self.started = time.monotonic()
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "up", "--no-sample"]
            + ["--data", str(data), "--bind", f"127.0.0.1:{port}"],
            cwd=ROOT,
            env={"PATH": os.environ["PATH"], "SSH_CONNECTION": "192.0.2.1 5 192.0.2.2 22"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self.queue = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.queue.put(line)
        self.queue.put(None)

    def wait_for(self, text, seconds=60):
        """Seconds from the start until this was printed."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            line = self.queue.get(timeout=left)
            assert line is not None, "".join(self.lines)
            self.lines.append(line)
            if text in line:
                return time.monotonic() - self.started
        raise AssertionError("".join(self.lines))

    @property
    def output(self):
        return "".join(self.lines)

    def get(self, path, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.request("GET", path, headers=headers)
        response = connection.getresponse()
        return response.status, dict(response.getheaders()), response.read()

    def say(self, line):
        """What the server answers to something that is no request."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=10) as client:
            client.sendall(line)
            return b"".join(iter(lambda: client.recv(4096), b"")).decode("latin-1")

    def stop(self, how=signal.SIGTERM):
        """End it as systemd (TERM) or a terminal (INT, to the whole group) does."""
        if how == signal.SIGINT:
            os.killpg(self.process.pid, how)
        else:
            self.process.send_signal(how)
        code = self.process.wait(timeout=20)
        while (line := self.queue.get(timeout=10)) is not None:
            self.lines.append(line)
        return code


@pytest.fixture
def start(tmp_path):
    sites = []

    def start(port=None):
        sites.append(Site(tmp_path / "data", port or free_port()))
        return sites[-1]

    yield start
    for site in sites:
        if site.process.poll() is None:
            os.killpg(site.process.pid, signal.SIGKILL)
            site.process.wait()


def processor_seconds():
    """What ended processes of ours have used, with their workers."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def is_left(group):
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def test_from_an_empty_folder_to_a_site_and_again(start, tmp_path):
    first = start()
    assert first.wait_for("Stop with Ctrl-C.") < 30
    link = re.search(r"Sign in with: +(\S+)", first.output)[1]
    assert link.startswith(f"http://127.0.0.1:{first.port}/sign-in/")
    assert f"ssh -N -L {first.port}:127.0.0.1:{first.port}" in first.output
    path = link.split(str(first.port), 1)[1]
    assert first.get(path)[0] == 200
    refused = first.say(b"GET / HTTP/9.9\r\nHost: x\r\n\r\n")
    assert refused.startswith("HTTP/1.1 505") or refused.startswith("HTTP/1.1 400"), refused
    assert "Content-Security-Policy: default-src 'none'" in refused
    assert "X-Content-Type-Options: nosniff" in refused
    assert b"/e/" not in first.get("/e/feed.atom", SCRIPT_NAME="/e")[2]
    status, headers, content = first.get("/admin/login/")
    sheet = re.search(rb'href="(/static/admin/css/base\.[0-9a-f]+\.css)"', content)[1].decode()
    status, headers, content = first.get(sheet)
    assert status == 200
    assert "immutable" in headers["Cache-Control"]
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert (tmp_path / "data" / "address").read_text() == f"http://127.0.0.1:{first.port}\n"
    assert first.stop(signal.SIGINT) == 0
    assert "Traceback" not in first.output
    assert not is_left(first.process.pid)

    second = start(first.port)
    used_before = processor_seconds()
    second.wait_for("Stop with Ctrl-C.")
    assert "Preparing" not in second.output
    assert "Collecting" not in second.output
    assert second.get(path)[0] == 410  # the second start made a newer one
    assert second.stop(signal.SIGTERM) == 0
    # The clock would measure what else the machine does; alone, this is less than two seconds.
    assert processor_seconds() - used_before < 3
    assert not is_left(second.process.pid)
    with closing(sqlite3.connect(tmp_path / "data" / "notesite.sqlite3")) as database:
        rows = database.execute("SELECT username, is_superuser FROM auth_user").fetchall()
    assert rows == [("admin", 1)]


def test_a_port_in_use_is_said_with_the_next_free_one(start, tmp_path):
    with closing(socket.socket()) as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        site = start(port)
        assert site.process.wait(timeout=30) == 1
    output = site.queue.get(timeout=10)
    said = re.fullmatch(
        rf"CommandError: Port {port} on 127.0.0.1 is in use; (\d+) is free: "
        r"add --bind 127.0.0.1:\1\n",
        output,
    )
    assert said and int(said[1]) > port
    assert not (tmp_path / "data" / "notesite.sqlite3").exists()


def test_stopping_while_it_prepares_leaves_nothing_running(start):
    site = start()
    site.wait_for("Preparing the database")
    assert site.stop(signal.SIGTERM) == 0
    assert "Traceback" not in site.output
    assert not is_left(site.process.pid)


def test_the_line_that_brings_the_port_home(monkeypatch):
    monkeypatch.setenv("SSH_CONNECTION", "192.0.2.1 50000 192.0.2.2 22")
    monkeypatch.setenv("USER", "ada")
    monkeypatch.setenv("LOGNAME", "ada")
    assert is_without_browser()
    line = port_forwarding(Bind("127.0.0.1", 8000))
    assert line == "ssh -N -L 8000:127.0.0.1:8000 ada@192.0.2.2"

"""Serving with gunicorn: the port, the processes, and the lines that say where the site is."""

import errno
import getpass
import http.client
import os
import socket
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import gunicorn.util
from django.utils.translation import gettext as _
from gunicorn.app.base import BaseApplication

from notesite.arguments import Bind

IN_MEMORY = Path("/dev/shm")  # noqa: S108 - a place that never touches a disk, not a file name
LONGEST_WAIT = 60


def is_free(bind: Bind) -> bool:
    """Whether a server could listen here; other errors than "in use" are the operator's to read."""
    family = socket.AF_INET6 if ":" in bind.host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(bind)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                return False
            raise
    return True


def next_free(bind: Bind) -> Bind | None:
    for port in range(bind.port + 1, min(bind.port + 200, 65536)):
        if is_free(other := bind._replace(port=port)):
            return other
    return None


def write_error(client: socket.socket, status: int, reason: str, _message: str) -> None:
    """gunicorn's answer to what is no request, with the headers that every answer of ours has."""
    from notesite.headers import security_headers

    body = f"{reason}\n".encode()
    headers = [
        ("Connection", "close"),
        ("Content-Type", "text/plain; charset=utf-8"),
        ("Content-Length", str(len(body))),
        *security_headers(),
    ]
    lines = [f"HTTP/1.1 {status} {reason}", *(f"{name}: {value}" for name, value in headers)]
    gunicorn.util.write_nonblock(client, "\r\n".join([*lines, "", ""]).encode("latin-1") + body)


class Server(BaseApplication):
    """gunicorn in this process: its workers are copies of it, with Django loaded already."""

    def __init__(self, bind: Bind, workers: int, announce: Callable[[], None]) -> None:
        self.options: dict[str, Any] = {
            "bind": [str(bind)],
            "workers": workers,
            "worker_class": "gthread",
            "threads": 4,
            "preload_app": True,
            "timeout": 60,
            "graceful_timeout": 10,
            "max_requests": 5000,
            "max_requests_jitter": 500,
            "worker_tmp_dir": str(IN_MEMORY) if os.access(IN_MEMORY, os.W_OK) else None,
            "control_socket_disable": True,
            # By default a header SCRIPT_NAME from this machine would rewrite every link of a page.
            "forwarder_headers": "",
            "proc_name": "notesite",
            "loglevel": "warning",
            "post_worker_init": self.announce_once,
        }
        self.announce = announce
        super().__init__()

    def load_config(self) -> None:
        for name, value in self.options.items():
            self.cfg.set(name, value)

    def load(self) -> Callable[..., Any]:
        from notesite.wsgi import application

        gunicorn.util.write_error = write_error
        return application

    def announce_once(self, worker: Any) -> None:
        """The first worker says where the site is, once it answers."""
        if worker.age == 1:
            threading.Thread(target=self.announce, daemon=True).start()


def wait_until_ready(bind: Bind, site_url: str) -> str:
    """Ask until the site says that it is ready; what it says otherwise is returned."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(bind.host, bind.host)  # noqa: S104
    end = time.monotonic() + LONGEST_WAIT
    said = _("it doesn't answer")
    while time.monotonic() < end:
        connection = http.client.HTTPConnection(host, bind.port, timeout=10)
        try:
            connection.request("GET", "/health/ready", headers={"Host": urlsplit(site_url).netloc})
            response = connection.getresponse()
            said = response.read().decode(errors="replace")
            if response.status == 200:
                return ""
        except OSError as error:
            said = str(error)
        finally:
            connection.close()
        time.sleep(0.05)
    return said


def is_without_browser() -> bool:
    """Whether this terminal is on a machine that shows no pages, so that the port must travel."""
    if os.environ.get("SSH_CONNECTION"):
        return True
    has_screen = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    return sys.platform.startswith("linux") and not has_screen


def port_forwarding(bind: Bind) -> str:
    """The line for the reader's own machine that brings a loopback port home."""
    connection = os.environ.get("SSH_CONNECTION", "").split()
    host = connection[2] if len(connection) == 4 else socket.gethostname()
    try:
        user = f"{getpass.getuser()}@"
    except (KeyError, OSError):  # a user without a name, as in many containers
        user = ""
    return f"ssh -N -L {bind.port}:{bind} {user}{host}"

"""Typed readers of environment variables; a wrong value stops the start and names its cure.

Only settings.py calls these (and the start of ``up``, which sets the variables for settings.py).
"""

import ipaddress
import os
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

SHORTEST_SECRET = 50


def env_bool(name: str, *, default: bool) -> bool:
    value = os.environ.get(name, "").strip() or str(default)
    if value.lower() not in {"true", "false"}:
        raise ImproperlyConfigured(f"{name} is {value!r}: set it to True or False.")
    return value.lower() == "true"


def env_text(name: str) -> str:
    """The value without blanks around it; empty if the variable is unset or empty."""
    return os.environ.get(name, "").strip()


def env_path(name: str, *, default: Path) -> Path:
    path = Path(env_text(name) or default).expanduser().absolute()
    if path.exists() and not path.is_dir():
        raise ImproperlyConfigured(f"{name} is {path}, which is a file: name a folder.")
    return path


def env_origin(name: str, *, default: str) -> SplitResult:
    """An address without a path, such as ``https://notes.example.org``."""
    value = env_text(name) or default
    address = split_address(name, value)
    if address.path.strip("/") or address.query or address.fragment:
        raise ImproperlyConfigured(
            f"{name} is {value!r}: leave only scheme, host and port, as in "
            "https://notes.example.org; a site lives at the root of its host."
        )
    return address._replace(path="")


def env_folder_url(name: str, *, default: str, https: bool) -> str:
    """An address under which files lie: it always ends with a slash."""
    value = env_text(name)
    if not value:
        return default
    address = split_address(name, value)
    if address.query or address.fragment:
        raise ImproperlyConfigured(f"{name} is {value!r}: leave out what follows ? or #.")
    if https and address.scheme != "https":
        raise ImproperlyConfigured(
            f"{name} is {value!r}: a page that comes over https can't show files that come over "
            "http; use an https address."
        )
    return value if value.endswith("/") else f"{value}/"


def env_database(name: str) -> dict[str, Any]:
    """A PostgreSQL database, such as ``postgres://user:password@host:5432/notesite``."""
    try:
        database = dict(dj_database_url.parse(env_text(name), conn_max_age=60))
    except ValueError as error:
        raise ImproperlyConfigured(  # the value holds a password: it isn't repeated
            f"{name} can't be read: write postgres://USER:PASSWORD@HOST:PORT/NAME, with special "
            "characters of the password percent-encoded."
        ) from error
    if database["ENGINE"] != "django.db.backends.postgresql":
        raise ImproperlyConfigured(
            f"{name} names another kind of database than PostgreSQL: for SQLite leave it unset, "
            "and the file lies in the data folder."
        )
    return database | {"CONN_HEALTH_CHECKS": True}


def env_secret(name: str) -> str:
    """A long random value; empty if the variable is unset."""
    value = env_text(name)
    if value and (len(value) < SHORTEST_SECRET or len(set(value)) < 5):
        raise ImproperlyConfigured(
            f"{name} is too short or too plain: use {SHORTEST_SECRET} random characters or more, "
            'such as python3 -c "import secrets; print(secrets.token_urlsafe(50))" prints.'
        )
    return value


def split_address(name: str, value: str) -> SplitResult:
    try:
        address = urlsplit(value)
        port_is_valid = address.port != 0
    except ValueError:
        port_is_valid = False
    if not port_is_valid or address.scheme not in {"http", "https"} or not address.hostname:
        raise ImproperlyConfigured(
            f"{name} is {value!r}: write a whole address, as in https://notes.example.org."
        )
    if address.username or address.password:
        raise ImproperlyConfigured(f"{name} holds a user name or password: leave them out.")
    return address


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches what listens there: 127.0.0.0/8, ::1, localhost."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def host_header(host: str) -> str:
    """A host as requests name it, and so ALLOWED_HOSTS: an IPv6 address in brackets."""
    return f"[{host}]" if ":" in host else host


def origin_of(url: str) -> list[str]:
    """Scheme, host and port of an address elsewhere; nothing for one on the site itself."""
    address = urlsplit(url)
    return [f"{address.scheme}://{address.netloc}"] if address.netloc else []

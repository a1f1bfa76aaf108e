"""What an installation keeps in its data folder besides database and files: secret and address.

Imported by settings.py, so nothing here may import settings.
"""

import os
import secrets
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured
from django.utils.functional import lazy


def make_data_folder(data: Path) -> None:
    """Private to the user that runs the site: it holds the secret and everybody's drafts."""
    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(
            f"The data folder {data} can't be made ({error.strerror}): "
            "set NOTESITE_DATA to a folder that this user may write to."
        ) from error


def read_or_make_secret(data: Path) -> str:
    """The secret in the data folder; the first to ask makes it, and all who ask get the same."""
    path = data / "secret"
    if not path.exists():
        make_data_folder(data)
        fresh = path.with_name(f"secret.{secrets.token_hex(8)}")
        try:
            descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with open(descriptor, "w", encoding="ascii") as file:
                file.write(secrets.token_urlsafe(60))
            try:
                os.link(fresh, path)  # fails if somebody was faster: theirs counts
            except FileExistsError:
                pass
            finally:
                fresh.unlink()
        except OSError as error:
            raise ImproperlyConfigured(
                f"The secret can't be written to {path} ({error.strerror}): make the folder "
                "writable, or set SECRET_KEY."
            ) from error
    value = path.read_text(encoding="ascii").strip()
    if not value:
        raise ImproperlyConfigured(f"{path} is empty: delete it, and a new secret is made.")
    return value


# Read when first needed: a command that signs nothing, such as `render`, makes no data folder.
secret_of = lazy(read_or_make_secret, str)


def noted_address(data: Path) -> str:
    """The address that `up` last served under; empty if it never did."""
    try:
        return (data / "address").read_text(encoding="utf-8").strip()
    except OSError:
        return ""


def note_address(data: Path, address: str) -> None:
    (data / "address").write_text(f"{address}\n", encoding="utf-8")

"""Functions that read environment variables.

Each raises ImproperlyConfigured with the variable's name and its possible values.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

from annotation.file_sync import sync
from workflows.core.contacts import ContactError, check_contact


def text(name: str, default: str | None = None) -> str:
    """Return the variable `name`. It has to be set if there is no default."""
    value = os.environ.get(name, "").strip() or default
    if value is None:
        raise ImproperlyConfigured(f"Set {name} in the environment. docs/configuration.md describes it.")
    return value


def number(name: str, default: int, minimum: int = 0, maximum: int | None = None) -> int:
    """Return the variable `name` as a whole number of at least `minimum`, and at most `maximum`."""
    value = text(name, str(default))
    if not (value.isascii() and value.isdigit() and len(value) <= 18):
        raise ImproperlyConfigured(f"{name} has to be a whole number, not {value!r}.")
    if int(value) < minimum:
        raise ImproperlyConfigured(f"{name} has to be at least {minimum}, not {value}.")
    if maximum is not None and int(value) > maximum:
        raise ImproperlyConfigured(f"{name} has to be at most {maximum}, not {value}.")
    return int(value)


def address(name: str) -> str:
    """Return the variable `name` as the address of a server, or ""."""
    value = text(name, "")
    try:
        parts = urlsplit(value)
        usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:  # the port or a bracket is malformed
        usable = False
    if value and not usable:
        raise ImproperlyConfigured(
            f"{name} has to be an address such as https://s3.example.org, not {value!r}."
        )
    return value.rstrip("/")


def flag(name: str, default: bool = False) -> bool:
    """Return the variable `name` as yes or no."""
    value = text(name, str(default)).lower()
    if value not in {"1", "true", "yes", "on", "0", "false", "no", "off"}:
        raise ImproperlyConfigured(f"{name} has to be 1 or 0, not {value!r}.")
    return value in {"1", "true", "yes", "on"}


def choice(name: str, default: str, choices: Sequence[str]) -> str:
    """Return the variable `name` as one of a few words."""
    value = text(name, default)
    if value not in choices:
        raise ImproperlyConfigured(f"{name} has to be one of {', '.join(choices)}, not {value!r}.")
    return value


def words(name: str, default: str = "") -> list[str]:
    """Return the parts of the variable `name`, which are separated by commas."""
    return [part.strip() for part in text(name, default).split(",") if part.strip()]


def pairs(name: str) -> dict[str, str]:
    """Return the variable `name`, whose parts are `key=value` and separated by commas."""
    found = [part.partition("=") for part in words(name)]
    for key, sign, value in found:
        if not (key.strip() and sign and value.strip()):
            raise ImproperlyConfigured(f"{name} has to be key=value,key=value, not {key}{sign}{value}.")
    return {key.strip(): value.strip() for key, _, value in found}


def secret_word(name: str, least: int = 16) -> str:
    """Return the secret `name`, which cannot be guessed, or "". Errors do not show it."""
    value = secret(name)
    if value and (len(value) < least or not value.isascii() or not value.isprintable() or " " in value):
        raise ImproperlyConfigured(f"{name} has to be at least {least} letters, digits and signs, at random.")
    return value


def secret(name: str, default: str | None = "") -> str:
    """Return the variable `name`, or the content of the file that `name`_FILE names.

    One of them has to be set if there is no default. Errors do not show the secret.
    """
    path = text(f"{name}_FILE", "")
    if not path:
        if default is None and not text(name, ""):
            raise ImproperlyConfigured(
                f"Set {name} or {name}_FILE in the environment. docs/configuration.md describes it."
            )
        return text(name, default)
    if text(name, ""):
        raise ImproperlyConfigured(f"Set {name} or {name}_FILE, not both.")
    try:
        value = Path(path).read_text(encoding="utf-8").strip()
    except (OSError, ValueError) as error:
        raise ImproperlyConfigured(f"{name}_FILE: {path} cannot be read as text.") from error
    if not value:
        raise ImproperlyConfigured(f"{name}_FILE: {path} is empty.")
    return value


def contact(name: str) -> str:
    """Return the variable `name`, an e-mail or https address, or ""."""
    try:
        return check_contact(text(name, ""))
    except ContactError as error:
        problem = str(error).partition(": ")[2]
        raise ImproperlyConfigured(f"{name} {problem}.") from error


def folder(name: str, default: Path) -> Path:
    """Return the folder that the variable `name` names. It is made if it does not exist."""
    path = Path(text(name, str(default))).resolve()
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(f"{name}: the folder {path} cannot be made ({error.strerror}).") from error
    return path


def database(name: str, default: str) -> dict[str, Any]:
    """Return Django's settings for the database whose URL is the secret `name`_URL.

    The password of PostgreSQL's user can also be the secret `name`_PASSWORD. Errors show neither, since the
    URL may have a password in it.
    """
    password = secret(f"{name}_PASSWORD")
    try:
        # Connections are kept, since a new one costs more than a request. A health check would cost every
        # request a query.
        age = number("GROUNDCREW_CONNECTION_AGE", 600)
        found = dict(dj_database_url.parse(secret(f"{name}_URL", default), conn_max_age=age))
    except ValueError:
        found = {}
    if found.get("ENGINE") not in {"django.db.backends.sqlite3", "django.db.backends.postgresql"}:
        raise ImproperlyConfigured(
            f"{name}_URL has to be postgres://user:password@host:5432/name or sqlite:////path/to/file."
        )
    if password and found["ENGINE"] == "django.db.backends.postgresql":
        if found.get("PASSWORD"):
            raise ImproperlyConfigured(f"Set the password in {name}_URL or in {name}_PASSWORD, not in both.")
        found["PASSWORD"] = password
    return found


def broker(name: str) -> str:
    """Return the URL of a Redis server, which is the secret `name`, or "". Errors do not show it."""
    url = secret(name)
    if url and not url.startswith(("redis://", "rediss://")):
        raise ImproperlyConfigured(f"{name} has to be redis://host:6379/0, or rediss:// for TLS.")
    return url


def kept_key(path: Path) -> str:
    """Return the embedded default's signing key, from the file `path` beside its database.

    The first process makes the file, readable by its owner only.

    Web server, worker and beat start at the same moment, so several may find no file. Each writes a key to
    its own file, and the first that links its file to `path` decides for all. No process can see half a key.
    """
    if not path.exists():
        aside = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
        descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(descriptor, "w", encoding="ascii") as file:
                file.write(secrets.token_urlsafe(48))
                file.flush()
                os.fsync(descriptor)
            with contextlib.suppress(FileExistsError):  # another process was first; its key counts
                os.link(aside, path)
        finally:
            aside.unlink()
    # Before anything is signed, even if another process has just made the file: without the key, sessions and
    # workers' tokens end.
    sync(path.parent)
    key = path.read_text(encoding="ascii").strip()
    if len(key) < 50:
        raise ImproperlyConfigured(
            f"{path} does not have a key; delete it, and a new one is made (existing links stop working)."
        )
    return key

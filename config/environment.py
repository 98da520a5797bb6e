"""Reading variables. Every function raises ImproperlyConfigured naming the variable and what it may be."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

from workflows.core.contacts import ContactError, check_contact


def text(name: str, default: str | None = None) -> str:
    """Return the variable `name`; without a default it has to be set."""
    value = os.environ.get(name, "").strip() or default
    if value is None:
        raise ImproperlyConfigured(f"Set {name} in the environment; docs/configuration.md says to what.")
    return value


def number(name: str, default: int, minimum: int = 0) -> int:
    """Return the variable `name` as a whole number of at least `minimum`."""
    value = text(name, str(default))
    if not (value.isascii() and value.isdigit() and len(value) <= 18):
        raise ImproperlyConfigured(f"{name} has to be a whole number, not {value!r}.")
    if int(value) < minimum:
        raise ImproperlyConfigured(f"{name} has to be at least {minimum}, not {value}.")
    return int(value)


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
    """Return the variable `name`, parts separated by commas."""
    return [part.strip() for part in text(name, default).split(",") if part.strip()]


def secret_word(name: str, least: int = 16) -> str:
    """Return the variable `name`, which is not to be guessed, or nothing. Errors leave it out."""
    value = text(name, "")
    if value and (len(value) < least or not value.isascii() or not value.isprintable() or " " in value):
        raise ImproperlyConfigured(f"{name} has to be at least {least} letters, digits and signs, at random.")
    return value


def secret(name: str) -> str:
    """Return the variable `name`, or what the file has that `name`_FILE names, or nothing.

    Errors leave it out.
    """
    path = text(f"{name}_FILE", "")
    if not path:
        return text(name, "")
    if text(name, ""):
        raise ImproperlyConfigured(f"Set {name} or {name}_FILE, not both.")
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except (OSError, ValueError) as error:
        raise ImproperlyConfigured(f"{name}_FILE: {path} cannot be read as text.") from error


def contact(name: str) -> str:
    """Return the variable `name` as an e-mail or https address, or nothing."""
    try:
        return check_contact(text(name, ""))
    except ContactError as error:
        problem = str(error).partition(": ")[2]
        raise ImproperlyConfigured(f"{name} {problem}.") from error


def folder(name: str, default: Path) -> Path:
    """Return the folder that the variable `name` names; it is made if need be."""
    path = Path(text(name, str(default))).resolve()
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(f"{name}: the folder {path} cannot be made ({error.strerror}).") from error
    return path


def database(name: str, default: str) -> dict[str, Any]:
    """Return the database that the URL in the variable `name` names.

    Errors leave it out: it has a password.
    """
    try:
        # A new connection costs more than a request does. No health check: it would be a query a request.
        age = number("GROUNDCREW_CONNECTION_AGE", 600)
        found = dict(dj_database_url.parse(text(name, default), conn_max_age=age))
    except ValueError:
        found = {}
    if found.get("ENGINE") not in {"django.db.backends.sqlite3", "django.db.backends.postgresql"}:
        raise ImproperlyConfigured(
            f"{name} has to be postgres://user:password@host:5432/name or sqlite:////path/to/file."
        )
    return found


def broker(name: str) -> str:
    """Return the URL of a Redis server in the variable `name`, or nothing. Errors leave it out, too."""
    url = text(name, "")
    if url and not url.startswith(("redis://", "rediss://")):
        raise ImproperlyConfigured(f"{name} has to be redis://host:6379/0, or rediss:// for TLS.")
    return url

"""Every secret can be given as the path of a file, as Docker and Compose give secrets."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.environment import broker, database, secret, secret_word
from config.settings import BASE_DIR

URL = "postgres://user@host/name"
READ = re.compile(r'\b(?:secret|secret_word|broker|database)\(\s*"([A-Z_]+)"')
CONFIGURATION = (BASE_DIR / "docs" / "configuration.md").read_text(encoding="utf-8")


def secrets_read() -> set[str]:
    """Return the secrets that the settings read, by what config.environment calls them."""
    found = set()
    for module in (BASE_DIR / "config").glob("*.py"):
        for name in READ.findall(module.read_text(encoding="utf-8")):
            found |= {"DATABASE_URL", "DATABASE_PASSWORD"} if name == "DATABASE" else {name}
    return found


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a function that has a variable name a new file."""
    for name in secrets_read():
        monkeypatch.delenv(name, raising=False)

    def write(name: str, content: str) -> Path:
        path = tmp_path / name
        path.write_text(content)
        monkeypatch.setenv(f"{name}_FILE", str(path))
        return path

    return write


def test_the_secrets_are_the_ones_of_the_documentation() -> None:
    assert secrets_read() == {
        *("DATABASE_URL", "DATABASE_PASSWORD", "REDIS_URL"),
        *("GROUNDCREW_SECRET_KEY", "GROUNDCREW_METRICS_TOKEN", "GROUNDCREW_MTURK_SECRET"),
        *("GROUNDCREW_PROLIFIC_TOKEN", "GROUNDCREW_PROLIFIC_WEBHOOK_SECRET"),
    }
    (listed,) = re.findall(r"These secrets can be in a file: (.*?)\.", CONFIGURATION, re.DOTALL)
    assert set(re.findall(r"`(\w+)`", listed)) == secrets_read()


def test_each_is_read_from_its_file(file: Any) -> None:
    file("GROUNDCREW_SECRET_KEY", "hush hush\n")
    file("GROUNDCREW_METRICS_TOKEN", "m" * 16 + "\n")
    file("REDIS_URL", "redis://:hush@host:6379/0\n")
    file("DATABASE_URL", URL + "\n")
    file("DATABASE_PASSWORD", "p@ss/wörd:#\n")
    assert secret("GROUNDCREW_SECRET_KEY", None) == "hush hush"
    assert secret_word("GROUNDCREW_METRICS_TOKEN") == "m" * 16
    assert broker("REDIS_URL") == "redis://:hush@host:6379/0"
    found = database("DATABASE", "sqlite:////x")
    assert (found["HOST"], found["USER"], found["PASSWORD"]) == ("host", "user", "p@ss/wörd:#")


@pytest.mark.parametrize("name", sorted(secrets_read()))
def test_both_are_an_error_that_names_them(file: Any, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    file(name, "from the file")
    monkeypatch.setenv(name, "from the environment")
    with pytest.raises(ImproperlyConfigured) as raised:
        read(name)
    assert str(raised.value) == f"Set {name} or {name}_FILE, not both."


@pytest.mark.parametrize("name", sorted(secrets_read()))
def test_a_file_that_is_away_or_empty_is_named(file: Any, name: str) -> None:
    path = file(name, " \n")
    with pytest.raises(ImproperlyConfigured, match=f"^{name}_FILE: {re.escape(str(path))} is empty"):
        read(name)
    path.unlink()
    with pytest.raises(ImproperlyConfigured, match=f"^{name}_FILE: {re.escape(str(path))} cannot be read"):
        read(name)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(ImproperlyConfigured, match=f"^{name}_FILE: {re.escape(str(path))} cannot be read"):
        read(name)


def test_a_required_secret_names_both_ways(file: Any) -> None:
    with pytest.raises(
        ImproperlyConfigured, match="Set GROUNDCREW_SECRET_KEY or GROUNDCREW_SECRET_KEY_FILE in the envir"
    ):
        secret("GROUNDCREW_SECRET_KEY", None)


def test_a_password_in_two_places_is_an_error_without_it(file: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    file("DATABASE_PASSWORD", "hunter2")
    monkeypatch.setenv("DATABASE_URL", "postgres://user:hunter3@host/name")
    with pytest.raises(ImproperlyConfigured, match="DATABASE_URL or in DATABASE_PASSWORD") as raised:
        database("DATABASE", "sqlite:////x")
    assert "hunter" not in str(raised.value)


def test_no_error_shows_what_is_in_a_file(file: Any) -> None:
    file("GROUNDCREW_METRICS_TOKEN", "hunter2")
    file("REDIS_URL", "rediss//hunter2")
    file("DATABASE_URL", "postgress://user:hunter2@host/name")
    for name in ("GROUNDCREW_METRICS_TOKEN", "REDIS_URL", "DATABASE_URL"):
        with pytest.raises(ImproperlyConfigured, match=f"^{name} has to be") as raised:
            read(name)
        assert "hunter2" not in str(raised.value)


def read(name: str) -> object:
    """Read a secret as the settings do."""
    if name.startswith("DATABASE"):
        return database("DATABASE", "sqlite:////x")
    if name == "REDIS_URL":
        return broker(name)
    return secret_word(name) if name == "GROUNDCREW_METRICS_TOKEN" else secret(name)

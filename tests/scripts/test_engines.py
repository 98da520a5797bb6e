"""scripts/engines.py: which other browsers are there, and what to install for those that are not."""

from __future__ import annotations

import pytest

from scripts.engines import ENGINES, FIREFOX, find, lacking


@pytest.mark.parametrize(
    ("there", "path"),
    [
        ({}, None),
        ({"firefox": "/f"}, "/f"),
        ({"firefox-esr": "/esr", "firefox": "/f"}, "/esr"),
    ],
)
def test_a_program_is_found_by_any_of_its_names(there: dict[str, str], path: str | None) -> None:
    assert find(FIREFOX, there.get) == path


@pytest.mark.parametrize(
    ("engine", "there", "packages"),
    [
        ("firefox", {}, "the package firefox-esr"),
        ("firefox", {"firefox": "/f"}, None),
        ("webkit", {}, "the packages webkit2gtk-driver and xvfb"),
        ("webkit", {"WebKitWebDriver": "/w"}, "the package xvfb"),
        ("webkit", {"WebKitWebDriver": "/w", "Xvfb": "/x"}, None),
    ],
)
def test_it_says_what_to_install(engine: str, there: dict[str, str], packages: str | None) -> None:
    said = lacking(engine, there.get)
    assert (said is None) if packages is None else (said is not None and f"install {packages} (" in said)


def test_every_engine_is_named() -> None:
    said = [lacking(engine, lambda _: None) or "" for engine in ENGINES]
    assert [line.split()[0] for line in said] == ["Firefox", "WebKit"]

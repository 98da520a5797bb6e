"""The worked examples in the docstrings of the ranking systems."""

from __future__ import annotations

import doctest
from importlib import import_module

import pytest

from tests.shared import ROOT

MODULES = sorted(
    path.stem
    for path in (ROOT / "baselines" / "ranking").glob("*.py")
    if ">>> " in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_are_true(name: str) -> None:
    found = doctest.testmod(import_module(f"baselines.ranking.{name}"))
    assert found.attempted
    assert not found.failed

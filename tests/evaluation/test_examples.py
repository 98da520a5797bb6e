"""The worked examples in the docstrings of the measures."""

from __future__ import annotations

import doctest
from importlib import import_module

import pytest

from tests.shared import ROOT

MODULES = sorted(
    path.stem for path in (ROOT / "evaluation").glob("*.py") if ">>> " in path.read_text(encoding="utf-8")
)


def test_measures_have_examples() -> None:
    assert {"boxes", "localization", "component_iou", "retrieval", "content_selection", "audit"} <= {*MODULES}


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_are_true(name: str) -> None:
    found = doctest.testmod(import_module(f"evaluation.{name}"))
    assert found.attempted and not found.failed

"""How cells are written, and the worked examples of the smaller modules."""

from __future__ import annotations

import doctest
from types import ModuleType

import pytest

from evaluation.predictions import lookup, windows
from evaluation.report import model
from evaluation.report.model import Kind, say


@pytest.mark.parametrize("module", [lookup, windows, model])
def test_the_examples_are_true(module: ModuleType) -> None:
    found = doctest.testmod(module)
    assert found.attempted and not found.failed


@pytest.mark.parametrize(
    ("value", "kind", "words"),
    [
        ((-0.0002, 0.001), "interval", "0.0 to 0.1"),
        ((float("nan"), 0.1), "interval", "–"),
        (0.0004, "p", "< 0.001"),
        (0.05, "p", "0.050"),
        (1234.5, "number", "1,234.50"),
        (1234, "number", "1,234"),
        ("word", "text", "word"),
    ],
)
def test_cells_are_written_by_their_kind(value: object, kind: Kind, words: str) -> None:
    assert say(value, kind) == words  # type: ignore[arg-type]

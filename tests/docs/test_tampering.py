"""docs/tampering.md names everything that no check finds, and nothing else."""

from __future__ import annotations

import re
from pathlib import Path

from tests.workflows.tampering import uncovered
from workflows.core.record_tables import TABLES

PAGE = (Path(__file__).parents[2] / "docs/tampering.md").read_text(encoding="utf-8")


def test_the_page_has_the_lists_of_the_code() -> None:
    listed = dict(re.findall(r"^\| `((?:annotation|workflows)\.[^`]+)` \| (.+) \|$", PAGE, re.M))
    assert listed == {**uncovered.TABLES, **uncovered.COLUMNS, **uncovered.ROWS}
    assert f"In every table, {uncovered.NEW_ROWS}." in PAGE


def test_the_page_says_how_many_tables_are_sealed() -> None:
    assert f"rows that were added to {len(TABLES)} tables" in PAGE

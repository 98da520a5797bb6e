"""docs/papers.md: each statement of the papers is right here, or the page says why it is not."""

from __future__ import annotations

import re

from tests.docs.test_named_modules import is_there
from tests.shared import ROOT

PAGE = (ROOT / "docs" / "papers.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip().strip("|").split(" | ")]
    for line in PAGE.splitlines()
    if line.startswith("| ") and not line.startswith(("| ---", "| section"))
]
NAMED = re.compile(
    r"`((?:annotation|workflows|console|evaluation|baselines|simulation|research|frontend)/[^`\s{}*]+)`"
)
COMMAND = re.compile(r"manage\.py (\w+)")
BENCH = re.compile(r"make bench-(\w+)")
MODULE = re.compile(r"python -m ((?:evaluation|baselines|research|benchmarks|simulation)[\w.]*)")


def test_each_row_has_a_verdict_and_a_reason_where_one_is_needed() -> None:
    assert len(ROWS) > 60
    for row in ROWS:
        assert len(row) == 4, row
        verdict = row[2]
        assert verdict.startswith(("right", "different **[ours]**", "cannot be done here", "not ")), row
        if "[ours]" in verdict or verdict.startswith("cannot"):
            assert "because" in verdict, row


def test_what_rows_name_is_there() -> None:
    for name in NAMED.findall(PAGE):
        assert is_there(name.split("#")[0].rstrip("/")), name
    for name in COMMAND.findall(PAGE):
        assert list(ROOT.glob(f"*/management/commands/{name}.py")), name
    for name in BENCH.findall(PAGE):
        assert any((ROOT / room / f"{name}.py").exists() for room in ("research", "benchmarks")), name
    for name in MODULE.findall(PAGE):
        assert is_there(name), name


def test_the_statements_of_the_first_paper_are_all_there() -> None:
    """Numbers 1 to 184 of its audit, each in one row at least."""
    found: set[int] = set()
    for row in ROWS:
        if re.match(r"^\d", row[0]):
            for first, last in re.findall(r"(\d+)(?:\u2013(\d+))?", row[0].split("\u00b7")[1]):
                found |= set(range(int(first), int(last or first) + 1))
    missing = set(range(1, 185)) - found
    assert not missing, sorted(missing)

"""docs/conditions-tried.md lists every condition under which tests do a worker's page, with its result.

The command in INTRODUCTION writes the page anew.
"""

from __future__ import annotations

from pathlib import Path

from tests.e2e.conditions import TABLES

PAGE = Path(__file__).parents[2] / "docs" / "conditions-tried.md"
INTRODUCTION = """# Conditions that were tried

The tests do a worker's page in Chromium under each of these conditions, and compare the stored answer with
what was meant. A box has to be stored with exactly the pixels that were drawn. After you add a condition to
the tests, write this page anew:

```
python manage.py shell -c "from tests.docs.test_conditions_tried import write; write()"
```
"""


def page() -> str:
    """Return the page that the tables of the tests make."""
    parts = [INTRODUCTION]
    for title, (stages, conditions) in TABLES.items():
        rows = [f"| {one.name} | {one.result} |" for one in conditions]
        head = [f"## {title}", "", f"Stages: {stages}.", "", "| condition | result |", "|---|---|"]
        parts += [*head, *rows, ""]
    return "\n".join(parts)


def write() -> None:
    """Write the page anew."""
    PAGE.write_text(page(), encoding="utf-8")


def test_the_page_lists_every_condition_that_is_tried() -> None:
    text = page()
    assert PAGE.read_text(encoding="utf-8") == text, "write the page anew"
    assert sum(len(conditions) for _, conditions in TABLES.values()) >= 30

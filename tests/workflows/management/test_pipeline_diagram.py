from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from workflows.pipeline.domain.diagram import BEGIN, END, SETTINGS_MARKS


def test_docs_pipeline_is_not_stale() -> None:
    call_command("pipeline_diagram", check=True)


def test_a_stale_page_is_found_and_then_written(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("\n".join(["before", *SETTINGS_MARKS, BEGIN, "old", END, "after"]), encoding="utf-8")
    with pytest.raises(CommandError, match=r"is out of date: run manage\.py pipeline_diagram"):
        call_command("pipeline_diagram", page=page, check=True)
    assert "old" in page.read_text(encoding="utf-8"), "a check changes nothing"
    call_command("pipeline_diagram", page=page)
    call_command("pipeline_diagram", page=page, check=True)
    text = page.read_text(encoding="utf-8")
    assert text.startswith("before\n") and "| `control.entrance` | 30 | 1 to 1000 questions |" in text


def test_a_page_that_is_missing_or_has_no_marks_is_named(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    with pytest.raises(CommandError, match=r"page\.md.*No such file"):
        call_command("pipeline_diagram", page=page)
    page.write_text("nothing here", encoding="utf-8")
    with pytest.raises(CommandError, match=r"page\.md: the page needs the lines"):
        call_command("pipeline_diagram", page=page)

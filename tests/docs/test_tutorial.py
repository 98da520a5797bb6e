"""docs/tutorial.md calls buttons, fields and pages by their names on the screen."""

from __future__ import annotations

import html
import re

import pytest

from tests.shared import ROOT

TUTORIAL = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")
LABELS = sorted(set(re.findall(r"\*\*(.+?)\*\*", TUTORIAL)))
SOURCES = (
    *(ROOT / "console").rglob("*.html"),
    *(ROOT / "console").rglob("*.py"),
    *(ROOT / "frontend" / "src" / "texts" / "en").glob("*.ts"),
)


@pytest.fixture(scope="module")
def texts() -> str:
    return html.unescape("\n".join(path.read_text(encoding="utf-8") for path in SOURCES))


def test_the_tutorial_names_labels() -> None:
    assert len(LABELS) > 30


@pytest.mark.parametrize("label", LABELS)
def test_the_label_is_a_whole_text_of_a_page(label: str, texts: str) -> None:
    """For example, "Export" does not match a button called "Export at once"."""
    assert re.search(rf"[\">}}]{re.escape(label)}[\"<{{]", texts)

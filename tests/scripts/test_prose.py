"""Which words of a page `scripts.prose` counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from config.settings import BASE_DIR
from scripts.prose import DJANGO, count, figures, from_markdown, main, read

READ_MOST = ("architecture", "tutorial", "protocol", "quality", "pipeline", "changing")


@pytest.mark.parametrize(
    ("text", "hits"),
    [
        ("What reads works is a query.", 1),
        ("It says what changed, and who changed it.", 2),
        ("Workers who drew a box never judge it.", 0),
        ("What is a chain? (Who asks?)", 0),
        ("Whoever drew it, whatever it is.", 2),
        ("Ask `code` who drew it.", 0),
    ],
)
def test_clauses_that_stand_for_a_noun(text: str, hits: int) -> None:
    assert count(from_markdown(text))["what"] == hits


def test_other_words() -> None:
    found = count("Nobody and no one. The page of which you read your part. You, for example, such as you.")
    assert {name: found[name] for name in ("nobody", "which", "you", "examples")} == {
        "nobody": 2,
        "which": 1,
        "you": 4,
        "examples": 2,
    }


def test_code_addresses_and_html_are_no_words() -> None:
    page = """# Head

Text with `code that is not read` and [a link](https://you.example/what).<br>

| a | b |
| --- | --- |
| Cell one. | two |

<!-- you -->
```
you you you
```
"""
    found = count(from_markdown(page))
    assert found["words"] == 11
    assert (found["sentences"], found["words in sentences"]) == (2, 7)
    assert found["you"] == found["blocks"] == 0


def test_a_block_after_a_colon_is_an_example_once() -> None:
    block = "\n\n```\nx\n```\n\n"
    found = count(from_markdown(f"Run this:{block}For example:{block}No colon.{block}"))
    assert (found["examples"], found["blocks"]) == (1, 1)


def test_structured_text_is_read_as_markdown_is(tmp_path: Path) -> None:
    page = tmp_path / "page.txt"
    page.write_text(
        "====\nHead\n====\n\n.. index:: you\n\nUse ``you`` and :class:`you` so::\n\n    you\n\n    you\n\n"
        "End.\n\n"
        ".. note::\n\n    Note it:\n\n    .. code-block:: shell\n\n        you\n\n    Do.\n"
    )
    found = read(page)
    assert (found["words"], found["you"], found["blocks"]) == (8, 0, 2)


def test_rates_are_per_thousand_words() -> None:
    rates = figures(count("You go. " * 50))
    assert (rates["you"], rates["sentence"]) == (500, 2)
    assert set(rates) == set(DJANGO)


def test_each_page_and_the_total_are_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.md").write_text("You and I.")
    main([str(tmp_path / "a.md")] * 2)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[1:]] == ["a.md", "a.md", "total", "Django"]
    assert lines[3].split()[1] == "6"


@pytest.mark.parametrize("page", ["README", *(f"docs/{name}" for name in READ_MOST)])
def test_the_pages_that_are_read_most_read_nearly_like_djangos(page: str) -> None:
    found = figures(read(BASE_DIR / f"{page}.md"))
    for column in ("what", "nobody", "which"):
        assert found[column] <= 2 * DJANGO[column], f"see scripts/prose.py for the words that {column} counts"

"""docs/files-tried.md lists every kind of file that the tests try, with its result.

The command in INTRODUCTION writes the page anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from tests.annotation.formats import caption_files, caption_folders
from tests.annotation.importing import picture_trials
from tests.evaluation.predictions import trials as prediction_trials

PAGE = Path(__file__).parents[2] / "docs" / "files-tried.md"
INTRODUCTION = """# Files that were tried

The tests make each of these files and check its result. If a file of yours is not read as you expect, find
its kind here. After you add a kind to the tests, write this page anew:

```
python manage.py shell -c "from tests.docs.test_files_tried import write; write()"
```
"""
PER_SIDE = {1e-4: "exact", 0.001: "within 1/1000 of a side"}
"""What a reader may lose, as `prediction_trials.Trial.rounding` has it."""


def page() -> str:
    """Return the page that the trials of the tests make."""
    return "\n".join(
        [
            INTRODUCTION,
            *_table("Photographs", ("result of the import",), map(_picture, picture_trials.TRIALS)),
            *_table(
                "Captions",
                ("result of the import",),
                map(_captions, [*caption_files.TRIALS, *caption_folders.TRIALS]),
            ),
            *_table(
                "Predictions",
                ("`--predictions-format`", "result of the evaluation"),
                map(_prediction, prediction_trials.TRIALS.items()),
            ),
        ]
    )


def write() -> None:
    """Write the page anew."""
    PAGE.write_text(page(), encoding="utf-8")


def _table(title: str, columns: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> list[str]:
    listed = [f"| {' | '.join(map(_cell, row))} |" for row in rows]
    head = [f"| file | {' | '.join(columns)} |", "|---" * (len(columns) + 1) + "|"]
    return [f"## {title}", "", f"{len(listed)} kinds:", "", *head, *listed, ""]


def _cell(text: str) -> str:
    """Escape what Markdown would take for a border, a tag or code of its own."""
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("`", "\\`")


def _picture(trial: picture_trials.Trial) -> tuple[str, str]:
    refused = trial.result not in picture_trials.RESULTS
    return trial.kind, f"refused: {trial.result}" if refused else trial.result


def _captions(trial: caption_files.Trial) -> tuple[str, str]:
    if trial.refused:
        return trial.kind, f"refused: … {trial.refused} …"
    count = sum(map(len, trial.images.values()))
    read = f"{count} caption{'s' * (count != 1)} of {len(trial.images)} image{'s' * (len(trial.images) != 1)}"
    problems = Counter(trial.problems).items()
    said = [f"problem: … {text} …" + (f" ({times} times)" if times > 1 else "") for text, times in problems]
    return trial.kind, "; ".join([read, *said])


def _prediction(named: tuple[str, prediction_trials.Trial]) -> tuple[str, str, str]:
    kind, trial = named
    if trial.is_error:
        result = f"refused: … {trial.found} …"
    elif trial.found:
        result = f"finding: {trial.found}"
    else:
        exact = PER_SIDE.get(trial.rounding, f"within 1/{1 / trial.rounding:.0f} of a side")
        result = f"every box read, {exact}"
    return kind, trial.option, result


def test_the_page_lists_every_kind_that_is_tried() -> None:
    text = page()
    assert PAGE.read_text(encoding="utf-8") == text, "write the page anew"
    assert text.count("\n| ") - 3 >= 250

"""Lines of odvg, as MM-Grounding-DINO and Open-GroundingDino read them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from annotation.domain.records import ImageRecord
from annotation.formats.datasets.odvg import OdvgWriter
from tests.annotation.formats.records import IMAGE


def lines(out: Path, *records: ImageRecord) -> dict[str, list[dict[str, Any]]]:
    with OdvgWriter(out) as writer:
        for record in records:
            writer.add(record)
    return {path.name: [json.loads(line) for line in path.read_text().splitlines()] for path in out.iterdir()}


def test_a_line_is_a_caption_with_its_boxes(tmp_path: Path) -> None:
    """A region is one phrase with one box. The caption without boxes is left out."""
    assert lines(tmp_path, IMAGE)["odvg_train.jsonl"] == [
        {
            "filename": "a.jpg",
            "height": 80,
            "width": 100,
            "grounding": {
                "caption": "Two guys in shirts and air .",
                "regions": [
                    {"bbox": [0, 0, 50, 80], "phrase": "Two guys", "tokens_positive": [[0, 8]]},
                    {"bbox": [10, 20, 100, 80], "phrase": "Two guys", "tokens_positive": [[0, 8]]},
                    {"bbox": [10, 20, 100, 80], "phrase": "shirts", "tokens_positive": [[12, 18]]},
                ],
            },
        }
    ]


def test_there_are_the_files_of_all_splits_or_one_without(tmp_path: Path) -> None:
    (tmp_path / "some").mkdir()
    some = lines(tmp_path / "some", IMAGE, replace(IMAGE, name="b.jpg", split=""))
    assert {name: len(found) for name, found in some.items()} == {
        "odvg_train.jsonl": 1,
        "odvg_val.jsonl": 0,
        "odvg_test.jsonl": 0,
        "odvg_unsplit.jsonl": 1,
    }
    (tmp_path / "none").mkdir()
    assert list(lines(tmp_path / "none", replace(IMAGE, split=""))) == ["odvg_unsplit.jsonl"]

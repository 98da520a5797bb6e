from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from annotation.domain.records import BoxFrom
from annotation.formats.datasets import parquet
from annotation.formats.datasets.parquet import ParquetWriter
from tests.annotation.formats.records import IMAGE


def rows(out: Path, table: str) -> list[dict[str, Any]]:
    loaded: list[dict[str, Any]] = pq.read_table(out / f"{table}.parquet").to_pylist()
    return loaded


def write(out: Path, copies: int = 1) -> Path:
    with ParquetWriter(out) as writer:
        for number in range(copies):
            writer.add(replace(IMAGE, name=f"{number}.jpg"))
    return out


def test_every_table_holds_its_rows(tmp_path: Path) -> None:
    write(tmp_path)
    assert rows(tmp_path, "images") == [
        {"name": "0.jpg", "width": 100, "height": 80, "depth": 3, "split": "train"}
    ]
    assert rows(tmp_path, "captions")[1] == {
        "image": "0.jpg",
        "index": 1,
        "text": "Outside",
        "tokens": ["Outside"],
    }
    mention = {
        "image": "0.jpg",
        "caption": 0,
        "start": 3,
        "end": 4,
        "types": ["clothing", "other"],
        "chain": 2,
    }
    assert rows(tmp_path, "mentions")[1] == mention
    assert rows(tmp_path, "chains")[0] == {
        "image": "0.jpg",
        "id": 1,
        "types": ["people"],
        "scene": False,
        "nobndbox": False,
        "finished": True,
        "judgments": [4, 9],
        "decisions": [],
        "models": [],
    }
    assert rows(tmp_path, "boxes")[1] == {
        "image": "0.jpg",
        "index": 1,
        "left": 10,
        "top": 20,
        "right": 100,
        "bottom": 80,
        "judgments": [6, 7],
        "decisions": [],
        "models": [],
        "merged_from": [[9, 20, 100, 80], [11, 20, 100, 80]],
        "origins": [],
    }
    assert rows(tmp_path, "chain_boxes") == [
        {"image": "0.jpg", "chain": 1, "box": 0},
        {"image": "0.jpg", "chain": 1, "box": 1},
        {"image": "0.jpg", "chain": 2, "box": 1},
    ]


def test_a_box_says_what_workers_made_of_a_models_boxes(tmp_path: Path) -> None:
    origins = (BoxFrom(6, "drawn", "owl/1"), BoxFrom(None, "adjusted", "owl/1", 0.75, 0.5, 7))
    with ParquetWriter(tmp_path) as writer:
        writer.add(replace(IMAGE, boxes=(replace(IMAGE.boxes[0], origins=origins), IMAGE.boxes[1])))
    drawn = {"judgment": 6, "decision": None, "origin": "drawn", "overlap": None, "score": None}
    adjusted = {"judgment": None, "decision": 7, "origin": "adjusted", "overlap": 0.75, "score": 0.5}
    assert rows(tmp_path, "boxes")[0]["origins"] == [
        {**drawn, "model": "owl/1"},
        {**adjusted, "model": "owl/1"},
    ]


def test_rows_are_written_in_groups_as_they_come(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "ROWS", 4)
    write(tmp_path, copies=3)
    assert pq.ParquetFile(tmp_path / "mentions.parquet").num_row_groups == 3
    assert len(rows(tmp_path, "mentions")) == 12


def test_an_export_of_nothing_has_all_tables(tmp_path: Path) -> None:
    write(tmp_path, copies=0)
    assert rows(tmp_path, "chain_boxes") == []

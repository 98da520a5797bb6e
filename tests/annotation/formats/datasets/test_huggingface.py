"""The Parquet files of a folder for Hugging Face."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq

from annotation.formats.datasets.huggingface import HuggingFaceWriter
from tests.annotation.formats.records import IMAGE


def test_a_row_is_an_image_with_its_captions_and_chains(tmp_path: Path) -> None:
    with HuggingFaceWriter(tmp_path) as writer:
        writer.add(IMAGE)
    (row,) = pq.read_table(tmp_path / "data" / "train.parquet").to_pylist()
    assert (row["file_name"], row["width"], row["height"]) == ("a.jpg", 100, 80)
    text = row["captions"][0]["text"]
    phrases = row["captions"][0]["phrases"]
    assert [(one["text"], one["chain"]) for one in phrases] == [("Two guys", 1), ("shirts", 2)]
    assert [text[one["start"] : one["end"]] for one in phrases] == ["Two guys", "shirts"]
    assert row["chains"][0] == {
        "id": 1,
        "types": ["people"],
        "scene": False,
        "nobndbox": False,
        "boxes": [[0, 0, 50, 80], [10, 20, 100, 80]],
    }
    assert row["chains"][2]["scene"] and row["chains"][2]["boxes"] == []


def test_there_is_a_file_for_each_split_that_images_have(tmp_path: Path) -> None:
    with HuggingFaceWriter(tmp_path) as writer:
        for name, split in (("a.jpg", "val"), ("b.jpg", ""), ("c.jpg", "val")):
            writer.add(replace(IMAGE, name=name, split=split))
    found = {
        path.stem: pq.read_table(path)["file_name"].to_pylist() for path in (tmp_path / "data").iterdir()
    }
    assert found == {"val": ["a.jpg", "c.jpg"], "unsplit": ["b.jpg"]}


def test_more_rows_than_a_row_group_are_all_written(tmp_path: Path) -> None:
    with HuggingFaceWriter(tmp_path) as writer:
        for number in range(2_001):
            writer.add(replace(IMAGE, name=f"{number}.jpg"))
    table = pq.read_table(tmp_path / "data" / "train.parquet")
    assert table["file_name"].to_pylist() == [f"{number}.jpg" for number in range(2_001)]

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from annotation.formats.registry import GROUPS, READERS, WRITERS
from tests.annotation.formats.records import IMAGE


def test_the_formats_of_the_commands_are_there() -> None:
    assert sorted(READERS) == [
        "aligned-text",
        "coco-captions",
        "coco-grounding",
        "flickr30k-entities",
        "flickr30k-token",
        "json-captions",
        "jsonl",
        "odvg",
        "parquet-captions",
        "photographs",
        "sidecar-texts",
        "spreadsheet",
    ]
    assert sorted(WRITERS) == [
        "coco",
        "coco-grounding",
        "cvat",
        "flickr30k-entities",
        "florence-2",
        "grit",
        "huggingface",
        "internvl",
        "jsonl",
        "kosmos-2",
        "label-studio",
        "ms-swift",
        "odvg",
        "paligemma",
        "parquet",
        "qwen2-vl",
        "qwen2.5-vl",
        "qwen3-vl",
        "refcoco",
        "voc",
        "webdataset",
        "yolo",
    ]


def test_each_format_is_in_a_group_and_has_a_name_that_a_version_can_store() -> None:
    assert {output.group for output in WRITERS.values()} == set(GROUPS)
    assert all(len(name) <= 24 for name in WRITERS)


@pytest.mark.parametrize("name", WRITERS)
def test_the_same_records_give_the_same_bytes(name: str, tmp_path: Path) -> None:
    contents = []
    for run in ("one", "two"):
        (tmp_path / run).mkdir()
        with WRITERS[name](tmp_path / run) as writer:
            for number in range(30):
                writer.add(replace(IMAGE, name=f"{number}.jpg", split=("train", "val", "test")[number % 3]))
        files = sorted(path for path in (tmp_path / run).rglob("*") if path.is_file())
        contents.append({str(path.relative_to(tmp_path / run)): path.read_bytes() for path in files})
    assert contents[0] == contents[1]
    assert all(contents[0].values())


@pytest.mark.parametrize("name", WRITERS)
def test_a_writer_that_is_left_by_an_error_closes_its_files(name: str, tmp_path: Path) -> None:
    writer = WRITERS[name](tmp_path)
    writer.add(IMAGE)

    def go_wrong() -> None:
        with writer:
            writer.add(replace(IMAGE, name=".hidden"))

    with pytest.raises(ValueError, match="is not a plain file name"):
        go_wrong()

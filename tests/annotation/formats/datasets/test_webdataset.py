"""Shards of WebDataset, read with the standard library."""

from __future__ import annotations

import json
import tarfile
from dataclasses import replace
from pathlib import Path

import pytest

from annotation.formats.datasets import webdataset
from annotation.formats.datasets.grounded_captions import row_of
from annotation.formats.datasets.webdataset import WITHOUT_PICTURE, WebdatasetWriter
from tests.annotation.formats.records import IMAGE


def members(shard: Path) -> dict[str, bytes]:
    with tarfile.open(shard) as archive:
        files = {member.name: archive.extractfile(member) for member in archive.getmembers()}
        assert all((member.mtime, member.uid) == (0, 0) for member in archive.getmembers())
        return {name: file.read() for name, file in files.items() if file is not None}


def test_a_sample_is_a_picture_and_its_annotation(tmp_path: Path) -> None:
    """The key is a number, since a name with a full stop in it would be cut there. All pictures are `jpg`."""
    (tmp_path / "images").mkdir()
    for name in ("a.b.png", "c.jpg"):
        (tmp_path / "images" / name).write_bytes(b"picture")
    with WebdatasetWriter(tmp_path) as writer:
        writer.add(replace(IMAGE, name="a.b.png"))
        writer.add(replace(IMAGE, name="c.jpg", split="val"))
    first = members(tmp_path / "shards" / "train-000000.tar")
    assert list(first) == ["000000000.jpg", "000000000.json"] and first["000000000.jpg"] == b"picture"
    expected = json.loads(json.dumps(row_of(replace(IMAGE, name="a.b.png"))))
    assert json.loads(first["000000000.json"]) == expected
    assert list(members(tmp_path / "shards" / "val-000000.tar")) == ["000000001.jpg", "000000001.json"]
    assert list((tmp_path / "images").iterdir()) == []


def test_an_image_without_a_picture_is_left_out_if_pictures_are_exported(tmp_path: Path) -> None:
    """`datasets` of Hugging Face wants the same members in the first samples of a shard."""
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "b.jpg").write_bytes(b"picture")
    with WebdatasetWriter(tmp_path) as writer:
        writer.add(IMAGE)
        writer.add(replace(IMAGE, name="b.jpg"))
    found = members(tmp_path / "shards" / "train-000000.tar")
    assert list(found) == ["000000000.jpg", "000000000.json"]
    assert json.loads(found["000000000.json"])["file_name"] == "b.jpg"
    assert writer.not_held[WITHOUT_PICTURE] == 1


def test_shards_without_any_sample_are_refused(tmp_path: Path) -> None:
    (tmp_path / "images").mkdir()
    with (
        pytest.raises(ValueError, match="none of the images has a picture"),
        WebdatasetWriter(tmp_path) as writer,
    ):
        writer.add(IMAGE)


def test_without_pictures_a_sample_is_its_annotation_alone(tmp_path: Path) -> None:
    with WebdatasetWriter(tmp_path) as writer:
        writer.add(IMAGE)
    assert list(members(tmp_path / "shards" / "train-000000.tar")) == ["000000000.json"]
    assert not writer.not_held[WITHOUT_PICTURE]


@pytest.mark.parametrize(
    ("samples", "size", "shards"), [(2, 10**9, [2, 2, 1]), (100, 1_900, [2, 2, 1]), (100, 10**9, [5])]
)
def test_a_shard_ends_at_the_limits(
    samples: int, size: int, shards: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webdataset, "SAMPLES_PER_SHARD", samples)
    monkeypatch.setattr(webdataset, "BYTES_PER_SHARD", size)
    (tmp_path / "images").mkdir()
    with WebdatasetWriter(tmp_path) as writer:
        for number in range(5):
            (tmp_path / "images" / f"{number}.jpg").write_bytes(b"x" * 900)
            writer.add(replace(IMAGE, name=f"{number}.jpg", captions=(), chains=(), boxes=()))
    found = sorted((tmp_path / "shards").iterdir())
    assert [path.name for path in found] == [f"train-{n:06d}.tar" for n in range(len(shards))]
    assert [len(members(path)) // 2 for path in found] == shards

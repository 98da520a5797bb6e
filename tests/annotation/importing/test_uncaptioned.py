"""Pictures that no caption is for are told, whatever the corpus names its images."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation.importing.pictures import NamedPictures


@pytest.mark.parametrize(
    ("name", "file"), [("a.jpg", "a.jpg"), ("a", "a.png"), ("a.tif", "a.jpeg"), ("a.b", "a.b.webp")]
)
def test_a_picture_of_an_image_of_the_corpus_is_none_without_a_caption(
    tmp_path: Path, name: str, file: str
) -> None:
    (tmp_path / file).touch()
    named = NamedPictures()
    assert named.others(tmp_path) == [file]
    named.add(name)
    assert named.others(tmp_path) == []


def test_what_is_no_picture_is_not_told(tmp_path: Path) -> None:
    for name in ("captions.token", "._a.jpg", "b.JPG"):
        (tmp_path / name).touch()
    (tmp_path / "folder.jpg").mkdir()
    assert NamedPictures().others(tmp_path) == ["b.JPG"]

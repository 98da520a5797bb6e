from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from annotation.importing.splits import SplitError, read_splits, split_of


def test_lists_give_names_or_stems(tmp_path: Path) -> None:
    (tmp_path / "train.txt").write_text("a.jpg\n\nb\n")
    (tmp_path / "test.txt").write_text("c\n")
    splits: dict[str, str] = {}
    assert list(read_splits([tmp_path / "train.txt", tmp_path / "test.txt"], splits)) == []
    assert [split_of(f"{name}.jpg", splits) for name in "abcd"] == ["train", "train", "test", ""]


def test_an_image_in_two_lists_stays_in_the_first(tmp_path: Path) -> None:
    (tmp_path / "train.txt").write_text("a\n")
    (tmp_path / "val.txt").write_text("b\na\n")
    splits: dict[str, str] = {}
    [problem] = read_splits([tmp_path / "train.txt", tmp_path / "val.txt"], splits)
    assert str(problem) == f"{tmp_path / 'val.txt'}:2: 'a' is in train.txt too (it stays there)"
    assert splits == {"a": "train", "b": "val"}


def test_a_list_that_says_no_split_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "all.txt").write_text("a\n")
    with pytest.raises(SplitError, match=r"all\.txt: a split list has to be called one of train\.txt, "):
        list(read_splits([tmp_path / "all.txt"], {}))


def test_a_list_that_cannot_be_read_to_its_end_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SplitError, match=r"test\.txt: cannot be read: No such file"):
        list(read_splits([tmp_path / "test.txt"], {}))
    (tmp_path / "test.txt").mkdir()
    with pytest.raises(SplitError, match=r"test\.txt: cannot be read: Is a directory"):
        list(read_splits([tmp_path / "test.txt"], {}))
    (tmp_path / "val.txt").write_bytes(gzip.compress(b"a\n" * 1000)[:-5])
    with pytest.raises(SplitError, match=r"val\.txt: the gzip file is damaged"):
        list(read_splits([tmp_path / "val.txt"], {}))


def test_lines_that_are_not_utf8_are_reported(tmp_path: Path) -> None:
    (tmp_path / "val.txt").write_bytes(b"\xff\na\n")
    splits: dict[str, str] = {}
    [problem] = read_splits([tmp_path / "val.txt"], splits)
    assert problem.line == 1 and splits == {"a": "val"}

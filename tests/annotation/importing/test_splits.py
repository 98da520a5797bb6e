from __future__ import annotations

from pathlib import Path

from annotation.importing.splits import read_splits, split_of


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


def test_other_files_are_reported(tmp_path: Path) -> None:
    problems = list(read_splits([tmp_path / "all.txt", tmp_path / "test.txt"], {}))
    assert "its name says no split" in str(problems[0])
    assert "cannot be read" in str(problems[1])


def test_lines_that_are_not_utf8_are_reported(tmp_path: Path) -> None:
    (tmp_path / "val.txt").write_bytes(b"\xff\na\n")
    splits: dict[str, str] = {}
    [problem] = read_splits([tmp_path / "val.txt"], splits)
    assert problem.line == 1 and splits == {"a": "val"}

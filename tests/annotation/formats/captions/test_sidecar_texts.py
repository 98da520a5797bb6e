from __future__ import annotations

import time
from pathlib import Path

import pytest

from annotation.domain.records import CaptionRecord, ImageRecord, Problem
from annotation.formats.captions.sidecar_texts import read, wrong_with


def texts(folder: Path, *contents: str) -> list[Path]:
    paths = [folder / f"{number}.txt" for number in range(len(contents))]
    for path, content in zip(paths, contents, strict=True):
        path.write_text(content)
    return paths


def test_lines_after_a_refused_one_keep_their_numbers(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").touch()
    (tmp_path / "a.txt").write_text("A dog.\nnan\nA cat.\n")
    problem, record = read(tmp_path)
    assert isinstance(problem, Problem) and problem.line == 2
    assert record == ImageRecord("a.jpg", (CaptionRecord(0, "A dog."), CaptionRecord(2, "A cat.")))


@pytest.mark.parametrize(
    "contents",
    [
        ("0 0.5 0.5 0.25 0.125\n",),
        ("1 6.1e-05 0.5 0.5 0.5\n",),
        ("1 1E+0 .5 1. 0.5\n", "12 0.1 0.2 0.3 0.4 0.5 0.6\n"),
        ("0 0.5 0.5 0.2 0.1\n1 0.5 0.5 0.2 0.1\n", "person\n"),
    ],
)
def test_texts_that_are_mostly_boxes_are_refused(tmp_path: Path, contents: tuple[str, ...]) -> None:
    assert "boxes as YOLO writes them" in wrong_with(texts(tmp_path, *contents))


@pytest.mark.parametrize(
    "contents",
    [("A dog runs.\n",), ("1 2 3 4 dogs\n",), ("", "\n"), ("A dog runs.\nA cat.\n", "1 2 3 4 5\n")],
)
def test_captions_and_empty_texts_are_no_boxes(tmp_path: Path, contents: tuple[str, ...]) -> None:
    assert wrong_with(texts(tmp_path, *contents)) == ""


def test_a_long_line_of_numbers_takes_little_time(tmp_path: Path) -> None:
    before = time.process_time()
    assert wrong_with(texts(tmp_path, "1" + " 11" * 2_000 + " dogs\n")) == ""
    assert time.process_time() - before < 3

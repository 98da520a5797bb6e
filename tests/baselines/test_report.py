"""The page of `report` needs three splits, and says which one is missing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from baselines.__main__ import main
from baselines.commands.report import split_dataset
from evaluation.readers.recognition import read_dataset
from tests.baselines.tiny_set import write_tiny_set


def test_a_data_set_without_a_split_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tiny = write_tiny_set(tmp_path / "tiny", train=2, val=0, test=1)
    arguments = ["--dataset", str(tiny), "--images", str(tiny / "images"), "--out", str(tmp_path / "out")]
    assert main(["report", *arguments]) == 1
    assert "tiny has no image of the split val" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_the_language_of_the_data_set_is_named(tmp_path: Path) -> None:
    tiny = write_tiny_set(tmp_path / "tiny", train=6, val=2, test=2)
    (tiny / "manifest.json").write_text(json.dumps({"format": "jsonl", "language": "de"}))
    parts = split_dataset(read_dataset(tiny))
    assert [part.language for part in parts.values()] == ["de", "de", "de"]
    arguments = ["--dataset", str(tiny), "--images", str(tiny / "images"), "--out", str(tmp_path / "out")]
    assert main(["report", *arguments, "--only", "selection"]) == 0
    facts = json.loads((tmp_path / "out" / "report.json").read_text())["facts"]
    assert facts["Data set"] == "tiny, 10 images"
    assert facts["Language"].startswith("de; mind that")


def test_a_wrong_file_of_boxes_is_said_before_anything_is_trained(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tiny = write_tiny_set(tmp_path / "tiny", train=2, val=1, test=1)
    arguments = ["--dataset", str(tiny), "--images", str(tiny / "images"), "--out", str(tmp_path / "out")]
    assert main(["report", *arguments, "--labelled", str(tmp_path / "none.jsonl")]) == 1
    assert "none.jsonl" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_system_that_does_not_exist_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tiny = write_tiny_set(tmp_path / "tiny", train=2, val=1, test=1)
    arguments = ["--dataset", str(tiny), "--images", str(tiny / "images"), "--out", str(tmp_path / "out")]
    assert main(["report", *arguments, "--only", "captioning"]) == 1
    assert "--only: captioning is none of localization" in capsys.readouterr().err

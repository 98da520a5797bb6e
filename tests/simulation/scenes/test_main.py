"""`python -m simulation.scenes` draws scenes with three splits, which evaluation reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluation.readers.recognition import read_dataset
from simulation.scenes.__main__ import main


def test_scenes_are_drawn_with_splits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "scenes"
    assert main([str(folder), "--train", "2", "--val", "1", "--test", "1"]) == 0
    assert f"{folder} has 4 scenes." in capsys.readouterr().out
    splits = {image.name: image.split for image in read_dataset(folder).images}
    assert sorted(splits.values()) == ["test", "train", "train", "val"]
    assert all((folder / "images" / name).is_file() for name in splits)
    assert main([str(folder)]) == 1
    assert "is not empty" in capsys.readouterr().err

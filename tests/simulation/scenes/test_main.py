"""`python -m simulation.scenes` draws scenes with three splits, which evaluation reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluation.predictions.findings import Findings
from evaluation.predictions.labelled import read_labelled
from evaluation.readers.recognition import read_dataset
from evaluation.tasks import selection
from evaluation.tasks.common import Inputs
from simulation.scenes.__main__ import main
from tests.evaluation.tasks.reading import row


def test_scenes_are_drawn_with_splits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "scenes"
    assert main([str(folder), "--train", "2", "--val", "1", "--test", "1"]) == 0
    assert f"{folder} has 4 scenes." in capsys.readouterr().out
    splits = {image.name: image.split for image in read_dataset(folder).images}
    assert sorted(splits.values()) == ["test", "train", "train", "val"]
    assert all((folder / "images" / name).is_file() for name in splits)
    assert main([str(folder)]) == 1
    assert "is not empty" in capsys.readouterr().err


def test_boxes_of_all_that_is_drawn_make_random_selection_worse(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """C, section 1: participants also saw boxes that no description mentions."""
    folder, boxes = tmp_path / "scenes", tmp_path / "boxes.jsonl"
    drawn = ["--train", "0", "--val", "0", "--test", "8", "--boxes", str(boxes)]
    assert main([str(folder), *drawn]) == 0
    dataset, findings = read_dataset(folder), Findings()
    labelled = read_labelled(boxes, [image.name for image in dataset.images], findings)
    assert not findings.counts
    for image in dataset.images:
        mentioned = {tuple(box) for chain in image.chains.values() for box in chain.boxes.tolist()}
        pool = {tuple(box) for box in labelled[image.name].boxes.tolist()}
        assert mentioned < pool, image.name
        assert all(label.isalpha() for label in labelled[image.name].labels), labelled[image.name].labels
    assert {"arm", "face", "man", "dog"} <= {label for one in labelled.values() for label in one.labels}
    inputs = Inputs(dataset, {}, resamples=0)
    by_chance = [
        row(selection.evaluate(inputs, settings), "selection_by_k", "random", 4)["F"]
        for settings in (selection.Settings(), selection.Settings(labelled=boxes))
    ]
    assert by_chance[0] > 2 * by_chance[1]  # type: ignore[operator]
    assert main([str(tmp_path / "others"), *drawn]) == 1
    assert "boxes.jsonl exists already" in capsys.readouterr().err
    assert not (tmp_path / "others").exists()

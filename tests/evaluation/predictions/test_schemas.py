"""The JSON schemas allow what the readers read, and refuse what they refuse."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from evaluation.content_selection import instances
from evaluation.predictions.findings import Findings
from evaluation.predictions.formats import format_named
from evaluation.predictions.labelled import read_labelled
from evaluation.predictions.localization import read_localization
from evaluation.predictions.proposals import read_proposals
from evaluation.predictions.retrieval import pairs, read_grades, read_scores
from evaluation.predictions.selection import read_selection
from evaluation.predictions.strategies import read_strategies
from evaluation.predictions.verdicts import read_verdicts
from tests.evaluation.small_set import error_of, lookup_of, small_set, write_lines
from tests.shared import ROOT

SCHEMAS = ROOT / "evaluation" / "predictions" / "schemas"
BOX, SPAN, OTHER = [1, 2, 3.5, 4], [0, 0, 2], [1, 3, 5]
GOOD: dict[str, dict[str, Any]] = {
    "localization": {"image": "a.jpg", "caption": 0, "start": 0, "end": 2, "boxes": [BOX], "scores": [1]},
    "phrase": {"image": "a.jpg", "phrase": "two dogs", "boxes": [BOX], "scores": [1]},
    "answer": {"image": "a.jpg", "phrase": "two dogs", "answer": '{"bbox_2d": [1, 2, 3, 4]}'},
    "sentences": {"image_id": "a", "sentence_id": 0, "boxes": [[BOX], []]},
    "coco-result": {"image_id": 1, "category_id": 1, "bbox": BOX, "score": 0.5},
    "proposals": {"image": "a.jpg", "boxes": [BOX], "scores": [1], "labels": ["dog"]},
    "ranked-captions": {"image": "a.jpg", "captions": [["a.jpg", 0]]},
    "ranked-images": {"caption": ["a.jpg", 0], "images": ["a.jpg"]},
    "grades": {"image": "a.jpg", "caption": ["a.jpg", 0], "grade": 3},
    "selection": {"image": "a.jpg", "boxes": [BOX]},
    "selection-sentence": {"image": "a.jpg", "sentence": "A [man]0 with [dogs]1,2 ."},
    "labelled": {"image": "a.jpg", "boxes": [BOX], "labels": ["dog"]},
    "strategies": {
        "image": "a.jpg",
        "strategy": "greedy",
        "questions": 1,
        "chains": [[SPAN, OTHER]],
        "answers": [[SPAN, OTHER, True]],
    },
    "verdicts": {"kind": "chain", "image": "a.jpg", "chain": "1", "wrong": None, "note": "x"},
}
WRONG: list[object] = [None, [], [[]], [[1, 2, 3]], [["a.jpg"]], "x", -1, 1.5, {}, True]


def read(name: str, path: Path) -> object:
    dataset, findings = small_set(), Findings()
    if name in ("localization", "phrase", "answer", "sentences", "coco-result"):
        written = format_named("pixels")
        return list(read_localization(path, lookup_of(dataset), findings, predictions_format=written))
    if name == "proposals":
        return read_proposals(path, lookup_of(dataset), findings)
    if name.startswith("ranked"):
        return read_scores(path, dataset, findings)
    if name == "grades":
        return read_grades(path, pairs(dataset), dataset, findings)
    if name == "labelled":
        return read_labelled(path, ["a.jpg"], findings)
    if name.startswith("selection"):
        return read_selection(path, dict(zip(("a.jpg", "b.jpg"), instances(dataset), strict=True)), findings)
    if name == "strategies":
        return read_strategies({"p": path}, dataset, {"p": findings})
    return read_verdicts({"p": path}, dataset, {"p": findings})


def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads((SCHEMAS / f"{name}.json").read_text()))


def readable(name: str, entry: object, folder: Path) -> bool:
    is_list = name in ("sentences", "coco-result")
    return not error_of(lambda: read(name, write_lines(folder / "p.json", [entry] if is_list else entry)))


def test_every_schema_has_an_example_here() -> None:
    assert {path.stem for path in SCHEMAS.glob("*.json")} == set(GOOD)


@pytest.mark.parametrize("name", GOOD)
def test_a_schema_is_one_and_allows_its_example(name: str, tmp_path: Path) -> None:
    Draft202012Validator.check_schema(validator(name).schema)
    assert validator(name).is_valid(GOOD[name]) and readable(name, GOOD[name], tmp_path)


@pytest.mark.parametrize("name", GOOD)
def test_schema_and_reader_agree_on_changed_fields(name: str, tmp_path: Path) -> None:
    for field in GOOD[name]:
        without = {key: value for key, value in GOOD[name].items() if key != field}
        assert validator(name).is_valid(without) == readable(name, without, tmp_path), f"without {field}"
        for value in WRONG:
            changed = {**GOOD[name], field: value}
            if validator(name).is_valid(changed) != readable(name, changed, tmp_path):
                # Lengths of lists that belong together, and what exists, are beyond a schema.
                assert validator(name).is_valid(changed), f"{field}: {value!r} is read, but not allowed"
                assert value in ([], [[]], -1, "x", 1.5, True), f"{field}: {value!r} is allowed, but not read"
    strange = {**GOOD[name], "strange": 1}
    if name != "coco-result":
        assert not validator(name).is_valid(strange) and not readable(name, strange, tmp_path)


@pytest.mark.parametrize(
    "kind", [{"grade": 3.5}, {"grade": 3, "judge": "anna"}, {"ticked": True, "judge": "x"}]
)
def test_each_kind_of_judgment_is_allowed(kind: dict[str, object], tmp_path: Path) -> None:
    line = {"image": "a.jpg", "caption": ["a.jpg", 0], **kind}
    assert validator("grades").is_valid(line) and readable("grades", line, tmp_path)


@pytest.mark.parametrize(
    "kind", [{"ticked": True}, {"judge": "x"}, {"grade": 1, "ticked": True, "judge": "x"}]
)
def test_half_a_judgment_and_two_are_refused(kind: dict[str, object], tmp_path: Path) -> None:
    line = {"image": "a.jpg", "caption": ["a.jpg", 0], **kind}
    assert not validator("grades").is_valid(line) and not readable("grades", line, tmp_path)

"""Reports say which models had a part in the true boxes, and mark scores of these and of their families."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest

from evaluation.__main__ import main
from evaluation.dataset import ModelPart
from evaluation.readers.recognition import read_dataset
from evaluation.report.files import json_of, text_of
from evaluation.report.page import page
from evaluation.tasks import components, localization
from evaluation.tasks.common import Inputs, name_models
from evaluation.tasks.models_in_truth import said_models
from tests.annotation.formats.records import IMAGE
from tests.evaluation.readers.test_recognition import write
from tests.evaluation.small_set import error_of, mention, small_set, write_lines

BOX = {"chains": [1], "box": [0, 0, 9, 9], "judgments": [1, 2], "decisions": [], "merged_from": []}
ACCEPTED = {"origin": "accepted", "model": "owl/2", "judgment": 1}
BOXES = [
    BOX | {"origins": [ACCEPTED]},
    BOX | {"judgments": [3], "models": ["judge/1"]},
    BOX | {"merged_from": [[0, 0, 9, 9], [0, 0, 9, 8]], "models": ["judge/1"]},
    BOX | {"judgments": [4], "decisions": [1]},
]
MANIFEST: dict[str, Any] = {
    "project": "pets",
    "suggestions": {"owl/2": {"accepted": 3, "drawn": 1}},
    "models": {"judge/1: boxes": 2, "judge/1: chains": 1, "judge/1: boxes that no worker judged": 1},
    "families": {"owl/2": "birds"},
    "counts": {"boxes": 4, "boxes_raw": 5},
}
OWL = ModelPart("owl/2", "birds", accepted=2, judged=0, boxes=10, boxes_raw=20)
JUDGE = ModelPart("judge/1", "judge", judged=5, unjudged=3, boxes=10, boxes_raw=20)
MARK = "Not independent of the true boxes"


def make_export(tmp_path: Path, manifest: Any = MANIFEST, boxes: Sequence[Any] | None = BOXES) -> Path:
    """Write an export of one image, with these boxes in its provenance; None: it has no provenance."""
    folder = write(IMAGE, "jsonl", tmp_path / "set")
    (folder / "about").mkdir(exist_ok=True)
    (folder / "about" / "manifest.json").write_bytes(orjson.dumps(manifest))
    if boxes is not None:
        others = {"name": "z.jpg", "boxes": [BOX | {"origins": [ACCEPTED]}]}
        write_lines(folder / "provenance.jsonl", {"name": IMAGE.name, "boxes": boxes}, others)
    return folder


def test_the_provenance_says_it_of_the_images_that_are_measured(tmp_path: Path) -> None:
    assert read_dataset(make_export(tmp_path)).models == (
        ModelPart("judge/1", "judge", judged=2, unjudged=1, boxes=4, boxes_raw=5),
        ModelPart("owl/2", "birds", accepted=1, boxes=4, boxes_raw=5),
    )


def test_without_provenance_the_manifest_says_it_of_the_whole_export(tmp_path: Path) -> None:
    judge, owl = read_dataset(make_export(tmp_path, boxes=None)).models
    assert (judge.judged, judge.unjudged, judge.boxes) == (2, 1, 4)
    assert (owl.accepted, owl.drawn, owl.boxes_raw, owl.family) == (3, 1, 5, "birds")
    assert judge.whole_export and owl.whole_export


def test_images_in_which_no_model_had_a_part_are_independent(tmp_path: Path) -> None:
    assert read_dataset(make_export(tmp_path, boxes=[BOX])).models == ()
    assert read_dataset(make_export(tmp_path, {"project": "pets"})).models == ()
    assert said_models(Inputs(small_set(), {})) == ()


@pytest.mark.parametrize(
    ("manifest", "boxes", "says"),
    [
        (
            MANIFEST | {"suggestions": {"owl/2": 3}},
            None,
            "manifest.json: suggestions.owl/2: is not an object",
        ),
        (
            MANIFEST | {"models": {"judge/1: boxes": "2"}},
            None,
            "models.judge/1: boxes: is not a whole number",
        ),
        (MANIFEST, [BOX | {"models": "judge/1"}], "line 1: boxes[0].models: is not a list"),
        (
            MANIFEST,
            [BOX | {"origins": [ACCEPTED | {"origin": "found"}]}],
            "line 1: boxes[0].origins[0].origin: is none",
        ),
    ],
)
def test_what_cannot_be_read_is_named(manifest: Any, boxes: Any, says: str, tmp_path: Path) -> None:
    folder = make_export(tmp_path, manifest, boxes)
    assert says in error_of(lambda: read_dataset(folder))


def report_of(tmp_path: Path, *, task: Any = localization, models: Sequence[str] = ()) -> Any:
    files = {
        name: write_lines(tmp_path / f"{name}.jsonl", mention("a", 0, 0, 2, (0, 0, 99, 80)))
        for name in ("first", "second")
    }
    dataset = replace(small_set(), models=(JUDGE, OWL))
    inputs = Inputs(dataset, files, resamples=0, models=name_models(list(files), models))
    return task.evaluate(inputs, task.Settings())


@pytest.mark.parametrize("task", [localization, components])
@pytest.mark.parametrize(
    ("models", "marked"),
    [
        (["owl/2"], "first (owl/2), second (owl/2)"),
        (["owl/1", "clip/1"], "first (owl/1)"),  # another version errs alike
        (["clip/1", "birds"], "second (birds)"),
        (["judge", "owl"], "first (judge), second (owl)"),
        (["clip/1"], ""),
        ([], ""),
    ],
)
def test_a_score_of_a_model_that_had_a_part_is_marked_everywhere(
    task: Any, models: list[str], marked: str, tmp_path: Path
) -> None:
    report = report_of(tmp_path, task=task, models=models)
    text = "\n".join(map(text_of, report.tables()))
    html, facts = page(report), orjson.loads(json_of(report))["facts"]
    assert facts["Models in the true boxes"] == (
        "judge/1: 50.0% judged, 30.0% judged by no worker; owl/2 (family birds): 10.0% accepted"
    )
    if marked:
        said = f"{MARK}, which models of the same family helped to make: {marked}."
        assert said in text and said in html and facts["Independent of the true boxes"] == f"no. {said}"
    else:
        assert MARK not in text and MARK not in html
        known = "as far as --model says" if models else "not known. With --model NAME/VERSION"
        assert facts["Independent of the true boxes"].startswith(known)
    rows = orjson.loads(json_of(report))["tables"]["models"]
    assert [row["model"] for row in rows] == ["judge/1", "owl/2"]
    assert "how far it agrees with itself" in text and "how far it agrees with itself" in html


def test_models_are_one_for_all_files_or_one_each() -> None:
    assert name_models(["a", "b"], ["owl"]) == {"a": "owl", "b": "owl"}
    assert name_models(["a", "b"], ["owl/1", "owl/2"]) == {"a": "owl/1", "b": "owl/2"}
    assert name_models(["a", "b"], []) == {}
    assert "--model: give one model for all predictions" in error_of(lambda: name_models(["a"], ["x", "y"]))


def test_the_command_prints_the_mark(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = make_export(tmp_path)
    path = write_lines(tmp_path / "mine.jsonl", mention("a", 0, 0, 2, (0, 0, 99, 80)))
    arguments = ["localization", "--dataset", str(folder), "--predictions", str(path)]
    assert main([*arguments, "--model", "owl/3"]) == 0
    said = capsys.readouterr().out
    assert f"{MARK}, which models of the same family helped to make: mine (owl/3)." in said
    assert main(arguments) == 0
    assert "not said" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main([*arguments, "--model", "no name"])
    assert "is not the name of a model" in capsys.readouterr().err

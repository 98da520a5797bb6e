"""The commands, as their users run them, on a tiny data set."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from baselines.__main__ import main
from baselines.cca import SCALINGS, Scaling
from baselines.localization import PhraseLocalizer
from baselines.retrieval import ImageSentenceRetrieval
from evaluation.__main__ import main as evaluate
from tests.baselines.tiny_set import write_feature_file, write_tiny_set

SMALL = ("--dimensions", "8", "--centres", "3")


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_set(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="module")
def model(tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("models") / "localization.npz"
    assert main(["localization", "train", *_data(tiny), "--model", str(path), *SMALL]) == 0
    return path


def _data(tiny: Path) -> list[str]:
    return ["--dataset", str(tiny), "--images", str(tiny / "images")]


def _table(out: Path, name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((out / "report.json").read_text())["tables"][name]
    return found


def test_localization_is_learnt_and_measured(
    tiny: Path, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """On squares and discs of four colours, the model is far better than systems that look at no phrase."""
    boxes = tmp_path / "mine.npz"
    assert main(["localization", "predict", *_data(tiny), "--model", str(model), "--out", str(boxes)]) == 0
    assert f"{boxes} has boxes for 24 mentions of 6 images." in capsys.readouterr().out
    out = tmp_path / "report"
    measured = ["--split", "test", "--predictions", str(boxes), "--out", str(out), "--resamples", "20"]
    assert evaluate(["localization", "--dataset", str(tiny), *measured]) == 0
    recall = {row["system"]: row["R@1"] for row in _table(out, "recall")}
    assert recall.pop("mine") > 0.6
    assert max(recall.values()) < 0.4
    assert not [row for row in _table(out, "recall") if row["queries"] != 24]


def test_the_same_seed_gives_the_same_predictions(tiny: Path, model: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.npz"
    assert main(["localization", "train", *_data(tiny), "--model", str(again), *SMALL]) == 0
    files = []
    for one in (model, again):
        files.append(tmp_path / f"boxes-{one.stem}.npz")
        assert (
            main(["localization", "predict", *_data(tiny), "--model", str(one), "--out", str(files[-1])]) == 0
        )
    with np.load(files[0]) as first, np.load(files[1]) as second:
        assert set(first) == {"images", "mentions", "offsets", "boxes", "scores"}
        assert [name for name in first if not np.array_equal(first[name], second[name])] == []


def test_each_cue_can_be_switched_and_the_weight_of_the_colour_be_given(tiny: Path, tmp_path: Path) -> None:
    given = tmp_path / "given.npz"
    arguments = ["--model", str(given), "--colour-weight", "0.35", "--least-detected", "5", *SMALL]
    assert main(["localization", "train", *_data(tiny), *arguments]) == 0
    assert PhraseLocalizer.load(given).colour_weight == 0.35
    found = []
    for cues in ([], ["size"], ["colour"], ["detector"], ["detector", "size", "colour"]):
        out = tmp_path / f"{'-'.join(cues) or 'none'}.npz"
        arguments = ["--model", str(given), "--out", str(out), "--cues", *cues]
        assert main(["localization", "predict", *_data(tiny), *arguments]) == 0
        with np.load(out) as arrays:
            found.append(tuple(arrays["scores"].tolist()))
    assert len({*found}) == 5


def test_weights_are_chosen_on_validation_images_or_given(
    tiny: Path, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """There are 16 validation mentions, fewer than it takes to choose w_size of a type."""
    chosen = PhraseLocalizer.load(model)
    assert Scaling(chosen.eigenvalue, chosen.power) in SCALINGS and chosen.size_weights["scene"] == 0.2
    given = tmp_path / "given.npz"
    arguments = ["--eigenvalue", "rho", "--power", "2.5", "--size-weight", ".15", "scene=.3", "other=0"]
    arguments += ["--colour-weight", "0", "--least-colour-phrases", "1000", *SMALL]
    assert main(["localization", "train", *_data(tiny), "--model", str(given), *arguments]) == 0
    loaded = PhraseLocalizer.load(given)
    assert (loaded.eigenvalue, loaded.power, loaded.colour_weight) == ("rho", 2.5, 0.0)
    assert (loaded.size_weight, loaded.size_weights) == (0.15, {"scene": 0.3, "other": 0.0})
    said = capsys.readouterr().out
    assert "By 16 mentions of validation images: scaling ρ^2.5; w_size 0.15 (other 0, scene 0.3)" in said
    assert "Colours: none." in said


def test_without_validation_images_the_defaults_are_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tiny = write_tiny_set(tmp_path / "tiny", val=0)
    model = tmp_path / "model.npz"
    assert main(["localization", "train", *_data(tiny), "--model", str(model), *SMALL]) == 0
    said = capsys.readouterr().out
    assert "There are no validation images to choose weights with: scaling (1 + ρ)^4; w_size 0.1 (" in said


def test_scores_and_categories_of_the_user_are_used_and_missed(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The user's detector knows the true squares, so that they are found by it alone."""
    lines = []
    for text in (tiny / "images.jsonl").read_text().splitlines():
        record = json.loads(text)
        squares = [" square" in record["captions"][0]["text"].split(" beside ")[at] for at in range(2)]
        true = [one["box"] for one in record["boxes"]]
        scores = {"square": [float(one) for one in squares], "disc": [float(not one) for one in squares]}
        lines.append(json.dumps({"image": record["name"], "boxes": true, "scores": scores}))
    own, categories = tmp_path / "scores.jsonl", tmp_path / "categories.tsv"
    own.write_text("\n".join(lines))
    categories.write_text("square\tsquare\ndisc\tdisc\n")
    model = tmp_path / "own.npz"
    files = ["--detector-scores", str(own), "--categories", str(categories)]
    assert main(["localization", "train", *_data(tiny), "--model", str(model), *files, *SMALL]) == 0
    assert "Detector: square, disc." in capsys.readouterr().out
    assert PhraseLocalizer.load(model).categories == {"square": "square", "disc": "disc"}
    predict = ["localization", "predict", *_data(tiny), "--model", str(model)]
    predict += ["--out", str(tmp_path / "boxes.npz")]
    assert main([*predict, "--detector-scores", str(own)]) == 0
    capsys.readouterr()
    assert main(predict) == 1
    assert "the model was trained with --detector-scores: give such a file here" in capsys.readouterr().err


def test_validation_images_without_features_are_left_out(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    records = [json.loads(text) for text in (tiny / "images.jsonl").read_text().splitlines()]
    kept = [one for one in records if one["split"] == "train"] + [records[16]]
    boxes = [np.array([one["box"] for one in record["boxes"]], dtype=float) for record in kept]
    rng = np.random.default_rng(1)
    features = [rng.random((len(one), 3)) for one in boxes]
    path = write_feature_file(tmp_path / "net.npz", [one["name"] for one in kept], boxes, features)
    data = ["--dataset", str(tiny), "--features", str(path)]
    assert main(["localization", "train", *data, "--model", str(tmp_path / "m.npz"), *SMALL]) == 0
    said = capsys.readouterr().out
    assert "Of 3 validation images there is no photograph or feature: they are left out." in said
    assert "By 4 mentions of validation images" in said


def test_gamma_and_alpha_are_chosen_on_validation_images_or_given(
    tiny: Path, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, scores = tmp_path / "whole.npz", tmp_path / "scores.npy"
    assert main(["retrieval", "train", *_data(tiny), "--model", str(whole), *SMALL]) == 0
    assert "by 4 validation images." in capsys.readouterr().out
    assert ImageSentenceRetrieval.load(whole).crops == 10
    predict = ["retrieval", "predict", *_data(tiny), "--model", str(whole), "--out", str(scores)]
    predict += ["--localizer", str(model)]
    assert main(predict) == 0
    assert "by 4 validation images." in capsys.readouterr().out
    assert main([*predict, "--penalty", "1.2", "--whole-share", "0.35"]) == 0
    assert "γ is 1.2, and α 0.35: as given." in capsys.readouterr().out


def test_retrieval_is_learnt_and_measured(tiny: Path, model: Path, tmp_path: Path) -> None:
    whole, scores, both = tmp_path / "whole.npz", tmp_path / "alone.npy", tmp_path / "both.npy"
    assert main(["retrieval", "train", *_data(tiny), "--model", str(whole), *SMALL]) == 0
    predict = ["retrieval", "predict", *_data(tiny), "--model", str(whole), "--out"]
    assert main([*predict, str(scores)]) == 0
    assert main([*predict, str(both), "--localizer", str(model)]) == 0
    assert np.load(scores).shape == np.load(both).shape == (6, 12)
    out = tmp_path / "report"
    files = ["--predictions", str(scores), str(both), "--reassignments", "50"]
    assert evaluate(["retrieval", "--dataset", str(tiny), "--split", "test", *files, "--out", str(out)]) == 0
    recall = {row["system"]: row["R@5"] for row in _table(out, "search")}
    assert recall["both"] > recall["random ranking"]


def test_selection_is_learnt_and_measured(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    counts, chosen = tmp_path / "selection.npz", tmp_path / "chosen.jsonl"
    train = ["--dataset", str(tiny), "--systems", "size", "bigrams", "--most", "2"]
    assert main(["selection", "train", *train, "--model", str(counts)]) == 0
    predict = ["--dataset", str(tiny), "--model", str(counts), "--out", str(chosen)]
    assert main(["selection", "predict", *predict]) == 0
    assert "20.png: [" in capsys.readouterr().out
    out = tmp_path / "report"
    measured = ["--split", "test", "--predictions", str(chosen), "--out", str(out)]
    assert evaluate(["selection", "--dataset", str(tiny), *measured]) == 0
    assert _table(out, "selection")[0]["F"] == pytest.approx(1.0)


def test_selection_from_labelled_boxes_is_learnt_and_measured(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each image gets a box in a corner that nobody mentions, which only the label tells from the others."""
    pool, counts, chosen = tmp_path / "pool.jsonl", tmp_path / "counts.npz", tmp_path / "chosen.jsonl"
    data = ["--dataset", str(tiny)]
    assert evaluate(["selection", *data, "--write", str(pool)]) == 0
    assert "boxes of 26 images. [word]2 in a sentence is the third of them." in capsys.readouterr().out
    lines = [json.loads(line) for line in pool.read_text().splitlines()]
    for line in lines:
        line["boxes"].append([0, 0, 90, 12])
        line["labels"].append("cloud")
    pool.write_text("\n".join(map(json.dumps, lines)))
    labelled = ["--labelled", str(pool)]
    train = ["--systems", "unigrams", "--most", "2", "--model", str(counts), *labelled]
    assert main(["selection", "train", *data, *train]) == 0
    assert main(["selection", "predict", *data, "--model", str(counts), "--out", str(chosen), *labelled]) == 0
    assert f"--predictions {chosen} --labelled {pool}" in capsys.readouterr().out
    said = tmp_path / "said.jsonl"
    sentence = {"sentence": "A [thing]0 and a [cloud]2 ."}
    said.write_text("\n".join(json.dumps({"image": line["image"], **sentence}) for line in lines[20:]))
    out = tmp_path / "report"
    files = ["--predictions", str(chosen), str(said), *labelled, "--out", str(out)]
    assert evaluate(["selection", *data, "--split", "test", *files]) == 0
    found = {row["system"]: row for row in _table(out, "selection")}
    assert found["chosen"]["F"] == pytest.approx(1.0)
    assert found["said"]["precision"] == pytest.approx(0.5)
    assert found["said"]["recall"] == pytest.approx(0.5)
    note = next(name for name in found if name.startswith("unigrams"))
    assert note == "unigrams, at most 2"  # chosen on the four validation images
    page = tmp_path / "page"
    report = ["report", *data, "--images", str(tiny / "images"), "--only", "selection"]
    assert main([*report, "--out", str(page), *labelled]) == 0
    assert any("[Cloud]" in row["sentence"] for row in _table(page, "selection_sentences"))
    assert main([*report, "--out", str(tmp_path / "mentioned")]) == 0
    noted = {out: (out / "report.html").read_text() for out in (page, tmp_path / "mentioned")}
    assert ["A caption mentions every box" in text for text in noted.values()] == [False, True]
    assert evaluate(["selection", *data, "--write", str(pool)]) == 1
    assert "exists already" in capsys.readouterr().err
    assert evaluate(["selection", *data, "--write", str(tmp_path / "x"), "--predictions", str(said)]) == 1
    assert "--write makes what systems select from" in capsys.readouterr().err


def test_one_page_has_all_systems_and_names_the_data(tiny: Path, tmp_path: Path) -> None:
    out = tmp_path / "page"
    only = ["--only", "localization", "retrieval", "selection"]
    assert main(["report", *_data(tiny), "--out", str(out), "--resamples", "20", *only]) == 0
    report = json.loads((out / "report.json").read_text())
    assert report["facts"]["Language"] == "not said, taken for English"
    tables = report["tables"]
    assert {"localization", "localization_by_type", "retrieval_search", "selection"} <= {*tables}
    recall = {row["system"]: row["R@1"] for row in tables["localization"]}
    assert recall["CCA"] > max(recall["largest proposal"], recall["random proposal"], recall["centre box"])
    page = (out / "report.html").read_text()
    assert page.count(f"on {tiny.name}</h") > 5
    assert "50.89" not in page


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--model", "x.pkl"], "x.pkl: the name of this file has to end in .npz"),
        (["--model", "x.npz", "--proposals", "missing.jsonl"], "missing.jsonl: cannot be read"),
        (["--model", "x.npz", "--vectors", "missing.txt"], "missing.txt: cannot be read"),
        (["--model", "x.npz", "--power", "21"], "--power: 21 is not from 0 to 20"),
        (["--model", "x.npz", "--size-weight", "scnee=.2"], "the type 'scnee'; the types are other, scene"),
        (["--model", "x.npz", "--categories", "missing.tsv"], "missing.tsv: cannot be read"),
        (["--model", "x.npz", "--colour-scores", "missing.jsonl"], "missing.jsonl: cannot be read"),
        (["--model", "x.npz", "--exemplars", "0"], "--exemplars: 0 is not 1 or more"),
        (["--model", "x.npz", "--components", "0"], "--components: 0 is not 1 or more"),
        (["--model", "x.npz", "--centres", "0"], "--centres: 0 is not 1 or more"),
    ],
)
def test_what_cannot_be_used_is_named(
    arguments: list[str],
    message: str,
    tiny: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["localization", "train", *_data(tiny), *SMALL, *arguments]) == 1
    assert message in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_an_image_that_is_missing_is_named(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--dataset", str(tiny), "--images", str(tmp_path), "--model", str(tmp_path / "x.npz")]
    assert main(["localization", "train", *arguments]) == 1
    assert f"{tmp_path}: there is no image 00.png" in capsys.readouterr().err


def test_a_model_of_photographs_needs_photographs(
    tiny: Path, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    np.savez(
        tmp_path / "net.npz",
        images=np.array(["20.png"]),
        offsets=np.array([0, 1]),
        boxes=np.array([[0, 0, 9, 9.0]]),
        features=np.ones((1, 5)),
    )
    arguments = ["--dataset", str(tiny), "--features", str(tmp_path / "net.npz"), "--model", str(model)]
    assert main(["localization", "predict", *arguments, "--out", str(tmp_path / "out.npz")]) == 1
    assert "regions have 5 features, and the model was trained with" in capsys.readouterr().err

"""The tasks beside `localization`, on small data whose figures are known."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from evaluation.dataset import Dataset
from evaluation.errors import InputError
from evaluation.report.model import Gallery
from evaluation.report.page import page
from evaluation.tasks import audit, components, localization, retrieval, selection, strategies
from evaluation.tasks.common import Inputs
from tests.evaluation.predictions.test_strategies import line
from tests.evaluation.small_set import BOXES, DOGS, MAN, mention, small_set, write_lines
from tests.evaluation.tasks.reading import row, table


def inputs(**paths: Path) -> Inputs:
    return Inputs(small_set(), paths, resamples=50)


# Components -------------------------------------------------------------------------------------------------


def test_the_bias_report_needs_no_predictions() -> None:
    report = components.evaluate(inputs(), components.Settings())
    assert row(report, "bias", "plural phrases")["here"] == 4
    assert row(report, "bias", "boxes a plural phrase")["here"] == 2
    assert row(report, "bias", "enclosing box that boxes cover (%)")["here"] == 50
    assert page(report)


def test_sets_of_boxes_are_compared_by_both_measures(tmp_path: Path) -> None:
    around = (0.0, 60.0, 100.0, 80.0)
    exact = tuple(tuple(map(float, box)) for box in BOXES[DOGS])
    one = write_lines(tmp_path / "one.jsonl", *(mention(n, 0, 3, 5, around) for n in ("a", "b")))
    both = write_lines(tmp_path / "both.jsonl", *(mention(n, 0, 3, 5, *exact) for n in ("a", "b")))
    settings = components.Settings(iou=0.6)
    report = components.evaluate(inputs(around=one, exact=both), settings)
    # Around both dogs, half of the box is empty.
    assert row(report, "predictions", "around")["IoU, plural"] == 0.5
    assert row(report, "predictions", "around")["c-IoU, plural"] == 0
    assert row(report, "predictions", "exact")["c-IoU, plural"] == 0.5


def test_phrases_about_which_the_measures_disagree_are_listed_or_shown(tmp_path: Path) -> None:
    around, man = (0.0, 60.0, 100.0, 80.0), (10.0, 10.0, 60.0, 90.0)
    path = write_lines(
        tmp_path / "p.jsonl",
        mention("a", 0, 3, 5, around),  # both dogs in one box: IoU 1, c-IoU a half
        mention("a", 1, 0, 2, (0.0, 60.0, 100.0, 81.0)),  # of the same image, with less difference
        mention("b", 0, 0, 2, man, (98.0, 98.0, 99.0, 99.0)),  # the man, and a speck far away
    )
    settings = components.Settings(iou=0.6)
    report = components.evaluate(inputs(p=path), settings)
    found = row(report, "iou_alone_1", "two dogs")
    assert (found["mention"], found["IoU"], found["c-IoU"]) == ("a.jpg caption 0 tokens 3 to 5", 1, 0.5)
    assert [cells[0] for cells in table(report, "iou_alone_1").rows] == ["two dogs"]
    assert [cells[0] for cells in table(report, "component_alone_1").rows] == ["a man"]
    assert "2 phrases that IoU accepts" in table(report, "iou_alone_1").title
    right = row(report, "predictions", "p")
    assert (right["IoU"], right["c-IoU"], right["both"]) == (0.2, 0.1, 0)
    for name in ("a.jpg", "b.jpg"):
        Image.new("RGB", (100, 100)).save(tmp_path / name)
    shown = components.evaluate(inputs(p=path), replace(settings, images=tmp_path)).sections[2]
    galleries = [item for item in shown.items if isinstance(item, Gallery)]
    assert [len(one.pictures) for one in galleries] == [1, 1]
    assert galleries[0].pictures[0].text == "a.jpg: IoU 1.00, c-IoU 0.50"
    assert [one.kind for one in galleries[0].pictures[0].outlines] == ["truth", "truth", "predicted"]
    (tmp_path / "b.jpg").unlink()
    shown = components.evaluate(inputs(p=path), replace(settings, images=tmp_path)).sections[2]
    assert [len(one.pictures) for one in shown.items if isinstance(one, Gallery)] == [1, 0]
    assert f"Not found in {tmp_path}: 1 of the pictures." in shown.text


def test_plural_phrases_are_recognised_in_english_alone() -> None:
    for language, said in (("", "not said, taken for English"), ("en-GB", "en-GB")):
        known = replace(inputs(), dataset=replace(small_set(), language=language))
        assert dict(components.evaluate(known, components.Settings()).facts)["Language"] == said
    german = replace(inputs(), dataset=replace(small_set(), language="de"))
    with pytest.raises(
        InputError, match=r"small is in the language de, .*in English alone.*--rule component"
    ):
        components.evaluate(german, components.Settings())
    assert "mind that plural phrases" in dict(selection.evaluate(german).facts)["Language"]
    report = localization.evaluate(german, localization.Settings())
    assert table(report, "by_number").rows == ()
    assert page(report)
    assert len(table(localization.evaluate(inputs(), localization.Settings()), "by_number").rows) == 2


def test_boxes_below_the_least_score_do_not_count_and_a_set_may_not_be_endless(tmp_path: Path) -> None:
    exact = tuple(tuple(map(float, box)) for box in BOXES[DOGS])
    boxes = [*exact, *[(0.0, 0.0, 100.0, 100.0)] * 99]
    path = write_lines(tmp_path / "p.jsonl", mention("a", 0, 3, 5, *boxes, scores=[0.9, 0.8, *[0.1] * 99]))
    with pytest.raises(InputError, match=r"a\.jpg caption 0 tokens 3 to 5 has 101 boxes.*--least-score"):
        components.evaluate(inputs(p=path), components.Settings())
    unscored = write_lines(tmp_path / "u.jsonl", mention("a", 0, 3, 5, *exact))
    with pytest.raises(
        InputError, match=r"a\.jpg caption 0 tokens 3 to 5 has no scores, which --least-score"
    ):
        components.evaluate(inputs(p=unscored), components.Settings(least_score=0.5))
    report = components.evaluate(inputs(p=path), components.Settings(least_score=0.5))
    assert row(report, "predictions", "p")["c-IoU, plural"] == 0.25


def test_vectors_need_detections(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--vectors is for the labels of --detections"):
        components.evaluate(inputs(), components.Settings(vectors=tmp_path / "v.txt"))


def test_probes_need_detections_and_the_reference_system_vectors(tmp_path: Path) -> None:
    boxes = [*BOXES[DOGS], BOXES[MAN][0]]
    labels = ["dog", "dog", "person"]
    lines = [{"image": name, "boxes": boxes, "labels": labels} for name in ("a.jpg", "b.jpg")]
    detections = write_lines(tmp_path / "d.jsonl", *lines)
    vectors = tmp_path / "v.npz"
    words = ["dog", "dogs", "person", "man", "shirt"]
    np.savez(vectors, words=words, vectors=[[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0], [0.1, 1.0]])
    settings = components.Settings(detections=detections)
    names = [cells[0] for cells in table(components.evaluate(inputs(), settings), "probes").rows]
    assert names[::3] == [
        *("upper bound", "upper bound, pruned [ours]", "whole image", "all objects [ours]"),
        *("biggest [ours]", "random"),
    ]
    report = components.evaluate(inputs(), components.Settings(detections=detections, vectors=vectors))
    assert row(report, "probes", "reference system", "c-IoU")["plural, also sets"] == 1
    write_lines(detections, {"image": "a.jpg", "boxes": boxes})
    with pytest.raises(InputError, match=r"d\.jsonl: labels: are missing, and --vectors needs them"):
        components.evaluate(inputs(), components.Settings(detections=detections, vectors=vectors))


# Retrieval --------------------------------------------------------------------------------------------------


def test_both_directions_stand_beside_a_random_ranking(tmp_path: Path) -> None:
    np.save(tmp_path / "s.npy", np.array([[4.0, 1, 2, 0], [0, 1, 5, 2]]))
    report = retrieval.evaluate(inputs(mine=tmp_path / "s.npy"), retrieval.Settings())
    assert row(report, "annotation", "mine")["R@1"] == 1
    assert row(report, "search", "mine")["R@1"] == pytest.approx((1 + 0.5 + 1 + 1) / 4)  # a tie is a half
    assert row(report, "search", "random ranking")["R@1"] == pytest.approx(0.5)
    assert page(report)


def test_systems_are_compared_also_by_judged_relevance(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.array([[4.0, 3, 2, 0], [0, 1, 5, 2]]))
    np.save(tmp_path / "b.npy", np.array([[0.0, 1, 2, 3], [3, 2, 1, 0]]))
    np.save(tmp_path / "c.npy", np.zeros((2, 4)))
    grades = [
        {"image": "a.jpg", "caption": ["a.jpg", 0], "grade": 4},
        {"image": "b.jpg", "caption": ["b.jpg", 0], "grade": 3},
        {"image": "b.jpg", "caption": ["a.jpg", 0], "grade": 2},
    ]
    path = write_lines(tmp_path / "g.jsonl", *grades)
    settings = retrieval.Settings(relevance=path, least_grade=3, reassignments=200)
    files = {"a": tmp_path / "a.npy", "b": tmp_path / "b.npy", "c": tmp_path / "c.npy"}
    report = retrieval.evaluate(inputs(**files), settings)
    assert row(report, "annotation", "a")["R-precision"] == 1
    assert row(report, "annotation", "b")["R-precision"] == 0
    assert row(report, "annotation_significance", "a", "b")["R@1: p"] == 0.5
    assert row(report, "annotation_agreement", "R@1")["Spearman's ρ"] == pytest.approx(1)
    assert row(report, "grades", "3.00")["share of judged pairs"] == pytest.approx(2 / 3)


def test_files_with_other_captions_are_refused(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.zeros((2, 4)))
    np.save(tmp_path / "b.npy", np.zeros((2, 2)))
    with pytest.raises(InputError, match="the files rank different captions"):
        retrieval.evaluate(inputs(a=tmp_path / "a.npy", b=tmp_path / "b.npy"), retrieval.Settings())


def test_the_report_says_which_captions_were_ranked(tmp_path: Path) -> None:
    np.save(tmp_path / "square.npy", np.eye(2))
    np.save(tmp_path / "whole.npy", np.zeros((2, 4)))
    for name, settings, said in (
        ("square", retrieval.Settings(), "the first caption of each image"),
        ("square", retrieval.Settings(candidates="drawn"), "one caption of each image, which the seed draws"),
        ("whole", retrieval.Settings(), "all captions of an image"),
        ("whole", retrieval.Settings(candidates="first"), "the first caption of each image"),
    ):
        report = retrieval.evaluate(inputs(one=tmp_path / f"{name}.npy"), settings)
        assert dict(report.facts)["Candidates"] == said
    one = replace(inputs(one=tmp_path / "square.npy"), dataset=_of_one_caption())
    facts = dict(retrieval.evaluate(one, retrieval.Settings()).facts)
    assert facts["Candidates"] == "all captions of an image"


def _of_one_caption() -> Dataset:
    images = small_set().images
    return Dataset("one each", tuple(replace(image, captions=image.captions[:1]) for image in images))


# Selection --------------------------------------------------------------------------------------------------


def test_selections_stand_beside_built_in_systems_and_people(tmp_path: Path) -> None:
    everything = [box for boxes in BOXES.values() for box in boxes]
    lines = [{"image": name, "boxes": everything} for name in ("a.jpg", "b.jpg")]
    path = write_lines(tmp_path / "s.jsonl", *lines)
    report = selection.evaluate(inputs(mine=path, again=path), selection.Settings(reassignments=100))
    mine = row(report, "selection", "mine")
    # Captions mention 3 and 4 of the 4 boxes.
    assert (mine["precision"], mine["recall"]) == (0.875, 1)
    assert row(report, "significance", "mine", "again")["p"] == 1
    names = [str(cells[0]).split(",")[0] for cells in table(report, "selection").rows]
    assert names[2:7] == ["random", "position", "size", "unigrams", "bigrams"]
    assert names[-1].startswith("people")


def test_the_means_are_over_all_images_also_those_that_a_file_leaves_out(tmp_path: Path) -> None:
    """Section 3.1: leaving out what is difficult gains nothing, and files are paired by image."""
    everything = [box for boxes in BOXES.values() for box in boxes]
    lines = {name: {"image": name, "boxes": everything} for name in ("a.jpg", "b.jpg")}
    files = {name[0]: write_lines(tmp_path / f"{name}l", line) for name, line in lines.items()}
    report = selection.evaluate(inputs(**files), selection.Settings(reassignments=1000))
    found = [row(report, "selection", name) for name in files]
    # Of a file with both images, precision is 0.875 and recall 1.
    assert [(one["images"], one["precision"], one["recall"]) for one in found] == [(2, 0.4375, 0.5)] * 2
    test = row(report, "significance", "a", "b")
    assert (test["difference of F"], test["p"]) == (0, 1), (
        "one is right in the image in which the other is not"
    )


def test_k_and_concepts_come_from_images_that_are_not_measured() -> None:
    whole = small_set(("a.jpg", "b.jpg", "c.jpg", "d.jpg"))
    parts = [
        replace(image, split=split)
        for image, split in zip(whole.images, ("train", "val", "test", "test"), strict=True)
    ]
    other = selection.Settings(development=tuple(parts[:2]))
    report = selection.evaluate(Inputs(Dataset("small", tuple(parts[2:])), {}), other)
    note = table(report, "selection").note
    assert "on 1 validation images. It learnt concepts from 1 training images." in note
    note = table(selection.evaluate(Inputs(Dataset("small", tuple(parts)), {})), "selection").note
    assert "1 validation images, which are among the measured ones" in note
    note = table(selection.evaluate(inputs()), "selection").note
    assert "on these images themselves, which is optimistic" in note


def test_every_k_has_its_row_and_two_systems_are_combined_at_3_and_4() -> None:
    report = selection.evaluate(inputs())
    rows = table(report, "selection_by_k").rows
    assert [row[:2] for row in rows[:15]] == [("random", k) for k in range(1, 16)]
    assert len(rows) == 5 * 15
    # The largest box is the man, whom both captions mention, with 3 and 4 boxes.
    first = next(one for one in rows if one[:2] == ("size", 1))
    assert first[2:] == pytest.approx((1, 0, 7 / 24, 0, 14 / 31, 0))
    names = [cells[0] for cells in table(report, "selection_combined").rows]
    assert names[4:] == ["position + unigrams", "position + bigrams", "size + unigrams", "size + bigrams"]
    combined = row(report, "selection_combined", "size + bigrams")
    assert combined["F at k = 4"] == pytest.approx(2 * 0.875 / 1.875)  # all four boxes
    assert row(report, "selection_boxes", "boxes that a caption mentions, each once")["here"] == 3.5
    assert "give all with --labelled" in table(report, "selection_boxes").note
    assert page(report)


def test_written_boxes_are_read_as_labelled_ones_and_named_in_sentences(tmp_path: Path) -> None:
    path = tmp_path / "boxes.jsonl"
    assert selection.write_boxes(inputs(), selection.Settings(), path) == 2
    with pytest.raises(InputError, match=r"boxes\.jsonl exists already"):
        selection.write_boxes(inputs(), selection.Settings(), path)
    line = json.loads(path.read_text().splitlines()[0])
    assert line["labels"] == ["man", "dogs", "dogs", "shirt"]
    everything = " ".join(f"[{word}]{at}" for at, word in enumerate(line["labels"]))
    said = write_lines(
        tmp_path / "s.jsonl", *({"image": n, "sentence": everything} for n in ("a.jpg", "b.jpg"))
    )
    with_file = selection.evaluate(inputs(mine=said), selection.Settings(labelled=path))
    mine = row(with_file, "selection", "mine")
    assert (mine["precision"], mine["recall"]) == (0.875, 1)
    built_in = table(selection.evaluate(inputs()), "selection_by_k").rows
    assert table(with_file, "selection_by_k").rows[15:] == built_in


def test_a_file_may_have_the_name_of_a_built_in_system(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "s.jsonl", *({"image": name, "boxes": []} for name in ("a.jpg", "b.jpg")))
    report = selection.evaluate(Inputs(small_set(), {"random": path, "people": path}, resamples=0))
    names = [str(cells[0]).split(",")[0] for cells in table(report, "selection").rows]
    assert names[:3] == ["random (file)", "people (file)", "random"]
    assert row(report, "selection", "random (file)")["precision"] == 0
    np.save(tmp_path / "s.npy", np.eye(2, 4))
    files = {retrieval.RANDOM: tmp_path / "s.npy"}
    report = retrieval.evaluate(Inputs(small_set(), files), retrieval.Settings())
    assert [cells[0] for cells in table(report, "search").rows] == ["random ranking (file)", "random ranking"]


# Strategies and audits --------------------------------------------------------------------------------------


def test_strategies_stand_beside_the_paper(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "p.jsonl", line(), line("b.jpg"))
    report = strategies.evaluate(inputs(p=path))
    assert row(report, "strategies", "greedy")["matched chains"] == 1
    assert row(report, "strategies", "greedy, in the paper")["matched chains"] == 0.8155
    with pytest.raises(InputError, match="strategies needs --predictions"):
        strategies.evaluate(inputs())


def test_an_audit_has_rates_with_intervals(tmp_path: Path) -> None:
    lines = [{"kind": "chain", "image": "a.jpg", "chain": chain, "wrong": chain == "1"} for chain in "1234"]
    lines.append({"kind": "mention", "image": "a.jpg", "caption": 0, "start": 0, "end": 2, "wrong": False})
    report = audit.evaluate(inputs(v=write_lines(tmp_path / "v.jsonl", *lines)))
    chain = row(report, "audit", "chain")
    assert (chain["judged"], chain["wrong"], chain["rate of errors"]) == (4, 1, 0.25)
    # 4 mentions and 4 chains an image of small_set; none of 1 mention is wrong, and 1 of 4 chains.
    share = 1 - 0.75**4
    assert f"an error in {share:.1%} of the images" in table(report, "audit").note
    assert "the ends of their intervals in 17." in table(report, "audit").note
    unjudged = write_lines(tmp_path / "u.jsonl", {**lines[0], "wrong": None})
    with pytest.raises(InputError, match="the files have no verdict about this data set"):
        audit.evaluate(inputs(u=unjudged))
    with pytest.raises(InputError, match="audit needs --predictions"):
        audit.evaluate(inputs())


def test_a_sample_is_never_written_over_a_file(tmp_path: Path) -> None:
    path = tmp_path / "sample.jsonl"
    assert audit.write_sample(inputs(), path, mentions=3, chains=2, boxes=1) == 6
    with pytest.raises(InputError, match=r"sample\.jsonl exists already"):
        audit.write_sample(inputs(), path, mentions=3, chains=2, boxes=1)

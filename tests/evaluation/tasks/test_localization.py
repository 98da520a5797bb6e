"""The task `localization` on boxes whose figures are known."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image as Pillow

from evaluation.errors import InputError
from evaluation.report.model import Gallery, Report
from evaluation.tasks.common import Inputs, as_published, name_files
from evaluation.tasks.localization import Settings, evaluate
from tests.evaluation.small_set import BOXES, DOGS, MAN, QUERIES, SHIRT, mention, small_set, write_lines
from tests.evaluation.tasks.reading import row, table

FAR = (0.0, 0.0, 5.0, 5.0)


def perfect(path: Path, *, but: tuple[tuple[float, ...], ...] | None = None) -> Path:
    """Write the truth for every query; with `but`, these boxes for the man of each first caption."""
    man, shirt = (tuple(map(float, BOXES[chain][0])) for chain in (MAN, SHIRT))
    dogs = (0.0, 60.0, 100.0, 80.0)
    lines = []
    for name in ("a.jpg", "b.jpg"):
        lines += [
            mention(name, 0, 0, 2, *(but or (man,))),
            mention(name, 0, 3, 5, dogs),
            mention(name, 1, 0, 2, dogs),
            mention(name, 1, 3, 5, man),
            mention(name, 1, 6, 8, shirt),
        ]
    return write_lines(path, *lines)


def inputs(**paths: Path) -> Inputs:
    return Inputs(small_set(), paths, resamples=50)


def test_recall_and_its_groups_are_those_of_the_boxes(tmp_path: Path) -> None:
    man = tuple(map(float, BOXES[MAN][0]))
    path = perfect(tmp_path / "p.jsonl", but=(FAR, man))
    report = evaluate(inputs(mine=path), Settings())
    mine = row(report, "recall", "mine")
    assert (mine["queries"], mine["R@1"], mine["R@5"], mine["upper bound"]) == (2 * QUERIES, 0.8, 1.0, 1.0)
    assert row(report, "by_type", "people")["mine"] == 0.5
    assert row(report, "by_type", "clothing")["mine"] == row(report, "by_type", "other")["mine"] == 1.0
    assert row(report, "by_number", "plural")["mine"] == 1.0
    assert row(report, "errors", "mine")["background"] == pytest.approx(0.2)
    assert "findings" not in {found.name for found in report.tables()}


def test_references_stand_beside_every_file_and_alone(tmp_path: Path) -> None:
    alone = evaluate(inputs(), Settings())
    assert [cells[0] for cells in table(alone, "recall").rows] == ["whole image", "centre box"]
    beside = evaluate(inputs(mine=perfect(tmp_path / "p.jsonl")), Settings())
    names = ["mine", "largest proposal", "whole image", "centre box", "random proposal"]
    assert [cells[0] for cells in table(beside, "recall").rows] == names
    four = evaluate(inputs(), Settings(proposals="windows"))
    assert [cells[0] for cells in table(four, "recall").rows] == names[1:]


def test_proposals_of_a_file_are_those_of_the_references(tmp_path: Path) -> None:
    man = tuple(map(float, BOXES[MAN][0]))
    lines = [{"image": name, "boxes": [FAR, man]} for name in ("a.jpg", "b.jpg")]
    path = write_lines(tmp_path / "proposals.jsonl", *lines)
    report = evaluate(inputs(), Settings(proposals=path))
    assert row(report, "recall", "largest proposal")["R@1"] == 0.4
    assert row(report, "recall", "largest proposal")["upper bound"] == 0.4


def test_two_systems_are_compared_on_the_same_queries(tmp_path: Path) -> None:
    better, worse = perfect(tmp_path / "b.jsonl"), perfect(tmp_path / "w.jsonl", but=(FAR,))
    report = evaluate(inputs(better=better, worse=worse), Settings())
    compared = row(report, "significance", "better", "worse")
    assert compared["difference of R@1"] == pytest.approx(0.2)
    assert (compared["only the first hits"], compared["only the second hits"]) == (2, 0)
    assert compared["McNemar's p"] == 0.5


@pytest.mark.parametrize(("rule", "hits"), [("merged", 0), ("any", 4), ("component", 4)])
def test_rules_differ_on_phrases_with_several_boxes(rule: str, hits: int, tmp_path: Path) -> None:
    # One of the two dogs: 600 of 1,000 square pixels that both cover, and of 2,000 around them.
    dog = tuple(map(float, BOXES[DOGS][1]))
    lines = [
        mention(name, at, start, start + 2, dog) for name in ("a", "b") for at, start in ((0, 3), (1, 0))
    ]
    report = evaluate(
        inputs(mine=write_lines(tmp_path / "p.jsonl", *lines)),
        Settings(rule=rule),  # type: ignore[arg-type]
    )
    assert row(report, "all", "mine", "all")["hits at 1"] == hits
    assert row(report, "findings", "mine", "query without a prediction")["count"] == 6


def test_what_files_have_beside_predictions_is_in_the_report(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "p.jsonl", mention("c.jpg", 0, 0, 2, FAR), mention("a.jpg", 0, 6, 8, FAR))
    report = evaluate(inputs(mine=path), Settings())
    kinds = [cells[1] for cells in table(report, "findings").rows]
    assert kinds == [
        "query without a prediction",
        "prediction for a mention that the data set does not have",
        "prediction for a mention without a box",
    ]
    assert row(report, "recall", "mine")["R@1"] == 0


def test_boxes_as_published_are_one_pixel_smaller_at_the_left_and_top() -> None:
    before, after = small_set(), as_published(small_set())
    assert after.images[0].chains[MAN].boxes.tolist() == [[11, 11, 60, 90]]
    assert before.images[0].chains[MAN].boxes.tolist() == [[10, 10, 60, 90]]
    assert after.images[0].captions == before.images[0].captions


def test_the_worst_examples_are_pictures_where_there_are_images(tmp_path: Path) -> None:
    Pillow.new("RGB", (100, 100)).save(tmp_path / "a.jpg")
    path = perfect(tmp_path / "p.jsonl", but=(FAR,))
    report = evaluate(inputs(mine=path), Settings(images=tmp_path))
    (gallery,) = galleries(report, "the worst")
    (shown,) = gallery.pictures
    assert shown.title == "“a man”" and "a.jpg: people, IoU 0.00" in shown.text
    assert [(outline.kind, outline.box) for outline in shown.outlines] == [
        ("truth", (10, 10, 60, 90)),
        ("predicted", FAR),
    ]
    assert any(": 1 of the pictures." in section.text for section in report.sections)
    without = evaluate(inputs(mine=path), Settings())
    assert [cells[0] for cells in table(without, "worst_1").rows] == ["a man", "a man"]


def galleries(report: Report, words: str) -> list[Gallery]:
    """Return the galleries whose title has these words."""
    items = (item for section in report.sections for item in section.items)
    return [item for item in items if isinstance(item, Gallery) and words in item.title]


def test_captions_whose_phrases_are_all_hit_are_shown_whole(tmp_path: Path) -> None:
    """The first caption of each image is not: its man is missed. A caption has three phrases with a box."""
    Pillow.new("RGB", (100, 100)).save(tmp_path / "a.jpg")
    path = perfect(tmp_path / "p.jsonl", but=(FAR,))
    report = evaluate(inputs(mine=path), Settings(images=tmp_path))
    (gallery,) = galleries(report, "captions whose phrases are all localized")
    (shown,) = gallery.pictures
    assert (shown.title, shown.text) == (
        "a.jpg",
        "Two dogs [1: 1.00] pull the man [2: 1.00] in a shirt [3: 1.00] .",
    )
    labels = [outline.label for outline in shown.outlines if outline.kind == "predicted"]
    assert labels == ["1", "2", "3"]
    assert len([outline for outline in shown.outlines if outline.kind == "truth"]) == 4, "there are two dogs"
    without = evaluate(inputs(mine=path), Settings())
    assert [cells[0] for cells in table(without, "best_1").rows] == ["a.jpg", "b.jpg"]


def test_without_a_caption_that_is_right_there_are_no_best_examples(tmp_path: Path) -> None:
    lines = [mention("a.jpg", 0, 0, 2, FAR)]
    report = evaluate(inputs(mine=write_lines(tmp_path / "p.jsonl", *lines)), Settings())
    assert "Best examples" not in {section.title for section in report.sections}


def test_nothing_to_compare_is_an_error() -> None:
    empty = replace(small_set(), images=tuple(replace(one, chains={}) for one in small_set().images))
    with pytest.raises(InputError, match="small has no mention with a box"):
        evaluate(Inputs(empty, {}), Settings())
    unsized = replace(small_set(), images=tuple(replace(one, width=0) for one in small_set().images))
    with pytest.raises(InputError, match="does not say how large its images are"):
        evaluate(Inputs(unsized, {}), Settings())


def test_the_same_seed_gives_the_same_report(tmp_path: Path) -> None:
    path = perfect(tmp_path / "p.jsonl", but=(FAR,))
    first, second = (evaluate(inputs(mine=path), Settings(proposals="windows")) for _ in range(2))
    assert repr(first.tables()) == repr(second.tables())


def test_a_file_may_have_the_name_of_a_reference(tmp_path: Path) -> None:
    path = perfect(tmp_path / "p.jsonl")
    report = evaluate(Inputs(small_set(), {"whole image": path}, resamples=0), Settings())
    assert row(report, "recall", "whole image (file)")["R@1"] == 1
    assert row(report, "recall", "whole image")["R@1"] != 1


def test_a_folder_of_images_must_exist(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none: there is no such folder of images"):
        evaluate(Inputs(small_set(), {}), Settings(images=tmp_path / "none"))


def test_files_get_short_names_that_differ(tmp_path: Path) -> None:
    paths = [tmp_path / "a.jsonl", tmp_path / "a.npz", tmp_path / "b" / "a.npz"]
    assert list(name_files(paths)) == ["a", "a.npz", str(paths[2])]
    with pytest.raises(InputError, match="is given twice"):
        name_files([paths[0], paths[1], paths[0]])
    with pytest.raises(InputError, match="are too many"):
        name_files([Path(str(n)) for n in range(13)])


def test_many_boxes_in_parts_give_what_they_give_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(4)
    boxes = [
        tuple(np.concatenate([c, c + rng.uniform(5, 60, 2)]).tolist()) for c in rng.uniform(0, 60, (40, 2))
    ]
    path = perfect(tmp_path / "p.jsonl", but=tuple(boxes))
    whole = evaluate(inputs(mine=path), Settings())
    monkeypatch.setattr("evaluation.predictions.parts.MAX_PART_BOXES", 1)
    monkeypatch.setattr("evaluation.tasks.localization.MAX_PART_QUERIES", 30)
    parted = evaluate(inputs(mine=path), Settings())
    for name in ("recall", "by_type", "errors"):
        same = [cells for cells in table(whole, name).rows if cells[0] != "random proposal"]
        assert [cells for cells in table(parted, name).rows if cells[0] != "random proposal"] == same

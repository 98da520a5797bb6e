"""Each kind of file is read, or it is said what it looks like. The table of kinds is in `trials.py`."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from annotation.domain.geometry import Box as PixelBox
from annotation.formats.datasets import coordinates as exported
from evaluation.coordinates import MIN_PIXELS
from evaluation.dataset import Dataset
from evaluation.errors import InputError
from evaluation.predictions.findings import Findings
from evaluation.predictions.formats import FORMS, PIXELS, format_named
from evaluation.predictions.likely_form import (
    LIMITED,
    REACHING,
    RESIZED,
    TAUGHT_PIXELS,
    Sample,
    likely_form,
    look_of,
)
from evaluation.predictions.localization import read_localization
from evaluation.predictions.lookup import Lookup
from evaluation.readers.recognition import read_dataset
from tests.evaluation.predictions.trials import TRIALS, Row, Trial, scaled, trial_set, write_trial
from tests.evaluation.small_set import lookup_of
from tests.shared import shared

DATASET, ROWS = trial_set()
LOOKS = {*map(look_of, FORMS.values()), RESIZED, REACHING, LIMITED}
MISSING = "query without a prediction"


def outcome(path: Path, option: str, lookup: Lookup) -> tuple[dict[str, list[float]], Findings]:
    """Return the first box of each query that has one, by its name, and what else was found."""
    found: dict[str, list[float]] = {}
    findings = Findings()
    written = format_named(option) if option else None
    for part in read_localization(path, lookup, findings, predictions_format=written):
        for at, row in enumerate(part.rows.tolist()):
            if len(part.ranked.lists[at]):
                found[lookup.name(row)] = part.ranked.lists[at][0].tolist()
    return found, findings


@pytest.mark.parametrize("trial", TRIALS.values(), ids=TRIALS)
def test_each_kind_of_file_is_read_or_named(trial: Trial, tmp_path: Path) -> None:
    path, lookup = write_trial(tmp_path, trial, ROWS), lookup_of(DATASET)
    if trial.is_error:
        with pytest.raises(InputError, match=r"(line 1|entry 0): ") as refused:
            outcome(path, trial.option, lookup)
        assert trial.found in str(refused.value)
        return
    found, findings = outcome(path, trial.option, lookup)
    if trial.found:
        assert trial.found in findings.counts
        assert len(LOOKS & {*findings.counts}) <= 1, "one kind is named, not several"
        return
    assert {*findings.counts} <= {MISSING}, "no false alarm"
    assert len(found) == trial.rows
    for (_, width, height, _, box), read in zip(ROWS, found.values(), strict=False):
        side = max(width, height) if trial.option == "shikra" else 0
        limits = [trial.rounding * (side or one) + 1e-6 for one in (width, height, width, height)]
        assert (np.abs(np.subtract(box, read)) <= limits).all()


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("count", [1, 3, 20])
def test_random_boxes_in_pixels_raise_no_alarm(seed: int, count: int) -> None:
    rng = np.random.default_rng([seed, count])
    _, rows = trial_set(count, seed)
    sizes = np.array([row[1:3] for row in rows], dtype=float)
    truth = np.array([row[4] for row in rows])
    other = np.sort(rng.random((len(rows), 2, 2)), axis=1).reshape(-1, 4) * np.tile(sizes, 2)
    jittered = truth + rng.normal(0, 5, truth.shape)
    is_right = rng.random((len(rows), 1)) < rng.choice([0, 0.1, 0.5, 0.9])
    boxes = np.where(is_right, jittered, other)
    for known in (truth, None):
        assert likely_form(Sample(PIXELS, boxes, boxes, sizes, known)) is None
    centre = np.tile([0.25, 0.25, 0.75, 0.75], (len(rows), 1)) * np.tile(sizes, 2)
    assert likely_form(Sample(PIXELS, centre, centre, sizes, truth)) is None


def exported_to_qwen(count: int, size: tuple[int, int] = (4000, 3000)) -> tuple[Dataset, list[Row]]:
    """Return a data set of large images. Half of them are small if there are several."""
    small, rows = trial_set(count)
    sizes = [size if at % 2 == 0 else (640, 480) for at in range(count)]
    large = []
    for at, row in enumerate(rows):
        factors = np.divide(sizes[at // 2], row[1:3])
        box = tuple((np.array(row[4]) * np.tile(factors, 2)).round().tolist())
        large.append((row[0], *sizes[at // 2], row[3], box))
    images = []
    for at, image in enumerate(small.images):
        chains = {
            chain.id: replace(chain, boxes=np.array([large[2 * at + nth][4]]))
            for nth, chain in enumerate(image.chains.values())
        }
        images.append(replace(image, width=sizes[at][0], height=sizes[at][1], chains=chains))
    return replace(small, images=tuple(images)), large


@pytest.mark.parametrize("count", [1, 2, 24])
def test_our_export_for_qwen_is_read_with_the_pixels_that_the_finding_names(
    count: int, tmp_path: Path
) -> None:
    """An export has at most 1,003,520 pixels, and the processor's default is 12,845,056."""
    assert exported.MAX_PIXELS == TAUGHT_PIXELS and exported.MIN_PIXELS == MIN_PIXELS
    dataset, rows = exported_to_qwen(count)
    path, lookup = tmp_path / "p.jsonl", lookup_of(dataset)
    lines = []
    for name, width, height, phrase, box in rows:
        edges = exported.resized_pixels(PixelBox(*map(int, box)), width, height)
        lines.append({"image": name, "phrase": phrase, "answer": json.dumps({"bbox_2d": edges})})
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    found, findings = outcome(path, "qwen2.5-vl", lookup)
    assert {*findings.counts} & LOOKS == {LIMITED}
    findings = Findings()
    written = format_named("qwen2.5-vl", max_pixels=TAUGHT_PIXELS)
    for part in read_localization(path, lookup, findings, predictions_format=written):
        for at, row in enumerate(part.rows.tolist()):
            found[lookup.name(row)] = part.ranked.lists[at][0].tolist()
    assert not findings.counts
    for (_, width, height, _, box), read in zip(rows, found.values(), strict=True):
        # Edges are the nearest of at least 400 pixels a side, and the last is one less.
        assert (np.abs(np.subtract(box, read)) <= np.tile([width / 400, height / 400], 2)).all()
    assert {*outcome(path, "pixels", lookup)[1].counts} & LOOKS <= {RESIZED}


def of_form(name: str, count: int, seed: int) -> tuple[list[Row], np.ndarray, np.ndarray]:
    _, rows = trial_set(count, seed)
    numbers = np.array([scaled(name)(row) for row in rows], dtype=float)
    return rows, numbers, np.array([row[1:3] for row in rows], dtype=float)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    "name", [name for name in FORMS if name != "pixels" and not name.endswith(("s-yxyx", "thousandths-yxyx"))]
)
def test_many_boxes_tell_by_themselves(name: str, seed: int) -> None:
    _, numbers, sizes = of_form(name, 50, seed)
    found = likely_form(Sample(PIXELS, numbers, numbers, sizes, None))
    assert found is not None and found[0] == look_of(FORMS[name])


@pytest.mark.parametrize("name", ["fractions", "thousandths", "outside", "pixels"])
def test_shared_cases(name: str) -> None:
    folder = shared("cases/F09_predictions_in_other_units")
    dataset = read_dataset(folder / "dataset.jsonl")
    _, findings = outcome(folder / f"{name}.jsonl", "", lookup_of(dataset))
    expected = {"outside": REACHING, "pixels": None}
    kind = expected[name] if name in expected else look_of(FORMS[name])
    assert LOOKS & {*findings.counts} == ({kind} if kind else set())

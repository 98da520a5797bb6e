"""Each kind of file is read, or it is said what it looks like. The table of kinds is in `trials.py`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from evaluation.errors import InputError
from evaluation.predictions.findings import Findings
from evaluation.predictions.formats import FORMS, PIXELS, format_named
from evaluation.predictions.likely_form import REACHING, RESIZED, Sample, likely_form, look_of
from evaluation.predictions.localization import read_localization
from evaluation.predictions.lookup import Lookup
from evaluation.readers.recognition import read_dataset
from tests.evaluation.predictions.trials import TRIALS, Row, Trial, scaled, trial_set, write_trial
from tests.evaluation.small_set import lookup_of
from tests.shared import shared

DATASET, ROWS = trial_set()
LOOKS = {*map(look_of, FORMS.values()), RESIZED, REACHING}
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

"""Files of grades and ticks."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluation.errors import InputError
from evaluation.predictions.findings import Findings
from evaluation.predictions.judgments import read_judgments
from evaluation.predictions.pairs import images_and_captions
from tests.evaluation.small_set import small_set, write_lines

EVERY = images_and_captions(small_set())
PAIR = {"image": "a.jpg", "caption": ["b.jpg", 1]}


def test_judgments_are_read_with_their_judges(tmp_path: Path) -> None:
    path = write_lines(
        tmp_path / "j.jsonl",
        {**PAIR, "judge": "anna", "grade": 4},
        {**PAIR, "judge": "ben", "grade": 3},
        {**PAIR, "judge": "ben", "grade": 1},
        {**PAIR, "image": "z.jpg", "judge": "ben", "grade": 1},
    )
    findings = Findings()
    found = read_judgments(path, EVERY, findings)
    assert (found.kind, found.judges, found.value.tolist()) == ("grade", ("anna", "ben"), [4, 3])
    pair, mean = found.means()
    assert (pair.tolist(), mean.tolist()) == ([3], [3.5])
    assert dict(findings.counts) == {
        "second grade of the same pair": 1,
        "item that the data set does not have": 1,
    }


def test_ticks_are_ones_and_zeros(tmp_path: Path) -> None:
    lines = [{**PAIR, "judge": judge, "ticked": judge == "x"} for judge in "xyz"]
    found = read_judgments(write_lines(tmp_path / "t.jsonl", *lines), EVERY, Findings())
    assert (found.kind, found.value.tolist()) == ("ticked", [1, 0, 0])


@pytest.mark.parametrize(
    ("first", "second", "wrong"),
    [
        ({"grade": 1, "judge": "x"}, {"ticked": True, "judge": "x"}, "line 2: ticked: the lines before have"),
        ({"grade": 1, "judge": "x"}, {"grade": 1}, "line 2: judge: is in some lines only"),
        ({"ticked": True}, {}, "line 1: judge: is missing"),
        ({"ticked": True, "grade": 1, "judge": "x"}, {}, "line 1: ticked: stands beside a grade"),
        ({"judge": "x"}, {}, "line 1: grade: is missing"),
        ({"judge": "", "grade": 1}, {}, "line 1: judge: has 1 to 200 characters"),
        ({"grade": 1, "image": "z.jpg"}, {"grade": 1, "image": "y.jpg"}, "has no grade of a pair"),
    ],
)
def test_a_mistake_is_named_with_its_line(
    first: dict[str, object], second: dict[str, object], wrong: str, tmp_path: Path
) -> None:
    path = write_lines(tmp_path / "j.jsonl", {**PAIR, **first}, {**PAIR, **second})
    with pytest.raises(InputError, match=wrong):
        read_judgments(path, EVERY, Findings())


def test_too_many_judgments_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evaluation.predictions.judgments.MAX_JUDGMENTS", 1)
    path = write_lines(tmp_path / "j.jsonl", *({**PAIR, "judge": judge, "grade": 1} for judge in "xy"))
    with pytest.raises(InputError, match="line 2: there are more than 1 judgments"):
        read_judgments(path, EVERY, Findings())

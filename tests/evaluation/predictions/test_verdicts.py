"""A sample is written as verdicts to fill in, and verdicts are counted."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import orjson
import pytest

from evaluation.audit import draw
from evaluation.errors import InputError
from evaluation.predictions.findings import Findings
from evaluation.predictions.verdicts import read_verdicts, sample_lines
from tests.evaluation.small_set import small_set, write_lines


def test_a_sample_that_is_filled_in_is_read(tmp_path: Path) -> None:
    sample = draw(small_set(), np.random.default_rng(1), mentions=5, chains=4, boxes=3)
    lines = [orjson.loads(line) for line in sample_lines(sample, small_set()).splitlines()]
    assert [line["kind"] for line in lines] == ["mention"] * 5 + ["chain"] * 4 + ["box"] * 3
    path, findings = write_lines(tmp_path / "v.jsonl", *lines), Findings()
    assert set(read_verdicts({"v": path}, small_set(), {"v": findings}).values()) == {(0, 0)}
    assert findings.counts == {"thing that nobody has judged yet": 12}
    filled = [{**line, "wrong": at % 2 == 0} for at, line in enumerate(lines)]
    path, findings = write_lines(tmp_path / "v.jsonl", *filled, filled[0]), Findings()
    counts = read_verdicts({"v": path}, small_set(), {"v": findings})
    assert counts == {"mention": (3, 5), "chain": (2, 4), "box": (1, 3), "image": (0, 0)}
    assert findings.counts == {"second verdict about the same thing": 1}


def test_a_note_shows_the_mention_in_its_caption() -> None:
    sample = draw(small_set(), np.random.default_rng(1), mentions=99, chains=0, boxes=0)
    first = orjson.loads(sample_lines(sample, small_set()).splitlines()[0])
    assert first["note"] == "[ A man ] with two dogs in a park ."


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ({"kind": "dog", "wrong": True}, r"v\.jsonl, line 1: kind: 'dog' is none of mention, chain"),
        ({"kind": "chain", "image": "a.jpg", "wrong": True}, r"line 1: chain: is missing"),
        ({"kind": "image", "image": "a.jpg"}, r"line 1: wrong: is missing"),
        ({"kind": "image", "image": "a.jpg", "wrong": "no"}, r"line 1: wrong: is not true or false"),
    ],
)
def test_a_bad_line_is_named(line: object, error: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=error):
        read_verdicts({"v": write_lines(tmp_path / "v.jsonl", line)}, small_set(), {"v": Findings()})


def test_verdicts_about_what_is_not_there_are_counted(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "v.jsonl", {"kind": "image", "image": "c.jpg", "wrong": True})
    findings = Findings()
    assert read_verdicts({"v": path}, small_set(), {"v": findings})["image"] == (0, 0)
    assert findings.counts == {"verdict about what the data set does not have": 1}


def test_a_thing_that_two_files_judge_counts_once(tmp_path: Path) -> None:
    verdict = {"kind": "chain", "image": "a.jpg", "chain": "1"}
    files = {
        "first": write_lines(tmp_path / "first.jsonl", {**verdict, "wrong": True}),
        "second": write_lines(tmp_path / "second.jsonl", {**verdict, "wrong": False}),
    }
    findings = {name: Findings() for name in files}
    assert read_verdicts(files, small_set(), findings)["chain"] == (1, 1)
    assert findings["second"].counts == {"second verdict about the same thing": 1}

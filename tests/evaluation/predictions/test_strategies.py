"""Recorded answers become the counts of table 2."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from evaluation.audit import LinkCounts
from evaluation.errors import InputError
from evaluation.predictions.findings import Findings
from evaluation.predictions.strategies import read_strategies
from tests.evaluation.small_set import small_set, write_lines

MAN, DOGS = [[0, 0, 2], [1, 3, 5]], [[0, 3, 5], [1, 0, 2]]
REST = [[[0, 6, 8]], [[1, 6, 8]]]


def read(path: Path) -> tuple[dict[str, tuple[LinkCounts, int]], Findings]:
    findings = Findings()
    return read_strategies({"p": path}, small_set(), {"p": findings}), findings


def line(image: str = "a.jpg", **more: Any) -> dict[str, object]:
    return {"image": image, "strategy": "greedy", "questions": 2, "chains": [MAN, DOGS, *REST], **more}


def test_perfect_chains_and_answers_are_perfect(tmp_path: Path) -> None:
    answers = [[*MAN, True], [*reversed(DOGS), True]]
    found, findings = read(
        write_lines(tmp_path / "p.jsonl", line(answers=answers), line("b.jpg", answers=answers))
    )
    counts, images = found["greedy"]
    row = counts.row()
    assert images == 2 and counts.pairs == 4 and counts.questions == 4
    assert (row.matched_links, row.matched_chains, row.precision, row.recall, row.asked) == (1, 1, 1, 1, 1)
    assert not findings.counts


def test_wrong_chains_and_answers_are_counted(tmp_path: Path) -> None:
    chains = [MAN, [DOGS[0]], [[0, 0, 2], [0, 0, 9]]]
    found, findings = read(
        write_lines(tmp_path / "p.jsonl", line(chains=chains, answers=[[*DOGS, False]]), line())
    )
    counts, _ = found["greedy"]
    assert (counts.missed, counts.apart, counts.joined, counts.matched, counts.chains) == (1, 1, 0, 3, 4)
    assert findings.counts == {
        "mention in a chain that the data set does not have": 1,
        "mention that is in two chains": 1,
        "mention that is in no chain": 3,
        "second prediction for the same image": 1,
    }


def test_second_answers_and_pairs_that_cannot_be_linked_are_counted(tmp_path: Path) -> None:
    answers = [[*DOGS, False], [*reversed(DOGS), True], [MAN[0], DOGS[0], True], [[0, 0, 2], [9, 0, 1], True]]
    found, findings = read(write_lines(tmp_path / "p.jsonl", line(answers=answers)))
    assert (found["greedy"][0].missed, found["greedy"][0].asked) == (1, 1)
    assert findings.counts == {
        "second answer about the same pair": 1,
        "answer about no pair that may be linked": 2,
    }


@pytest.mark.parametrize(
    ("more", "error"),
    [
        ({"questions": -1}, r"p\.jsonl, line 1: questions: is -1, not from 0"),
        ({"chains": [[[0, 1]]]}, r"chains\[0\]\[0\]: is not \[caption, start, end\]"),
        ({"answers": [[*MAN, 1]]}, r"answers\[0\]: is not \[mention, mention, true or false\]"),
        ({"chain": []}, r"chain: is not known here"),
    ],
)
def test_a_bad_line_is_named(more: dict[str, Any], error: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=error):
        read(write_lines(tmp_path / "p.jsonl", line(**more)))

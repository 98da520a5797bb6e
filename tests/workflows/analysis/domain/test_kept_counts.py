"""Kept figures survive JSON, and a page does not break if another version has written the JSON."""

from __future__ import annotations

import json

import pytest

from workflows.analysis.domain.kept_counts import (
    KINDS,
    Corpus,
    Counted,
    Hours,
    Items,
    Judgments,
    Links,
    Money,
    Queue,
    Results,
    StageItems,
    StageJudgments,
    Sums,
)

FULL = (
    Corpus(images=3, mentions_by_type={"people": 4}, histogram=((0, 1), (7, 2))),
    Items(stages={"link": StageItems(open=1, judgments_to_come=2)}, images={"done": 3}, wanted=3),
    Judgments(stages={"drawing": StageJudgments(judgments=4, mean_iou=0.5, median=3.1)}),
    Hours(
        hours=(("2026-01-31T14", {"link": 3}),),
        days=(("2026-01-31", {"link": 3}),),
        seconds={"2026-01-31": 9},
    ),
    Results(chains_by_state={"done": 1}, flags={"scene": 2}),
    Links(sources={"asked": 5}, settled=1),
    Money(currencies={"USD": Sums(spent=5)}, days={"2026-01-31": {"USD": 5}}),
    Queue(reasons={"cycle": 2}),
)


@pytest.mark.parametrize("figures", FULL, ids=lambda one: type(one).__name__)
def test_figures_come_back_from_json_as_they_were(figures: Counted) -> None:
    stored = json.loads(json.dumps(figures.to_json()))
    assert type(figures).from_json(stored) == figures


@pytest.mark.parametrize("kind", KINDS)
def test_what_another_version_says_is_passed_over_and_what_it_does_not_say_is_nothing(kind: str) -> None:
    assert KINDS[kind].from_json({"of another version": 1}) == KINDS[kind]()


def test_a_stage_of_another_version_can_be_read() -> None:
    found = Items.from_json({"stages": {"link": {"open": 1, "of another version": 2}}})
    assert found.stages["link"] == StageItems(open=1)


def test_shares_of_nothing_are_none() -> None:
    nothing = StageJudgments()
    assert (nothing.score, nothing.rejected) == (None, None)
    some = StageJudgments(asked=4, right=3, pages_judged=10, rejected_pages=1)
    assert (some.score, some.rejected) == (0.75, 0.1)

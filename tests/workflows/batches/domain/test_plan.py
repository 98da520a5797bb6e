"""What is kept of the forecast at a launch."""

from __future__ import annotations

import json

from workflows.batches.domain.forecast import Range
from workflows.batches.domain.plan import Plan, read_plan

PLAN = Plan(12, 5, Range(900, 1000.5, 1200), Range(2, 2.5, 3), Range(100, 120, 150), "GBP")


def test_a_plan_comes_back_from_json_as_it_was() -> None:
    assert read_plan(json.loads(json.dumps(PLAN.to_json()))) == PLAN


def test_a_batch_that_was_launched_before_plans_were_kept_has_none() -> None:
    assert read_plan({}) is None

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import call_command

from annotation.domain.answers import Stage
from tests.factories import NOW, answer_page, make_at_stage, make_worker
from workflows.crowd.direct.page_earnings import post_earnings
from workflows.pipeline.advance import advance_pending

pytestmark = pytest.mark.django_db


def _run(*arguments: str) -> list[str]:
    out = StringIO()
    call_command("costs", *arguments, stdout=out)
    return [line.strip() for line in out.getvalue().splitlines()]


def test_results_cost_their_share_to_a_hundredth_of_a_cent() -> None:
    batch = make_at_stage(Stage.DRAWING, reward={"drawing": 7, "quality": 4}, crowd={"cap": 100})
    for stage in (Stage.DRAWING, Stage.QUALITY):
        answer_page(make_worker(batch.project), stage=stage)
        advance_pending(now=NOW)
    post_earnings(clock=lambda: NOW)
    lines = _run("--project", batch.project.name, "--batch", batch.name)
    assert lines[:6] == [
        f"{batch.name} (USD)",
        *("spent: 0.11", "rewards: 0.11", "bonuses: 0.00", "fees: 0.00", "reserved: 0.00"),
    ]
    assert {"owed to direct workers: 0.11", "left of the cap: 0.89"} <= set(lines)
    assert {"stage drawing: 0.07", "stage quality: 0.04", "accepted box: 0.1100 (of 1)"} <= set(lines)
    assert "finished image: - (of 0)" in lines

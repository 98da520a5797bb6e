"""A part that fails in every round keeps no other part from being done."""

from __future__ import annotations

from typing import NoReturn

import pytest

from tests.workflows.crowd.scene import Scene, make_crowd_batch
from workflows.crowd.rounds import step
from workflows.money.ledger_rows import LedgerError

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "part", ["collect", "pay", "owe_top_ups", "end_surplus", "close_marked", "intend_grants", "tell_grants"]
)
def test_a_fault_of_ours_in_one_part_does_not_stop_publishing(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    def fail(**_: object) -> NoReturn:
        raise LedgerError("nothing was reserved")

    monkeypatch.setattr(step, part, fail)
    make_crowd_batch()
    stepped = scene.round()
    assert (stepped.published, stepped.failed) == (1, 1)

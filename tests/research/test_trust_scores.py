"""How well trust finds the workers who deserve it."""

import pytest

from research.trust_scores import TABLE_3, Worker, confusions
from simulation.profiles import STAGES
from workflows.batch_settings.domain.paper import MINIMUM_SCORE


def worker(accuracy: float, state: str, *, asked: int = 30, right: int = 27, stage: str = "link") -> Worker:
    return Worker(stage, "honest", accuracy, MINIMUM_SCORE[stage], state, asked, right)


def test_precision_and_recall_are_over_workers_past_the_entrance() -> None:
    crowd = [
        worker(0.9, "trusted"),
        worker(0.8, "trusted"),  # at the minimum is enough
        worker(0.5, "trusted"),
        worker(0.9, "lost"),
        worker(0.9, "lost"),
        worker(0.5, "lost"),
        worker(0.9, "entering"),
        worker(0.5, ""),
    ]
    link = confusions(crowd)["link"]
    assert (link.right, link.wrong, link.missed, link.caught) == (2, 1, 2, 1)
    assert (link.precision, link.recall, link.trusted) == (2 / 3, 0.5, 3)


def test_quality_is_the_mean_of_the_trusted_workers_scores() -> None:
    crowd = [
        worker(0.95, "trusted", asked=10, right=10),
        worker(0.85, "trusted", asked=100, right=80),
        worker(0.1, "lost", asked=30, right=3),
    ]
    link = confusions(crowd)["link"]
    assert link.quality == pytest.approx(0.9)
    assert link.accuracy == pytest.approx(0.9)


def test_a_stage_without_workers_has_nothing_to_get_wrong() -> None:
    found = confusions([])
    assert tuple(found) == tuple(TABLE_3) == STAGES
    assert all((one.precision, one.recall, one.trusted) == (1.0, 1.0, 0) for one in found.values())

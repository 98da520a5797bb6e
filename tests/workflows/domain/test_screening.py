"""PROTOCOL.md, "Quality control": at least 500 completed HITs, at least 95% approved."""

from __future__ import annotations

import pytest

from workflows.batch_settings.domain.quality_control import Screening
from workflows.domain.screening import passes


@pytest.mark.parametrize(
    ("completed", "approval", "let_in"),
    [
        (500, 0.95, True),
        (499, 0.95, False),
        (500, 0.9499, False),
        (10_000, 1.0, True),
        (None, None, True),
        (None, 0.5, False),
        (3, None, False),
    ],
)
def test_the_platforms_figures_must_reach_both_thresholds_where_it_tells(
    completed: int | None, approval: float | None, let_in: bool
) -> None:
    assert passes(completed=completed, approval=approval, screening=Screening()) is let_in


def test_the_thresholds_are_the_batchs() -> None:
    assert passes(completed=3, approval=0.5, screening=Screening(completed=3, approval=0.5))

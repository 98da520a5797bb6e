from __future__ import annotations

from workflows.domain.standing import Standing, standing


def test_who_is_not_blocked_may_work() -> None:
    assert standing(blocked=False) == Standing.OPEN
    assert standing(blocked=True) == Standing.BLOCKED

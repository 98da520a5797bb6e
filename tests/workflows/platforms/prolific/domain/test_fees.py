"""Prolific's service fee."""

from __future__ import annotations

import pytest

from workflows.platforms.prolific.domain.fees import service_fee


@pytest.mark.parametrize(
    ("amount", "per_mille", "fee"), [(0, 428, 0), (1, 428, 1), (50, 428, 22), (1000, 333, 333), (50, 0, 0)]
)
def test_a_started_penny_counts(amount: int, per_mille: int, fee: int) -> None:
    assert service_fee(amount, per_mille=per_mille) == fee

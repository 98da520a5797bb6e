from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from workflows.quality.domain.page_limits import DAY, Enough, enough

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.mark.parametrize(
    ("pages", "most", "full_since", "expected"),
    [
        (0, None, None, None),
        (9, 10, None, None),
        (10, 10, None, Enough(None)),
        (11, 10, None, Enough(None)),  # the limit was lowered
        (10, 10, NOW - HOUR, Enough(None)),  # tomorrow there are no more either
        (0, None, NOW - HOUR, Enough(NOW - HOUR + DAY)),
        (9, 10, NOW - HOUR, Enough(NOW - HOUR + DAY)),
        (0, None, NOW - DAY, None),
        (0, None, NOW - DAY + HOUR, Enough(NOW + HOUR)),
    ],
)
def test_enough(pages: int, most: int | None, full_since: datetime | None, expected: Enough | None) -> None:
    assert enough(pages=pages, most=most, full_since=full_since, now=NOW) == expected

"""Whether a platform may have paid what it refused in the end: a try before that may have had no answer."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import NamedTuple

SHOWS_WITHIN = timedelta(hours=1)
"""By then a platform shows what it has paid [ours]."""


class Asked(NamedTuple):
    """A call that asked for the payment."""

    at: datetime
    refused: bool  # a clear no; else it was done, or nobody knows


def unclear_at(calls: Iterable[Asked]) -> datetime | None:
    """When it was asked last without a no that can be relied on; None: surely nothing was paid.

    Before every no somebody has looked for the payment. So a no settles what was asked SHOWS_WITHIN before.
    """
    told = list(calls)
    unclear = max((one.at for one in told if not one.refused), default=None)
    if unclear is None or any(one.refused and one.at >= unclear + SHOWS_WITHIN for one in told):
        return None
    return unclear

"""Limits of a batch on the pages of one worker."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Enough:
    """A worker has the most pages that a batch gives one person. `until` is when there are more, if ever."""

    until: datetime | None


def enough(*, pages: int, most: int | None, full_since: datetime | None, now: datetime) -> Enough | None:
    """Return whether a worker has enough pages of a batch; None means that there may be more.

    `pages` are those of the batch, and `most` its limit (None: none). `full_since` is when the worker got the
    oldest of the newest pages that fill a day's limit, None if they have not had so many.
    """
    if most is not None and pages >= most:
        return Enough(None)
    if full_since is not None and now < full_since + DAY:
        return Enough(full_since + DAY)
    return None

"""Calls for many objects, of which one must not hold up the others."""

from __future__ import annotations

import logging
import random
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from workflows.crowd.provider import NoFundsError, ProviderError, UnavailableError

Row = TypeVar("Row")
logger = logging.getLogger(__name__)

FAILURES = 3
"""Calls in a row without an answer: then the platform is away, and the rest waits for the next step. So many
that the account could not pay, in all: then it is empty."""


@dataclass(slots=True)
class Attempts:
    """What became of them."""

    done: int = 0
    failed: int = 0
    in_a_row: int = 0  # calls that the platform did not answer
    unfunded: int = 0  # those that the account could not pay

    @contextmanager
    def one(self) -> Iterator[None]:
        """One of them. What the platform does not do now is left as it is, for the next step."""
        try:
            yield
        except ProviderError as error:
            logger.warning("%s: %s", type(error).__name__, error)
            self.failed += 1
            # One that is refused says that the platform is there: those behind it have their turn.
            self.in_a_row = self.in_a_row + 1 if isinstance(error, UnavailableError) else 0
            self.unfunded += isinstance(error, NoFundsError)
        except Exception:
            # A fault of ours in one of them, in every round: the others must not wait for it to be mended.
            logger.exception("one of many could not be dealt with")
            self.failed += 1
        else:
            self.in_a_row = 0

    def each(self, rows: Iterable[Row]) -> Iterator[Row]:
        """These, until the platform is away."""
        for row in rows:
            if self.hopeless:
                return
            yield row

    @property
    def hopeless(self) -> bool:
        """Whether the platform is away: what is left is for the next step."""
        return self.in_a_row >= FAILURES

    @property
    def broke(self) -> bool:
        """Whether the account is empty: what costs more is for the next step."""
        return self.unfunded >= FAILURES


def turned(rows: Sequence[Row], now: datetime) -> list[Row]:
    """The same rows, begun at another one in each round: some that are never answered hold up nobody.

    Drawn by the time: whatever lies between two rounds, and however many rows there are, each comes first
    now and then. Steps of one length would meet the same few for ever.
    """
    begin = random.Random(int(now.timestamp())).randrange(max(1, len(rows)))
    return [*rows[begin:], *rows[:begin]]

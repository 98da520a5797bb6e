"""Count failures among calls for many objects, so that one object does not hold up the others."""

from __future__ import annotations

import logging
import random
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile
from typing import TypeVar

from workflows.core.locks import LockLostError
from workflows.core.time_slices import Turn
from workflows.platforms.provider import NoFundsError, ProviderError, UnavailableError

Row = TypeVar("Row")
logger = logging.getLogger(__name__)

FAILURES = 3
"""After so many calls in a row without an answer, the platform is away, and the rest waits for the next
round. After so many calls in all that the account could not pay, the account is empty."""


@dataclass(slots=True)
class Attempts:
    """How many calls were done and how many failed."""

    done: int = 0
    failed: int = 0
    in_a_row: int = 0  # calls that the platform did not answer
    unfunded: int = 0  # those that the account could not pay

    @contextmanager
    def one(self) -> Iterator[None]:
        """Run one of the calls, log and count its failure. What failed is left for the next round.

        Raises LockLostError: without its lock, a round must end.
        """
        try:
            yield
        except ProviderError as error:
            logger.warning("%s: %s", type(error).__name__, error)
            self.failed += 1
            # A refusal shows that the platform is there, so the calls behind it have their turn.
            self.in_a_row = self.in_a_row + 1 if isinstance(error, UnavailableError) else 0
            self.unfunded += isinstance(error, NoFundsError)
        except LockLostError:
            raise
        except Exception:
            # A bug that hits one object hits it in every round. The others must not wait until it is mended.
            logger.exception("one of many could not be dealt with")
            self.failed += 1
        else:
            self.in_a_row = 0

    def each(self, rows: Iterable[Row], turn: Turn | None = None) -> Iterator[Row]:
        """Return the rows until the platform is away, or until the time of the `turn` is up."""
        answered = takewhile(lambda _: not self.hopeless, rows)
        return answered if turn is None else turn.each(answered)

    @property
    def hopeless(self) -> bool:
        """Whether the platform is away, so that the rest is left for the next round."""
        return self.in_a_row >= FAILURES

    @property
    def broke(self) -> bool:
        """Whether the account is empty, so that what costs more is left for the next round."""
        return self.unfunded >= FAILURES


def rotated(rows: Iterable[Row], now: datetime) -> list[Row]:
    """Return the same rows, beginning at another one in each round.

    So a few rows that are never answered hold up nobody. The first row is drawn at random by the time: each
    row comes first now and then, whatever lies between two rounds. A fixed step could meet the same few rows
    for ever.
    """
    rows = list(rows)
    begin = random.Random(int(now.timestamp())).randrange(max(1, len(rows)))
    return [*rows[begin:], *rows[:begin]]

"""Calls for many objects, of which one must not hold up the others."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from workflows.crowd.base import ProviderError

logger = logging.getLogger(__name__)

FAILURES = 3
"""In a row: then the platform is away, and the rest waits for the next step."""


@dataclass(slots=True)
class Attempts:
    """What became of them."""

    done: int = 0
    failed: int = 0
    in_a_row: int = 0

    @contextmanager
    def one(self) -> Iterator[None]:
        """One of them. What the platform does not do now is left as it is, for the next step."""
        try:
            yield
        except ProviderError as error:
            logger.warning("%s: %s", type(error).__name__, error)
            self.failed += 1
            self.in_a_row += 1
        except Exception:
            # A fault of ours in one of them, in every round: the others must not wait for it to be mended.
            logger.exception("one of many could not be dealt with")
            self.failed += 1
        else:
            self.in_a_row = 0

    @property
    def hopeless(self) -> bool:
        return self.in_a_row >= FAILURES

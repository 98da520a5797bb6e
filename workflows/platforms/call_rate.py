"""How fast a process calls a platform, and how long it waits before it tries again."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

from workflows.platforms.provider import Environment

TRIES = 5
FIRST_WAIT, MAX_WAIT = 0.5, 20.0  # seconds: the longest first wait, and the longest wait at all


class Bucket:
    """A token bucket shared by all threads of a process: `rate` calls a second, `burst` calls at once."""

    def __init__(self, rate: float, burst: int) -> None:
        self._rate, self._burst = rate, float(burst)
        self._tokens, self._filled_at = self._burst, 0.0
        self._lock = threading.Lock()

    def take(self, now: float) -> float:
        """Take a token, and return the seconds to wait before its call; later callers wait longer."""
        with self._lock:
            if now > self._filled_at:
                self._tokens = min(self._burst, self._tokens + (now - self._filled_at) * self._rate)
                self._filled_at = now
            self._tokens -= 1
            return max(0.0, -self._tokens / self._rate)


@dataclass(frozen=True, slots=True)
class Pace:
    """The waits before and between calls. Tests replace the clock, the sleep and the random source."""

    bucket: Bucket
    tries: int = TRIES
    sleep: Callable[[float], None] = time.sleep
    rng: random.Random = field(default_factory=random.Random)
    clock: Callable[[], float] = time.monotonic

    def wait_for_turn(self) -> None:
        """Sleep until the bucket allows the next call."""
        seconds = self.bucket.take(self.clock())
        if seconds:
            self.sleep(seconds)

    def back_off(self, failed: int) -> None:
        """Sleep after `failed` tries: with full jitter, so that processes do not come back together.

        Source: Marc Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.
        """
        self.sleep(self.rng.uniform(0, min(MAX_WAIT, FIRST_WAIT * 2 ** (failed - 1))))


@lru_cache(maxsize=32)
def usual_pace(name: str, environment: Environment) -> Pace:
    """Return the pace that all calls of this process to an account share.

    Platforms do not say how many calls they allow: 5 a second is careful.
    """
    if environment == Environment.EMULATOR:
        return Pace(Bucket(rate=500, burst=100))
    return Pace(Bucket(rate=5, burst=10))

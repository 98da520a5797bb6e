"""How fast a process asks a platform, and how long it waits before asking again."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

from workflows.crowd.provider import Environment

TRIES = 5
FIRST, MOST = 0.5, 20.0  # seconds: the bounds of the first wait and of any


class Bucket:
    """A token bucket for all threads of a process: `rate` calls a second, `burst` at once."""

    def __init__(self, rate: float, burst: int) -> None:
        self._rate, self._burst = rate, float(burst)
        self._tokens, self._filled_at = self._burst, 0.0
        self._lock = threading.Lock()

    def take(self, now: float) -> float:
        """Seconds to wait before the call that this token is for; those who come later wait longer."""
        with self._lock:
            if now > self._filled_at:
                self._tokens = min(self._burst, self._tokens + (now - self._filled_at) * self._rate)
                self._filled_at = now
            self._tokens -= 1
            return max(0.0, -self._tokens / self._rate)


@dataclass(frozen=True, slots=True)
class Pace:
    """Waiting, with what tests put in its place."""

    bucket: Bucket
    tries: int = TRIES
    sleep: Callable[[float], None] = time.sleep
    rng: random.Random = field(default_factory=random.Random)
    clock: Callable[[], float] = time.monotonic

    def wait_for_turn(self) -> None:
        seconds = self.bucket.take(self.clock())
        if seconds:
            self.sleep(seconds)

    def back_off(self, failed: int) -> None:
        """After `failed` tries. Full jitter: processes that failed together do not come back together.

        (Marc Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.)
        """
        self.sleep(self.rng.uniform(0, min(MOST, FIRST * 2 ** (failed - 1))))


@lru_cache(maxsize=32)
def usual_pace(name: str, environment: Environment) -> Pace:
    """The one that all calls of this process to an account share. Platforms do not say what they allow."""
    if environment == Environment.EMULATOR:
        return Pace(Bucket(rate=500, burst=100))
    return Pace(Bucket(rate=5, burst=10))

"""The thread that checks passwords, which takes a moment on purpose."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

REST = 3.0
"""The thread rests before the next password for so many times the CPU time of the one before [ours]. Whoever
tries one after the other takes a quarter of a processor from the workers of a process, and not all of it."""


class PasswordThread(ThreadPoolExecutor):
    """One thread that does one thing after the other, and rests after each. A first one does not wait."""

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        cpu: Callable[[], float] = time.thread_time,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        super().__init__(1, "password")
        self._clock, self._cpu, self._sleep = clock, cpu, sleep
        self._rested = 0.0

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        return super().submit(self._do, partial(fn, *args, **kwargs))

    def _do(self, fn: Callable[[], T]) -> T:
        self._sleep(max(0.0, self._rested - self._clock()))
        begin = self._cpu()
        try:
            return fn()
        finally:
            self._rested = self._clock() + REST * (self._cpu() - begin)

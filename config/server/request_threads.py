"""The threads that reply to requests, and whether any of them still becomes free."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from time import monotonic
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class RequestThreads(ThreadPoolExecutor):
    """A pool that knows for how long all of its threads have been at the same requests."""

    def __init__(self, threads: int, clock: Callable[[], float] = monotonic) -> None:
        super().__init__(threads, "request")
        self._threads_of_pool, self._clock = threads, clock
        self._unanswered, self._since = 0, 0.0
        self._counting = Lock()

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future = super().submit(fn, *args, **kwargs)
        with self._counting:
            self._unanswered += 1
            if self._unanswered == self._threads_of_pool:
                self._since = self._clock()
        future.add_done_callback(self._answered)
        return future

    def _answered(self, _future: Future[Any]) -> None:
        with self._counting:
            self._unanswered -= 1
            self._since = self._clock()

    @property
    def stuck_seconds(self) -> float:
        """Return for how long every thread has had a request and none has replied to one."""
        with self._counting:
            stuck = self._unanswered >= self._threads_of_pool
            return self._clock() - self._since if stuck else 0.0


serving: list[RequestThreads] = []
"""The threads of this process, if it is a web server's."""

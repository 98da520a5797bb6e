"""For how long no thread has become free."""

from __future__ import annotations

from threading import Event

from config.server.request_threads import RequestThreads


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_threads_are_stuck_once_all_have_a_request_and_none_replies() -> None:
    clock, first, rest = Clock(), Event(), Event()
    with RequestThreads(2, clock) as threads:
        one = threads.submit(first.wait)
        clock.now += 60
        assert threads.stuck_seconds == 0, "one is free"
        others = [threads.submit(rest.wait) for _ in range(3)]
        clock.now += 50
        assert threads.stuck_seconds == 50, "since both had one"
        first.set()
        one.result()
        _until_counted(threads)
        clock.now += 7
        assert threads.stuck_seconds == 7, "since the last reply: it is busy, but not stuck"
        rest.set()
        for other in others:
            other.result()
    assert threads.stuck_seconds == 0


def _until_counted(threads: RequestThreads) -> None:
    """Wait for the callback of the reply, which comes after its result."""
    while threads.stuck_seconds:
        pass

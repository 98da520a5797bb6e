from __future__ import annotations

import pytest

from config.server.password_thread import REST, PasswordThread


class Time:
    """A clock, and the CPU time of a thread, which go on when told so."""

    def __init__(self) -> None:
        self.now, self.used = 100.0, 0.0
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    def work(self, seconds: float) -> float:
        self.now, self.used = self.now + 2 * seconds, self.used + seconds  # on a busy machine
        return seconds


def test_whoever_tries_passwords_one_after_the_other_takes_a_quarter_of_a_processor() -> None:
    time = Time()
    with PasswordThread(lambda: time.now, lambda: time.used, time.sleep) as thread:
        assert [thread.submit(time.work, 0.5).result() for _ in range(3)] == [0.5] * 3
    assert time.slept == [0, 0.5 * REST, 0.5 * REST]
    assert time.used / (time.now - 100 - time.used) < 0.4


def test_somebody_who_comes_later_does_not_wait() -> None:
    time = Time()
    with PasswordThread(lambda: time.now, lambda: time.used, time.sleep) as thread:
        thread.submit(time.work, 0.5).result()
        time.now += 60
        thread.submit(time.work, 0.5).result()
    assert time.slept == [0, 0]


def test_it_rests_after_an_error_as_well() -> None:
    time = Time()

    def fail() -> None:
        time.work(1)
        raise ValueError("no such name")

    with PasswordThread(lambda: time.now, lambda: time.used, time.sleep) as thread:
        with pytest.raises(ValueError, match="no such name"):
            thread.submit(fail).result()
        thread.submit(time.work, 1).result()
    assert time.slept == [0, REST]

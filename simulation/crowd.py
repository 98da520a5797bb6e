"""Lets many simulated workers work at once until the work is done."""

import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field

from tqdm import tqdm

from simulation.characters import Character
from simulation.client import Client
from simulation.truth import Truth
from simulation.workers import Manners, SimulatedWorker, Tally

_POLL = 0.5  # seconds between looks at the progress
STALLED_AFTER = 60.0  # seconds without an answer
_LOOKS = 5
"""So many looks at the progress find no answer before a crowd is called stalled: a look may do a round with a
platform, which takes long on a busy machine and without which nobody gets work."""
_REFUSALS = 3
"""So often is everybody who is there told that there is no work, before a crowd is called stalled: on a slow
machine, somebody may be in the middle of a page for long."""
_READING = 5
"""While judgments wait to be read, a crowd waits this many times as long, and for this many sweeps: a slow
machine reads them late. If no sweep runs in that time, no Celery worker does."""
_PERHAPS = "do a Celery worker and beat run, and are there workers enough for third opinions?"
_UNREAD = "judgments wait to be read: does a Celery worker run?"
_UNREADABLE = "judgments wait to be read, though sweeps run: the log of the Celery worker says why"


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a batch: images done (also in parts), all images, and whether all work is finished.

    `unread` says that judgments wait to be read, after which there may be more work, and `sweeps` how often
    they were looked for.
    """

    done: float
    total: int
    finished: bool
    unread: bool = False
    sweeps: int = 0


class CrowdStalledError(Exception):
    """Nobody gets work, but the batch is not finished."""


@dataclass
class Crowd:
    """Simulated workers on `workers` seats. A worker who leaves is replaced as long as there are `tokens`.

    Each token has the character at its place. `explain` may say why nobody gets work.
    """

    server: str
    tokens: Sequence[str]
    workers: int
    truth: Truth
    characters: Sequence[Character]
    seed: int = 0
    manners: Manners = field(default_factory=Manners)
    explain: Callable[[], str] = lambda: ""
    stalled_after: float = STALLED_AFTER
    tally: Tally = field(default_factory=Tally)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _stop: threading.Event = field(default_factory=threading.Event)
    _last_answer: float = 0.0
    _refused: dict[int, int] = field(default_factory=dict)  # since the last answer, by who is there
    _unread: bool = False

    def run(self, progress: Callable[[], Progress], bar: bool = True) -> Tally:
        """Work until `progress()` says that all is finished, and return what was done.

        `bar` shows a progress bar. Raise the first error of any worker, and CrowdStalledError when nothing is
        answered for `stalled_after` seconds and several looks at the progress. On return, all threads have
        ended.
        """
        names = self._names()
        self._last_answer = time.monotonic()
        with ThreadPoolExecutor(self._seats(), "worker") as pool:
            seats = [pool.submit(self._seat, names) for _ in range(self._seats())]
            try:
                self._watch(progress, seats, bar)
            finally:
                self._stop.set()
        for seat in seats:
            seat.result()
        return self.tally

    def _watch(self, progress: Callable[[], Progress], seats: Sequence[Future[None]], bar: bool) -> None:
        looks, answered, swept = 0, self._last_answer, None
        with tqdm(unit=" images", disable=None if bar else True) as shown:
            while True:
                now = progress()
                self._unread = now.unread
                shown.total, shown.n = now.total, now.done
                shown.set_postfix(judgments=self.tally.judgments)
                if now.finished or any(seat.done() and seat.exception() for seat in seats):
                    return
                if answered != self._last_answer or swept is None:
                    looks, answered, swept = 0, self._last_answer, now.sweeps
                looks += 1
                idle, gone = time.monotonic() - answered, all(seat.done() for seat in seats)
                if why := self._stalled(now, idle, looks, now.sweeps - swept, gone):
                    left = " and everybody left" if gone else ""
                    done = f"{now.done} of {now.total} images are done"
                    raise CrowdStalledError(f"{done}, for {idle:.0f} s nobody answered{left}: {why}")
                wait(seats, _POLL, FIRST_EXCEPTION)

    def _stalled(self, now: Progress, idle: float, looks: int, sweeps: int, gone: bool) -> str:
        """Return why nobody can go on, or "" if somebody may. `idle` seconds went by without an answer."""
        if now.unread:
            if idle <= self.stalled_after * _READING or looks <= _LOOKS or 0 < sweeps < _READING:
                return ""
            return _UNREADABLE if sweeps else _UNREAD
        with self._lock:
            refused = all(times >= _REFUSALS for times in self._refused.values())
        if gone or (refused and idle > self.stalled_after and looks > _LOOKS):
            return self.explain() or _PERHAPS
        return ""

    def _seats(self) -> int:
        """Return the number of threads."""
        return self.workers

    def _seat(self, names: Iterator[tuple[int, str]]) -> None:
        with self._lock:
            self._refused[threading.get_ident()] = 0
        try:
            self._let_all_work(names)
        finally:
            with self._lock:
                del self._refused[threading.get_ident()]

    def _let_all_work(self, names: Iterator[tuple[int, str]]) -> None:
        while not self._stop.is_set():
            name = self._next(names)
            if name is None:
                return
            number, token = name
            rng, character = self._somebody(number)
            with Client(self.server, token) as client:
                worker = SimulatedWorker(client, self.truth, character, rng, self.manners)
                self._let_work(worker, token, rng)

    def _next(self, names: Iterator[tuple[int, str]]) -> tuple[int, str] | None:
        with self._lock:
            return next(names, None)

    def _somebody(self, number: int) -> tuple[random.Random, Character]:
        return random.Random(f"{self.seed}/{number}"), self.characters[number % len(self.characters)]

    def _names(self) -> Iterator[tuple[int, str]]:
        """Return the numbers and tokens of those who take the seats, in order."""
        return iter(enumerate(self.tokens))

    def _let_work(self, worker: SimulatedWorker, token: str, rng: random.Random) -> None:
        """Let a worker work until told to stop, or until they leave for good."""
        worker.work(self._stop.wait, self._report)

    def _report(self, turn: Tally) -> bool:
        """Count a turn. Return False if it costs no patience: there may be work soon, or there was some."""
        with self._lock:
            self.tally.add(turn)
            if turn.judgments or turn.tested:
                self._last_answer = time.monotonic()
                self._refused = dict.fromkeys(self._refused, 0)
            elif not self._unread and not (turn.given_back or turn.abandoned or turn.idle):
                self._refused[threading.get_ident()] += 1
                return True
        return False

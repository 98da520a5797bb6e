"""A panel that is reached by lists, for the tests of faults.

It is never called. So a process that is to be killed kills itself where it stores something, once before and
once after it, at each function of the product.
"""

from __future__ import annotations

import csv
import io
import os
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, ClassVar
from unittest.mock import patch

from django.db import connection, connections

from annotation.models import Batch
from config.serve import ROOT
from simulation.emulators.panel.world import State, World
from simulation.management.commands.compare_books import Theirs
from tests.factories import NOW
from tests.faults.sides import Hands
from workflows.crowd.link.arrivals import arrive
from workflows.crowd.link.lists import HEADER, lines_of, pay_lists, take_list, take_out
from workflows.crowd.models import Publication
from workflows.platforms.link.models import LinkStudy
from workflows.platforms.link.provider import Link
from workflows.workers.models import Participation


@dataclass
class LinkSide:
    """A panel whose researcher carries lists."""

    struck: Path
    panel: World = field(default_factory=World)
    provider: Link = field(default_factory=Link)
    currency: str = "USD"
    approves_after: timedelta = timedelta()
    pages: int = 2
    kills_requests: bool = True
    kills: bool = False
    sites: set[str] = field(default_factory=set)
    """The functions at which processes were killed."""
    _now: Callable[[], datetime] = lambda: NOW
    _carried: set[datetime] = field(default_factory=set)
    _bonuses: list[int] = field(default_factory=list)
    _begun: dict[str, datetime] = field(default_factory=dict)
    _process: int = field(default_factory=os.getpid)

    TIME: ClassVar = timedelta(hours=1)
    """How long the panel gives a participant."""

    def connect(self, *, tries: int, now: Callable[[], datetime]) -> None:
        self._now = now

    @property
    def url(self) -> str:
        return ""

    def advance(self, seconds: float) -> None:
        for place, begun in self._begun.items():
            if begun + self.TIME <= self._now():
                self.panel.give_back(place)

    def plan(self, faults: Sequence[object]) -> bool:
        self.sites |= {line for line in self.struck.read_text().splitlines() if line}
        self.struck.write_text("")
        self.kills = bool(faults)
        return self.kills

    def aim(self, pid: int) -> None:
        pass

    def pause(self, idle: int) -> float:
        return 5

    def take(self, publication_id: str, worker: str) -> str:
        place, _ = self.panel.start(worker)
        self._begun[place] = self._now()
        return place

    def come(self, publication: Publication, place: str, worker: str, now: datetime) -> Participation:
        session = arrive(
            batch=publication.batch, worker=worker, assignment=place, now=now, address=None
        ).session
        assert session is not None, "there is no work for this worker"
        return session.participation

    def finish(self, place: str, worker: str, token: str) -> None:
        self.panel.submit(place, self.panel.code)

    def give_back(self, place: str, worker: str) -> None:
        self.panel.give_back(place)

    def theirs(self, publications: set[str]) -> Theirs:
        books = self.panel.books()
        return Theirs(
            Counter(books["sums"]), list(LinkStudy.objects.values_list("token", flat=True)), books["wrong"]
        )

    def approved(self) -> set[tuple[str, str]]:
        there = self.panel.places.values()
        return {(one.id, one.participant) for one in there if one.state == State.APPROVED}

    def bonuses(self) -> list[int]:
        return self._bonuses

    def by_hand(self) -> Hands:
        return [self._bring] if self.panel.places else [], [self._take_out]

    def _bring(self) -> None:
        take_list(batch=Batch.objects.get(), data=self.panel.participants().encode(), now=self._now())

    def _take_out(self) -> None:
        take_out(batch=Batch.objects.get(), now=self._now())

    def carry(self) -> None:
        """Carry each list that was taken out to the panel, once."""
        batch = Batch.objects.get()
        for at in sorted({one.at for one in pay_lists(batch)} - self._carried):
            self._carried.add(at)
            lines, told = list(lines_of(batch, at)), io.StringIO()
            self._bonuses += [round(100 * float(line[3])) for line in lines if line[2] == "bonus"]
            csv.writer(told).writerows([HEADER, *lines])
            self.panel.pay(told.getvalue())

    def strike(self, when: str) -> None:
        """Kill this process if it was not killed at this place of the code, before or after it."""
        if not self.kills or os.getpid() == self._process:
            return
        told = f"{when} {_place_of_code()}"
        if told not in self.struck.read_text().splitlines():
            with self.struck.open("a") as struck:
                print(told, file=struck, flush=True)
            os.kill(os.getpid(), signal.SIGKILL)

    def write(self, execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        """Do a statement: one that writes outside a transaction is stored at once."""
        stores = not connection.in_atomic_block and sql.startswith(("INSERT", "UPDATE", "DELETE"))
        if stores:
            self.strike("before")
        done = execute(sql, *rest)
        if stores:
            self.strike("after")
        return done


def _place_of_code() -> str:
    """Return the innermost function of the product that is running, and its module."""
    frame = sys._getframe()
    while frame := frame.f_back:  # type: ignore[assignment]
        path = Path(frame.f_code.co_filename)
        if path.is_relative_to(ROOT) and path.name != "transactions.py":
            module = path.relative_to(ROOT)
            if module.parts[0] in ("annotation", "workflows"):
                return f"{module}: {frame.f_code.co_name}"
    return "?"


@contextmanager
def link_side() -> Iterator[LinkSide]:
    database: Any = type(connections["default"])
    commit = database._commit
    with tempfile.TemporaryDirectory() as folder:
        struck = Path(folder, "struck")
        struck.touch()
        side = LinkSide(struck)

        def stored(self: Any) -> None:
            side.strike("before")
            commit(self)
            side.strike("after")

        with patch.object(database, "_commit", stored), connection.execute_wrapper(side.write):
            yield side

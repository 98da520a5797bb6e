"""A batch on an emulated platform, and rounds in their own processes, which may be killed."""

from __future__ import annotations

import os
import signal
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db import connections

from annotation.models import Assignment
from tests.factories import NOW, replies
from tests.faults.sides import Side
from workflows.assignments.submit import submit
from workflows.crowd.models import Publication
from workflows.crowd.participations.sessions import claim_place
from workflows.crowd.rounds.reconcile import reconcile
from workflows.crowd.rounds.step import step
from workflows.platforms.provider import Provider, UnavailableError
from workflows.workers.models import Participation

PATIENCE = 150
"""The number of processes after which a round counts as endless. The longest one takes a fifth of that."""
LOCK_SECONDS = 10
"""On a busy machine, PostgreSQL notices a moment later that a process is gone and holds no lock."""
QUIET, BUSY, BROKEN = 0, 3, 4
"""The exit codes of a process that was not killed."""
SETTLED = (Publication.State.SETTLED, Publication.State.FAILED)


def _quietly(work: Callable[[], object]) -> Callable[[], int]:
    """Return what does this work and has nothing left to do then."""

    def done() -> int:
        work()
        return QUIET

    return done


@dataclass
class Crowding:
    """Our side and the platform's, with one clock that stands still between their actions."""

    side: Side
    tries: int = 1
    now: datetime = NOW
    faults: tuple[object, ...] = ()
    killed: int = 0
    acknowledged: list[Assignment] = field(default_factory=list)
    """The pages for which workers got a receipt."""

    def __post_init__(self) -> None:
        self.side.connect(tries=self.tries, now=lambda: self.now)

    @property
    def provider(self) -> Provider:
        return self.side.provider

    def wait(self, **term: float) -> None:
        self.now += timedelta(**term)
        self.side.advance(timedelta(**term).total_seconds())

    def rounds(self) -> None:
        """Do rounds, each in its own process, until one is not killed and had nothing to do.

        If a researcher carries lists, the platform's comes first, and that of whom to pay goes out last.
        """
        before, after = self.side.by_hand()
        for work in before:
            self.bring_through(_quietly(work))
        self.bring_through(self._round)
        for work in after:
            self.bring_through(_quietly(work))
        self.side.carry()

    def compare(self) -> None:
        """Compare both sides in the same way. Where a researcher carries lists, nobody compares."""
        if not self.provider.by_list:
            self.bring_through(self._compare)

    def bring_through(self, work: Callable[[], int]) -> None:
        """Do the work with new faults, so that they also strike what is asked again for it."""
        kills, idle = self.side.plan(self.faults), 0
        for _ in range(PATIENCE):
            self.wait(seconds=self.side.pause(idle))
            ended = self._in_a_process(work, kills=kills)
            if ended == QUIET:
                self.side.plan(())
                return
            self.killed += ended == -signal.SIGKILL
            idle = idle + 1 if ended == BUSY else 0
            assert ended in (-signal.SIGKILL, BUSY), "the process broke: see what it printed"
        raise AssertionError("there is always something to do")

    def _in_a_process(self, work: Callable[[], int], *, kills: bool) -> int:
        connections.close_all()  # two processes must not share a connection
        ready, go = os.pipe()
        child = os.fork()
        if not child:
            ended = BROKEN
            try:
                os.read(ready, 1)
                ended = work()
            finally:
                if ended == BROKEN:
                    traceback.print_exc()
                    sys.stderr.flush()
                os._exit(ended)
        if kills:
            self.side.aim(child)
        os.write(go, b"!")
        os.close(go)
        os.close(ready)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

    def _round(self) -> int:
        end = time.monotonic() + LOCK_SECONDS
        stepped = step(provider=self.provider, now=self.now, patient=False)
        while stepped.busy and time.monotonic() < end:
            time.sleep(0.02)
            stepped = step(provider=self.provider, now=self.now, patient=False)
        assert not stepped.busy, "a process that was killed holds no lock"
        return QUIET if stepped.quiet else BUSY

    def _compare(self) -> int:
        try:
            report = reconcile(provider=self.provider, now=self.now)
        except UnavailableError:
            return BUSY
        if report.clean and not report.repaired:
            return QUIET
        print(report.repaired, report.problems, file=sys.stderr, flush=True)  # shown if it never ends
        return BUSY

    def open(self) -> list[Publication]:
        return list(Publication.objects.filter(state=Publication.State.OPEN).order_by("pk"))

    def take(self, publication: Publication, worker: str) -> str:
        """Return the place at the platform."""
        return self.side.take(publication.external_id, worker)

    def open_page(self, publication: Publication, place: str, worker: str, *, answer: bool = True) -> None:
        """Let the worker open the next page of the place, and answer it."""
        self._ask(lambda: self._claim(publication, place, worker))
        page = self.participation(worker).assignment
        assert page is not None
        if answer:
            self._ask(lambda: self._submit(page))
            self.acknowledged.append(page)

    def _ask(self, request: Callable[[], object]) -> None:
        """Do what a worker's browser asks for. Where processes are killed at it, it is asked again."""
        if self.side.kills_requests:
            self.bring_through(_quietly(request))
        else:
            request()

    def _claim(self, publication: Publication, place: str, worker: str) -> None:
        one = self.side.come(publication, place, worker, self.now)
        claim = claim_place(participation_id=one.pk, stage=None, key="", now=self.now)
        assert claim is not None, "there is no work for this worker"

    def _submit(self, page: Assignment) -> None:
        submit(worker_id=page.worker_id, assignment_id=page.pk, replies=replies(page), now=self.now)

    def work(self, publication: Publication, worker: str, *, pages: int | None = None) -> None:
        """Take a place and submit it. Only so many of its pages are answered, if not all."""
        place = self.take(publication, worker)
        for _ in range(publication.pages if pages is None else pages):
            self.open_page(publication, place, worker)
        if pages == 0 and self.provider.by_list:  # a list is about people who came here
            self.open_page(publication, place, worker, answer=False)
        self.side.finish(place, worker, publication.token)

    def participation(self, worker: str) -> Participation:
        return Participation.objects.get(worker__external_id=worker)

"""A batch on an emulated platform, and rounds in their own processes, which may be killed."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connections

from tests.factories import NOW, replies
from tests.faults.sides import Side
from workflows.assignments.submit import submit
from workflows.crowd.models import Publication
from workflows.crowd.participations.sessions import begin, claim_place
from workflows.crowd.rounds.reconcile import reconcile
from workflows.crowd.rounds.step import step
from workflows.platforms.provider import Provider, UnavailableError
from workflows.workers.models import Participation

PATIENCE = 150
"""The number of processes after which a round counts as endless. The longest one takes a fifth of that."""
QUIET, BUSY, BROKEN = 0, 3, 4
"""The exit codes of a process that was not killed."""
SETTLED = (Publication.State.SETTLED, Publication.State.FAILED)


@dataclass
class Crowding:
    """Our side and the platform's, with one clock that stands still between their actions."""

    side: Side
    tries: int = 1
    now: datetime = NOW
    faults: tuple[object, ...] = ()
    killed: int = 0

    def __post_init__(self) -> None:
        self.side.connect(tries=self.tries, now=lambda: self.now)

    @property
    def provider(self) -> Provider:
        return self.side.provider

    def wait(self, **term: float) -> None:
        self.now += timedelta(**term)
        self.side.advance(timedelta(**term).total_seconds())

    def rounds(self) -> None:
        """Do rounds, each in its own process, until one is not killed and had nothing to do."""
        self.bring_through(self._round)

    def compare(self) -> None:
        """Compare both sides in the same way."""
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
        one = begin(
            token=publication.token,
            stage=publication.stage,
            external_id=place,
            worker=worker,
            confirmed=False,
            submit_to=self.side.url,
            now=self.now,
        ).participation
        claim = claim_place(participation_id=one.pk, stage=None, key="", now=self.now)
        assert claim is not None, "there is no work for this worker"
        if answer:
            submit(
                worker_id=one.worker_id,
                assignment_id=claim.assignment.pk,
                replies=replies(claim.assignment),
                now=self.now,
            )

    def work(self, publication: Publication, worker: str, *, answer: bool = True) -> None:
        """Take a place and submit it. Without `answer`, its answers never reach us."""
        place = self.take(publication, worker)
        if answer:
            self.open_page(publication, place, worker)
        self.side.finish(place, worker, publication.token)

    def participation(self, worker: str) -> Participation:
        return Participation.objects.get(worker__external_id=worker)

"""Workers of the emulator who do one page after another, for `benchmarks.crowd.run`."""

from __future__ import annotations

import threading
import time
from datetime import datetime
from types import TracebackType
from typing import Self

from django.db import connection
from django.utils import timezone

from simulation.emulators.mturk.handle import Handle
from tests.factories import replies
from workflows.assignments.submit import submit
from workflows.crowd.models import Publication
from workflows.crowd.participations.sessions import begin, claim_place


class Submitting:
    """Lets a new worker do an open HIT every 1 / `rate` seconds, in a thread, while the block runs."""

    def __init__(self, turk: Handle, rate: float, *, prefix: str) -> None:
        self.at: dict[str, datetime] = {}  # when each assignment was submitted on the platform
        self._turk, self._rate, self._prefix = turk, rate, prefix
        self._over, self._thread = threading.Event(), threading.Thread(target=self._work)
        self._error: BaseException | None = None

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._thread.join()
        if error is None and self._error is not None:
            raise self._error

    def _work(self) -> None:
        begun, number, done = time.monotonic(), 0, set[int]()
        try:
            while not self._over.wait(max(0.0, begun + number / self._rate - time.monotonic())):
                open_now = Publication.objects.filter(state=Publication.State.OPEN, free__gt=0)
                publication = open_now.exclude(pk__in=done).order_by("pk").first()
                if publication is not None:
                    done.add(publication.pk)
                    self._do(publication, f"{self._prefix}{number:010}")
                number += 1
        except BaseException as error:  # noqa: BLE001  (raised where the block ends)
            self._error = error
        finally:
            connection.close()

    def _do(self, publication: Publication, worker: str) -> None:
        somebody = self._turk.worker(worker, approved=1000)
        place = str(somebody.accept(hit_id=publication.external_id)["assignmentId"])
        one = begin(
            token=publication.token,
            stage=publication.stage,
            external_id=place,
            worker=worker,
            confirmed=False,
            submit_to=self._turk.url,
            now=timezone.now(),
        ).participation
        claim = claim_place(participation_id=one.pk, stage=None, key="", now=timezone.now())
        if claim is None:
            raise RuntimeError(f"there is no work for {worker}: make more items")
        submit(
            worker_id=one.worker_id,
            assignment_id=claim.assignment.pk,
            replies=replies(claim.assignment),
            now=timezone.now(),
        )
        somebody.submit(place, token=publication.token)
        self.at[place] = timezone.now()

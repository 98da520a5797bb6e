"""A batch on a platform that only sends people, and a researcher who carries its lists."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from annotation.models import Assignment, Batch
from tests.factories import NOW, make_running, replies
from workflows.assignments.submit import submit
from workflows.batch_settings.domain.crowd_settings import LINK
from workflows.batch_settings.domain.settings import parse_settings
from workflows.crowd.link.arrivals import Arrival, arrive
from workflows.crowd.link.lists import Taken, take_list, take_out
from workflows.crowd.participations.sessions import claim_place
from workflows.crowd.rounds.step import Stepped, round_of
from workflows.pipeline.advance import advance_pending
from workflows.platforms.link.provider import Link
from workflows.workers.models import Participation

REWARD = 40


def make_link_batch(*, images: int = 2, link: dict[str, Any] | None = None, **settings: Any) -> Batch:
    """Make a running batch whose images have one link each, on pages of their own."""
    batch = make_running([["man"], ["man"]], images=images)
    given: dict[str, Any] = {
        "items_a_page": {"link": 1},
        "reward": dict.fromkeys(batch.settings["reward"], REWARD),
        "crowd": {"provider": LINK, "cap": 10_000},
        "by_link": link or {},
    }
    batch.settings = parse_settings(batch.settings | given | settings).to_json()
    batch.save()
    return batch


@dataclass
class Panel:
    """People who come by the batch's address, and the researcher."""

    batch: Batch
    now: datetime = NOW

    def wait(self, **term: float) -> None:
        self.now += timedelta(**term)

    def round(self) -> Stepped:
        self.wait(seconds=15)
        return round_of(provider=Link(), now=self.now, patient=False)

    def come(self, worker: str, assignment: str = "") -> Arrival:
        return arrive(batch=self.batch, worker=worker, assignment=assignment, now=self.now, address=None)

    def answer(self, arrival: Arrival) -> Assignment:
        """Answer the page in hand of a worker who has come."""
        assert arrival.session is not None
        one = arrival.session.participation
        claim = claim_place(participation_id=one.pk, stage=None, key="", now=self.now)
        assert claim is not None
        page = claim.assignment
        submit(worker_id=one.worker_id, assignment_id=page.pk, replies=replies(page), now=self.now)
        return page

    def work(self, worker: str, assignment: str = "") -> Participation:
        """Let a worker come and answer a page; return the place."""
        self.answer(self.come(worker, assignment))
        return Participation.objects.get(
            worker__external_id=worker, external_id=assignment or worker, publication__batch=self.batch
        )

    def bring(self, text: str) -> Taken:
        """Upload a list of the platform's."""
        return take_list(batch=self.batch, data=text.encode(), now=self.now)

    def take_out(self) -> int:
        return take_out(batch=self.batch, now=self.now)

    def advance(self) -> None:
        advance_pending(now=self.now)

"""A batch on the emulated Prolific: rounds of the service, and participants between them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

from annotation.models import Batch
from tests.factories import NOW, replies
from tests.workflows.crowd.scene import make_crowd_batch
from tests.workflows.platforms.prolific.stage import ProlificStage
from workflows.assignments.submit import submit
from workflows.crowd import actions
from workflows.crowd.models import Payment, Publication
from workflows.crowd.participations.sessions import begin, claim_place
from workflows.crowd.rounds.step import round_of
from workflows.platforms.prolific.completion_codes import completion_code
from workflows.workers.models import Participation


class Play:
    """Rounds of the service, and participants between them, on one clock."""

    def __init__(self, stage: ProlificStage) -> None:
        self.stage = stage
        self.now = NOW
        stage.world.clock.offset = NOW - datetime.now(UTC)

    def rounds(self, number: int = 3) -> None:
        for _ in range(number):
            self.now += timedelta(seconds=15)
            self.stage.world.clock.advance(15)
            round_of(provider=self.stage.provider, now=self.now, patient=False)

    def work(self, publication: Publication, worker: str) -> Participation:
        """Do what the browser does: open Prolific's link, answer all pages, and follow the link back."""
        people = self.stage.emulator.participants
        query = parse_qs(urlsplit(people.start(publication.external_id, worker).url).query)
        session = begin(
            token=publication.token,
            stage=publication.stage,
            external_id=query["SESSION_ID"][0],
            worker=query["PROLIFIC_PID"][0],
            confirmed=False,
            submit_to="",
            now=self.now,
        )
        one = session.participation
        self.answer(publication, one)
        people.complete_by(worker, completion_code(publication.token))
        return one

    def answer(self, publication: Publication, one: Participation) -> None:
        """Answer all pages of a place."""
        for _ in range(publication.pages):
            claimed = claim_place(participation_id=one.pk, stage=None, key="", now=self.now)
            assert claimed is not None
            answers, page = replies(claimed.assignment), claimed.assignment.pk
            submit(worker_id=one.worker_id, assignment_id=page, replies=answers, now=self.now)

    def thank(self, one: Participation) -> Payment:
        """Owe a bonus of 20 pence."""
        return actions.pay_more(
            provider=self.stage.provider,
            participation_id=one.pk,
            kind=Payment.Kind.BONUS,
            amount=20,
            reason="Well done.",
            by="ada",
            token="b1",
            now=self.now,
        )


def make_batch(images: int, **crowd: Any) -> Batch:
    return make_crowd_batch(images=images, crowd={"provider": "prolific", **crowd}, currency="GBP")


def make_batches(number: int) -> list[Batch]:
    """Make batches of one image each, so that each has a study of its own."""
    return [make_batch(images=1) for _ in range(number)]


def open_ones() -> list[Publication]:
    return list(Publication.objects.filter(state=Publication.State.OPEN).order_by("pk"))

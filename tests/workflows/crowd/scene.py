"""A platform in memory, a batch on it, and workers who do its pages."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Sum

from annotation.domain.answers import Stage
from annotation.models import Batch
from tests.factories import NOW, make_running, replies
from tests.workflows.platforms.fake import FakeProvider
from workflows.assignments.submit import submit
from workflows.batch_settings.domain.settings import parse_settings
from workflows.crowd.models import Payment, Publication
from workflows.crowd.participations.sessions import begin, claim_place
from workflows.crowd.rounds.step import Stepped, round_of
from workflows.money.models import Budget, LedgerLine
from workflows.pipeline.advance import advance_pending
from workflows.platforms.provider import Stand
from workflows.workers.models import Participation

REWARD, FEE = 5, 1
SITE = "https://groundcrew.example"


def make_crowd_batch(*, images: int = 1, crowd: dict[str, Any] | None = None, **settings: Any) -> Batch:
    """Make a running batch for workers of a platform, each of whose images has one link on its own page."""
    batch = make_running([["man"], ["man"]], images=images)
    given: dict[str, Any] = {
        "reward": dict.fromkeys(map(str, Stage), REWARD),
        "items_a_page": {"link": 1},
        "crowd": {"provider": "mturk", "cap": 1000},
    }
    given["crowd"] |= crowd or {}
    batch.settings = parse_settings(batch.settings | given | settings).to_json()
    batch.save()
    return batch


@dataclass
class Scene:
    """A platform with a clock. Its rounds take no lock: rounds have to be right without it."""

    fake: FakeProvider = field(default_factory=FakeProvider)
    now: datetime = NOW

    def __post_init__(self) -> None:
        self.fake.now = lambda: self.now

    def wait(self, **term: float) -> None:
        self.now += timedelta(**term)

    def round(self) -> Stepped:
        """Do a round a little later, which asks for everything."""
        self.wait(seconds=15)
        return round_of(provider=self.fake, now=self.now, patient=False)

    def settle(self, rounds: int = 20) -> None:
        """Do rounds until there is nothing to do."""
        for _ in range(rounds):
            if self.round().quiet:
                return
        raise AssertionError("there is always something to do")

    def open(self) -> list[Publication]:
        return list(Publication.objects.filter(state=Publication.State.OPEN).order_by("pk"))

    def answer(self, publication: Publication, worker: str = "W1", *, page: bool = True) -> str:
        """Let the worker accept a place and answer its page, and not submit on the platform yet."""
        place = self.fake.accept(publication.external_id, worker)
        if page:
            self.open_page(publication, place, worker)
        return place

    def open_page(
        self, publication: Publication, place: str, worker: str, *, answer: bool = True
    ) -> Participation:
        session = begin(
            token=publication.token,
            stage=publication.stage,
            external_id=place,
            worker=worker,
            confirmed=not self.fake.unsigned,
            submit_to="",
            now=self.now,
        )
        one = session.participation
        claim = claim_place(participation_id=one.pk, stage=None, key="", now=self.now)
        assert claim is not None, "there is no work for this worker"
        if answer:
            submit(
                worker_id=one.worker_id,
                assignment_id=claim.assignment.pk,
                replies=replies(claim.assignment),
                now=self.now,
            )
        return Participation.objects.get(pk=one.pk)

    def work(self, publication: Publication, worker: str = "W1") -> str:
        """Let the worker accept a place, answer its page and submit it."""
        place = self.answer(publication, worker)
        self.fake.submit(place)
        return place

    def work_all(self, worker: str = "W") -> None:
        """Let workers come and do one open place each, until there is none."""
        number = 0
        for publication in self.open():
            while self.fake.publications[publication.external_id].free(self.now):
                number += 1
                self.work(publication, f"{worker}{number}")

    def advance(self) -> None:
        advance_pending(now=self.now)


def participation(place: str) -> Participation:
    return Participation.objects.select_related("publication", "assignment").get(external_id=place)


def budget(batch: Batch) -> Budget:
    return Budget.objects.get(batch=batch)


def check_money(scene: Scene) -> None:
    """Assert that nothing was paid twice, and that our books agree with the platform's."""
    tokens = [each.bonus.token for each in scene.fake.paid]
    assert len(tokens) == len(set(tokens)), "a bonus was paid twice"
    spent = sum(each.spent for each in Budget.objects.all())
    assert spent == scene.fake.spent, "the ledger says what the platform took"
    assert sum(each.reserved for each in Budget.objects.all()) == reserved_lines()


def reserved_lines() -> int:
    lines = LedgerLine.objects.filter(account=LedgerLine.Account.RESERVED)
    return lines.aggregate(total=Sum("amount"))["total"] or 0


def check_settled(scene: Scene) -> None:
    """Assert that all submissions are paid, everything known is over, and no money is reserved."""
    check_money(scene)
    there = [each for one in scene.fake.publications.values() for each in one.assignments]
    assert not [each for each in there if each.stand == Stand.SUBMITTED], "submitted, and not paid"
    states = set(Publication.objects.values_list("state", flat=True))
    assert states <= {Publication.State.SETTLED, Publication.State.FAILED}
    approved = Participation.objects.filter(state=Participation.State.APPROVED).count()
    assert approved == len([each for each in there if each.stand == Stand.APPROVED])
    assert not Payment.objects.exclude(state=Payment.State.DONE).exists()
    assert sum(each.reserved for each in Budget.objects.all()) == 0
    assert scene.fake.bound == 0

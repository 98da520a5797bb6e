"""A batch on a platform, with rows of every kind, as rounds would have left it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.test import override_settings

from annotation.domain.answers import Stage
from annotation.models import Batch, Worker
from tests.factories import NOW, make_batch, make_image, make_project
from workflows.crowd.models import Balance, Payment, Problem, Publication
from workflows.money.ledger import commit, reserve
from workflows.platforms.accounts import MTurkAccount
from workflows.platforms.models import ProviderCall
from workflows.platforms.provider import Environment
from workflows.workers.enrolment import enrol_worker
from workflows.workers.models import Participation

REWARD, FEE = 25, 5
SITE = "https://annotate.example.org"


def account(environment: Environment = Environment.SANDBOX) -> MTurkAccount:
    """Return an account that cannot be called."""
    return MTurkAccount("https://127.0.0.1:1", environment, "key", "secret")


def make_crowd_batch(*, launch: bool = True, **crowd: Any) -> Batch:
    """Make a paid batch on Mechanical Turk with a cap of 500.00 USD."""
    project = make_project()
    make_image(project, [["man"], ["man"]])
    given = {"provider": "mturk", "cap": 50_000, **crowd}
    reward = dict.fromkeys(map(str, Stage), REWARD)
    return make_batch(project, launch=launch, crowd=given, reward=reward)


def make_publication(batch: Batch, name: str = "p1", stage: str = "link", **fields: Any) -> Publication:
    """Make an open publication with two places, whose money is reserved."""
    given = {"state": "open", "places": 2, "free": 1, "external_id": f"HIT-{name}", **fields}
    made = Publication.objects.create(
        batch=batch,
        stage=stage,
        provider="mturk",
        environment="sandbox",
        token=name,
        reward=REWARD,
        fee=FEE,
        currency="USD",
        created_at=NOW,
        expires_at=NOW + timedelta(days=1),
        seen_at=NOW,
        **given,
    )
    amount = made.places * (REWARD + FEE)
    reserve(batch_id=batch.pk, token=name, amount=amount, currency="USD", now=NOW, publication_id=made.pk)
    return made


def make_participation(publication: Publication, name: str = "A1WORKER", **fields: Any) -> Participation:
    """Make a participation that was submitted on the platform, without answers here."""
    worker: Worker = enrol_worker(project=publication.batch.project, external_id=name, provider="mturk")
    given = {"state": "submitted", "confirmed": True, "submitted_at": NOW, **fields}
    return Participation.objects.create(
        publication=publication,
        external_id=f"ASG-{name}",
        worker=worker,
        opened_at=NOW,
        deadline=NOW + timedelta(days=3),
        **given,
    )


def make_full_batch() -> tuple[Batch, Participation, Problem]:
    """Make a batch with everything that its page can show at once."""
    batch = make_crowd_batch()
    publication = make_publication(batch)
    found = make_participation(publication)
    paid = make_participation(publication, "A2WORKER", state="approved", settled_at=NOW)
    for one, kind, state, amount in (
        (paid, "reward", "done", REWARD),
        (paid, "bonus", "failed", 100),
        (paid, "part", "waiting", 10),
    ):
        Payment.objects.create(
            participation=one,
            kind=kind,
            state=state,
            amount=amount,
            fee=FEE,
            currency="USD",
            token=f"{kind}-{one.pk}",
            created_at=NOW,
            error="This worker cannot be paid." if state == "failed" else "",
        )
    commit(
        token=f"reward-{paid.pk}",
        reserved_under=publication.token,
        rewards=REWARD,
        fees=FEE,
        now=NOW,
        publication_id=publication.pk,
        participation_id=paid.pk,
    )
    make_publication(batch, "p2", "drawing", state="failed", free=0, error="The title is too long.")
    problem = Problem.objects.create(
        batch=batch,
        participation=found,
        publication=publication,
        kind="lost",
        key="lost:1",
        detail="ASG-A1WORKER was submitted an hour ago, and no answers came.",
        created_at=NOW,
    )
    ProviderCall.objects.create(
        provider="mturk",
        environment="sandbox",
        operation="publish",
        subject="p2",
        outcome="refused",
        code="ParameterValidationError",
        message="The title is too long.",
        created_at=NOW,
    )
    Balance.objects.create(
        provider="mturk", environment="sandbox", amount=1_000_000, currency="USD", seen_at=NOW
    )
    return batch, found, problem


def with_account(environment: Environment = Environment.SANDBOX) -> Any:
    """Return a context in which the server has this account."""
    return override_settings(MTURK=account(environment), SITE=SITE)

"""A batch on a crowd platform, as if steps had been there: nothing is asked of any platform."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from annotation.models import Project
    from workflows.models import Participation, Publication

PAGES = (
    *("crowd", "crowd-publications", "crowd-publication", "crowd-participation", "crowd-reject"),
    *("crowd-bonus", "crowd-cap", "payroll", "invitations", "invitation-new"),
)
SITE = "https://annotate.example.org"
IMAGES = 2
REWARD, FEE = 30, 6
BONUS = 100


def make_crowd(project: Project, ours: Project, by: str) -> dict[str, str]:
    """By page, its address below /admin/. The batch is `project`'s, payroll and invitations are `ours`."""
    from django.test import override_settings
    from django.utils import timezone

    from scripts.photographed import SETTINGS
    from workflows.crowd.accounts import MTurkAccount
    from workflows.crowd.base import Environment
    from workflows.models import Problem
    from workflows.services.batches import check_settings, create_batch, free_images, move
    from workflows.services.crowd.inviting import invite
    from workflows.services.crowd.problems import raise_problem

    now = timezone.now()
    crowd = {"provider": "mturk", "cap": 50_000}
    batch = create_batch(
        project=project,
        name="autumn",
        settings=check_settings({**SETTINGS, "crowd": crowd}),
        images=free_images(project).order_by("pk").values_list("pk", flat=True)[:IMAGES],
    )
    # The site has no account: what there is of a platform is what is made here.
    account = MTurkAccount("https://127.0.0.1:1", Environment.SANDBOX, "key", "secret")
    with override_settings(MTURK=account, SITE=SITE):
        move(batch=batch, action="launch")
    publication = _publication(batch.pk, places=9, free=6, name="3SANDBOX01")
    _publication(batch.pk, places=4, free=4, name="3SANDBOX02")
    waiting = _participation(publication, "A1WORKER", state="submitted", submitted_at=now)
    _participation(publication, "A3WORKER", state="opened")
    _pay(_participation(publication, "A2WORKER", state="approved", submitted_at=now, settled_at=now))
    raise_problem(
        key=f"lost:{waiting.pk}",
        kind=Problem.Kind.LOST,
        detail=f"{waiting.external_id} was submitted an hour ago, and no answers came.",
        now=now,
        participation=waiting,
    )
    for label, number in (("class of 2016", 3), ("anna", 1)):
        invite(project=ours, label=label, number=number, by=by, now=now, expires_at=now + timedelta(days=14))
    here, one = f"batches/{batch.pk}/crowd/", f"participations/{waiting.pk}/"
    today = timezone.now().date()
    return {
        "crowd": here,
        "crowd-publications": f"{here}publications/",
        "crowd-publication": f"publications/{publication.pk}/",
        "crowd-participation": one,
        "crowd-reject": f"{one}reject/",
        "crowd-bonus": f"{one}bonus/",
        "crowd-cap": f"{here}cap/",
        "payroll": f"projects/{ours.pk}/payroll/?from={today.replace(day=1)}&to={today}",
        "invitations": f"projects/{ours.pk}/invitations/",
        "invitation-new": f"projects/{ours.pk}/invitations/new/",
    }


def _publication(batch_id: int, *, places: int, free: int, name: str) -> Publication:
    """Open, its money reserved."""
    from django.utils import timezone

    from workflows.models import Publication
    from workflows.services.ledger import reserve

    now = timezone.now()
    made = Publication.objects.create(
        batch_id=batch_id,
        stage="drawing",
        provider="mturk",
        environment="sandbox",
        token=name,
        external_id=name,
        state=Publication.State.OPEN,
        places=places,
        free=free,
        reward=REWARD,
        fee=FEE,
        currency="USD",
        created_at=now,
        expires_at=now + timedelta(days=1),
        seen_at=now,
    )
    reserve(
        batch_id=batch_id,
        token=name,
        amount=places * (REWARD + FEE),
        currency="USD",
        now=now,
        publication_id=made.pk,
    )
    return made


def _participation(publication: Publication, name: str, **fields: object) -> Participation:
    from django.utils import timezone

    from workflows.models import Participation
    from workflows.services.workers import enrol

    now = timezone.now()
    return Participation.objects.create(
        publication=publication,
        external_id=f"ASG-{name}",
        worker=enrol(project=publication.batch.project, external_id=name, provider="mturk"),
        confirmed=True,
        opened_at=now,
        deadline=now + timedelta(days=3),
        **fields,
    )


def _pay(participation: Participation) -> None:
    """Its reward, and a bonus that was refused."""
    from django.utils import timezone

    from workflows.models import Payment
    from workflows.services.crowd.owing import owe_reward
    from workflows.services.ledger import commit

    now, publication = timezone.now(), participation.publication
    reward = owe_reward(participation=participation, now=now)
    commit(
        token=reward.token,
        reserved_under=publication.token,
        rewards=REWARD,
        fees=FEE,
        now=now,
        publication_id=publication.pk,
        participation_id=participation.pk,
    )
    Payment.objects.filter(pk=reward.pk).update(state=Payment.State.DONE)
    Payment.objects.create(
        participation=participation,
        kind=Payment.Kind.BONUS,
        token=f"bonus-{participation.pk}",
        state=Payment.State.FAILED,
        amount=BONUS,
        fee=BONUS // 5,
        currency="USD",
        error="This worker cannot be paid.",
        reason="for the good remark",
        by="rita",
        created_at=now,
    )

"""A batch on Mechanical Turk's emulator, whose workers have done a part of it.

Its pages show what really happened.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from annotation.models import Batch, Project
    from simulation.emulators.mturk.handle import Handle, WorkerHandle
    from workflows.crowd.models import Payment
    from workflows.workers.models import Participation

PAGES = (
    *("crowd", "crowd-publications", "crowd-publication", "crowd-participation", "crowd-reject"),
    *("crowd-bonus", "crowd-part", "crowd-approve", "crowd-message", "crowd-withdraw", "crowd-cap"),
    *("crowd-end", "crowd-close", "payroll", "invitations", "invitation-new"),
)
IMAGES = 4
CROWD = {"provider": "mturk", "cap": 5_000, "open_pages": 12, "hourly_wage": 1250, "locales": "US"}
REACHED = "quality"
"""The crowd stops when somebody was paid in this stage."""
WORKERS = 5
SEED = 2016
BONUS = 100  # cents
ROUNDS_SECONDS = 60
Found = TypeVar("Found")


def make_crowd(project: Project, ours: Project, by: str) -> dict[str, str]:
    """Make the batch and return the address below /admin/ of each page.

    The batch is made in `project`. Payroll and invitations are those of `ours`.
    """
    from django.conf import settings
    from django.utils import timezone

    from scripts.pictured_site import SETTINGS
    from simulation.emulators.mturk.handle import Handle
    from simulation.emulators.mturk.world import Account
    from workflows.batch_settings.domain.settings import parse_settings
    from workflows.batches.lifecycle import create_batch, move_batch
    from workflows.crowd.invitations.invite import invite
    from workflows.crowd.models import Problem, Publication
    from workflows.questions.images import free_images

    now = timezone.now()
    batch = create_batch(
        project=project,
        name="autumn",
        settings=parse_settings({**SETTINGS, "crowd": CROWD}),
        images=free_images(project).order_by("pk").values_list("pk", flat=True)[:IMAGES],
    )
    move_batch(batch=batch, action="launch")
    assert settings.MTURK, "the site has the emulator's account: see photographed.py"
    with Handle(settings.MTURK.endpoint, "", Account("", "")) as turk:
        # Taken before the others begin: if they are fast, they leave no place to take.
        unlucky, place = _take_place(turk)
        _work(batch, turk)
        lost = _submit_without_answers(batch, unlucky, place)
        refused = _pay_in_vain(batch, turk, by)
    for label, number in (("class of 2016", 3), ("anna", 1)):
        invite(project=ours, label=label, number=number, by=by, now=now, expires_at=now + timedelta(days=14))
    here, one = f"batches/{batch.pk}/crowd/", f"participations/{lost.pk}/"
    today = timezone.now().date()
    shown = (
        Publication.objects.filter(batch=batch, state="open").order_by("-pk").values_list("pk", flat=True)[0]
    )
    problem = Problem.objects.get(participation=lost).pk
    return {
        "crowd": here,
        "crowd-publications": f"{here}publications/",
        "crowd-publication": f"publications/{lost.publication_id}/",
        "crowd-participation": one,
        "crowd-reject": f"{one}reject/",
        "crowd-bonus": f"{one}bonus/",
        "crowd-part": f"{one}part/",
        "crowd-approve": f"{one}approve/",
        "crowd-message": f"{one}message/",
        "crowd-withdraw": f"payments/{refused.pk}/withdraw/",
        "crowd-cap": f"{here}cap/",
        "crowd-end": f"publications/{shown}/end/",
        "crowd-close": f"problems/{problem}/close/",
        "payroll": f"projects/{ours.pk}/payroll/?from={today.replace(day=1)}&to={today}",
        "invitations": f"projects/{ours.pk}/invitations/",
        "invitation-new": f"projects/{ours.pk}/invitations/new/",
    }


def _work(batch: Batch, turk: Handle) -> None:
    """Let simulated workers take HITs, answer and be paid."""
    from django.conf import settings

    from simulation.characters import Character
    from simulation.crowd import Progress
    from simulation.profiles import PERFECT
    from simulation.selectors import load_truth
    from simulation.turkers import Turkers
    from simulation.workers import Manners
    from workflows.tasks import hint_advance
    from workflows.workers.models import Participation

    paid = Participation.objects.filter(
        publication__batch=batch, publication__stage=REACHED, state="approved"
    )

    def progress() -> Progress:
        _round()
        hint_advance()
        return Progress(0, IMAGES, paid.exists())

    crowd = Turkers(
        settings.SITE,
        [f"A{SEED}WORKER{number}" for number in range(WORKERS)],
        WORKERS,
        load_truth(batch.project.name),
        [Character(profile=PERFECT)],
        SEED,
        Manners(haste=0.25),
        turk=turk,
    )
    crowd.run(progress, bar=False)


def _take_place(turk: Handle) -> tuple[WorkerHandle, str]:
    """Take the first place that is published, and return its worker and its id."""
    from simulation.turkers import PROFILE

    somebody = turk.worker("A3UNLUCKY", **PROFILE)
    groups = _once(somebody.groups, "nothing was published")
    return somebody, somebody.accept(group_id=groups[0]["groupId"])["assignmentId"]


def _submit_without_answers(batch: Batch, somebody: WorkerHandle, place: str) -> Participation:
    """Submit a page to the platform by hand, without answers, as a worker does whose page is broken."""
    from django.utils import timezone

    from workflows.crowd.models import Problem
    from workflows.crowd.problems import raise_problem
    from workflows.workers.models import Participation

    somebody.submit(place)
    collected = Participation.objects.filter(publication__batch=batch, external_id=place)
    lost = _once(collected.first, "nobody collected the page without answers")
    # A round would report this after an hour.
    raise_problem(
        key=f"lost:{lost.pk}",
        kind=Problem.Kind.LOST,
        detail=f"{place} was submitted an hour ago, and no answers came.",
        now=timezone.now(),
        participation=lost,
    )
    return lost


def _pay_in_vain(batch: Batch, turk: Handle, by: str) -> Payment:
    """Try to pay a bonus that the platform refuses."""
    from django.utils import timezone

    from workflows.crowd.actions import pay_more
    from workflows.crowd.models import Payment
    from workflows.platforms.registry import provider
    from workflows.workers.models import Participation

    turk.set_faults({"kind": "refuse", "operation": "SendBonus", "code": "WorkerAccountClosed"})
    paid = Participation.objects.filter(publication__batch=batch, state="approved").order_by("pk")[0]
    payment = pay_more(
        provider=provider("mturk"),
        participation_id=paid.pk,
        kind=Payment.Kind.BONUS,
        amount=BONUS,
        reason="for the good remark",
        token=f"bonus-{paid.pk}",
        by=by,
        now=timezone.now(),
    )
    failed = Payment.objects.filter(pk=payment.pk, state=Payment.State.FAILED)
    refused = _once(failed.first, "the platform did not refuse the bonus")
    turk.set_faults()
    return refused


def _once(look: Callable[[], Found | None], otherwise: str) -> Found:
    """Do rounds with the platform until `look` finds something, and return that.

    One round is not enough: while the site's own worker does a round, ours does nothing.
    """
    until = time.monotonic() + ROUNDS_SECONDS
    while not (found := look()):
        if time.monotonic() > until:
            raise RuntimeError(f"{otherwise} within {ROUNDS_SECONDS} seconds")
        _round()
        time.sleep(0.2)
    return found


def _round() -> None:
    """Do one round that looks at every publication, whether or not it is its turn."""
    from django.utils import timezone

    from workflows.crowd.rounds.step import step
    from workflows.platforms.registry import provider

    step(provider=provider("mturk"), now=timezone.now(), patient=False)

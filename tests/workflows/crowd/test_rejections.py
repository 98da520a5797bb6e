"""A rejection has to follow its platform's rules; a refused one can be made again with another reason."""

from __future__ import annotations

import pytest

from tests.workflows.crowd.scene import Scene, make_crowd_batch, participation
from workflows.crowd.actions import approve, pay_more, reject
from workflows.crowd.errors import VerbError
from workflows.crowd.models import Payment, Problem
from workflows.platforms.provider import RefusedError
from workflows.workers.models import Participation

pytestmark = pytest.mark.django_db


def without_answers(scene: Scene) -> Participation:
    make_crowd_batch()
    scene.round()
    place = scene.fake.work(scene.open()[0].external_id, "W1")
    scene.round()
    return participation(place)


def refuse(scene: Scene, one: Participation, reason: str) -> Payment:
    return reject(provider=scene.fake, participation_id=one.pk, reason=reason, by="ada", now=scene.now)


def said() -> str:
    return Problem.objects.get(kind=Problem.Kind.UNPAID, closed_at=None).detail


def test_the_platforms_own_rules_are_looked_at_before_anything_is_kept(scene: Scene) -> None:
    one = without_answers(scene)
    scene.fake.least_reason = 20
    with pytest.raises(VerbError, match="20 characters at least"):
        refuse(scene, one, "No answers.")
    assert not Payment.objects.exists()
    refuse(scene, one, "No answers of yours reached us.")
    assert Payment.objects.get().kind == "refusal"


def test_no_platform_has_rules_by_its_name(scene: Scene) -> None:
    one = without_answers(scene)
    scene.fake.name = "prolific"
    assert refuse(scene, one, "No answers.").kind == "refusal"


def test_a_refused_rejection_says_that_it_can_be_given_anew_or_approved(scene: Scene) -> None:
    one = without_answers(scene)
    refuse(scene, one, "No answers.")
    scene.fake.fail_next("reject", RefusedError("Say more."))
    scene.round()
    assert "Say more. Reject once more, for a reason that the platform takes" in said()
    assert "crowd retry" not in said(), "for the same reason it would be refused again"
    refuse(scene, one, "No answers of yours reached us.")
    scene.round()
    one.refresh_from_db()
    assert one.state == "rejected" and not Problem.objects.filter(closed_at=None).exists()


def test_over_a_refused_rejection_the_worker_can_be_paid(scene: Scene) -> None:
    one = without_answers(scene)
    refuse(scene, one, "No answers.")
    scene.fake.fail_next("reject", RefusedError("Say more."))
    scene.round()
    approve(participation_id=one.pk, by="ada", now=scene.now)
    scene.round()
    one.refresh_from_db()
    assert one.state == "approved" and not Problem.objects.filter(closed_at=None).exists()


@pytest.mark.parametrize("kind", ["reward", "bonus"])
def test_of_what_else_is_refused_only_more_than_the_reward_can_be_given_up(scene: Scene, kind: str) -> None:
    make_crowd_batch()
    scene.round()
    place = scene.work(scene.open()[0])
    if kind == "reward":
        scene.fake.fail_next("approve", RefusedError("Not this one."))
    else:
        scene.settle()
        scene.fake.fail_next("bonus", RefusedError("Not this one."))
        pay_more(
            provider=scene.fake,
            participation_id=participation(place).pk,
            kind=Payment.Kind.BONUS,
            amount=1,
            reason="Thank you.",
            token="b1",
            by="ada",
            now=scene.now,
        )
    scene.round()
    assert "`crowd retry` asks again" in said()
    assert ("`crowd withdraw`" in said()) == (kind == "bonus")

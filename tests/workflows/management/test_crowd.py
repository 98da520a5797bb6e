from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from pytest_django.fixtures import Settings

from tests.workflows.crowd.scene import SITE, Scene, make_crowd_batch
from tests.workflows.platforms.orders import make_order
from workflows.core.models import AuditEntry
from workflows.crowd.models import Payment, Problem
from workflows.platforms import registry
from workflows.platforms.accounts import MTurkAccount, ProlificAccount
from workflows.platforms.provider import Environment, Provider, RefusedError

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Scene:
    settings.SITE = SITE
    scene = Scene()
    monkeypatch.setattr(registry, "provider", lambda name: scene.fake)
    monkeypatch.setattr("django.utils.timezone.now", lambda: scene.now)
    return scene


def crowd(*arguments: Any, **options: Any) -> str:
    out = StringIO()
    call_command("crowd", *arguments, stdout=out, **{"provider": "mturk"} | options)
    return out.getvalue()


def test_the_only_account_is_meant_and_of_several_one_is_named(
    settings: Settings, scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def provider(name: str) -> Provider:
        asked.append(name)
        return scene.fake

    monkeypatch.setattr(registry, "provider", provider)
    settings.MTURK = None
    settings.PROLIFIC = ProlificAccount("https://127.0.0.1:1", Environment.EMULATOR, "token")
    crowd("step", provider="")
    assert asked == ["prolific"]
    settings.MTURK = MTurkAccount("https://127.0.0.1:1", Environment.EMULATOR, "key", "secret")
    with pytest.raises(CommandError, match="several platforms here: give --provider mturk or prolific"):
        crowd("step", provider="")
    settings.MTURK = settings.PROLIFIC = None
    with pytest.raises(
        CommandError, match="no account on a platform here: give --provider mturk or prolific"
    ):
        crowd("step", provider="")


def test_a_round_and_how_things_stand(scene: Scene) -> None:
    make_crowd_batch()
    assert crowd("step") == "1 planned, 1 published\n"
    assert crowd("step") == "nothing to do\n"
    said = crowd("status")
    assert "mturk (emulator) main link: 1 open, 1 places (H000001)" in said
    assert "cap 10.00 USD, reserved 0.06 USD, spent 0.00 USD" in said
    assert crowd("balance") == "9,999.94 USD\n"


def test_a_bonus_is_paid_by_the_next_round_and_audited(scene: Scene) -> None:
    make_crowd_batch()
    crowd("step")
    place = scene.work(scene.open()[0])
    crowd("step")
    with pytest.raises(CommandError, match=r"from 0\.01 USD to 10,000\.00 USD, not 10,000\.01 USD"):
        crowd("bonus", of=place, amount=1_000_001, reason="Careful work.")
    crowd("bonus", of=place, amount=50, reason="Careful work.", token="t1", by="ada")
    crowd("bonus", of=place, amount=50, reason="Careful work.", token="t1", by="ada")
    crowd("step")
    assert [one.bonus.amount.amount for one in scene.fake.paid] == [50]
    entry = AuditEntry.objects.filter(action="crowd.bonus").first()
    assert entry is not None and (entry.by, entry.detail["amount"]) == ("ada", 50)


def test_lost_answers_are_said_and_can_be_rejected_with_a_reason(scene: Scene) -> None:
    make_crowd_batch()
    crowd("step")
    place = scene.fake.work(scene.open()[0].external_id, "W1")
    crowd("step")
    scene.wait(hours=2)
    assert "problem   lost: W1 has submitted" in crowd("reconcile")
    with pytest.raises(CommandError, match="Give a reason"):
        crowd("reject", of=place)
    crowd("reject", of=place, reason="No answers came.")
    assert Problem.objects.get().closed_at, "the decision settles it"
    crowd("step")
    assert Payment.objects.get().state == "done"
    assert "0 open problems" in crowd("reconcile")
    crowd("approve", of=place)
    crowd("step")
    assert scene.fake.spent == 6, "a rejection can be overridden"


def test_messages_tell_who_was_not_reached(scene: Scene) -> None:
    scene.fake.unreachable.add("W2")
    said = crowd("message", worker=["W1", "W2"], subject="Hello", text="Thank you.")
    assert said.splitlines() == ["sent to 1 of 2", "not reached: W2"]


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (["approve"], {"of": "A9"}, "nobody took a place with this id"),
        (["expire"], {"of": "H9"}, "no publication of this id"),
        (["retry"], {"of": "x"}, "no payment with this number"),
        (["message"], {"subject": "Hello", "text": "x"}, "give --worker ID"),
    ],
)
def test_what_is_not_there_is_named(
    scene: Scene, arguments: list[str], options: dict[str, Any], message: str
) -> None:
    with pytest.raises(CommandError, match=message):
        crowd(*arguments, **options)


def test_what_nobody_here_knows_is_closed_once_it_was_found_and_somebody_says_so(scene: Scene) -> None:
    there = scene.fake.plant(make_order(token="of-nobody", places=1))
    said = crowd("reconcile")
    assert f"crowd expire --provider mturk --of {there.external_id}" in said and there.free(scene.now)
    crowd("expire", of=there.external_id, by="ada")
    assert not there.free(scene.now)
    assert AuditEntry.objects.get(action="crowd.expire").object == there.external_id


@pytest.mark.parametrize(("verb", "kind"), [("bonus", "bonus"), ("pay-part", "part")])
def test_the_same_again_is_paid_only_where_somebody_says_so(scene: Scene, verb: str, kind: str) -> None:
    make_crowd_batch()
    crowd("step")
    place = scene.work(scene.open()[0])
    crowd("step")
    same = {"of": place, "amount": 5, "reason": "Careful work.", "by": "ada"}
    for _ in range(2):
        crowd(verb, token="t1", **same)  # with the same token it is the same payment
    with pytest.raises(CommandError, match=rf"The same, a {kind} of 0.05 USD for W1, .* Give --again"):
        crowd(verb, **same)
    assert Payment.objects.filter(kind=kind).count() == 1
    assert AuditEntry.objects.filter(action=f"crowd.{kind}").count() == 2
    crowd(verb, again=True, **same)
    crowd(verb, **{**same, "amount": 6})
    crowd("step")
    assert sorted(one.bonus.amount.amount for one in scene.fake.paid) == [5, 5, 6]


def test_a_bonus_that_was_refused_is_withdrawn(scene: Scene) -> None:
    make_crowd_batch()
    crowd("step")
    place = scene.work(scene.open()[0])
    crowd("step")
    scene.fake.fail_next("bonus", RefusedError("This worker cannot be paid."))
    crowd("bonus", of=place, amount=50, reason="Careful work.", by="ada")
    crowd("step")
    number = str(Payment.objects.get(kind="bonus").pk)
    assert "`crowd withdraw` gives a bonus up" in crowd("status")
    assert f"bonus {number} of 0.50 USD: withdrawn" in crowd("withdraw", of=number, by="ada")
    assert "reserved 0.00 USD" in crowd("status") and f"payment {number}" not in crowd("status")


def test_a_bonus_that_waits_is_withdrawn_and_audited(scene: Scene) -> None:
    make_crowd_batch()
    crowd("step")
    place = scene.work(scene.open()[0])
    crowd("step")
    assert "the payment waits" in crowd("bonus", of=place, amount=90_000, reason="Careful work.", by="ada")
    number = str(Payment.objects.get(kind="bonus").pk)
    assert "never be paid" in crowd("withdraw", of=number, by="ada")
    assert AuditEntry.objects.get(action="crowd.withdraw").detail["amount"] == 90_000
    assert f"payment {number}" not in crowd("status")
    with pytest.raises(CommandError, match="is withdrawn"):
        crowd("withdraw", of=number)

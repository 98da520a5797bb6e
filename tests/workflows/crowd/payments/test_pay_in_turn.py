"""Payments have their turn, however many before them cannot be made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.workflows.crowd.payments.test_pay import bonus, done_page
from tests.workflows.crowd.scene import Scene
from workflows.crowd.models import Payment
from workflows.crowd.payments import pay
from workflows.money import ledger
from workflows.platforms.provider import UnavailableError

pytestmark = pytest.mark.django_db


def test_more_bonuses_than_a_step_tries_that_fit_no_cap_hold_up_nobody_elses(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pay, "AT_ONCE", 5)
    _, poor = done_page(scene)
    for number in range(12):
        bonus(scene, poor, 90 + number, f"poor-{number}")
    rich, one = done_page(scene)
    waiting = bonus(scene, one, 95, "rich")
    assert waiting.state == "waiting"
    ledger.set_cap(batch_id=rich.pk, currency="USD", cap=1000)
    for _ in range(3):
        scene.round()
    waiting.refresh_from_db()
    assert waiting.state == "done"
    assert Payment.objects.filter(state="waiting").count() == 12


def test_more_payments_than_a_step_tries_that_the_platform_does_not_make_hold_up_nobody_elses(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pay, "AT_ONCE", 2)
    _, one = done_page(scene)
    for number in range(6):
        bonus(scene, one, 1 + number, f"b{number}")
    unpaid = {f"b{number}" for number in range(5)}
    monkeypatch.setattr(scene.fake, "bonus", _unless(scene, unpaid))
    for _ in range(4):
        scene.round()
    paid = set(Payment.objects.filter(kind="bonus", state="done").values_list("token", flat=True))
    assert paid == {"b5"}


def _unless(scene: Scene, unpaid: set[str]) -> Callable[..., None]:
    """Return a platform that does not answer when it is asked for one of these payments."""
    pay = scene.fake.bonus

    def bonus_of(*given: Any, token: str, **named: Any) -> None:
        if token in unpaid:
            raise UnavailableError("no answer")
        pay(*given, token=token, **named)

    return bonus_of

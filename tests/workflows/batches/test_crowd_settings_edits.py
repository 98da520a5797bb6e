"""What may still change in a batch with money, and what keeps it from being launched."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.test import override_settings

from annotation.domain.answers import Stage
from annotation.models import Batch
from tests.factories import NOW, make_batch, make_image, make_project
from tests.workflows.crowd.scene import make_crowd_batch
from workflows.batch_settings.domain.settings import parse_settings
from workflows.batch_settings.selectors import settings_of
from workflows.batches.lifecycle import BatchError, move_batch
from workflows.batches.settings_edits import change_settings
from workflows.money.ledger import reserve
from workflows.money.models import Budget
from workflows.platforms.accounts import MTurkAccount
from workflows.platforms.provider import Environment

pytestmark = pytest.mark.django_db

GIVEN: dict[str, Any] = {"regime": "open", "reward": dict.fromkeys(map(str, Stage), 10)}


def _batch(**crowd: Any) -> Batch:
    project = make_project()
    make_image(project, [["man"], ["man"]])
    return make_batch(project, launch=False, crowd={"cap": 1000, **crowd}, **GIVEN)


def _change(batch: Batch, **crowd: Any) -> list[str]:
    return change_settings(batch=batch, settings=parse_settings({**GIVEN, "crowd": {"cap": 1000, **crowd}}))


def test_a_cap_is_that_of_the_budget_at_once_and_never_below_what_is_bound() -> None:
    batch = _batch()
    move_batch(batch=batch, action="launch")
    reserve(batch_id=batch.pk, token="a", amount=600, currency="USD", now=NOW)
    assert _change(batch, cap=700) == ["crowd.cap"]
    assert Budget.objects.get().cap == 700
    with pytest.raises(BatchError, match=r"5\.99 USD is less than the 6\.00 USD"):
        _change(batch, cap=599)
    batch.refresh_from_db()
    assert (settings_of(batch).crowd.cap, Budget.objects.get().cap) == (700, 700), "nothing half written"


def test_the_provider_stays_what_it_was_once_launched() -> None:
    batch = _batch()
    move_batch(batch=batch, action="launch")
    with pytest.raises(BatchError, match=r"crowd\.provider: fixed"):
        _change(batch, provider="mturk")
    assert _change(batch, hourly_wage=900, open_pages=5) == ["crowd.hourly_wage", "crowd.open_pages"]


@pytest.mark.parametrize("state", ["running", "paused"])
def test_a_launched_batch_on_a_platform_keeps_its_cap_and_its_rewards(state: str) -> None:
    """Otherwise real money would have no limit, or pages no pay.

    That there is no account here does not matter.
    """
    batch = make_crowd_batch()
    Batch.objects.filter(pk=batch.pk).update(state=state)
    reserve(batch_id=batch.pk, token="a", amount=6, currency="USD", now=NOW)
    now = settings_of(batch)
    uncapped = replace(now, crowd=replace(now.crowd, cap=None))
    for wanted, says in (
        (uncapped, "it has no cap: say in the settings what it may cost on Mechanical Turk at most"),
        (replace(now, reward={**now.reward, "link": 0}), "link: the reward is 0"),
        (replace(uncapped, reward={**now.reward, "link": 0}), "no cap.*; link: the reward is 0"),
    ):
        with pytest.raises(BatchError, match=says):
            change_settings(batch=batch, settings=wanted)
    batch.refresh_from_db()
    assert settings_of(batch) == now and Budget.objects.get().cap == now.crowd.cap
    raised = replace(now, reward={**now.reward, "link": 9}, crowd=replace(now.crowd, cap=2000))
    assert change_settings(batch=batch, settings=raised) == ["reward", "crowd.cap"]


def test_drafts_and_direct_batches_need_no_cap_and_no_reward() -> None:
    nothing: dict[str, Any] = {**GIVEN, "reward": {}}
    draft = _batch(provider="mturk")
    wanted = parse_settings({**nothing, "crowd": {"provider": "mturk"}})
    assert sorted(change_settings(batch=draft, settings=wanted)) == ["crowd.cap", "reward"]
    wanted = parse_settings({**nothing, "crowd": {"cap": 1000}})
    change_settings(batch=draft, settings=wanted)
    direct = move_batch(batch=draft, action="launch")
    assert change_settings(batch=direct, settings=parse_settings(nothing)) == ["crowd.cap"]


def test_a_batch_without_an_account_is_not_launched_and_with_one_it_is() -> None:
    batch = _batch(provider="mturk")
    with pytest.raises(BatchError, match="GROUNDCREW_MTURK_SECRET"):
        move_batch(batch=batch, action="launch")
    account = MTurkAccount("https://127.0.0.1:1", Environment.SANDBOX, "key", "secret")
    with override_settings(SITE="https://annotate.example.org", MTURK=account):
        assert move_batch(batch=batch, action="launch").state == "running"
    kept = Budget.objects.get()
    assert (kept.environment, kept.currency, kept.cap) == ("sandbox", "USD", 1000)

"""The contract of all providers, as far as it applies without a platform."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from tests.workflows.platforms.contract import ProviderContract
from tests.workflows.platforms.orders import make_order
from workflows.batch_settings.domain.crowd_settings import DIRECT
from workflows.crowd.direct.provider import Direct
from workflows.platforms.provider import Money, Provider, RefusedError, Stand, Submitted, UnknownObjectError
from workflows.platforms.registry import NoAccountError, provider

APPLY = frozenset(
    {
        "test_an_unknown_publication_is_none",
        "test_an_unknown_submission_is_a_typed_error",
        "test_a_reason_is_taken_where_there_is_rejecting",
    }
)
NOT_PUBLISHED = frozenset(
    {
        "test_what_is_published_is_as_ordered",
        "test_publishing_twice_with_one_token_makes_one_publication",
        "test_orders_of_equal_content_with_two_tokens_make_two_publications",
        "test_publishing_again_after_a_lost_reply_makes_one_publication",
        "test_a_publication_is_found_by_its_token",
        "test_an_extension_adds_places",
        "test_expiring_closes_it_and_again_changes_nothing",
        "test_without_funds_nothing_is_published",
        "test_blocking_and_unblocking_again_change_nothing",  # it publishes at its end
    }
)
"""There is nothing to publish."""
NOT_SUBMITTED = frozenset(
    {
        "test_what_was_submitted_before_expiry_is_still_told",
        "test_a_submission_names_its_worker_and_publication",
        "test_all_pages_of_submissions_are_read",
        "test_approving_again_after_a_lost_reply_pays_once",
        "test_what_is_no_reason_is_said_before_and_refused_all_the_same",
        "test_a_rejected_submission_stays_so",
        "test_approving_what_was_rejected_overrides_it_or_is_refused",
        "test_what_is_approved_cannot_be_rejected",
    }
)
"""Pages are known by their Assignment; answers count when they come."""
NOT_PAID = frozenset(
    {
        "test_a_bonus_is_paid_once_also_after_a_lost_reply",
        "test_bonuses_with_two_tokens_are_two_and_known_by_them",
        "test_the_balance_pays_for_rewards_and_fees",
    }
)
"""Payroll pays, outside."""
NOT_GRANTED = frozenset(
    {
        "test_a_qualification_is_made_once_for_its_name",
        "test_granting_and_revoking_again_change_nothing",
    }
)
"""Standings say who is trusted."""
NOT_APPLYING = NOT_PUBLISHED | NOT_SUBMITTED | NOT_PAID | NOT_GRANTED


@dataclass
class DirectStage:
    provider: Provider = field(default_factory=Direct)
    workers: tuple[str, str, str] = ("ada", "bob", "eve")
    unknown: str = "nothing"

    def work(self, publication_id: str, worker: str) -> str:
        raise NotImplementedError

    def break_off(self, operation: str, *, after: bool) -> None:
        raise NotImplementedError

    def drain(self) -> None:
        raise NotImplementedError


class TestDirect(ProviderContract):
    @pytest.fixture
    def stage(self) -> DirectStage:
        return DirectStage()


for _name in NOT_APPLYING:
    setattr(TestDirect, _name, None)


def test_every_part_of_the_contract_applies_or_does_not() -> None:
    parts = {name for name in vars(ProviderContract) if name.startswith("test_")}
    assert parts == APPLY | NOT_APPLYING
    assert not APPLY & NOT_APPLYING


def test_what_does_not_apply_is_refused_or_finds_nothing() -> None:
    direct = Direct("EUR")
    with pytest.raises(RefusedError, match="launch the batch"):
        direct.publish(make_order("EUR"))
    with pytest.raises(RefusedError, match="standings"):
        direct.make_qualification("trusted", "")
    one = Submitted("a", "p", "ada", Stand.SUBMITTED, None, None)
    with pytest.raises(UnknownObjectError):
        direct.bonus(one, amount=Money(5, "EUR"), reason="thanks", token="t")
    for call in (direct.block, direct.block, direct.unblock, direct.unblock):
        call("ada", reason="Nobody has to be told.")
    assert direct.find("t") is None
    assert [*direct.published(), *direct.hints()] == []
    assert direct.message(["ada"], subject="", text="") == ["ada"]
    assert (direct.fee(50, places=10, masters=True), direct.bonus_fee(50)) == (0, 0)
    assert direct.balance() is None


def test_the_registry_gives_no_account_to_publish_or_pay_by() -> None:
    with pytest.raises(NoAccountError):
        provider(DIRECT)

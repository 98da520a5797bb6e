"""What every crowd provider does, whatever its platform: a class of tests to inherit from.

    class TestMine(ProviderContract):
        @pytest.fixture
        def stage(self) -> Stage: ...

A lost reply is what the platform did and the provider did not hear of. Whether the provider asks again by
itself, or raises UnavailableError and is asked again, is its own affair.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Protocol

import pytest

from tests.workflows.platforms.orders import BONUS, TOKEN, make_order
from workflows.platforms.provider import (
    Life,
    Money,
    NoFundsError,
    Provider,
    Published,
    RefusedError,
    Stand,
    Submitted,
    UnavailableError,
    UnknownObjectError,
)

REASON = ("No answers reached us. " * 6).strip()
"""A reason to reject that is long enough for every platform."""


class Stage(Protocol):
    """A provider, and the other side of its platform."""

    provider: Provider
    workers: tuple[str, str, str]  # ids in the platform's own form
    unknown: str  # an id in the platform's own form, which it gave to nothing

    def work(self, publication_id: str, worker: str) -> str:
        """Let the worker take a place and submit; return the submission's id."""
        ...

    def break_off(self, operation: str, *, after: bool) -> None:
        """Let the next call by this method of Provider get no answer.

        With `after`, it is done all the same.
        """
        ...

    def drain(self) -> None:
        """Empty the account."""
        ...


class ProviderContract:
    def publish(self, stage: Stage, token: str = TOKEN, places: int = 2) -> Published:
        return stage.provider.publish(make_order(stage.provider.currency, token=token, places=places))

    def submitted(self, stage: Stage) -> Submitted:
        publication = self.publish(stage)
        stage.work(publication.external_id, stage.workers[0])
        return self.only(stage, publication.external_id)

    def only(self, stage: Stage, publication_id: str) -> Submitted:
        (one,) = stage.provider.submissions(publication_id)
        return one

    def test_what_is_published_is_as_ordered(self, stage: Stage) -> None:
        one = self.publish(stage)
        assert (one.token, one.life, one.places, one.free, one.working) == (TOKEN, Life.OPEN, 2, 2, 0)
        assert one.reward == Money(50, stage.provider.currency)
        assert stage.provider.look(one.external_id) == one

    def test_publishing_twice_with_one_token_makes_one_publication(self, stage: Stage) -> None:
        first, second = self.publish(stage), self.publish(stage)
        assert first.external_id == second.external_id
        assert [one.external_id for one in stage.provider.published()] == [first.external_id]

    def test_orders_of_equal_content_with_two_tokens_make_two_publications(self, stage: Stage) -> None:
        first, second = self.publish(stage), self.publish(stage, "a-0")
        assert {one.external_id for one in stage.provider.published()} == {
            first.external_id,
            second.external_id,
        }

    @pytest.mark.parametrize("after", [False, True], ids=["not-done", "done"])
    def test_publishing_again_after_a_lost_reply_makes_one_publication(
        self, stage: Stage, after: bool
    ) -> None:
        stage.break_off("publish", after=after)
        with suppress(UnavailableError):
            self.publish(stage)
        one = self.publish(stage)
        assert [each.external_id for each in stage.provider.published()] == [one.external_id]

    def test_a_publication_is_found_by_its_token(self, stage: Stage) -> None:
        self.publish(stage, "a-0")
        one = self.publish(stage)
        found = stage.provider.find(TOKEN)
        assert found is not None and found.external_id == one.external_id
        assert stage.provider.find("0-0") is None

    def test_an_extension_adds_places(self, stage: Stage) -> None:
        one = self.publish(stage)
        stage.provider.extend(one.external_id, more=2, token="e0")
        seen = stage.provider.look(one.external_id)
        assert seen is not None and (seen.places, seen.free) == (4, 4)

    def test_expiring_closes_it_and_again_changes_nothing(self, stage: Stage) -> None:
        one = self.publish(stage)
        for _ in range(2):
            stage.provider.expire(one.external_id)
            seen = stage.provider.look(one.external_id)
            assert seen is not None and (seen.life, seen.free) == (Life.CLOSED, 0)

    def test_what_was_submitted_before_expiry_is_still_told(self, stage: Stage) -> None:
        one = self.submitted(stage)
        stage.provider.expire(one.publication_id)
        stage.provider.approve(one.external_id)
        assert self.only(stage, one.publication_id).stand == Stand.APPROVED

    def test_a_submission_names_its_worker_and_publication(self, stage: Stage) -> None:
        publication = self.publish(stage)
        submission_id = stage.work(publication.external_id, stage.workers[0])
        one = self.only(stage, publication.external_id)
        assert (one.external_id, one.publication_id) == (submission_id, publication.external_id)
        assert (one.worker, one.stand) == (stage.workers[0], Stand.SUBMITTED)
        assert one.submitted_at is not None

    def test_all_pages_of_submissions_are_read(self, stage: Stage) -> None:
        publication = self.publish(stage, places=len(stage.workers))
        expected = {stage.work(publication.external_id, worker) for worker in stage.workers}
        told = [one.external_id for one in stage.provider.submissions(publication.external_id)]
        assert len(told) == len(expected) and set(told) == expected

    @pytest.mark.parametrize("after", [False, True], ids=["not-done", "done"])
    def test_approving_again_after_a_lost_reply_pays_once(self, stage: Stage, after: bool) -> None:
        one = self.submitted(stage)
        before = stage.provider.balance()
        stage.break_off("approve", after=after)
        with suppress(UnavailableError):
            stage.provider.approve(one.external_id)
        stage.provider.approve(one.external_id)
        stage.provider.approve(one.external_id)
        assert self.only(stage, one.publication_id).stand == Stand.APPROVED
        if before is not None:  # the reward was set aside when it was published, or is paid now
            now = stage.provider.balance()
            fee = stage.provider.fee(50, places=2, masters=False)
            assert now is not None and before.money.amount - now.money.amount in (0, 50 + fee)

    def test_a_reason_is_taken_where_there_is_rejecting(self, stage: Stage) -> None:
        if not stage.provider.can_reject:
            with pytest.raises(RefusedError):
                stage.provider.check_reason(REASON)
            return
        one = self.submitted(stage)
        stage.provider.check_reason(REASON)
        stage.provider.reject(one.external_id, reason=REASON)
        assert self.only(stage, one.publication_id).stand == Stand.REJECTED

    def test_what_is_no_reason_is_said_before_and_refused_all_the_same(self, stage: Stage) -> None:
        if not stage.provider.can_reject:
            pytest.skip("the platform knows no rejection")
        one = self.submitted(stage)
        with pytest.raises(RefusedError) as said:
            stage.provider.check_reason("")
        with pytest.raises(RefusedError, match=re.escape(str(said.value))):
            stage.provider.reject(one.external_id, reason="")
        assert self.only(stage, one.publication_id).stand == Stand.SUBMITTED

    def test_a_rejected_submission_stays_so(self, stage: Stage) -> None:
        one = self.rejected(stage)
        stage.provider.reject(one.external_id, reason=REASON)
        assert self.only(stage, one.publication_id).stand == Stand.REJECTED

    def test_approving_what_was_rejected_overrides_it_or_is_refused(self, stage: Stage) -> None:
        one = self.rejected(stage)
        try:
            stage.provider.approve(one.external_id, feedback="We were wrong.")
        except RefusedError:
            assert self.only(stage, one.publication_id).stand == Stand.REJECTED
        else:
            assert self.only(stage, one.publication_id).stand == Stand.APPROVED

    def test_what_is_approved_cannot_be_rejected(self, stage: Stage) -> None:
        one = self.submitted(stage)
        stage.provider.approve(one.external_id)
        with pytest.raises(RefusedError):
            stage.provider.reject(one.external_id, reason="Too late for that. " * 8)
        assert self.only(stage, one.publication_id).stand == Stand.APPROVED

    def rejected(self, stage: Stage) -> Submitted:
        if not stage.provider.can_reject:
            pytest.skip("the platform knows no rejection")
        one = self.submitted(stage)
        stage.provider.reject(one.external_id, reason=REASON)
        return one

    @pytest.mark.parametrize("after", [False, True], ids=["not-done", "done"])
    def test_a_bonus_is_paid_once_also_after_a_lost_reply(self, stage: Stage, after: bool) -> None:
        one = self.approved(stage)
        stage.break_off("bonus", after=after)
        with suppress(UnavailableError):
            self.bonus(stage, one)
        self.bonus(stage, one)
        self.bonus(stage, one)
        (paid,) = stage.provider.bonuses(one.publication_id)
        assert (paid.worker, paid.amount.amount, paid.submission_id) == (one.worker, 25, one.external_id)

    def test_bonuses_with_two_tokens_are_two_and_known_by_them(self, stage: Stage) -> None:
        one = self.approved(stage)
        self.bonus(stage, one)
        self.bonus(stage, one, "b2")
        assert sum(paid.amount.amount for paid in stage.provider.bonuses(one.publication_id)) == 50
        tokens = {paid.token for paid in stage.provider.bonuses(one.publication_id)}
        assert tokens in ({BONUS, "b2"}, {""})

    def approved(self, stage: Stage) -> Submitted:
        one = self.submitted(stage)
        stage.provider.approve(one.external_id)
        return self.only(stage, one.publication_id)

    def bonus(self, stage: Stage, one: Submitted, token: str = BONUS) -> None:
        amount = Money(25, stage.provider.currency)
        stage.provider.bonus(one, amount=amount, reason="The page took longer than we said.", token=token)

    def test_a_qualification_is_made_once_for_its_name(self, stage: Stage) -> None:
        made = [stage.provider.make_qualification(name, "Ours.") for name in ("boxes", "links", "boxes")]
        assert made[0] == made[2] != made[1]

    def test_granting_and_revoking_again_change_nothing(self, stage: Stage) -> None:
        ours = stage.provider.make_qualification("boxes", "Trusted in drawing boxes.")
        first, second, _ = stage.workers
        for worker in (first, first, second):
            stage.provider.grant(ours, worker)
        assert sorted(stage.provider.holders(ours)) == sorted((first, second))
        for _ in range(2):
            stage.provider.revoke(ours, first, reason="Not enough of the answers were right.")
        assert list(stage.provider.holders(ours)) == [second]

    def test_blocking_and_unblocking_again_change_nothing(self, stage: Stage) -> None:
        for call in (stage.provider.block, stage.provider.block, stage.provider.unblock):
            call(stage.workers[0], reason="Answers by a script.")
        stage.provider.unblock(stage.workers[0], reason="It was none.")
        publication = self.publish(stage)
        assert stage.work(publication.external_id, stage.workers[0])

    def test_an_unknown_publication_is_none(self, stage: Stage) -> None:
        assert stage.provider.look(stage.unknown) is None

    def test_an_unknown_submission_is_a_typed_error(self, stage: Stage) -> None:
        with pytest.raises(UnknownObjectError):
            stage.provider.approve(stage.unknown)

    def test_without_funds_nothing_is_published(self, stage: Stage) -> None:
        stage.drain()
        with pytest.raises(NoFundsError):
            self.publish(stage)
        assert list(stage.provider.published()) == []

    def test_the_balance_pays_for_rewards_and_fees(self, stage: Stage) -> None:
        before = stage.provider.balance()
        if before is None:
            pytest.skip("the platform does not tell")
        self.approved(stage)
        (publication,) = stage.provider.published()
        stage.provider.expire(publication.external_id)
        after = stage.provider.balance()
        assert after is not None and after.money.currency == stage.provider.currency
        assert before.money.amount - after.money.amount == 50 + stage.provider.fee(
            50, places=2, masters=False
        )

"""Fees, money on hold, and books that balance whatever happens."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress

import pytest

from simulation.emulators.mturk import lifecycle, money
from simulation.emulators.mturk.api import assignments, hit_changes, hits
from simulation.emulators.mturk.clock import to_datetime
from simulation.emulators.mturk.errors import ApiError
from simulation.emulators.mturk.handle import Handle
from simulation.emulators.mturk.requirements import MASTERS
from simulation.emulators.mturk.run import emulator, make_world
from simulation.emulators.mturk.state import Status
from simulation.emulators.mturk.workers import actions as worker_actions
from tests.simulation.emulators.mturk.calls import START, make_hit, make_type, question, refused, submitted


@pytest.mark.parametrize(
    ("reward", "places", "masters", "fee"),
    [
        (0, 1, False, 1),
        (1, 1, False, 1),
        (7, 1, False, 1),
        (8, 9, False, 2),
        (10, 9, False, 2),
        (10, 10, False, 4),
        (12, 1, False, 2),
        (13, 1, False, 3),
        (100, 9, False, 20),
        (100, 10, False, 40),
        (100, 9, True, 25),
        (100, 10, True, 45),
        (10, 1, True, 3),
    ],
)
def test_fees_are_those_of_the_price_list(reward: int, places: int, masters: bool, fee: int) -> None:
    assert money.fee(reward, places=places, masters=masters) == fee


@pytest.mark.parametrize(("amount", "fee"), [(1, 1), (7, 1), (8, 2), (25, 5), (100, 20)])
def test_a_bonus_costs_a_fifth_more(amount: int, fee: int) -> None:
    assert money.bonus_fee(amount) == fee


def test_a_hit_holds_what_it_may_cost_until_that_is_paid_or_cannot_be(turk: Handle) -> None:
    hit, client = make_hit(turk, 3), turk.client()
    assert (turk.books()["held"], turk.books()["available"]) == (36, 1_000_000 - 36)
    one = submitted(turk, hit, "A1")
    client.approve_assignment(AssignmentId=one)
    two = submitted(turk, hit, "A2")
    assert turk.books()["held"] == 24
    client.update_expiration_for_hit(HITId=hit, ExpireAt=to_datetime(START))
    assert turk.books()["held"] == 12, "the one that waits for a decision"
    client.reject_assignment(AssignmentId=two, RequesterFeedback="r")
    books = turk.books()
    assert (books["held"], books["rewards"], books["fees"]) == (0, 10, 2)
    balance = client.get_account_balance()
    assert (balance["AvailableBalance"], balance["OnHoldBalance"]) == ("9999.88", "0.00")


def test_masters_and_many_places_cost_more(turk: Handle) -> None:
    wanted = [{"QualificationTypeId": min(MASTERS), "Comparator": "Exists"}]
    make_hit(turk, 10, type_id=make_type(turk, Reward="1.00", QualificationRequirements=wanted))
    assert turk.books()["held"] == 10 * 145


def test_what_the_balance_does_not_cover_is_refused_whole() -> None:
    with emulator(funds=24, stand=START) as turk:
        with refused("InsufficientFunds"):
            make_hit(turk, 3)
        hit = make_hit(turk, 2, UniqueRequestToken="t")
        dearer: tuple[Callable[[], object], ...] = (
            lambda: turk.client().create_additional_assignments_for_hit(
                HITId=hit, NumberOfAdditionalAssignments=1
            ),
            lambda: turk.client().send_bonus(
                WorkerId="A1", AssignmentId=submitted(turk, hit), BonusAmount="0.01", Reason="r"
            ),
            lambda: turk.client().update_hit_type_of_hit(
                HITId=hit, HITTypeId=make_type(turk, Reward="0.11", Title="dearer")
            ),
        )
        for ask in dearer:
            with refused("InsufficientFunds"):
                ask()
        assert (turk.books()["available"], turk.books()["held"]) == (0, 24)
        assert turk.client().get_hit(HITId=hit)["HIT"]["MaxAssignments"] == 2


@pytest.mark.parametrize("seed", range(4))
def test_the_books_balance_after_anything_in_any_order(seed: int) -> None:
    """The hold is what may still have to be paid.

    Nothing is paid twice, and no cent appears or disappears.
    """
    rng, world = random.Random(seed), make_world(seed=seed, funds=5_000, stand=START)
    type_ids = [
        hits.create_type(
            world,
            {
                "Title": "t",
                "Description": "d",
                "Reward": reward,
                "AssignmentDurationInSeconds": 600,
                "AutoApprovalDelayInSeconds": 3600,
            },
        )["HITTypeId"]
        for reward in ("0.07", "0.50")
    ]

    state = world.state

    def any_hit() -> str:
        return rng.choice([*state.hits, "3NONE"])

    def any_assignment() -> str:
        return rng.choice([*state.assignments, "3NONE"])

    def any_worker() -> str:
        return f"A{rng.randrange(5)}"

    def any_pair() -> dict[str, str]:
        return {"WorkerId": any_worker(), "AssignmentId": any_assignment()}

    acts: list[Callable[[], object]] = [
        lambda: hits.create_with_type(
            world,
            {
                "HITTypeId": rng.choice(type_ids),
                "MaxAssignments": rng.choice([1, 2, 3, 10]),
                "LifetimeInSeconds": 3000,
                "Question": question(),
            },
        ),
        lambda: worker_actions.accept(world, any_worker(), hit_id=any_hit()),
        lambda: worker_actions.accept(world, any_worker(), hit_id=any_hit()),
        lambda: worker_actions.submit(world, any_assignment(), [("a", "b")]),
        lambda: worker_actions.submit(world, any_assignment(), [("a", "b")]),
        lambda: worker_actions.give_back(world, any_worker(), any_assignment()),
        lambda: assignments.approve(
            world, {"AssignmentId": any_assignment(), "OverrideRejection": rng.random() < 0.5}
        ),
        lambda: assignments.reject(world, {"AssignmentId": any_assignment(), "RequesterFeedback": "r"}),
        lambda: assignments.send_bonus(
            world,
            {**any_pair(), "BonusAmount": "0.13", "Reason": "r"},
        ),
        lambda: hit_changes.add_assignments(world, {"HITId": any_hit(), "NumberOfAdditionalAssignments": 2}),
        lambda: hit_changes.update_expiration(
            world, {"HITId": any_hit(), "ExpireAt": to_datetime(world.now() + rng.choice([0, 1000]))}
        ),
        lambda: hit_changes.delete(world, {"HITId": any_hit()}),
        lambda: hit_changes.update_type(world, {"HITId": any_hit(), "HITTypeId": rng.choice(type_ids)}),
        lambda: world.clock.advance(rng.choice([1, 60, 900])),
    ]
    for _ in range(600):
        with suppress(ApiError):
            rng.choice(acts)()
        lifecycle.catch_up(world)
        books = money.books(state)
        gone = books["rewards"] + books["bonuses"] + books["fees"]
        assert books["available"] + books["held"] + gone == 5_000 and books["available"] >= 0
        now = world.now()
        assert books["held"] == sum(lifecycle.wanted_hold(state, hit, now) for hit in state.hits.values())
    approved = [one for one in state.assignments.values() if one.status == Status.APPROVED]
    paid = [one.assignment for one in state.entries if one.kind == "reward"]
    assert sorted(paid) == sorted(one.id for one in approved) and len(approved) > 5

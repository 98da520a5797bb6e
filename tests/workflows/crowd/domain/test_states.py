from __future__ import annotations

import pytest

from workflows.crowd.domain.states import PARTICIPATION, PAYMENT, PUBLICATION, Moves, may, sources
from workflows.crowd.models import Payment, Publication
from workflows.workers.models import Participation

TABLES = [
    (PUBLICATION, Publication.State),
    (PARTICIPATION, Participation.State),
    (PAYMENT, Payment.State),
]


@pytest.mark.parametrize(("moves", "states"), TABLES)
def test_the_table_names_exactly_the_states_of_the_model(moves: Moves, states: type) -> None:
    names = {str(state) for state in states}  # type: ignore[attr-defined]
    assert set(moves) == names and set().union(*moves.values()) <= names


@pytest.mark.parametrize(("moves", "states"), TABLES)
def test_no_state_turns_into_itself(moves: Moves, states: type) -> None:
    assert not [state for state in moves if may(moves, state, state)]


@pytest.mark.parametrize(("moves", "paid"), [(PARTICIPATION, "approved"), (PAYMENT, "done")])
def test_what_was_paid_stays_paid(moves: Moves, paid: str) -> None:
    assert not moves[paid]


def test_a_rejection_can_only_be_overridden() -> None:
    assert PARTICIPATION["rejected"] == {"approved"}


def test_sources_are_the_other_side_of_moves() -> None:
    for moves, _ in TABLES:
        for target in moves:
            assert sources(moves, target) == [one for one in moves if may(moves, one, target)]


def test_every_state_can_be_left_for_one_where_all_is_settled() -> None:
    for moves, ends in ((PUBLICATION, {"settled"}), (PARTICIPATION, {"approved"}), (PAYMENT, {"done"})):
        reached = set(ends)
        for _ in moves:
            reached |= {state for state, targets in moves.items() if targets & reached}
        assert reached == set(moves)

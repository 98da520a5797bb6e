"""A process may stop in the middle of a list: nothing is lost, and nobody is paid twice."""

from __future__ import annotations

from functools import partial
from unittest.mock import patch

import pytest

from annotation.models import Assignment, Judgment
from tests.workflows.crowd.link.scene import REWARD, Panel, make_link_batch
from tests.workflows.threads import at_once
from workflows.crowd.link.lists import due, pay_lists
from workflows.crowd.models import Payment
from workflows.crowd.payments.book import book as booked
from workflows.money.models import Budget
from workflows.platforms.link.models import ListedPlace
from workflows.workers.models import Participation


class StoppedError(Exception):
    """Stands for the end of a process."""


def finished(people: int, *, images: int = 3) -> Panel:
    panel = Panel(make_link_batch(images=images))
    panel.round()
    for number in range(people):
        panel.work(f"p{number}")
    return panel


@pytest.mark.django_db
def test_a_list_that_is_stopped_while_it_is_stored_leaves_nothing_and_can_be_sent_again() -> None:
    panel = finished(3)
    with (
        patch("workflows.crowd.link.lists.Publication.objects.filter", side_effect=StoppedError),
        pytest.raises(StoppedError),
    ):
        panel.bring("p0\np1\np2")
    assert not ListedPlace.objects.exists()
    assert panel.bring("p0\np1\np2").places == 3
    panel.round()
    assert Judgment.objects.count() == 3


@pytest.mark.parametrize("stop", [1, 2, 3])
@pytest.mark.django_db(transaction=True)
def test_a_list_that_is_stopped_while_it_is_taken_out_pays_the_rest_with_the_next(stop: int) -> None:
    """Each payment is on one list, and the books have what the lists say."""
    panel = finished(3)
    panel.bring("p0\np1\np2")
    panel.round()
    left = iter([None] * (stop - 1))

    def book(**arguments: object) -> bool:
        if next(left, StoppedError) is StoppedError:
            raise StoppedError
        return booked(**arguments)  # type: ignore[arg-type]

    with patch("workflows.crowd.link.lists.book", book), pytest.raises(StoppedError):
        panel.take_out()
    assert due(panel.batch).count() == 4 - stop
    panel.wait(minutes=1)
    assert panel.take_out() == 4 - stop
    assert sum(one.lines for one in pay_lists(panel.batch)) == 3
    assert sum(one.amount for one in pay_lists(panel.batch)) == 3 * REWARD == Budget.objects.get().spent


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_two_lists_that_are_taken_out_at_once_pay_each_place_once() -> None:
    panel = finished(3)
    panel.bring("p0\np1\np2")
    panel.round()
    taken = at_once([panel.take_out] * 2)
    assert sum(taken) == 3
    assert Payment.objects.exclude(taken_out_at=None).count() == 3
    assert Budget.objects.get().spent == 3 * REWARD


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_one_participant_on_two_devices_at_once_has_one_place_and_one_page() -> None:
    panel = Panel(make_link_batch(images=3))
    panel.round()
    arrivals = at_once([lambda: panel.come("ann")] * 2)
    assert {one.session.participation.pk for one in arrivals if one.session} == {
        Participation.objects.get().pk
    }
    assert Participation.objects.get().assignment is not None


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_people_who_come_at_once_hold_pages_of_no_more_places_than_there_are() -> None:
    panel = Panel(make_link_batch(images=1))
    panel.round()
    at_once([partial(panel.come, name) for name in ("ann", "ben", "cat")])
    assert Assignment.objects.filter(state=Assignment.State.LIVE).count() == 1

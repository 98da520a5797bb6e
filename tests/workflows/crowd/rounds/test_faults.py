"""Each call to the platform fails in turn: nothing is paid twice, and nobody is left unpaid."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import pytest

from annotation.models import Judgment
from tests.selection import and_nightly
from tests.workflows.crowd.scene import Scene, check_settled, make_crowd_batch
from workflows.crowd.actions import pay_more
from workflows.crowd.models import Payment, Problem
from workflows.crowd.rounds.reconcile import reconcile
from workflows.crowd.rounds.step import Stepped, round_of
from workflows.platforms.provider import UnavailableError
from workflows.workers.enrolment import block_worker
from workflows.workers.models import Participation

pytestmark = [pytest.mark.django_db, pytest.mark.slow("a whole batch for each call that is struck")]


class Killed(BaseException):
    """Like SIGKILL: nothing after it runs."""


def story(scene: Scene, survive: Callable[[], None]) -> None:
    """Play two pages, one given back, a bonus and a blocked worker; `survive` is a round that may fail."""
    batch = make_crowd_batch(images=2, crowd={"hourly_wage": 4800})
    survive()
    first, second = scene.open()
    scene.work(first, "W1")
    place = scene.fake.accept(second.external_id, "W2")
    scene.open_page(second, place, "W2", answer=False)
    scene.fake.give_back(place)
    scene.wait(hours=2)
    survive()
    participation = Participation.objects.get(worker__external_id="W1")
    pay_more(
        provider=scene.fake,
        participation_id=participation.pk,
        kind=Payment.Kind.BONUS,
        amount=50,
        reason="Careful work.",
        token="bonus-of-a-researcher",
        by="ada",
        now=scene.now,
    )
    block_worker(worker_id=participation.worker_id, by="ada", note="", now=scene.now)
    survive()
    scene.work(second, "W3")
    survive()
    scene.advance()
    batch.state = "finished"
    batch.save()
    scene.wait(hours=2)
    survive()


def round_by_turn(scene: Scene) -> Stepped:
    """Do a round as background workers do it, which asks only for what has changed."""
    scene.wait(minutes=1, seconds=1)
    return round_of(provider=scene.fake, now=scene.now)


def bring_through(scene: Scene, a_round: Callable[[Scene], Stepped] = Scene.round) -> None:
    """Play the story and a comparison, repeat each part until it ends, and assert what must hold then."""

    def survive() -> None:
        for _ in range(20):
            with suppress(Killed):
                if a_round(scene).quiet:
                    return
        raise AssertionError("there is always something to do")

    story(scene, survive)
    report = None
    while report is None or report.failed:
        with suppress(Killed, UnavailableError):
            report = reconcile(provider=scene.fake, now=scene.now)
    survive()
    check_settled(scene)
    assert report.clean, report.problems
    assert not Problem.objects.filter(closed_at=None).exists()
    assert len(scene.fake.publications) == 2, "nothing was published twice"
    assert len(scene.fake.paid) == 3, "a bonus, and a top-up each"
    assert set(scene.fake.blocked) == {"W1"}


def survive_kills(scene: Scene) -> None:
    """Do rounds until there is nothing to do, whatever strikes them."""
    for _ in range(20):
        with suppress(Killed):
            if scene.round().quiet:
                return
    raise AssertionError("there is always something to do")


def bring_through_several_pages(scene: Scene) -> None:
    """Play places of two pages on a publication that grows; one is given back after a page."""
    scene.fake.grows = True
    batch = make_crowd_batch(images=6, crowd={"pages": 2, "open_pages": 1})
    survive_kills(scene)
    place = scene.fake.accept(scene.open()[0].external_id, "W1")
    scene.open_page(scene.open()[0], place, "W1")
    scene.fake.give_back(place)
    scene.wait(hours=2)
    survive_kills(scene)
    number = 0
    while scene.open():
        publication, number = scene.open()[0], number + 1
        place = scene.fake.accept(publication.external_id, f"V{number}")
        for _ in range(publication.pages):
            scene.open_page(publication, place, f"V{number}")
        scene.fake.submit(place)
        survive_kills(scene)
    assert number == 3 and Judgment.objects.filter(item__batch=batch).count() == 6
    check_settled(scene)
    report = None
    while report is None or report.failed:
        with suppress(Killed, UnavailableError):
            report = reconcile(provider=scene.fake, now=scene.now)
    # W1's page was given back with the place: its answers are kept and do not count.
    assert not Problem.objects.filter(closed_at=None).exclude(key__startswith="stranger:").exists()


CALLS = 45
"""Calls that are made to fail: a few more than the story makes."""


NUMBERS = range(1, CALLS)


def every(step: int) -> list[object]:
    """Return the numbers of calls: every so many of them for each suite, and the others at night."""
    others = (number for number in NUMBERS if number not in NUMBERS[::step])
    return and_nightly(NUMBERS[::step], others, "tests/faults kills processes at every call")


@pytest.mark.parametrize("number", every(8))
def test_a_process_killed_at_any_call(scene: Scene, number: int) -> None:
    """Every second call fails after the platform has done what was asked."""
    scene.fake.fail_at(number, Killed(), after=bool(number % 2))
    bring_through(scene)
    assert len(scene.fake.calls) < CALLS + 10


@pytest.mark.parametrize("number", every(13))
@pytest.mark.parametrize("after", [False, True], ids=["not-done", "done"])
def test_a_process_killed_at_any_call_of_rounds_that_look_by_turns(
    scene: Scene, number: int, after: bool
) -> None:
    scene.fake.fail_at(number, Killed(), after=after)
    bring_through(scene, round_by_turn)


@pytest.mark.parametrize(
    "after",
    and_nightly([True], [False], "it is asked again, like a call that was killed"),
    ids=["done", "not-done"],
)
@pytest.mark.parametrize("operation", ["publish", "submissions", "approve", "bonus", "block"])
def test_a_reply_that_is_lost(scene: Scene, operation: str, after: bool) -> None:
    scene.fake.fail_next(operation, UnavailableError("no answer"), after=after)
    bring_through(scene)


@pytest.mark.parametrize("after", [False, True], ids=["not-done", "done"])
@pytest.mark.parametrize("number", every(8))
def test_a_process_killed_at_any_call_while_places_have_several_pages(
    scene: Scene, number: int, after: bool
) -> None:
    scene.fake.fail_at(number, Killed(), after=after)
    bring_through_several_pages(scene)


@pytest.mark.parametrize("operation", ["publish", "extend", "submissions", "approve"])
def test_a_reply_that_is_lost_while_places_have_several_pages(scene: Scene, operation: str) -> None:
    scene.fake.fail_next(operation, UnavailableError("no answer"), after=True)
    bring_through_several_pages(scene)

"""Whatever happens to a process at a call to Prolific, everybody is paid once, to the penny.

The emulator runs in its own process. It kills ours with SIGKILL at every call that writes, once before it has
done what was asked, and once after. Or it loses its replies, breaks and throttles. Prolific knows no tokens,
so what was done is found by looking.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from pytest_django.fixtures import Settings

from tests.factories import make_questions
from tests.faults.crowding import Crowding
from tests.faults.sides import ProlificSide, prolific_side
from tests.faults.telling import bring_through, check_answers, check_books
from tests.selection import and_nightly
from tests.workflows.crowd.scene import SITE
from tests.workflows.qualification.tested_workers import make_tested, take
from workflows.batch_settings.domain.settings import parse_settings
from workflows.crowd.models import Payment

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.slow("kills processes at every call in turn, and starts new ones"),
]

PAY = "pay-bonus-payments"
WRITES = (
    "add-to-participant-group",
    "create-bonus-payments",
    "create-participant-group",
    "create-study",
    PAY,
    "publish-study",
    "remove-from-participant-group",
    "transition-submission",
    "update-study",
)
"""The calls of the story that change something.

A process that was killed while it looked has done nothing.
"""
READS = (
    "count-study-submissions-by-status",
    "get-participant-groups",
    "get-project",
    "get-project-studies",
    "get-study",
    "get-submission",
    "get-submissions",
)
KILLS = ("kill-before", "kill-after")


def each(*kinds: str, operations: tuple[str, ...] = WRITES) -> list[str]:
    """Each request is struck once.

    What pays a bonus is another request each time that the bonus is set up.
    """
    return [f"{kind}:{one}:{1 if one == PAY else 'each'}" for one in operations for kind in kinds]


@pytest.fixture
def side() -> Iterator[ProlificSide]:
    with prolific_side() as side:
        yield side


def crowding_of(
    side: ProlificSide, monkeypatch: pytest.MonkeyPatch, settings: Settings, *faults: str, tries: int = 1
) -> Crowding:
    settings.SITE = SITE
    crowding = Crowding(side, tries=tries, faults=faults)
    # How long ago a bonus with a lost answer was asked for is taken from the log of calls.
    monkeypatch.setattr("django.utils.timezone.now", lambda: crowding.now)
    return crowding


def test_a_process_killed_before_and_after_every_call_that_writes(
    side: ProlificSide,
    monkeypatch: pytest.MonkeyPatch,
    settings: Settings,
    record_property: Callable[[str, object], None],
) -> None:
    crowding = crowding_of(side, monkeypatch, settings, *each(*KILLS))
    bring_through(crowding)
    struck = {(kind, operation) for kind, operation in side.emulator.state()["struck"]}
    assert struck == {(kind, operation) for kind in KILLS for operation in WRITES}
    record_property("figure", f"{crowding.killed} processes killed at {len(WRITES)} operations of Prolific")


@pytest.mark.parametrize(
    "faults",
    and_nightly(
        [each("cut-after")],
        [each("break", "throttle", operations=WRITES + READS)],
        "a call that failed is repeated like one of a killed process",
    ),
    ids=["lost-replies", "errors"],
)
def test_replies_that_are_lost_errors_and_throttling(
    side: ProlificSide, monkeypatch: pytest.MonkeyPatch, settings: Settings, faults: list[str]
) -> None:
    bring_through(crowding_of(side, monkeypatch, settings, *faults, tries=3))


def test_a_process_killed_while_failed_tests_are_paid(
    side: ProlificSide, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    """One fails the test and goes back, and another one passes it. Such places have one page each."""
    crowding = crowding_of(side, monkeypatch, settings, *each(*KILLS))
    batch = make_tested("link", tries=1)
    given = {
        "reward": {"link": 100},
        "items_a_page": {"link": 1},
        "currency": "GBP",
        "crowd": {"provider": "prolific", "cap": 10_000},
    }
    batch.settings = parse_settings({**batch.settings, **given}).to_json()
    batch.save()
    make_questions(batch.project, "link", images=30)
    crowding.rounds()
    (study,) = crowding.open()
    assert study.pages == 1 and study.screen_outs
    place = crowding.take(study, "A1")
    failing = side.come(study, place, "A1", crowding.now)
    take(failing.worker, right=0, now=crowding.now, participation_id=failing.pk)
    side.screen_out("A1", study.token)
    crowding.rounds()
    place = crowding.take(study, "A2")
    passing = side.come(study, place, "A2", crowding.now)
    take(passing.worker, now=crowding.now, participation_id=passing.pk)
    for _ in range(study.pages):
        crowding.open_page(study, place, "A2")
    side.finish(place, "A2", study.token)
    crowding.rounds()
    batch.state = "finished"
    batch.save()
    crowding.compare()
    crowding.rounds()
    kinds = ("screened", study.screen_out), ("reward", study.reward)
    paid = Payment.objects.filter(state="done", kind__in=("screened", "reward"))
    assert sorted(paid.values_list("kind", "amount")) == sorted(kinds)
    check_answers(crowding)
    check_books(crowding)

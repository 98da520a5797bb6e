"""The Mechanical Turk provider, with unmodified boto3, against the emulator."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

import workflows.platforms.mturk
from tests.workflows.platforms.contract import ProviderContract
from tests.workflows.platforms.emulated import MTurkStage, mturk_stage
from tests.workflows.platforms.orders import BONUS, TOKEN, make_order
from workflows.platforms.models import ProviderCall
from workflows.platforms.mturk import client
from workflows.platforms.mturk.payloads import external_question
from workflows.platforms.mturk.provider import MTurk
from workflows.platforms.provider import Life, Money, RefusedError, Requirements, Stand, UnavailableError

pytestmark = pytest.mark.django_db
DAY = 24 * 3600


@pytest.fixture
def stage() -> Iterator[MTurkStage]:
    with mturk_stage() as made:
        yield made


@pytest.fixture
def patient() -> Iterator[MTurkStage]:
    """Yield a stage whose provider repeats calls by itself."""
    with mturk_stage(tries=5) as made:
        yield made


class TestMTurk(ProviderContract):
    @pytest.fixture
    def stage(self) -> Iterator[MTurkStage]:
        with mturk_stage() as made:
            yield made
            assert made.asked  # so every request of these tests was validated


def test_every_operation_that_it_knows_is_sent_and_valid(patient: MTurkStage) -> None:
    provider, worker = patient.provider, patient.workers[0]
    ours = provider.make_qualification("boxes", "Trusted in drawing boxes.")
    wanted = Requirements(500, 0.95, ("US-CA", "GB"), masters=True, lacking=(ours,))
    one = provider.publish(make_order(requirements=wanted))
    provider.extend(one.external_id, more=1, token="e0")
    patient.turk.worker(worker, approved=600, country="GB", masters=True)
    submission_id = patient.work(one.external_id, worker)
    (submitted,) = provider.submissions(one.external_id)
    provider.reject(submission_id, reason="No answers.")
    provider.approve(submission_id, feedback="We were wrong.")
    provider.approve(submission_id)
    provider.bonus(submitted, amount=Money(5, "USD"), reason="Thank you", token=BONUS)
    provider.grant(ours, worker)
    provider.revoke(ours, worker, reason="It was a mistake.")
    assert list(provider.holders(ours)) == []
    assert provider.message([worker], subject="New pages", text="There are new pages.") == []
    provider.block(worker, reason="A script.")
    provider.unblock(worker, reason="It was none.")
    provider.expire(one.external_id)
    assert provider.find(TOKEN) == provider.look(one.external_id)
    assert provider.balance() is not None
    assert provider.hints()
    known = set(provider.client.meta.service_model.operation_names)
    code = "".join(path.read_text() for path in Path(workflows.platforms.mturk.__path__[0]).glob("*.py"))
    assert set(patient.asked) == known & set(re.findall(r'"([A-Za-z]+)"', code))


def test_a_type_is_registered_once_and_again_where_amazon_has_it_no_more(stage: MTurkStage) -> None:
    registered = ProviderCall.objects.filter(operation="CreateHITType")
    for number in range(3):
        stage.provider.publish(make_order(token=f"a-{number}"))
    assert registered.count() == 1
    content, _ = stage.provider._types.popitem()
    stage.provider._types[content] = "3" + "A" * 29
    assert stage.provider.publish(make_order(token="a-3")).life == Life.OPEN
    assert registered.count() == 2


def test_counts_say_what_was_handed_in_and_what_was_decided(stage: MTurkStage) -> None:
    one = stage.provider.publish(make_order(places=3))
    first = stage.work(one.external_id, stage.workers[0])
    stage.work(one.external_id, stage.workers[1])
    stage.provider.approve(first)
    stage.turk.worker(stage.workers[2]).accept(hit_id=one.external_id)
    (listed,) = stage.provider.published()
    assert (listed.submitted, listed.decided, listed.working, listed.free) == (1, 1, 1, 0)
    stage.provider.expire(one.external_id)
    seen = stage.provider.look(one.external_id)
    assert seen is not None and (seen.submitted, seen.decided) == (1, 1)


def test_counts_of_a_hit_that_ran_out_with_places_left_hold(stage: MTurkStage) -> None:
    one = stage.provider.publish(make_order(places=3))
    stage.work(one.external_id, stage.workers[0])
    stage.provider.expire(one.external_id)
    seen = stage.provider.look(one.external_id)
    assert seen is not None and (seen.submitted, seen.decided, seen.free) == (1, 0, 0)


@pytest.mark.parametrize("worker", ["B1", "A1 ", "A" * 65, ""])
def test_a_request_of_the_wrong_shape_would_be_seen(stage: MTurkStage, worker: str) -> None:
    with pytest.raises(AssertionError):
        stage.provider.block(worker, reason="A script.")


def test_a_token_that_amazon_forgot_is_found_in_the_annotation(stage: MTurkStage) -> None:
    one = stage.provider.publish(make_order())
    stage.provider.now = lambda: timezone.now() + timedelta(days=2)
    stage.turk.set_clock(advance=2 * DAY)
    assert stage.provider.publish(make_order()).external_id == one.external_id
    assert len(list(stage.provider.published())) == 1


@pytest.mark.parametrize("kind", ["timeout-after", "error-before", "throttle"])
def test_lost_replies_are_asked_for_again(patient: MTurkStage, kind: str) -> None:
    patient.turk.set_faults(
        *(
            {"kind": kind, "operation": name, "times": 2, "nth": 1}
            for name in ("SendBonus", "RejectAssignment")
        ),
        {"kind": kind, "operation": "CreateHITWithHITType", "nth": 1},
        {"kind": kind, "operation": "CreateAdditionalAssignmentsForHIT", "nth": 1},
    )
    one = patient.provider.publish(make_order())
    patient.provider.extend(one.external_id, more=7, token="e0")
    patient.work(one.external_id, patient.workers[0])
    (submitted,) = patient.provider.submissions(one.external_id)
    patient.provider.reject(submitted.external_id, reason="No answers.")
    patient.provider.bonus(submitted, amount=Money(5, "USD"), reason="Thank you", token=BONUS)
    (seen,) = patient.provider.published()
    assert (seen.token, seen.places) == (TOKEN, 9)
    assert [paid.token for paid in patient.provider.bonuses(one.external_id)] == [BONUS]
    assert patient.turk.state()["paidTwice"] == []
    assert ProviderCall.objects.filter(outcome="unavailable").count() == 4


def test_a_lost_reply_before_the_money_ran_out_is_no_refusal(stage: MTurkStage) -> None:
    order = make_order(lifetime_seconds=30 * DAY)
    stage.break_off("publish", after=True)
    with pytest.raises(UnavailableError):
        stage.provider.publish(order)
    stage.drain()
    stage.turk.set_clock(advance=25 * 3600)  # Amazon forgets the token sooner than we thought
    (one,) = stage.provider.published()
    assert stage.provider.publish(order).external_id == one.external_id


def test_an_extension_again_after_a_lost_reply_adds_once(stage: MTurkStage) -> None:
    one = stage.provider.publish(make_order())
    stage.break_off("extend", after=True)
    with pytest.raises(UnavailableError):
        stage.provider.extend(one.external_id, more=7, token="e0")
    for _ in range(2):  # seven more on top of nine would change the fee
        stage.provider.extend(one.external_id, more=7, token="e0")
    seen = stage.provider.look(one.external_id)
    assert seen is not None and seen.places == 9


def test_places_that_would_change_the_fee_of_the_others_are_refused_without_asking(stage: MTurkStage) -> None:
    one = stage.provider.publish(make_order(places=9))
    with pytest.raises(RefusedError, match="fee is higher"):
        stage.provider.extend(one.external_id, more=1, token="e0")
    assert "CreateAdditionalAssignmentsForHIT" not in stage.asked


def test_what_a_hit_holds_is_reward_and_fee_of_every_place(stage: MTurkStage) -> None:
    for places, masters in ((9, False), (10, False), (2, True)):
        token = f"{places}"
        order = make_order(token=token, places=places, requirements=Requirements(masters=masters))
        stage.provider.publish(order)
        (hit,) = [
            hit for hit in stage.turk.state()["hits"] if hit["annotation"].startswith(f"groundcrew:{token} ")
        ]
        assert hit["held"] == places * (50 + stage.provider.fee(50, places=places, masters=masters))


def test_a_reason_that_amazon_would_refuse_is_refused_before_it_is_asked(stage: MTurkStage) -> None:
    """If it were cut to what Amazon takes, the worker would only read a part of it."""
    stage.provider.check_reason("x" * 1024)
    with pytest.raises(RefusedError, match="1 to 1024 characters; this one has 1025"):
        stage.provider.check_reason("x" * 1025)
    with pytest.raises(RefusedError, match="this one has 1025"):
        stage.provider.reject(stage.unknown, reason="x" * 1025)
    assert not ProviderCall.objects.exists()


def test_a_rejection_is_not_overridden_after_thirty_days(stage: MTurkStage) -> None:
    one = stage.provider.publish(make_order())
    submission_id = stage.work(one.external_id, stage.workers[0])
    stage.provider.reject(submission_id, reason="No answers.")
    stage.turk.set_clock(advance=31 * DAY)
    with pytest.raises(RefusedError):
        stage.provider.approve(submission_id)
    (submitted,) = stage.provider.submissions(one.external_id)
    assert submitted.stand == Stand.REJECTED


@pytest.mark.parametrize("skew", [-7200.0, 7200.0])
def test_a_hit_expires_at_once_whatever_the_clocks_say(skew: float) -> None:
    with mturk_stage(skew=skew) as stage:
        one = stage.provider.publish(make_order(lifetime_seconds=DAY))
        stage.turk.worker("A1EXAMPLE").accept(hit_id=one.external_id)
        stage.provider.expire(one.external_id)
        seen = stage.provider.look(one.external_id)
    assert seen is not None
    assert (seen.life, seen.free, seen.working, seen.expires_at) == (Life.CLOSED, 0, 1, None)


def test_a_hit_whose_places_are_all_taken_may_open_again(stage: MTurkStage) -> None:
    one = stage.provider.publish(make_order(places=1))
    somebody = stage.turk.worker("A1EXAMPLE")
    taken = somebody.accept(hit_id=one.external_id)
    seen = stage.provider.look(one.external_id)
    assert seen is not None and (seen.life, seen.free, seen.working) == (Life.OPEN, 0, 1)
    somebody.give_back(taken["assignmentId"])
    seen = stage.provider.look(one.external_id)
    assert seen is not None and (seen.life, seen.free, seen.working) == (Life.OPEN, 1, 0)


def test_what_is_not_ours_has_no_token(stage: MTurkStage) -> None:
    made = stage.turk.client().create_hit(
        LifetimeInSeconds=60,
        AssignmentDurationInSeconds=60,
        Reward="0.05",
        Title="Somebody else's",
        Description="Of another programme",
        Question=external_question("https://elsewhere.example/"),
    )
    (one,) = stage.provider.published()
    assert (one.external_id, one.token, one.reward) == (made["HIT"]["HITId"], "", Money(5, "USD"))


def test_all_pages_of_a_long_list_are_read(stage: MTurkStage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "PAGE", 2)
    for number in range(5):
        stage.provider.publish(make_order(token=f"{number}"))
    assert sorted(one.token for one in stage.provider.published()) == ["0", "1", "2", "3", "4"]
    first = stage.provider.find("0")
    assert first is not None and first.token == "0"


def test_messages_go_out_to_a_hundred_workers_at_a_time(stage: MTurkStage) -> None:
    one = stage.provider.publish(make_order())
    stage.provider.approve(stage.work(one.external_id, "A0WORKED"))
    strangers = [f"A{number}STRANGER" for number in range(200)]
    missed = stage.provider.message(
        ["A0WORKED", *strangers], subject="New pages", text="There are new pages."
    )
    assert missed == strangers
    sizes = [len(call["params"]["WorkerIds"]) for call in stage.turk.calls("NotifyWorkers")]
    assert sizes == [100, 100, 1]


def test_notifications_are_taken_once_and_name_their_hit(stage: MTurkStage) -> None:
    stage.turk.set_faults({"kind": "duplicate", "operation": "AssignmentSubmitted"})
    one = stage.provider.publish(make_order())
    stage.work(one.external_id, stage.workers[0])
    hints = stage.provider.hints()
    assert {hint.publication_id for hint in hints} == {one.external_id}
    submitted = [hint.external_id for hint in hints if hint.kind == "AssignmentSubmitted"]
    assert len(submitted) == 2 and len(set(submitted)) == 1
    assert stage.provider.hints() == []


def test_a_platform_that_sends_no_notifications_is_published_on_all_the_same(stage: MTurkStage) -> None:
    stage.turk.set_faults(
        {"kind": "refuse", "operation": "UpdateNotificationSettings", "code": "AccessDenied"}
    )
    assert stage.provider.publish(make_order()).life == Life.OPEN


def test_a_wrong_secret_is_no_refusal_of_the_order_and_asked_with_once(patient: MTurkStage) -> None:
    account = replace(patient.provider.account, secret="wrong")
    with pytest.raises(UnavailableError, match="does not let us in"):
        MTurk(account, pace=patient.provider.pace).publish(make_order())
    assert ProviderCall.objects.count() == 1
    assert list(patient.provider.published()) == []

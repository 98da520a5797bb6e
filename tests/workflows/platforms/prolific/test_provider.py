"""The Prolific provider keeps the contract, and Prolific's own rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from simulation.emulators.prolific.world import Participant
from tests.workflows.platforms.contract import ProviderContract
from tests.workflows.platforms.orders import TOKEN, make_order
from tests.workflows.platforms.prolific.stage import ProlificStage, account_at, prolific_stage
from workflows.platforms.models import ProviderCall
from workflows.platforms.prolific.completion_codes import completion_code, completion_url
from workflows.platforms.provider import (
    Funds,
    Life,
    Money,
    Order,
    Published,
    RefusedError,
    Requirements,
    Stand,
    UnavailableError,
    UnknownObjectError,
    UnreadError,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage(db: None) -> Iterator[ProlificStage]:
    with prolific_stage() as stage:
        yield stage


def order(**fields: object) -> Order:
    return make_order("GBP", **fields)


def publish(stage: ProlificStage, **fields: object) -> Published:
    return stage.provider.publish(order(**fields))


class TestProlific(ProviderContract):
    @pytest.fixture
    def stage(self, db: None) -> Iterator[ProlificStage]:
        with prolific_stage() as stage:
            yield stage


def test_a_participant_comes_with_ids_and_goes_back_with_the_code(stage: ProlificStage) -> None:
    one = publish(stage)
    worker = stage.workers[0]
    started = stage.emulator.participants.start(one.external_id, worker)
    assert started.url == (
        "https://groundcrew.example/work/crowd/links/5f0c7d1e/?a=1&b=2"
        f"&PROLIFIC_PID={worker}&STUDY_ID={one.external_id}&SESSION_ID={started.submission_id}"
    )
    confirmed = stage.provider.confirm(started.submission_id)
    assert (confirmed.worker, confirmed.publication_id) == (worker, one.external_id)
    assert confirmed.stand == Stand.WORKING
    stage.emulator.participants.complete_by(worker, completion_code(TOKEN))
    (submitted,) = stage.provider.submissions(one.external_id)
    assert submitted.stand == Stand.SUBMITTED and submitted.submitted_at and submitted.deadline
    assert (submitted.deadline - submitted.submitted_at).days == 21


def test_the_code_is_told_by_no_address_and_differs_by_publication(stage: ProlificStage) -> None:
    publish(stage)
    (study,) = stage.world.studies.values()
    code = study.fields["completion_codes"][0]["code"]
    assert code == completion_code(TOKEN) != completion_code("another-0")
    assert code not in study.fields["external_study_url"]
    assert (
        completion_url(account_at(stage.emulator), code)
        == f"https://app.prolific.com/submissions/complete?cc={code}"
    )


def test_a_confirmation_of_nothing_is_a_typed_error(stage: ProlificStage) -> None:
    with pytest.raises(UnknownObjectError):
        stage.provider.confirm(stage.unknown)


@pytest.mark.parametrize("operation", ["create-study", "publish-study"])
@pytest.mark.parametrize("kind", ["cut", "cut-after", "break", "break-after", "throttle"])
def test_wherever_publishing_breaks_off_one_study_is_made(
    stage: ProlificStage, operation: str, kind: str
) -> None:
    stage.world.faults.add(kind, operation)
    try:
        publish(stage)
    except UnavailableError:
        publish(stage)
    assert [study.status for study in stage.world.studies.values()] == ["ACTIVE"]


def test_a_draft_is_no_publication_and_is_taken_up(stage: ProlificStage) -> None:
    stage.world.faults.add("break", "publish-study", times=5)
    with pytest.raises(UnavailableError):
        publish(stage)
    assert [study.status for study in stage.world.studies.values()] == ["UNPUBLISHED"]
    assert stage.provider.find(TOKEN) is None and list(stage.provider.published()) == []
    assert stage.world.available == stage.world.books.total
    publish(stage)
    assert [study.status for study in stage.world.studies.values()] == ["ACTIVE"]


def test_only_whom_the_filters_let_see_the_study(stage: ProlificStage) -> None:
    provider, participants = stage.provider, stage.emulator.participants
    trusted = provider.make_qualification("boxes", "Trusted in boxes.")
    also = provider.make_qualification("checks", "Trusted in checks.")
    closed = provider.make_qualification("closed", "Kept out of boxes.")
    good, single, out, blocked, new, abroad = (f"{number:024x}" for number in range(11, 17))
    for one in (new,):
        participants.join(Participant(one, approvals=9))
    participants.join(Participant(abroad, country="Poland"))
    for one in (good, out, blocked, new, abroad):
        provider.grant(trusted, one)
        provider.grant(also, one)
    provider.grant(trusted, single)
    provider.grant(closed, out)
    wanted = Requirements(
        completed=10, approval=0.95, locales=("GB", "IE"), holding=(trusted, also), lacking=(closed,)
    )
    publish(stage, requirements=wanted)
    provider.block(blocked, reason="Answers by a script.")
    seen = [one for one in (good, single, out, blocked, new, abroad) if participants.studies(one)]
    assert seen == [good]
    provider.unblock(blocked, reason="It was none.")
    assert participants.studies(blocked)


@pytest.mark.parametrize(("locale", "said"), [("US-CA", "write US"), ("XX", "no such country")])
def test_a_place_that_no_filter_names_is_refused_by_name(
    stage: ProlificStage, locale: str, said: str
) -> None:
    with pytest.raises(RefusedError, match=f"{locale}: .*{said}"):
        publish(stage, requirements=Requirements(locales=(locale,)))
    assert not stage.world.studies


def test_an_extension_counts_once_by_its_token_and_opens_nothing(stage: ProlificStage) -> None:
    one = publish(stage)
    for _ in range(2):
        stage.provider.extend(one.external_id, more=2, token="e0")
    stage.provider.extend(one.external_id, more=1, token="e1")
    seen = stage.provider.find(TOKEN)
    assert seen is not None and seen.places == 5
    stage.provider.expire(one.external_id)
    with pytest.raises(RefusedError, match="closed"):
        stage.provider.extend(one.external_id, more=1, token="e2")
    assert stage.world.study(one.external_id).status == "COMPLETED"


def test_who_is_at_work_when_it_is_stopped_can_submit_and_is_paid(stage: ProlificStage) -> None:
    one = publish(stage)
    started = stage.emulator.participants.start(one.external_id, stage.workers[0])
    stage.provider.expire(one.external_id)
    seen = stage.provider.look(one.external_id)
    assert seen is not None and (seen.free, seen.working) == (0, 1)
    assert stage.world.reserved() == 50 + stage.provider.fee(50, places=1, masters=False)
    stage.emulator.participants.complete(started.submission_id, "")
    stage.provider.approve(started.submission_id)
    assert stage.world.reserved() == 0 and stage.world.books.paid("reward") == 50


@pytest.mark.parametrize(
    ("reason", "said"),
    [("Bad.", "has 4"), ("LAZY: " + "x" * 100, "LAZY is not a category"), ("LOW_EFFORT: short", "has 5")],
)
def test_a_reason_that_prolific_would_refuse_is_refused_before_it_is_asked(
    stage: ProlificStage, reason: str, said: str
) -> None:
    with pytest.raises(RefusedError, match=said):
        stage.provider.check_reason(reason)
    with pytest.raises(RefusedError, match=said):
        stage.provider.reject(stage.unknown, reason=reason)
    assert not ProviderCall.objects.exists()


def test_a_rejection_names_its_category_and_can_be_taken_back(stage: ProlificStage) -> None:
    one = publish(stage)
    submission = stage.work(one.external_id, stage.workers[0])
    stage.provider.reject(submission, reason="LOW_EFFORT: " + "Every box is one pixel wide. " * 4)
    assert stage.world.submission(submission).status == "REJECTED"
    seen = stage.provider.look(one.external_id)
    assert seen is not None and seen.free == 2  # the place is free again
    stage.provider.approve(submission)
    assert stage.world.submission(submission).status == "APPROVED"


def test_a_participant_is_asked_to_return_once(stage: ProlificStage) -> None:
    submission = stage.work(publish(stage).external_id, stage.workers[0])
    stage.provider.ask_to_return(submission, reason="The page broke.")
    assert [one["body"] for one in stage.world.messages] == ["The page broke."]
    stage.emulator.participants.give_back(submission)
    with pytest.raises(RefusedError):
        stage.provider.approve(submission)


def test_messages_reach_who_took_part_and_name_who_did_not(stage: ProlificStage) -> None:
    one = publish(stage)
    first, second, third = stage.workers
    for worker in (first, second):
        stage.work(one.external_id, worker)
    missed = stage.provider.message([first, third, second], subject="Thanks", text="More to come.")
    assert missed == [third]
    assert [one["recipient_id"] for one in stage.world.messages] == [first, second]
    assert stage.world.messages[0]["body"] == "Thanks\n\nMore to come."


def test_a_study_that_is_none_of_ours_is_told_without_a_token(stage: ProlificStage) -> None:
    publish(stage)
    (study,) = stage.world.studies.values()
    study.fields["internal_name"] = "Somebody's survey"
    (told,) = stage.provider.published()
    assert told.token == "" and stage.provider.find(TOKEN) is None


def test_another_currency_is_refused(stage: ProlificStage) -> None:
    with pytest.raises(RefusedError, match="GROUNDCREW_PROLIFIC_CURRENCY"):
        stage.provider.publish(make_order("USD"))
    parts = (("rewards", 70_028), ("fees", 29_972), ("VAT", 0))
    assert stage.provider.balance() == Funds(Money(100_000, "GBP"), parts)


def test_a_wrong_token_is_told_by_its_variable_and_never_repeated(db: None) -> None:
    with prolific_stage(token="wrong-token-of-ours") as stage:
        with pytest.raises(UnavailableError, match="GROUNDCREW_PROLIFIC_TOKEN") as caught:
            stage.provider.balance()
        assert "wrong-token-of-ours" not in str(caught.value)
        assert [one.message for one in ProviderCall.objects.all()] == [str(caught.value)]


def test_lists_are_read_to_their_end(stage: ProlificStage) -> None:
    one = publish(stage, places=230)
    expected = {
        stage.emulator.participants.start(one.external_id, f"{number:024x}").submission_id
        for number in range(100, 330)
    }
    told = [each.external_id for each in stage.provider.submissions(one.external_id)]
    assert len(told) == 230 and set(told) == expected
    assert replace(one, free=0, working=230) == stage.provider.look(one.external_id)


def test_a_token_that_was_never_asked_for_is_not_looked_for(stage: ProlificStage) -> None:
    for token in ("one-0", "two-0"):
        publish(stage, token=token)
    assert "get-project-studies" not in stage.emulator.requests
    publish(stage, token="two-0")
    assert stage.emulator.requests.count("get-project-studies") == 1
    assert len(stage.world.studies) == 2


def test_a_paused_study_keeps_its_places_and_takes_no_more(stage: ProlificStage) -> None:
    one = publish(stage)
    stage.world.study(one.external_id).status = "PAUSED"
    seen = stage.provider.look(one.external_id)
    assert seen is not None and (seen.life, seen.free) == (Life.OPEN, 2)
    with pytest.raises(RefusedError, match="paused"):
        stage.provider.extend(one.external_id, more=1, token="e0")
    stage.provider.expire(one.external_id)
    seen = stage.provider.look(one.external_id)
    assert seen is not None and (seen.life, seen.free) == (Life.CLOSED, 0)


def test_of_a_status_that_is_not_known_nothing_is_let_go(stage: ProlificStage) -> None:
    one = publish(stage)
    stage.world.study(one.external_id).status = "UNDER CONSIDERATION"
    seen = stage.provider.look(one.external_id)
    assert seen is not None and (seen.life, seen.free) == (Life.OPEN, 2)


def test_a_foreign_study_that_cannot_be_read_hides_none_of_ours(stage: ProlificStage) -> None:
    ours = publish(stage)
    foreign = stage.world.study(publish(stage, token="f-0").external_id)
    foreign.fields.update(internal_name="Somebody's survey", reward=12.5)
    assert list(stage.provider.published()) == [ours]
    stage.world.study(ours.external_id).fields["reward"] = 12.5
    with pytest.raises(UnreadError, match=ours.external_id):
        list(stage.provider.published())


def test_the_group_of_those_who_are_kept_out_is_made_anew_where_it_was_deleted(stage: ProlificStage) -> None:
    publish(stage)
    for act in (
        lambda: publish(stage, token="b-0"),
        lambda: stage.provider.unblock(stage.workers[0], reason="It was none."),
        lambda: stage.provider.block(stage.workers[0], reason="Answers by a script."),
    ):
        for group in stage.world.groups.values():
            group.deleted = True
        act()
    left = [group for group in stage.world.groups.values() if not group.deleted]
    assert [list(group.members) for group in left] == [[stage.workers[0]]]
    assert [study.status for study in stage.world.studies.values()] == ["ACTIVE", "ACTIVE"]

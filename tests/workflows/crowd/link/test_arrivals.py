"""Who comes by a batch's address gets a place in a stage that has work, and keeps it."""

from __future__ import annotations

import pytest

from annotation.models import Standing
from tests.factories import make_controlled
from tests.workflows.crowd.link.scene import Panel, make_link_batch
from workflows.batch_settings.domain.settings import parse_settings
from workflows.batches.lifecycle import move_batch
from workflows.crowd.link.addresses import NoLinkError, address_of, batch_of, link_of, way_back, way_out
from workflows.crowd.models import Publication
from workflows.crowd.participations.domain.completion import Code, Link
from workflows.crowd.participations.sessions import Progress
from workflows.workers.enrolment import block_worker, enrol_worker
from workflows.workers.models import Participation

pytestmark = pytest.mark.django_db


def made(**settings: object) -> Panel:
    panel = Panel(make_link_batch(**settings))  # type: ignore[arg-type]
    panel.round()
    return panel


def test_one_study_a_stage_grows_as_on_prolific() -> None:
    made(images=5)
    assert [(one.stage, one.places) for one in Publication.objects.all()] == [("link", 5)]


def test_a_second_device_goes_on_with_the_place() -> None:
    panel = made()
    first, second = panel.come("ann"), panel.come("ann")
    assert first.session and second.session
    assert first.session.participation == second.session.participation
    assert first.session.participation.assignment_id == second.session.participation.assignment_id
    panel.answer(second)
    again = panel.come("ann")
    assert again.session and again.session.progress == Progress.SUBMITTED


def test_without_an_id_of_the_place_a_participant_has_one_place_in_the_batch() -> None:
    panel = made(images=3)
    panel.work("ann")
    again = panel.come("ann")
    assert again.session and again.session.progress == Progress.SUBMITTED
    assert Participation.objects.count() == 1


def test_who_finds_no_work_holds_no_place_and_may_come_again() -> None:
    panel = made(images=1)
    panel.come("ann")
    assert panel.come("ben").session is None
    states = dict(Participation.objects.values_list("worker__external_id", "state"))
    assert states == {"ann": "opened"}
    panel.batch.settings = parse_settings(panel.batch.settings | {"by_link": {"assignment": "a"}}).to_json()
    panel.batch.save()
    ann = panel.come("ann").session
    assert ann is not None


def test_who_has_judged_all_items_of_a_stage_gets_another_stage() -> None:
    panel = made(images=1, link={"trusted": True, "assignment": "a"})
    panel.work("ann", "A1")
    assert panel.come("ann", "A2").session is None
    panel.advance()
    panel.round()
    arrival = panel.come("ann", "A2")
    assert arrival.session is not None
    assert arrival.session.participation.publication.stage != "link"


def test_whoever_might_get_work_in_a_moment_is_not_sent_away_for_good() -> None:
    panel = made(images=5, crowd={"provider": "link", "cap": 10_000, "open_pages": 2})
    panel.come("ann")
    panel.come("ben")
    assert panel.come("cat").session is None and panel.come("cat").soon
    panel.round()
    assert panel.come("cat").session is not None


def test_a_place_of_several_pages_is_one_place_of_the_quota_until_its_last_page() -> None:
    crowd = {"provider": "link", "cap": 10_000, "open_pages": 1, "pages": 2}
    panel = made(images=4, crowd=crowd)
    first = panel.come("ann")
    for _ in range(2):
        assert panel.come("ben").session is None
        panel.answer(first)
    assert panel.come("ben").session is None, "the place is taken, though both its pages are in"
    panel.round()
    assert panel.come("ben").session is not None


def test_who_comes_when_all_is_done_is_sent_away_for_good() -> None:
    panel = made(images=1)
    panel.come("ann")
    assert not panel.come("ben").soon


def test_a_blocked_worker_is_turned_away() -> None:
    panel = made()
    panel.work("ann")
    place = Participation.objects.get()
    block_worker(worker_id=place.worker_id, by="ada", note="", now=panel.now)
    panel.batch.settings = parse_settings(panel.batch.settings | {"by_link": {"assignment": "a"}}).to_json()
    panel.batch.save()
    assert panel.come("ann", "A2").session is None


def test_a_batch_that_does_not_run_turns_everybody_away_but_who_is_at_work() -> None:
    panel = made()
    panel.come("ann")
    move_batch(batch=panel.batch, action="pause")
    panel.round()
    assert panel.come("ben").session is None
    ann = panel.come("ann")
    assert ann.session and ann.session.progress == Progress.WORKING


def test_who_lost_a_stage_is_turned_away() -> None:
    batch = make_controlled("link", "trusted", images=1)
    crowd = {"crowd": {"provider": "link", "cap": 10_000}, "reward": {"link": 5}}
    batch.settings = parse_settings(batch.settings | crowd | {"screening": {"test": False}}).to_json()
    batch.save()
    panel = Panel(batch)
    panel.round()
    worker = enrol_worker(project=batch.project, external_id="ann", provider="link")
    lost = {"stage": "link", "state": Standing.State.LOST, "changed_at": panel.now}
    Standing.objects.create(worker=worker, **lost)
    assert panel.come("ann").session is None
    assert panel.come("ben").session is not None


def test_an_address_names_its_batch_and_cannot_be_made_up() -> None:
    batch, other = make_link_batch(), make_link_batch()
    assert batch_of(link_of(batch)) == batch
    assert link_of(batch) in address_of(batch)
    swapped = f"{batch.pk}-{link_of(other).partition('-')[2]}"
    for wrong in ("", "1", f"{batch.pk}-", swapped, "x-y", f"{10**30}-ab", link_of(batch) + "0"):
        with pytest.raises(NoLinkError):
            batch_of(wrong)


def test_the_way_back_is_a_code_of_the_place_or_an_address() -> None:
    panel = made(link={"trusted": True})
    place = panel.work("ann")
    code = way_back(panel.batch, place)
    assert isinstance(code, Code) and len(code.code) == 10
    assert way_back(panel.batch, place) == code
    assert way_back(panel.batch, panel.work("ben")) != code
    link = {"code": "DONE1", "back": "https://c.example/?p=%PARTICIPANT%&c=%CODE%&a=%ASSIGNMENT%"}
    panel.batch.settings = parse_settings(panel.batch.settings | {"by_link": link}).to_json()
    assert way_back(panel.batch, place) == Link("https://c.example/?p=ann&c=DONE1&a=ann")


@pytest.mark.parametrize(
    ("link", "way"),
    [
        ({}, None),
        ({"out_code": "OUT"}, Code("OUT")),
        ({"out_code": "OUT", "out_back": "https://c.example/%CODE%"}, Link("https://c.example/OUT")),
    ],
)
def test_who_is_turned_away_has_a_way_back_of_their_own(link: dict[str, str], way: object) -> None:
    assert way_out(parse_settings({"by_link": link}), worker="ann", assignment="ann") == way

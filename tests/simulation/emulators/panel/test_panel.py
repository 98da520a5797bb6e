"""The emulated panel: what participants and researchers can do there."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from simulation.emulators.panel.handle import Handle
from simulation.emulators.panel.server import Panel
from simulation.emulators.panel.world import RefusedError, World

ADDRESS = "https://g.example/work/crowd/any/1-a/?participantId={participant}&assignmentId={assignment}"


@pytest.fixture
def panel() -> Iterator[Panel]:
    with Panel(World(address=ADDRESS, reward=40, quota=2, screen_out=10)) as panel:
        yield panel


@pytest.fixture
def handle(panel: Panel) -> Iterator[Handle]:
    with Handle(panel.url) as handle:
        yield handle


def test_a_participant_is_sent_to_the_address_and_types_the_code(panel: Panel, handle: Handle) -> None:
    place, url = handle.start("ann b")
    assert url == ADDRESS.format(participant="ann%20b", assignment=place)
    with pytest.raises(RefusedError, match="Copy it again"):
        handle.submit(place, "WRONG")
    handle.submit(place, "DONE")
    assert handle.participants().decode().splitlines()[1:] == [f"ann b,{place},submitted"]


def test_a_browser_is_led_to_the_task_and_back(panel: Panel) -> None:
    with httpx.Client(base_url=panel.url, trust_env=False) as browser:
        assert "Take part" in browser.get("/").text
        sent = browser.post("/start", data={"participant": "ann"})
        assert sent.status_code == 303 and "participantId=ann" in sent.headers["location"]
        assert 'value="a1"' in browser.get("/code", params={"assignment": "a1"}).text
        said = browser.post("/submit", data={"assignment": "a1", "code": "no"})
        assert said.status_code == 422 and "Copy it again" in said.text
        assert "submitted" in browser.get("/complete", params={"assignment": "a1", "code": "DONE"}).text
        assert browser.get("/nowhere").status_code == 404


def test_a_full_study_takes_nobody_until_a_place_is_given_back(handle: Handle) -> None:
    first, _ = handle.start("ann")
    handle.start("ben")
    with pytest.raises(RefusedError, match="full"):
        handle.start("cat")
    handle.give_back(first)
    handle.start("cat")


def test_its_books_have_what_the_lists_paid_and_who_was_screened_out(handle: Handle) -> None:
    ann, ben = handle.start("ann")[0], handle.start("ben")[0]
    handle.submit(ann, "DONE")
    handle.submit(ben, "OUT")
    assert handle.books()["wrong"] == ["submitted and not paid: 1"]
    lines = ["participant,assignment,what,amount,currency,reason"]
    lines += [f"ann,{ann},approve,0.40,USD,", f"ann,{ann},bonus,0.5,USD,Thanks."]
    handle.pay("\n".join(lines))
    assert handle.books() == {
        "sums": {"rewards": 40, "bonuses": 50, "screen-outs": 10},
        "wrong": [],
        "places": 2,
    }


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("ben,a1,approve,0.40,USD,", "a1 is not ben's"),
        ("ann,a1,approve,0.41,USD,", "a1 was to be paid 0.41"),
        (
            "ann,a1,approve,0.40,USD,\nann,a1,approve,0.40,USD,",
            "a1 is approved, and was on the list again: approve",
        ),
    ],
)
def test_a_list_that_pays_wrongly_is_told(handle: Handle, line: str, wrong: str) -> None:
    place, _ = handle.start("ann")
    handle.submit(place, "DONE")
    handle.pay(f"participant,assignment,what,amount,currency,reason\n{line}\n")
    assert wrong in handle.books()["wrong"]


def test_a_rejection_can_be_reversed_once(handle: Handle) -> None:
    place, _ = handle.start("ann")
    handle.submit(place, "DONE")
    lines = [f"ann,{place},{what},0.40,USD," for what in ("reject", "approve")]
    for line in lines:
        handle.pay(f"participant,assignment,what,amount,currency,reason\n{line}\n")
    assert handle.books()["wrong"] == [] and handle.books()["sums"] == {"rewards": 40}
    handle.pay(f"participant,assignment,what,amount,currency,reason\n{lines[1]}\n")
    assert handle.books()["wrong"] == [f"{place} is approved, and was on the list again: approve"]

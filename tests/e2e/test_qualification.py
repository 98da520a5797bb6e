"""From the first look at a task through its qualification test to its first page."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from annotation.domain.answers import Stage
from annotation.models import QualificationTry, VerificationQuestion
from tests.e2e.conftest import NewContext
from tests.e2e.devices import DEVICES
from tests.e2e.examining import ask_for_a_test
from tests.e2e.hands import NAMES, Hands, Mouse
from tests.e2e.keyboard import Keys
from tests.e2e.looks import check_looks
from tests.e2e.site import WORKER, Site, wait_for
from tests.e2e.watch import Watch
from tests.selection import and_nightly


def held(site: Site) -> QualificationTry:
    return QualificationTry.objects.filter(worker=site.worker(WORKER)).latest("number")


def right_answers(site: Site, part: str) -> list[dict[str, Any]]:
    """Return the right answer to each question of this part of the worker's try, in the order shown."""
    questions = VerificationQuestion.objects.in_bulk(getattr(held(site), part))
    answers = [questions[pk].answer for pk in getattr(held(site), part)]
    return [{"box": (one["boxes"] or [None])[0]} if "boxes" in one else one for one in answers]


def wrong(stage: Stage, answer: dict[str, Any]) -> dict[str, Any]:
    return (
        {"box": None if answer["box"] else [20, 400, 60, 440]}
        if stage == Stage.DRAWING
        else {name: not value for name, value in answer.items()}
    )


def practise(hands: Hands, site: Site, stage: Stage) -> None:
    """Answer the first question wrong and the second right. Both are explained."""
    page = hands.page
    begin(hands, stage)
    for number in (1, 2):
        practice_question(page, number)
        right = right_answers(site, "training")[number - 1]
        hands.give(stage, right if number == 2 else wrong(stage, right))
        page.get_by_role("heading", name="Right" if number == 2 else "Not quite").wait_for()
        assert page.get_by_text("The photograph shows who is meant.").is_visible()
        page.wait_for_timeout(200)  # a key that comes earlier is ignored as a slip
        press_on(hands, "Next" if number == 1 else "On to the test")
    page.get_by_role("heading", name="Now the test").wait_for()
    press_on(hands, "Begin the test")


def begin(hands: Hands, stage: Stage) -> None:
    page = hands.page
    page.get_by_role("heading", name="A short test first").wait_for()
    press_on(hands, "Start")


def practice_question(page: Page, number: int) -> None:
    page.get_by_role("region", name=f"Practice question {number} of 2", exact=True).wait_for()
    page.locator("svg[data-phase=ready]").wait_for()
    page.wait_for_timeout(200)


def press_on(hands: Hands, name: str) -> None:
    """Do what the page offers, by its button or by Enter."""
    button = hands.page.get_by_role("button", name=name)
    button.wait_for()
    if isinstance(hands, Keys):
        hands.press("Enter")
    else:
        button.click()


def answer_test(hands: Hands, site: Site, stage: Stage, *, right: int = 3, first: int = 1) -> None:
    for number, answer in enumerate(right_answers(site, "test"), start=1):
        if number >= first:
            hands.question(number, 3)
            hands.give(stage, answer if number <= right else wrong(stage, answer))
    hands.page.get_by_role("heading", name="Your answers").wait_for()


@pytest.mark.parametrize(
    ("kind", "stage"), [(Mouse, Stage.DRAWING), pytest.param(Keys, Stage.LINK, marks=pytest.mark.journey)]
)
def test_a_new_worker_passes_and_begins_to_work(
    site: Site, page: Page, watch: Watch, kind: type[Hands], stage: Stage
) -> None:
    watch.allow("status of 403")
    ask_for_a_test(site, stage)
    hands = kind(page)
    page.goto(site.worker_link())
    page.get_by_text("A test comes first").wait_for()
    page.get_by_role("link", name=NAMES[stage], exact=True).click()
    practise(hands, site, stage)
    answer_test(hands, site, stage)
    press_on(hands, "Hand in the test")
    page.get_by_role("heading", name="You passed").wait_for()
    assert page.get_by_text("3 of 3 answers were right.").is_visible()
    press_on(hands, "Start working")
    hands.close_instructions()
    hands.question(1, 2)
    assert [one["right"] for one in held(site).answers.values()].count(False) == 1, "only in the training"


def test_who_fails_is_told_so_and_waits(site: Site, page: Page, watch: Watch) -> None:
    watch.allow("status of 403")
    ask_for_a_test(site, Stage.LINK)
    page.goto(site.worker_link("link"))
    hands = Mouse(page)
    practise(hands, site, Stage.LINK)
    answer_test(hands, site, Stage.LINK, right=1)
    press_on(hands, "Hand in the test")
    page.get_by_role("heading", name="Not passed this time").wait_for()
    told = page.get_by_role("main")
    assert "1 of 3 answers were right. 3 of 3 right answers pass." in told.inner_text()
    assert "You can try again in 24 hours. 2 tries are left." in told.inner_text()
    page.reload()
    page.get_by_role("heading", name="You can try again later").wait_for()
    told.get_by_role("link", name="All tasks").click()
    page.get_by_text("Test again in 24 hours").wait_for()
    page.goto(f"{site.url}/work/me/")
    page.get_by_text("The test was not passed. You can try again in 24 hours.").wait_for()


def test_a_reload_loses_nothing_and_the_network_may_go(site: Site, page: Page, watch: Watch) -> None:
    watch.allow("status of 403", "ERR_INTERNET_DISCONNECTED")
    ask_for_a_test(site, Stage.LINK)
    page.goto(site.worker_link("link"))
    hands = Mouse(page)
    begin(hands, Stage.LINK)
    practice_question(page, 1)
    hands.give(Stage.LINK, right_answers(site, "training")[0])
    page.get_by_role("heading", name="Right").wait_for()
    page.reload()
    practice_question(page, 2)
    hands.give(Stage.LINK, right_answers(site, "training")[1])
    press_on(hands, "On to the test")
    press_on(hands, "Begin the test")
    hands.question(1, 3)
    hands.give(Stage.LINK, right_answers(site, "test")[0])
    hands.question(2, 3)
    page.reload()
    answer_test(hands, site, Stage.LINK, first=2)
    page.context.set_offline(True)
    press_on(hands, "Hand in the test")
    page.get_by_role("heading", name="Sending your answers").wait_for()
    page.context.set_offline(False)
    page.get_by_role("heading", name="You passed").wait_for()
    assert held(site).right == 3
    assert wait_for(page, lambda: page.evaluate("indexedDB.databases().then((all) => all.length)"))


@pytest.mark.parametrize(
    "device", and_nightly(["phone"], ["desk"], "the phone has less room, and the same parts")
)
def test_every_step_can_be_seen_and_reached(
    site: Site, new_context: NewContext, watch: Watch, device: str
) -> None:
    watch.allow("status of 403")
    stage = Stage.DRAWING
    ask_for_a_test(site, stage, tries=1)
    page = new_context(reduced_motion="reduce", **DEVICES[device]).new_page()
    hands = Mouse(page)
    page.goto(site.worker_link(stage))
    page.get_by_role("heading", name="A short test first").wait_for()
    check_looks(page)
    begin(hands, stage)
    for number in (1, 2):
        practice_question(page, number)
        check_looks(page)
        answer = right_answers(site, "training")[number - 1]
        hands.give(stage, wrong(stage, answer))
        page.get_by_role("heading", name="Not quite").wait_for()
        check_looks(page)
        press_on(hands, "Next" if number == 1 else "On to the test")
    page.get_by_role("heading", name="Now the test").wait_for()
    check_looks(page)
    press_on(hands, "Begin the test")
    hands.question(1, 3)
    check_looks(page)
    answer_test(hands, site, stage, right=0)
    check_looks(page)
    press_on(hands, "Hand in the test")
    page.get_by_role("heading", name="Not passed this time").wait_for()
    check_looks(page)
    page.reload()
    page.get_by_role("heading", name="This task is closed for you").wait_for()
    check_looks(page)

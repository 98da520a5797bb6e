"""One number of workers, and sums that say what is in them, on every page of a batch that pays."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.answers import Stage
from annotation.models import Batch, Standing, Worker
from console.common.ranges import say_plan
from console.dashboards.days import days
from tests.factories import NOW, make_batch, make_image, make_project, make_questions, make_worker
from workflows.analysis.counts.selectors import Kept
from workflows.analysis.domain.kept_counts import Hours, Money
from workflows.batches.domain.plan import read_plan
from workflows.batches.launch_checks import readiness_of
from workflows.batches.lifecycle import move_batch

pytestmark = pytest.mark.django_db
COUNTED = {"hours": NOW, "money": NOW}


def words_of(client: Client, address: str) -> str:
    text = re.sub(r"<[^>]*>", " ", client.get(address).content.decode())
    return re.sub(r"\s+", " ", text)


def paid(questions: int = 0, **crowd: object) -> Batch:
    project = make_project()
    for _ in range(10):
        make_image(project, [["man", "dog"], ["man", "dog"], ["man", "dog"]])
    if questions:
        make_questions(project, Stage.LINK, images=questions)
    return make_batch(
        project,
        launch=False,
        regime={**dict.fromkeys(map(str, Stage), "open"), "link": "verification"},
        control={"set_questions": 3, "verification_share": 0.5},
        reward=dict.fromkeys(map(str, Stage), 10),
        screening={"test": False},
        crowd={"provider": "mturk", "cap": 100_000, **crowd},
    )


@pytest.mark.parametrize("questions", [0, 10, 20])
def test_one_number_of_workers_is_in_all_sums(manager: Client, questions: int) -> None:
    """The pages had 20, 11 and 4 at once, and a total of each."""
    batch = paid(questions)
    launch = words_of(manager, reverse("batches:move", args=[batch.pk, "launch"]))
    forecast = words_of(manager, reverse("batches:forecast", args=[batch.pk]))
    numbers = {
        int(number)
        for page in (launch, forecast)
        for pattern in (
            r"With (\d+) workers at work all the time",
            r"The total of (\d+) workers",
            r"Plan for about (\d+) workers",
        )
        for number in re.findall(pattern, page)
    }
    ready = readiness_of(batch)
    assert ready.forecast is not None and ready.cap is not None
    assert numbers == {ready.forecast.workers}
    assert ready.cap.cost == ready.forecast.total.cost
    totals = [re.findall(r"Total paid in the end ([0-9.,]+ USD)", page) for page in (launch, forecast)]
    assert totals[0] == totals[1] and len(totals[0]) == 1
    assert f"About {totals[0][0]} will be paid in the end" in launch
    if questions:
        assert "Plan for about" in launch


@pytest.mark.parametrize("invited", [3, 60])
def test_the_cap_is_judged_with_the_number_to_plan_for(manager: Client, invited: int) -> None:
    """Three people were invited, and 16 to plan for: the cap was enough for three."""
    batch = paid(10, provider="direct")
    for number in range(invited):
        make_worker(batch.project, f"w{number}")
    launch = words_of(manager, reverse("batches:move", args=[batch.pk, "launch"]))
    forecast = words_of(manager, reverse("batches:forecast", args=[batch.pk]))
    ready = readiness_of(batch)
    assert ready.forecast is not None and ready.cap is not None and ready.reach is not None
    planned = ready.reach.people_to_plan_for
    assert 3 < planned < 60 and f"Plan for about {planned} workers" in launch
    assert ready.forecast.workers == max(invited, planned)
    assert ready.cap.cost == ready.forecast.total.cost
    for page in (launch, forecast):
        assert f"With {ready.forecast.workers} workers at work all the time" in page


def test_as_many_people_are_enough_as_the_page_says_to_plan_for(manager: Client) -> None:
    """The page said *Plan for about 16 workers*, and of 7 people that they are enough."""
    batch = paid(10, provider="direct")
    people = [make_worker(batch.project, f"w{number}") for number in range(7)]
    ready = readiness_of(batch)
    assert ready.reach is not None
    planned = ready.reach.people_to_plan_for
    assert planned > 7
    address = reverse("batches:move", args=[batch.pk, "launch"])
    said = (
        f"7 people are invited: enough for every question, and fewer than the {planned} workers to plan for"
    )
    launch = words_of(manager, address)
    assert said in launch and "which is enough" not in launch
    links = manager.get(reverse("batches:links", args=[batch.pk]))
    assert links.context["form"]["number"].value() == planned - 7
    assert f"Plan for about {planned} workers" in links.content.decode()
    Worker.objects.filter(pk__in=[worker.pk for worker in people[5:]]).update(blocked=True)
    assert "5 people are invited" in words_of(manager, address)
    for number in range(planned):
        make_worker(batch.project, f"more{number}")
    assert f"{planned + 5} people are invited, which is enough" in words_of(manager, address)


def test_who_may_not_answer_in_a_stage_does_not_count_for_it(manager: Client) -> None:
    batch = paid(10, provider="direct")
    people = [make_worker(batch.project, f"w{number}") for number in range(7)]
    for worker in people[2:]:
        Standing.objects.create(worker=worker, batch=batch, stage="link", state="lost", changed_at=NOW)
    launch = words_of(manager, reverse("batches:move", args=[batch.pk, "launch"]))
    assert "7 people are invited. 2 of them may answer in every stage: the others lost trust" in launch
    assert "One question may need 3 different people" in launch


def test_pages_that_are_not_full_and_tests_are_said(manager: Client) -> None:
    text = words_of(manager, reverse("batches:forecast", args=[paid().pk]))
    assert re.search(r"About [0-9.]+ USD of it is for pages that are not full", text)
    assert "qualification tests" not in text


def test_paid_tests_are_in_the_total(manager: Client) -> None:
    project = make_project()
    for _ in range(3):
        make_image(project, [["man", "dog"], ["man", "dog"]])
    reward = dict.fromkeys(map(str, Stage), 10)
    batch = make_batch(project, launch=False, regime="trusted", reward=reward, crowd={"provider": "mturk"})
    text = words_of(manager, reverse("batches:forecast", args=[batch.pk]))
    assert re.search(r"About [0-9.]+ USD is for passed qualification tests", text)


@pytest.mark.parametrize("state", Batch.OVER)
def test_a_batch_that_is_over_has_no_forecast(manager: Client, state: str) -> None:
    batch = paid()
    Batch.objects.filter(pk=batch.pk).update(state=state)
    page = words_of(manager, reverse("batches:forecast", args=[batch.pk]))
    assert "nothing more is to come, so there is no forecast" in page
    assert "Total paid in the end" not in page
    lists = manager.get(reverse("batches:list", args=[batch.project_id])).content.decode()
    dashboard = manager.get(reverse("dashboards:batch", args=[batch.pk])).content.decode()
    address = reverse("batches:forecast", args=[batch.pk])
    assert address not in lists and address not in dashboard


def test_images_annotated_by_hand_are_explained(manager: Client) -> None:
    project = make_project()
    batch = Batch.objects.create(project=project, name="by-hand", by_hand=True, state="finished", settings={})
    assert "asks no worker anything" in words_of(manager, reverse("dashboards:batch", args=[batch.pk]))
    assert "by hand" in words_of(manager, reverse("batches:list", args=[project.pk]))


def test_a_batch_of_invited_workers_has_no_platforms_fees(manager: Client) -> None:
    """Its launch said *fees included*, and its forecast had a column of fees."""
    fees = ("fees included", "platform's fees", "with its fee", " Fee ", "entrances")
    pages = []
    for crowd in ({"provider": "direct", "cap": None}, {}):
        batch = paid(20, hourly_wage=1200, top_up=True, **crowd)
        if crowd:
            regime = dict.fromkeys(map(str, Stage), "open")
            Batch.objects.filter(pk=batch.pk).update(settings={**batch.settings, "regime": regime})
        addresses = (
            reverse("batches:move", args=[batch.pk, "launch"]),
            reverse("batches:forecast", args=[batch.pk]),
        )
        pages.append(
            "".join(words_of(manager, address).partition("How it is computed")[0] for address in addresses)
        )
    direct, platform = pages
    assert "topping up" in direct and "The total of" in direct
    assert " workers, with top-ups to 12.00 USD an hour." in direct, "rewards alone are less"
    assert "verification questions, and with top-ups to 12.00 USD an hour." in platform
    assert [words for words in fees if words in direct] == []
    assert {"with its fee", " Fee ", "entrances"} <= {words for words in fees if words in platform}


def test_only_a_forecast_with_pay_explains_pay(manager: Client) -> None:
    """It said that rejected pages are paid, of a batch without rewards."""
    project = make_project()
    make_image(project, [["man"], ["man"]])
    batch = make_batch(project, launch=False, regime="trusted")
    address = reverse("batches:forecast", args=[batch.pk])
    assert "paid" not in words_of(manager, address).replace("unpaid", "")
    for pay_by, says in (("page", "cost the whole reward"), ("item", "A page is paid by its items.")):
        settings = {**batch.settings, "reward": {"link": 5}, "pay_by": pay_by}
        Batch.objects.filter(pk=batch.pk).update(settings=settings)
        said = words_of(manager, address)
        assert "Rejected pages are paid." in said and says in said
        assert (
            "Pages, time and rewards include verification questions" in said and "Judgments do not." in said
        )
    Batch.objects.filter(pk=batch.pk).update(settings={**batch.settings, "regime": "open"})
    said = words_of(manager, address)
    assert "there are no verification questions" in said and "questions are included" not in said


def test_the_forecast_of_a_running_batch_names_that_of_its_launch(manager: Client) -> None:
    """The forecast and the dashboard had two numbers of hours, and none said why."""
    project = make_project()
    make_image(project, [["man"], ["man"]])
    batch = make_batch(project, launch=False)
    address = reverse("batches:forecast", args=[batch.pk])
    assert "computed anew" not in words_of(manager, address), "a draft has one forecast"
    move_batch(batch=batch, action="launch")
    batch.refresh_from_db()
    plan = read_plan(batch.forecast)
    assert plan is not None
    judgments, hours, _ = say_plan(plan)
    said = words_of(manager, address)
    assert f"At the launch, it was {judgments} judgments and {hours} of workers' time" in said
    assert f"{reverse('dashboards:batch', args=[batch.pk])}#days" in manager.get(address).content.decode()
    assert days(Kept(hours=Hours(seconds={"2026-11-20": 60}), money=Money(), times=COUNTED), plan).rows[
        0
    ] == (
        "forecast at the launch",
        judgments,
        hours,
        "unpaid",
    )
    Batch.objects.filter(pk=batch.pk).update(forecast={})
    assert "computed anew" in words_of(manager, address) and "At the launch" not in words_of(manager, address)

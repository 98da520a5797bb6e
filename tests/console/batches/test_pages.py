"""The list of batches, workers' links, and making verification questions."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Batch, GoldChain, Image, Project, VerificationQuestion, Worker
from console.batches.selectors import ROWS
from tests.console.batches.form_data import acts, filled
from tests.console.review.review_rows import make_finished
from tests.factories import NOW, make_batch, make_image, make_project, make_running
from tests.workflows.gold import make_known
from tests.workflows.http import Api

pytestmark = pytest.mark.django_db


def test_the_list_shows_what_can_be_done_and_to_whom_it_may_be(manager: Client, viewer: Client) -> None:
    project = make_project()
    make_image(project, [["man"]])
    batch = make_batch(project, launch=False)
    url = reverse("batches:list", args=[project.pk])
    launch = reverse("batches:move", args=[batch.pk, "launch"])
    assert launch in manager.get(url).content.decode()
    shown = viewer.get(url).content.decode()
    assert batch.name in shown and launch not in shown


def test_the_list_takes_as_many_queries_for_a_full_page_as_for_one(
    viewer: Client, django_assert_max_num_queries: pytest.FixtureRequest
) -> None:
    project = make_project()
    Batch.objects.bulk_create(Batch(project=project, name=f"b{n}") for n in range(ROWS + 5))
    url = reverse("batches:list", args=[project.pk])
    with django_assert_max_num_queries(12):  # type: ignore[operator]
        shown = viewer.get(url).content.decode()
    assert ">b34<" in shown and ">b4<" not in shown
    older = viewer.get(url, {"before": Batch.objects.get(name="b5").pk}).content.decode()
    assert ">b4<" in older and ">b5<" not in older


def test_links_open_the_work_of_their_worker_and_are_not_kept(manager: Client) -> None:
    project = make_project()
    make_image(project, [["man"], ["man"]])
    url = reverse("batches:links", args=[make_batch(project).pk])
    reply = manager.post(url, filled(manager, url, number="2", worker="ann"))
    text = reply.context["text"].splitlines()
    assert [line.partition("\t")[0] for line in text] == ["ann-1", "ann-2"]
    tokens = [line.partition("#token=")[2] for line in text]
    assert [Api(None, token).get("me").json()["worker"] for token in tokens] == ["ann-1", "ann-2"]
    assert set(Worker.objects.values_list("provider", flat=True)) == {"direct"}
    entry = acts().get()
    assert entry.detail == {"workers": ["ann-1", "ann-2"]} and "no-store" in reply["Cache-Control"]
    manager.post(url, {"number": "2", "worker": "ann"})
    assert Worker.objects.count() == 2, "the same workers again"


def test_links_name_the_address_at_which_workers_reach_the_site(manager: Client, settings: Any) -> None:
    project = make_project()
    make_image(project, [["man"]])
    url = reverse("batches:links", args=[make_batch(project).pk])
    assert (
        "http://testserver/work/#token="
        in manager.post(url, {"number": "1", "worker": "ann"}).context["text"]
    )
    settings.SITE = "https://annotate.example.org"
    text = manager.post(url, {"number": "1", "worker": "ann"}).context["text"]
    assert "\thttps://annotate.example.org/work/#token=" in text


def test_as_many_queries_make_many_links_as_few(
    manager: Client, django_assert_max_num_queries: pytest.FixtureRequest
) -> None:
    project = make_project()
    make_image(project, [["man"]])
    url = reverse("batches:links", args=[make_batch(project).pk])
    replies = []
    with django_assert_max_num_queries(25):  # type: ignore[operator]
        replies.append(manager.post(url, {"number": "200", "worker": "ann"}))
    assert [name for name, _ in replies[0].context["made"]] == [f"ann-{n}" for n in range(1, 201)]
    assert Worker.objects.count() == 200


def test_links_are_for_managers_and_for_names(manager: Client, reviewer: Client) -> None:
    project = make_project()
    make_image(project, [["man"]])
    url = reverse("batches:links", args=[make_batch(project).pk])
    assert reviewer.get(url).status_code == reviewer.post(url, {}).status_code == 403
    assert manager.post(url, {"number": "201", "worker": "a b"}).status_code == 422
    assert not Worker.objects.exists()


def test_questions_are_made_of_the_corpus_known_chains_once(manager: Client) -> None:
    project = make_project()
    make_known(project)
    url = reverse("batches:questions", args=[project.pk])
    shown = ""
    for says in ("verification questions made", "Nothing is new"):
        shown = manager.post(url, filled(manager, url, images="1"), follow=True).content.decode()
        assert says in shown
    assert "No more of coreference link" in shown
    made = VerificationQuestion.objects.count()
    details = acts().values_list("action", "detail__made")
    assert made and list(details) == [("questions.make", made)]  # the second request did nothing


def test_stages_whose_questions_the_known_chains_do_not_admit_are_named_with_what_they_need(
    manager: Client,
) -> None:
    project = make_project()
    make_known(project)
    GoldChain.objects.update(boxes=[], scene=False, nobndbox=True)
    url = reverse("batches:questions", args=[project.pk])
    said = manager.post(url, filled(manager, url, images="1"), follow=True)
    told = " ".join(str(message) for message in said.context["messages"])
    assert "None of box requirement, box drawing, box quality, box coverage: the known chains" in told
    assert "chains with several boxes" in said.content.decode()


def test_making_questions_has_one_main_button(manager: Client) -> None:
    project = make_project()
    make_image(project, [["man"], ["man"]])
    url = reverse("batches:questions", args=[project.pk])

    def main_buttons() -> list[str]:
        said = manager.get(url).content.decode()
        return re.findall(r'<(?:a|button)[^>]* class="button main"[^>]*>(\w+)', said)

    assert main_buttons() == ["Annotate"], "no chain is known"
    make_known(project)
    assert main_buttons() == ["Make"]


def test_questions_of_nothing_are_an_error_at_their_field(manager: Client) -> None:
    project = make_project()
    url = reverse("batches:questions", args=[project.pk])
    reply = manager.post(url, filled(manager, url))
    assert reply.status_code == 422 and "has known chains" in str(reply.context["form"].errors["images"])
    assert not acts().exists()


def test_the_forecast_is_for_all_and_says_what_workers_earn(
    viewer: Client, django_assert_max_num_queries: pytest.FixtureRequest
) -> None:
    project = make_project()
    for _ in range(3):
        make_image(project, [["man", "dog"], ["man"]])
    batch = make_batch(project, launch=False, reward={"link": 10}, currency="EUR")
    url = reverse("batches:forecast", args=[batch.pk])
    with django_assert_max_num_queries(14):  # type: ignore[operator]
        reply = viewer.get(url, {"workers": "7"})
    shown = reply.content.decode()
    assert "4.80 EUR" in shown, "ten cents for a page of 75 seconds"
    assert "with fewer people, pages are fuller" in shown, "three images hardly fill one"
    assert "With 7 workers" in shown and reply.context["outlook"].images == 3
    again = viewer.get(url, {"workers": "7"}).context["outlook"]
    assert again == reply.context["outlook"], "the same each time"
    assert viewer.get(url, {"workers": "99999"}).context["outlook"].workers == 10_000


def test_what_takes_less_than_an_hour_is_told_in_minutes(viewer: Client) -> None:
    project = make_project()
    make_image(project, [["man", "dog"], ["man"]])
    small = make_batch(project, launch=False)
    seen = viewer.get(reverse("batches:forecast", args=[small.pk])).context["outlook"]
    assert seen.total.hours[0].endswith(" min") and not seen.total.hours[0].startswith("0 ")
    for _ in range(30):
        make_image(project, [["man", "dog"], ["man"]])
    large = make_batch(project, name="large", launch=False)
    seen = viewer.get(reverse("batches:forecast", args=[large.pk])).context["outlook"]
    assert seen.total.hours[0].endswith(" h")


def test_finished_chains_of_a_batch_are_vouched_for(manager: Client) -> None:
    chain = make_finished()
    batch = chain.work.batch
    url = reverse("batches:questions", args=[batch.project_id])
    manager.post(url, filled(manager, url, source=str(batch.pk)))
    made = VerificationQuestion.objects.filter(project=batch.project, source="promoted").count()
    assert made and acts().get().detail == {"source": str(batch.pk), "images": 40, "made": made}


def test_what_is_not_done_cannot_be_vouched_for(manager: Client) -> None:
    project = make_project()
    make_image(project, [["man"], ["man"]])
    batch = make_batch(project)
    url = reverse("batches:questions", args=[project.pk])
    reply = manager.post(url, filled(manager, url, source=str(batch.pk)))
    assert "no image of this batch is done" in str(reply.context["form"].errors["source"]).lower()


def test_known_images_that_a_batch_has_finished_are_not_said_to_be_in_no_batch(manager: Client) -> None:
    project = make_project()
    make_known(project)
    batch = make_batch(project)
    url = reverse("batches:questions", args=[project.pk])
    assert "No image with known chains can be used" in manager.get(url).content.decode()
    batch.works.update(state="done")
    page = manager.get(url).content.decode()
    assert "in no batch" not in page
    assert "1 image with known chains can be used: no batch is annotating it." in page


def test_questions_are_made_for_the_newest_draft(manager: Client) -> None:
    project = make_project()
    make_image(project, [["man"], ["man"]])
    url = reverse("batches:questions", args=[project.pk])
    assert manager.get(url).context["batch"] is None
    screening = {"test": False}
    batch = make_batch(project, name="paid", launch=False, regime="trusted", screening=screening)
    make_known(project)  # an image that the draft does not have
    page = manager.get(url)
    assert page.context["batch"] == batch and "Back to the launch" in page.content.decode()
    manager.post(url, filled(manager, url))
    roles = VerificationQuestion.objects.filter(project=project).values_list("role", flat=True)
    assert set(roles) == {"gold"}, "a batch without a test needs no image for practice"


def test_no_question_is_not_enough_questions(manager: Client) -> None:
    project = make_project()
    make_image(project, [["man"], ["man"]])
    batch = make_batch(project, launch=False)  # under the regime open
    questions = reverse("batches:questions", args=[project.pk])
    for address in (f"{questions}?batch={batch.pk}", reverse("batches:move", args=[batch.pk, "launch"])):
        page = manager.get(address).content.decode()
        assert "Enough to launch" not in page and "enough verification questions" not in page
        assert "all workers' judgments count" in page


def test_a_withdrawn_image_is_not_one_of_those_that_are_free(manager: Client) -> None:
    project = make_project()
    make_image(project, [["man"]])
    withdrawn = make_image(project, [["dog"]])
    Image.objects.filter(pk=withdrawn.pk).update(withdrawn_at=NOW)
    page = " ".join(manager.get(reverse("batches:new", args=[project.pk])).content.decode().split())
    assert "1 of 1 image is free." in page


def test_the_sidebar_leads_to_the_batches_of_all_projects(
    viewer: Client, django_assert_max_num_queries: Any
) -> None:
    address = reverse("batches:all")
    assert f'href="{address}"' in viewer.get(reverse("admin:index")).content.decode()
    assert "There is no batch yet" in viewer.get(address).content.decode()
    first, second = (make_running([["man"], ["man"]]) for _ in range(2))
    Project.objects.filter(pk=second.project_id).update(name="birds")
    with django_assert_max_num_queries(12):
        page = viewer.get(address).content.decode()
    for batch in (first, second):
        assert reverse("dashboards:batch", args=[batch.pk]) in page
        assert reverse("batches:list", args=[batch.project_id]) in page
    assert "birds" in page
    own = viewer.get(reverse("batches:list", args=[second.project_id]))
    assert {part.name for part in own.templates} >= {"batches/list.html"}
    assert {part.name for part in viewer.get(address).templates} >= {"batches/list.html"}, "one list"
    heads = [re.findall(r'<th scope="col">([^<]+)', text) for text in (page, own.content.decode())]
    assert heads == [
        ["Batch", "Project", "State", "Images done", "Made"],
        ["Batch", "State", "Images done", "Made", "Look at"],
    ]
    Project.objects.filter(pk=first.project_id).update(archived_at=NOW)
    assert reverse("dashboards:batch", args=[first.pk]) not in viewer.get(address).content.decode()

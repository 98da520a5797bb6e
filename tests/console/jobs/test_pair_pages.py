"""Pairs to judge are chosen on a page, and a batch is made of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.models import Batch, Project
from tests.factories import make_image, make_project
from tests.workflows.jobs.jobs_made import finished
from workflows.core.models import AuditEntry
from workflows.jobs.models import Job
from workflows.jobs.reports import forget_reports
from workflows.pipeline.models import JudgedPair

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("console.jobs.views.pairs.hint_jobs", lambda: None)


@pytest.fixture
def project(media: Path) -> Project:
    project = make_project()
    make_image(project, [["dog", "ball"]], name="a.jpg")
    make_image(project, [["dog", "park"]], name="b.jpg")
    make_image(project, [["woman"]], name="c.jpg")
    return project


def page_of(project: Project) -> str:
    return reverse("jobs:pairs", args=[project.pk])


def text(response: Any) -> str:
    return " ".join(response.content.decode().split())


def post(client: Client, project: Project, **data: Any) -> Any:
    given = {"split": "", "depth": "10", "candidates": "all", "least_bleu": "0.25", **data}
    return client.post(page_of(project), given)


def judge(client: Client, project: Project, **data: Any) -> Any:
    given = {"name": "one", "protocol": "relevance-crowd", "everybody": "on", **data}
    return client.post(reverse("batches:campaign", args=[project.pk]), given)


def test_pairs_are_chosen_and_a_batch_judges_them(
    manager: Client, project: Project, django_assert_max_num_queries: Any
) -> None:
    campaign = reverse("batches:campaign", args=[project.pk])
    assert page_of(project) in text(manager.get(campaign))
    reply = post(manager, project)
    job = Job.objects.get()
    assert reply["Location"] == reverse("jobs:job", args=[job.pk])
    assert "queued" in text(manager.get(page_of(project)))
    assert f"Choice of pairs {job.pk}" not in text(manager.get(campaign)), "it is not done yet"
    assert finished(job).state == "done"
    with django_assert_max_num_queries(14):
        listed = text(manager.get(page_of(project)))
    assert "5 of 9 pairs remain" in listed
    shown = text(manager.get(reverse("jobs:job", args=[job.pk])))
    assert (
        f"{campaign}?choice={job.pk}" in shown and "What remains" in shown and "all of its captions" in shown
    )
    assert b"lost there, grade" in manager.get(reverse("jobs:report", args=[job.pk])).content
    chosen = manager.get(f"{campaign}?choice={job.pk}").context["form"]
    assert (chosen["choice"].value(), chosen["protocol"].value()) == (str(job.pk), "relevance-crowd")
    made = judge(manager, project, choice=str(job.pk))
    batch = Batch.objects.get()
    assert made["Location"] == reverse("batches:move", args=[batch.pk, "launch"])
    assert JudgedPair.objects.filter(work__batch=batch).count() == 5
    assert AuditEntry.objects.get(action="pairs.choose").detail["least Bleu"] == "0.25"


def test_ranked_lists_of_several_systems_are_pooled(manager: Client, project: Project) -> None:
    lists = [
        SimpleUploadedFile(name, json.dumps({"image": "a.jpg", "captions": [[of, 0]]}).encode())
        for name, of in (("one.jsonl", "b.jpg"), ("two.jsonl", "a.jpg"))
    ]
    post(manager, project, predictions=lists)
    job = finished(Job.objects.get())
    assert dict(job.outcome["figures"])["remain"] == "4", (
        "one that was ranked, and the original of each image"
    )
    assert "among the first 10 of one.jsonl, two.jsonl" in text(manager.get(page_of(project)))


def test_a_choice_that_failed_says_why_and_is_not_judged(manager: Client, project: Project) -> None:
    post(manager, project, predictions=SimpleUploadedFile("one.jsonl", b"no json"))
    job = finished(Job.objects.get())
    assert "one.jsonl, line 1" in text(manager.get(reverse("jobs:job", args=[job.pk])))
    refused = judge(manager, project, choice=str(job.pk))
    assert refused.status_code == 422 and not Batch.objects.exists()


def test_pairs_that_are_gone_are_named(manager: Client, project: Project) -> None:
    post(manager, project)
    job = finished(Job.objects.get())
    forget_reports(job.pk)
    refused = judge(manager, project, choice=str(job.pk))
    assert refused.status_code == 422 and "has no pairs any more" in text(refused)
    assert not Batch.objects.exists()


def test_pairs_come_from_a_choice_or_a_file(manager: Client, project: Project) -> None:
    post(manager, project)
    job = finished(Job.objects.get())
    file = SimpleUploadedFile("pairs.jsonl", b'{"image": "a.jpg", "caption": ["b.jpg", 0]}')
    both = judge(manager, project, choice=str(job.pk), pairs=file)
    assert "not both" in text(both)
    for_writers = judge(manager, project, protocol="captions", choice=str(job.pk))
    assert "takes no pairs" in text(for_writers)
    assert not Batch.objects.exists()


def test_the_pairs_of_another_project_are_not_offered(manager: Client, project: Project) -> None:
    post(manager, project)
    job = finished(Job.objects.get())
    other = make_project()
    assert f"Choice of pairs {job.pk}" not in text(
        manager.get(f"{reverse('batches:campaign', args=[other.pk])}?choice={job.pk}")
    )
    assert judge(manager, other, choice=str(job.pk)).status_code == 422


@pytest.mark.parametrize("data", [{"least_bleu": "2"}, {"depth": "0"}, {"candidates": "x"}, {"split": "dev"}])
def test_a_wrong_option_is_said_at_its_field(manager: Client, project: Project, data: dict[str, str]) -> None:
    reply = post(manager, project, **data)
    assert reply.status_code == 422 and list(reply.context["form"].errors) == list(data)
    assert not Job.objects.exists()


def test_too_many_files_are_refused(manager: Client, project: Project) -> None:
    many = [SimpleUploadedFile(f"{number}.jsonl", b"{}") for number in range(13)]
    assert "Choose at most 12 files" in text(post(manager, project, predictions=many))


def test_an_upload_without_the_token_or_that_is_too_large_is_refused(
    manager: Client, reviewer: Client, project: Project, settings: Any
) -> None:
    assert post(reviewer, project).status_code == 403
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = manager.cookies
    assert post(strict, project).status_code == 403
    settings.MAX_UPLOAD_BYTES = 1000
    large = SimpleUploadedFile("one.jsonl", b"x" * 1_002_000)
    assert post(manager, project, predictions=large).status_code == 413
    assert not Job.objects.exists()


def test_a_project_without_captions_leads_to_the_import(manager: Client) -> None:
    project = make_project()
    shown = text(manager.get(page_of(project)))
    assert "No image of this project has a caption yet" in shown
    assert reverse("jobs:import", args=[project.pk]) in shown

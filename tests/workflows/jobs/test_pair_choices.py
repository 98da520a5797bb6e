"""A job chooses which captions are judged for which images, and stores the pairs with a report on them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.models import Image, Project
from console.jobs.forms import MAX_SYSTEMS
from evaluation.predictions.candidates import NAMED
from evaluation.tasks import pairs
from evaluation.tasks.common import MAX_FILES
from tests.factories import NOW, make_image, make_project
from tests.workflows.jobs.jobs_made import finished
from workflows.jobs import pair_choices
from workflows.jobs.domain.jobs import CANDIDATES, JobError, PairsAsked
from workflows.jobs.job_queue import start_job
from workflows.jobs.models import Job
from workflows.jobs.upload_storage import GRADES, PREDICTIONS
from workflows.jobs.uploads import keep_upload
from workflows.projects.erasure import erase_deleted_projects
from workflows.projects.lifecycle import delete_project

pytestmark = pytest.mark.django_db


@pytest.fixture
def project(media: Path) -> Project:
    """A project with three images: a and b have a word in common, and c is about something else."""
    project = make_project()
    for name, captions in (
        ("a.jpg", [["dog", "ball"], ["dog"]]),
        ("b.jpg", [["dog", "park"]]),
        ("c.jpg", [["woman"]]),
    ):
        make_image(project, captions, name=name)
    return project


def lines(*content: Mapping[str, object]) -> bytes:
    return "\n".join(map(json.dumps, content)).encode()


def uploaded(**files: bytes) -> str:
    parts = {part: [SimpleUploadedFile(f"{part}.jsonl", content)] for part, content in files.items()}
    return keep_upload(parts, now=NOW)


def choice(project: Project, **asked: Any) -> Job:
    return finished(start_job(project=project, asked=PairsAsked(**asked), by="mona", now=NOW)[0])


def pairs_of(job: Job) -> set[tuple[str, str, int]]:
    assert (job.state, job.error) == ("done", "")
    with default_storage.open(job.outcome[pair_choices.PAIRS]) as file:
        written = [json.loads(line) for line in gzip.decompress(file.read()).splitlines()]
    return {(one["image"], *one["caption"]) for one in written}


def numbers_of(job: Job) -> dict[str, Any]:
    with default_storage.open(job.outcome["json"]) as file:
        found: dict[str, Any] = json.loads(file.read())["tables"]
    return found


OWN = {("a.jpg", "a.jpg", 0), ("a.jpg", "a.jpg", 1), ("b.jpg", "b.jpg", 0), ("c.jpg", "c.jpg", 0)}


def test_the_report_names_the_language_of_the_project(project: Project) -> None:
    project.language = "de"
    project.save()
    with default_storage.open(choice(project).outcome["json"]) as file:
        assert json.loads(file.read())["facts"]["Language"].startswith("de; mind that")


def test_pairs_that_share_enough_words_remain(project: Project) -> None:
    job = choice(project)
    assert pairs_of(job) == OWN | {("a.jpg", "b.jpg", 0), ("b.jpg", "a.jpg", 0), ("b.jpg", "a.jpg", 1)}
    assert dict(job.outcome["figures"]) == {"pairs looked at": "12", "remain": "7", "dropped": "41.67%"}
    stricter = choice(project, least_bleu=0.6)
    assert pairs_of(stricter) == OWN | {("b.jpg", "a.jpg", 1)}, "half of the words are not enough"


def test_a_caption_of_an_image_and_a_part_of_the_images_are_enough(project: Project) -> None:
    assert ("a.jpg", "a.jpg", 1) not in pairs_of(choice(project, candidates="first"))
    Image.objects.filter(project=project).exclude(name="c.jpg").update(split="test")
    Image.objects.filter(name="b.jpg").update(withdrawn_at=NOW)
    assert {image for image, _, _ in pairs_of(choice(project, split="test"))} == {"a.jpg"}


def test_what_systems_rank_first_is_judged(project: Project, media: Path) -> None:
    ranked = lines(
        {"image": "a.jpg", "captions": [["b.jpg", 0], ["c.jpg", 0], ["a.jpg", 0]]},
        {"caption": ["c.jpg", 0], "images": ["c.jpg", "b.jpg"]},
    )
    job = choice(project, upload=uploaded(**{PREDICTIONS: ranked}), files="one.jsonl", depth=1, least_bleu=0)
    assert pairs_of(job) == OWN | {("a.jpg", "b.jpg", 0)}, "images with their own captions stay"
    assert [row["system"] for row in numbers_of(job)["pool"]] == ["predictions", "originals", "together"]
    assert not list((media / ".uploads").rglob("*.jsonl")), "an upload that was used is deleted"


def test_grades_of_experts_say_which_good_pairs_are_lost(project: Project) -> None:
    good, lost = ("b.jpg", ["a.jpg", 0]), ("c.jpg", ["a.jpg", 0])
    grades = lines(*({"image": image, "caption": of, "grade": 4} for image, of in (good, lost)))
    job = choice(project, upload=uploaded(**{GRADES: grades}), grades="grades.jsonl")
    row = next(row for row in numbers_of(job)["loss"] if row["Bleu of at least"] == "0.25")
    assert row["dropped"] == 0.5


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"split": "val"}, "No image of val has a caption"),
        ({"least_bleu": 1.0, "candidates": "first", "most": 2}, "ask for a higher Bleu"),
        ({"ranked": b"no json"}, "predictions.jsonl, line 1"),
    ],
)
def test_what_cannot_be_chosen_is_said(
    project: Project, media: Path, monkeypatch: pytest.MonkeyPatch, asked: dict[str, Any], says: str
) -> None:
    monkeypatch.setattr(pair_choices, "MAX_PAIRS", asked.pop("most", 100))
    ranked = asked.pop("ranked", None)
    job = choice(project, upload=uploaded(**{PREDICTIONS: ranked}) if ranked else "", **asked)
    assert job.state == "failed" and says in job.error and str(media.parent) not in job.error
    assert not [path for path in (media / ".evaluations").rglob("*") if path.is_file()]


@pytest.mark.parametrize(
    "asked", [{"least_bleu": 1.1}, {"depth": 0}, {"candidates": "some"}, {"split": "dev"}]
)
def test_a_choice_names_its_wrong_option(asked: dict[str, Any]) -> None:
    with pytest.raises(JobError) as error:
        PairsAsked(**asked)
    assert error.value.field == next(iter(asked))


def test_a_choice_begins_as_the_command_does() -> None:
    asked, settings = PairsAsked(), pairs.Settings()
    for name in ("least_bleu", "depth", "candidates"):
        assert getattr(asked, name) == getattr(settings, name)
    assert set(CANDIDATES) == set(NAMED)
    assert MAX_SYSTEMS == MAX_FILES


def test_the_pairs_are_erased_with_their_project(project: Project, media: Path) -> None:
    assert choice(project).state == "done"
    assert len([path for path in (media / ".evaluations").rglob("*") if path.is_file()]) == 3
    delete_project(project_id=project.pk, typed=project.name, now=NOW)
    erase_deleted_projects(now=NOW)
    assert not [path for path in (media / ".evaluations").rglob("*") if path.is_file()]

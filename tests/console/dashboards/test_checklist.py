"""What a project needs next: the state of each step, what it is told from, and who sees its link."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from annotation.models import Batch, Caption, Case, Image, Project, Worker
from console.batches.gold_ways import gold_ways
from console.dashboards.checklist import (
    LINKS,
    Facts,
    Step,
    StepState,
    checklist,
    checklist_of,
    next_step,
)
from console.dashboards.selectors import open_cases
from tests.console.dashboards.kept_rows import keep
from tests.factories import (
    NOW,
    make_batch,
    make_image,
    make_images,
    make_project,
    make_questions,
    make_worker,
)
from workflows.analysis.counts.refresh import count_due
from workflows.analysis.counts.selectors import Kept, kept
from workflows.batch_settings.domain.settings import parse_settings
from workflows.batch_settings.selectors import settings_of
from workflows.batches.lifecycle import create_batch, delete_batch
from workflows.jobs.models import Job, Snapshot
from workflows.questions.exposure import stock_of
from workflows.questions.supply import shortages
from workflows.review.image_withdrawals import withdraw_image

IMPORTED = Facts(images=40, tested=True)
RUNNING = replace(IMPORTED, batch="pilot", batch_state="running", workers=3, judgments=100, images_done=5)
OVER = replace(RUNNING, batch_state="finished", images_done=40)
NOT_YET = "A paid crowd needs them. People you know need none."
NEXT = [
    (Facts(), "Import", "import"),
    (Facts(failed=True), "Import", "failed"),
    (Facts(importing=True), None, None),
    (replace(IMPORTED, bare=2), "Look", "pictures"),
    (replace(RUNNING, bare=2), None, None),
    (replace(IMPORTED, captioned=False), "Batch", "collect"),
    (replace(IMPORTED, captioned=False, batch="writing", batch_state="cancelled"), "Batch", "collect"),
    (replace(OVER, to_ground=True), "Batch", "ground"),
    (replace(OVER, to_ground=True, short=3), "Batch", "ground"),
    (replace(OVER, short=3), "Batch", "write-anew"),
    (replace(RUNNING, draft="paid"), "Batch", "draft"),
    (replace(RUNNING, tested=False, drawn=7, drawn_done=1, drawn_for="gold"), "Questions", "gold-queue"),
    (replace(RUNNING, missing=5, drawn=7, drawn_for="final"), "Questions", "gold"),
    (replace(IMPORTED, missing=120), "Batch", "new-batch"),
    (IMPORTED, "Batch", "new-batch"),
    (replace(IMPORTED, tested=False, missing=120), "Batch", "new-batch"),
    (replace(IMPORTED, batch="pilot", batch_state="draft"), "Batch", "launch"),
    (replace(IMPORTED, batch="pilot", batch_state="draft", missing=1), "Questions", "gold"),
    (replace(RUNNING, batch_state="paused"), "Batch", "resume"),
    (replace(RUNNING, workers=0), "People", "links"),
    (replace(RUNNING, workers=0, platform="Prolific"), None, None),
    (RUNNING, None, None),
    (replace(RUNNING, for_somebody_new=26), "People", "short"),
    (replace(RUNNING, for_somebody_new=26, platform="Prolific"), "People", "short"),
    (replace(RUNNING, cases=171), "Review", "review"),
    (replace(OVER, cases=1), "Review", "review"),
    (OVER, "Release", "export"),
    (replace(OVER, version=1, released_at=NOW), None, None),
]


@pytest.mark.parametrize(("facts", "name", "link"), NEXT)
def test_what_is_next(facts: Facts, name: str | None, link: str | None) -> None:
    found = next_step(checklist(facts))
    assert (found and found.name, found and found.link) == (name, link)


def test_each_step_has_words_and_a_link_that_is_there() -> None:
    for facts, _, _ in NEXT:
        steps = checklist(facts)
        assert [step.name for step in steps] == [
            "Import", "Look", "Questions", "Batch", "People", "Review", "Release",
        ]  # fmt: skip
        assert all(step.says.endswith(".") for step in steps)
        assert {step.link for step in steps} <= {*LINKS, ""}


def test_what_an_import_left_out_is_told_and_holds_up_nothing() -> None:
    look = checklist(replace(IMPORTED, problems=5))[1]
    said = "The last import left out something: 5 problems."
    assert look == Step("Look", StepState.DONE, said, "problems")


def test_figures_are_said_as_they_are() -> None:
    review, release = checklist(replace(RUNNING, cases=1001))[5:]
    assert review.says == "1,001 cases wait for a researcher."
    assert release == Step("Release", StepState.LATER, "5 images are done.", "export")
    version = replace(OVER, version=3, released_at=datetime(2026, 11, 12, tzinfo=UTC))
    assert checklist(version)[6].says == "Version 3 of 12 Nov 2026."


def steps_of(project: Project, *, manages: bool = True) -> dict[str, tuple[str, str]]:
    cases = sum(open_cases(project).values())
    found = checklist_of(project, kept(project=project), cases, manages=manages)
    return {one.step.name: (one.step.says, one.address) for one in found.steps}


@pytest.mark.django_db
def test_a_new_project_leads_to_its_import(manager: Client, viewer: Client) -> None:
    project = make_project()
    address = reverse("dashboards:project", args=[project.pk])
    page = manager.get(address)
    assert page.context["checklist"].next.address == reverse("jobs:import", args=[project.pk])
    content = page.content.decode()
    assert "Next: import" in content and content.count("button main") == 1
    assert "Nothing to show yet" not in content, "no figure and no chart before there is something to count"
    seen = viewer.get(address)
    assert seen.context["checklist"].next.address == "", "a viewer may not import"


@pytest.mark.django_db
def test_the_steps_follow_the_project_from_import_to_release() -> None:
    project = make_project()
    Job.objects.create(project=project, kind="import", created_at=NOW, by="ada", state="running")
    assert steps_of(project)["Import"][0] == "An import is running."
    job = Job.objects.get()
    job.state, job.problem_count = "done", 2
    job.save()
    image = make_image(project, [["man"], ["man"]])
    Image.objects.update(file="")
    bare = reverse("inspector:search", args=[project.pk]) + "?state=without-photograph"
    assert steps_of(project)["Look"] == ("1 image has no picture.", bare)
    Image.objects.update(file="photo.jpg")
    assert steps_of(project)["Look"][1] == reverse("jobs:job", args=[job.pk]) + "#problems"
    assert steps_of(project)["Questions"][1] == reverse("batches:questions", args=[project.pk])
    batch = make_batch(project, launch=False)
    assert batch.works.get().image_id == image.pk
    assert steps_of(project)["Batch"] == (
        "main is a draft.",
        reverse("batches:move", args=[batch.pk, "launch"]),
    )
    Batch.objects.update(state="running")
    assert steps_of(project)["People"] == (
        "No worker is invited yet.",
        reverse("batches:links", args=[batch.pk]),
    )
    own = make_worker(project, "me")
    assert steps_of(project)["People"][0] == "No worker is invited yet.", "make serve made a link for it"
    Worker.objects.filter(pk=own.pk).delete()
    make_worker(project)
    assert steps_of(project)["People"][0] == "1 person is invited."
    Case.objects.create(project=project, reason="flag", opened_at=NOW, work=batch.works.get())
    assert steps_of(project)["Review"][0] == "1 case waits for a researcher."
    before = steps_of(project)["Release"]
    for version, asked in enumerate(({"images": [1]}, {"images": []}, {}, {"images": [1]}), start=1):
        export = Job.objects.create(
            project=project, kind="export", created_at=NOW, by="ada", state="done", options=asked
        )
        Snapshot.objects.create(
            project=project, version=version, job=export, format="coco", file="x", size=1, sha256="",
            manifest={}, by="ada", created_at=NOW,
        )  # fmt: skip
        said = steps_of(project)["Release"]
        if version == 1:
            assert said == before, "some chosen images are no release"
        else:
            assert said[0].startswith(f"Version {min(version, 3)} of ")


@pytest.mark.django_db
def test_photographs_without_captions_lead_to_captions_and_these_to_their_grounding(manager: Client) -> None:
    project = make_project()
    (image,) = make_images(project, [], 1)
    collect = reverse("batches:campaign", args=[project.pk])
    assert steps_of(project)["Batch"] == ("No image has a caption yet.", collect)
    batch = create_batch(
        project=project, name="writing", settings=parse_settings({"protocol": "captions", "regime": "open"})
    )
    assert steps_of(project)["Batch"][0] == "writing is a draft."
    Batch.objects.update(state="finished")
    ground, dashboard = (
        reverse("batches:new", args=[project.pk]),
        reverse("dashboards:batch", args=[batch.pk]),
    )
    assert "Ground the captions" not in manager.get(dashboard).content.decode(), "there are none yet"
    Caption.objects.create(image=image, index=0, text="A man .", tokens="A man .")
    assert steps_of(project)["Batch"] == ("writing is finished: its captions can be grounded.", ground)
    page = manager.get(dashboard).content.decode()
    assert "Ground the captions" in page and "Coreference links" not in page


@pytest.mark.django_db
def test_questions_are_missing_only_where_the_batch_asks_some() -> None:
    project = make_project()
    make_image(project, [["man"], ["man"]])
    assert steps_of(project)["Questions"][0] == NOT_YET
    batch = make_batch(project, launch=False, regime="trusted")
    assert steps_of(project)["Questions"][0].endswith(" verification questions missing for batch main.")
    delete_batch(batch=batch)
    few: dict[str, Any] = {"control": {"set_questions": 7}, "screening": {"test": False}}
    batch = make_batch(project, launch=False, regime="verification", **few)
    exact = gold_ways(project, shortages(project, settings_of(batch), stock_of(project.pk)), draft=batch)
    number = exact.plan.missing.total()
    assert steps_of(project)["Questions"][0] == f"{number} verification questions missing for batch main."
    delete_batch(batch=batch)
    make_batch(project, launch=False)  # under the regime open
    assert steps_of(project)["Questions"][0] == "None are needed: all workers' judgments count."


@pytest.mark.django_db
def test_where_it_depends_on_images_how_many_questions_are_missing_no_number_is_said() -> None:
    """*At least 444* stood here where the launch page named fewer."""
    project = make_project()
    make_image(project, [["man"], ["man"]])
    make_batch(project, launch=False, regime="trusted")
    says = "There are verification questions missing for batch main."
    assert steps_of(project)["Questions"][0] == says


@pytest.mark.django_db
def test_images_are_done_as_of_now_and_not_as_of_the_last_count() -> None:
    project = make_project()
    images = [make_image(project, [["man"]]) for _ in range(3)]
    batch = make_batch(project)
    count_due(clock=lambda: NOW, project_id=project.pk, force=True)
    assert steps_of(project)["Release"][0] == "No image is done yet."
    batch.works.filter(image__in=images[:2]).update(state="done")
    assert steps_of(project)["Release"][0] == "2 images are done."
    count_due(clock=lambda: NOW, project_id=project.pk, force=True)
    batch.works.filter(image=images[0]).update(active=False)
    assert steps_of(project)["Release"][0] == "1 image is done."


@pytest.mark.django_db
def test_what_was_annotated_alone_is_no_batch_of_workers_while_images_are_free() -> None:
    project = make_project()
    image, other = make_image(project, [["man"]]), make_image(project, [["man"]])
    alone = Batch.objects.create(project=project, name="by-hand", by_hand=True, state="finished", settings={})
    alone.works.create(image=image, state="done")
    found = steps_of(project)
    assert found["Questions"][0] == NOT_YET
    assert found["Batch"][0] == "Choose who annotates."
    alone.works.create(image=other, state="done")
    assert steps_of(project)["Batch"][0] == "by-hand is finished."


@pytest.mark.django_db
def test_a_batch_on_a_platform_leads_to_its_crowd() -> None:
    project = make_project()
    make_image(project, [["man"], ["man"]])
    batch = make_batch(project, launch=False, crowd={"provider": "mturk"})
    Batch.objects.update(state="running")
    assert steps_of(project)["People"] == (
        "They come from Mechanical Turk.",
        reverse("crowd:batch", args=[batch.pk]),
    )


@pytest.mark.django_db
def test_people_who_were_invited_do_not_come_from_the_platform() -> None:
    project = make_project()
    make_image(project, [["man"], ["man"]])
    make_worker(project)
    make_batch(project, launch=False, crowd={"provider": "mturk"})
    Batch.objects.update(state="running")
    assert steps_of(project)["People"][0] == "They come from Mechanical Turk."


@pytest.mark.django_db
def test_the_steps_cost_the_same_for_a_large_project(
    manager: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    project = make_project()
    for _ in range(5):
        make_image(project, [["man"], ["man"]])
    make_questions(project, "link")
    Batch.objects.bulk_create(Batch(project=project, name=f"b{n}") for n in range(20))
    keep(project)
    with django_assert_max_num_queries(13):
        checklist_of(project, Kept(), 0, manages=True)
    with django_assert_max_num_queries(32):
        assert manager.get(reverse("dashboards:project", args=[project.pk])).status_code == 200


@pytest.mark.django_db
def test_every_link_of_the_checklist_leads_to_a_page(manager: Client) -> None:
    project = make_project()
    make_image(project, [["man"], ["man"]])
    batch = make_batch(project)
    job = Job.objects.create(project=project, kind="import", created_at=NOW, by="ada", state="done")
    ids = {
        "project": [project.pk],
        "batch": [batch.pk],
        "job": [job.pk],
        "stuck": [batch.pk],
        "short": [batch.pk],
        "anew": [batch.pk],
        "draft": [batch.pk],
    }
    for link in LINKS.values():
        name, *rest = link.name.split(" ")
        address = reverse(name, args=[*ids.get(link.of, []), *rest])
        reply = manager.get(address + link.after.partition("#")[0].format(project=project.pk))
        assert reply.status_code == 200, (name, reply.status_code)


@pytest.mark.django_db
def test_withdrawn_images_count_nowhere() -> None:
    project = make_project()
    make_images(project, [["man"], ["man"]], 2)
    gone = make_image(project, [["man"]], picture=False)
    withdraw_image(image_id=gone.pk, by="ada", note="", now=NOW)
    steps = steps_of(project)
    assert (steps["Import"][0], steps["Look"][0]) == ("2 images.", "Every image has its picture.")


@pytest.mark.django_db
def test_captions_can_be_collected_while_photographs_have_none(manager: Client) -> None:
    project = make_project()
    make_image(project, [["man"], ["man"]])
    make_images(project, [], 2)
    count_due(clock=lambda: NOW)
    collect = reverse("batches:campaign", args=[project.pk])

    def also() -> tuple[str, object]:
        steps = checklist_of(project, kept(project=project), 0, manages=True).steps
        return next((one.step.says, one.also) for one in steps if one.step.name == "Batch")

    said = "Choose who annotates. 2 photographs have no caption."
    assert also() == (said, ("Have captions written", collect))
    page = manager.get(reverse("dashboards:project", args=[project.pk])).content.decode()
    assert f'<a href="{collect}">Have captions written</a>' in page
    Image.objects.filter(captions=None).update(withdrawn_at=NOW)
    count_due(clock=lambda: NOW, force=True)
    assert also() == ("Choose who annotates.", None)


def test_the_step_of_batches_names_all_that_run_and_a_draft_beside_them() -> None:
    facts = replace(RUNNING, batch="paid", beside=("main",), draft="rest")
    assert checklist(facts)[3].says == "main and paid are running. rest is a draft."


def test_a_queue_that_was_begun_says_how_far_it_is() -> None:
    facts = replace(RUNNING, tested=False, drawn=7, drawn_done=1, drawn_for="gold")
    assert checklist(facts)[2].says == "7 images were drawn for you to annotate (gold): 1 is done."

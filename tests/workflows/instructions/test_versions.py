"""Versions are only added, one at a time. A page shows the one that was the newest when it was claimed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db import connections

from annotation.models import Assignment, Image, InstructionsVersion, Project
from tests.factories import LATER, NOW, claim_page, make_image, make_project, make_running, make_worker
from tests.workflows.threads import at_once
from workflows.assignments.leases import return_page
from workflows.assignments.page_view import shown_page
from workflows.instructions.domain import Content, InstructionsError, parse_content
from workflows.instructions.selectors import newest, newest_by_stage
from workflows.instructions.versions import (
    NoSuchVersionError,
    StaleInstructionsError,
    restore_instructions,
    save_instructions,
)

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def saying(text: str) -> Content:
    return parse_content({"texts": {"en": text}}, "link")


def save(
    project: Project, content: Content, based_on: int = 0, **more: Any
) -> tuple[InstructionsVersion | None, bool]:
    asked: dict[str, Any] = {"stage": "link", "by": "ada", "now": NOW, **more}
    return save_instructions(project_id=project.pk, content=content, based_on=based_on, **asked)


def with_example(image: Image) -> Content:
    example = {"image": image.pk, "view": [0, 0, 100, 100], "good": True, "why": {"de": "Gut."}}
    return parse_content({"examples": [example]}, "link")


def photographed(project: Project, name: str = "a.jpg") -> Image:
    image = make_image(project, [["man"]], name=name)
    Image.objects.filter(pk=image.pk).update(file=f"p/{name}", width=640, height=480)
    return image


def test_each_save_adds_a_version_and_the_same_again_adds_none() -> None:
    project, done = make_project(), []
    assert save(project, Content()) == (None, False)
    also: Callable[[InstructionsVersion], object] = lambda made: done.append(made.number)  # noqa: E731
    first, created = save(project, saying("Look."), also=also)
    assert first and created and (first.number, first.by) == (1, "ada")
    again, created = save(project, saying("Look."), also=also)  # the reply was lost
    assert again == first and not created
    second, _ = save(project, Content(), based_on=1, also=also)  # the built-in instructions again
    assert second and second.number == 2
    assert newest_by_stage(project.pk) == {"link": second}
    assert newest(make_project("other").pk, "link") is None
    assert done == [1, 2]


def test_a_version_that_is_restored_becomes_the_newest() -> None:
    project = make_project()
    save(project, saying("One."))
    save(project, saying("Two."), based_on=1)
    made, created = restore_instructions(project_id=project.pk, stage="link", number=1, by="bo", now=LATER)
    assert created and (made.number, made.restores, made.by) == (3, 1, "bo")
    assert made.content == InstructionsVersion.objects.get(number=1).content
    assert restore_instructions(project_id=project.pk, stage="link", number=1, by="bo", now=LATER) == (
        made,
        False,
    )
    for stage, number in (("link", 9), ("quality", 1)):
        with pytest.raises(NoSuchVersionError):
            restore_instructions(project_id=project.pk, stage=stage, number=number, by="bo", now=LATER)


def test_nobody_overwrites_what_they_have_not_seen() -> None:
    project = make_project()
    save(project, saying("One."), by="bo")
    with pytest.raises(StaleInstructionsError, match="bo saved version 1 meanwhile") as error:
        save(project, saying("Mine."))
    assert error.value.newest.number == 1


def test_examples_are_of_the_project_and_in_use() -> None:
    project = make_project()
    image, other = photographed(project), photographed(make_project("other"))
    with pytest.raises(InstructionsError, match="no photograph in this project"):
        save(project, with_example(other))
    save(project, with_example(image))
    Image.objects.filter(pk=image.pk).update(withdrawn_at=NOW)
    with pytest.raises(InstructionsError, match="no photograph in this project"):
        save(project, Content(saying("x").texts, with_example(image).examples), based_on=1)


def test_a_page_keeps_the_version_that_was_the_newest_when_it_was_claimed() -> None:
    batch = make_running([["man"], ["man"]], images=4)
    image = photographed(batch.project, "example.jpg")
    before = claim_page(make_worker(batch.project))
    assert before.instructions_id is None
    assert shown_page(before, now=NOW)["instructions"] is None
    return_page(worker_id=before.worker_id, assignment_id=before.pk)
    first, _ = save(batch.project, Content({"en": "Look."}, with_example(image).examples))
    assert first
    ada, bo = make_worker(batch.project), make_worker(batch.project)
    page = claim_page(ada)
    save(batch.project, saying("Look well."), based_on=1)
    save(batch.project, saying("Elsewhere"), stage="quality")
    page = Assignment.objects.select_related("batch").get(pk=page.pk)
    said = shown_page(page, now=LATER)["instructions"]
    assert (said["id"], said["version"], said["texts"]) == (first.pk, 1, {"en": "Look."})
    (example,) = said["examples"]
    assert (example["view"], example["good"], example["why"]) == ([0, 0, 100, 100], True, {"de": "Gut."})
    assert "example.jpg" not in example["image"]["url"]  # a link for this worker
    return_page(worker_id=ada.pk, assignment_id=page.pk)
    assert shown_page(claim_page(bo), now=NOW)["instructions"]["version"] == 2


@pytest.mark.parametrize(
    "changes", [{"withdrawn_at": NOW}, {"file": "p/replaced/another.jpg"}], ids=["withdrawn", "replaced"]
)
def test_an_example_goes_with_its_photograph(changes: dict[str, Any]) -> None:
    batch = make_running([["man"], ["man"]])
    image = photographed(batch.project, "example.jpg")
    save(batch.project, with_example(image))
    page = claim_page(make_worker(batch.project))
    assert len(shown_page(page, now=NOW)["instructions"]["examples"]) == 1
    Image.objects.filter(pk=image.pk).update(**changes)
    assert shown_page(page, now=NOW)["instructions"]["examples"] == []


@pytest.mark.django_db(transaction=True)
def test_of_two_who_save_at_once_one_is_told() -> None:
    project = make_project()

    def attempt(text: str) -> int | str:
        try:
            made, _ = save(project, saying(text), by=text)
        except StaleInstructionsError as error:
            return f"{error.newest.by} was first"
        assert made
        return made.number

    said = at_once([partial(attempt, name) for name in ("ada", "bo")])
    winner = InstructionsVersion.objects.get()
    assert sorted(said, key=str) == [1, f"{winner.by} was first"]
    same = at_once([partial(lambda: save(project, saying("Both."), based_on=1)) for _ in range(2)])
    assert sorted(created for _, created in same) == [False, True]
    assert InstructionsVersion.objects.count() == 2
    connections.close_all()

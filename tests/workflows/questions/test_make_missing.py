"""What a plan says is missing, and what is missing after it."""

from __future__ import annotations

import pytest

from annotation.models import Project
from tests.factories import NOW, make_image, make_project
from tests.workflows.gold import make_known
from workflows.batch_settings.domain.settings import BatchSettings, parse_settings
from workflows.questions.exposure import stock_of
from workflows.questions.make_missing import MissingPlan, make_missing, plan_missing
from workflows.questions.supply import missing_of, supplied_of

pytestmark = pytest.mark.django_db

SETTINGS = parse_settings({"regime": "trusted"})


def plan_of(project: Project, settings: BatchSettings = SETTINGS) -> MissingPlan:
    return plan_missing(project, settings, supplied_of(project, stock_of(project.pk)))


@pytest.mark.parametrize(("images", "first"), [(6, 0), (20, 0), (20, 40), (20, 240)])
def test_after_making_them_as_many_are_missing_as_the_plan_said(images: int, first: int) -> None:
    """Images that got questions became those of an entrance, so that others were missing at once.

    The names decide which questions an image gives. With those from 40, it took more than twenty rounds.
    """
    project = make_project()
    for number in range(first, first + images):
        make_known(project, name=f"{number}.jpg")
    make_image(project, [["dog"]], name="other.jpg")
    before, plan = missing_of(project, SETTINGS), plan_of(project)
    assert plan.missing.total() >= sum(before.values()), "what is counted without images is the least"
    assert plan.missing.total() == plan.new + sum(plan.left.values()) and plan.left
    assert make_missing(plan, project=project, by="ada", now=NOW) == (plan.new, 0)
    assert missing_of(project, SETTINGS) == dict(plan.left)
    assert plan_of(project).new == 0, "all that the images admit is made at once"


def test_enough_known_images_leave_nothing_missing() -> None:
    project = make_project()
    for number in range(40):
        make_known(project, name=f"{number}.jpg")
    plan = plan_of(project)
    assert (plan.left, plan.proposed) == ({}, [])
    make_missing(plan, project=project, by="ada", now=NOW)
    assert missing_of(project, SETTINGS) == {}

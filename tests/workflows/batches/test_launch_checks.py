"""A batch is launched only if it has what it needs (docs/protocol.md, "Quality control")."""

from __future__ import annotations

from typing import Any

import pytest
from pytest_django.fixtures import Settings

from annotation.models import Batch, ImageWork, VerificationQuestion
from tests.factories import make_batch, make_image, make_project, make_questions, make_worker
from workflows.batch_settings.domain.settings import parse_settings
from workflows.batches.launch_checks import Shortage, contact_obstacle, readiness_of
from workflows.batches.lifecycle import BatchError, create_batch, move_batch
from workflows.projects.lifecycle import change_project
from workflows.questions.entrance_images import reserve_for_entrances

pytestmark = pytest.mark.django_db

OPEN = dict.fromkeys(("link", "verification", "requirement", "drawing", "quality", "coverage"), "open")
SMALL = {"entrance": 3, "set_questions": 6}


def draft(regime: str, *, test: bool = False, gold: int = 0) -> Batch:
    project = make_project()
    make_image(project, [["man"], ["man"]])
    make_questions(project, "link", images=gold)
    return make_batch(
        project,
        launch=False,
        regime={**OPEN, "link": regime},
        control=SMALL,
        screening={"test": test, "training_items": 2, "test_items": 2, "tries": 2},
    )


@pytest.mark.parametrize(("regime", "needed"), [("trusted", 13), ("verification", 6), ("open", 0)])
def test_each_regime_needs_its_questions(regime: str, needed: int) -> None:
    if needed:
        short = draft(regime, gold=needed - 1)
        with pytest.raises(BatchError, match=rf"link: {needed - 1} gold of {needed}.*questions make.*=open"):
            move_batch(batch=short, action="launch")
        short.refresh_from_db()
        assert short.state == Batch.State.DRAFT
    assert move_batch(batch=draft(regime, gold=needed), action="launch").state == Batch.State.RUNNING


def test_what_is_left_of_the_images_an_entrance_uses_does_not_help() -> None:
    """Workers who passed the entrance know these images, so their questions are not mixed in later."""
    batch = draft("trusted")
    make_questions(batch.project, "link", images=2, each=10)
    VerificationQuestion.objects.latest("pk").delete()
    with pytest.raises(BatchError, match="link: 19 gold of 20"):
        move_batch(batch=batch, action="launch")
    make_questions(batch.project, "link", images=1)
    assert move_batch(batch=batch, action="launch").state == Batch.State.RUNNING


@pytest.mark.parametrize(("regime", "needed"), [("trusted", 13), ("verification", 6)])
def test_images_that_are_set_apart_help_at_entrances_only(regime: str, needed: int) -> None:
    """Earlier batches have set them apart: their questions are on no page with items."""
    batch = draft(regime, gold=needed)
    earlier = VerificationQuestion.objects.order_by("pk").values_list("image_id", flat=True)[:3]
    reserve_for_entrances(earlier)
    reserve_for_entrances(earlier)
    if regime == "verification":
        with pytest.raises(BatchError, match="link: 6 gold of 9"):
            move_batch(batch=batch, action="launch")
        make_questions(batch.project, "link", images=3)
    assert move_batch(batch=batch, action="launch").state == Batch.State.RUNNING


def test_a_qualification_test_needs_questions_of_its_own() -> None:
    batch = draft("verification", test=True, gold=6)
    with pytest.raises(BatchError, match=r"\(link: 0 training of 2, 0 test of 4\)"):
        move_batch(batch=batch, action="launch")
    make_questions(batch.project, "link", images=2, role="training")
    make_questions(batch.project, "link", images=4, role="test")
    assert move_batch(batch=batch, action="launch").state == Batch.State.RUNNING


def test_a_draft_says_what_it_lacks_before_anybody_launches_it() -> None:
    batch = draft("verification", test=True, gold=5)
    make_image(batch.project, [["man"]], picture=False)
    found = readiness_of(batch)
    assert found.shortages == (
        Shortage("link", "gold", 5, 6),
        Shortage("link", "training", 0, 2),
        Shortage("link", "test", 0, 4),
    )
    assert (found.bare, found.unsized, found.crowd, found.ready) == (0, 0, (), False)
    make_questions(batch.project, "link", images=1)
    make_questions(batch.project, "link", images=2, role="training")
    make_questions(batch.project, "link", images=4, role="test")
    assert readiness_of(batch).ready


@pytest.mark.parametrize("trouble", ["retired", "in a batch"])
def test_questions_that_cannot_be_asked_do_not_help(trouble: str) -> None:
    batch = draft("verification", gold=6)
    question = VerificationQuestion.objects.all()[0]
    if trouble == "retired":
        VerificationQuestion.objects.filter(pk=question.pk).update(state="retired")
    else:
        ImageWork.objects.create(batch=batch, image=question.image)
    with pytest.raises(BatchError, match="link: 5 gold of 6"):
        move_batch(batch=batch, action="launch")
    ImageWork.objects.filter(image=question.image).update(state="done")
    VerificationQuestion.objects.update(state="active")
    assert move_batch(batch=batch, action="launch").state == Batch.State.RUNNING


def test_a_batch_leaves_the_images_of_questions_alone_unless_told() -> None:
    project = make_project()
    free = make_image(project, [["man"]])
    (question,) = make_questions(project, "link")
    batch = make_batch(project, launch=False)
    assert list(batch.works.values_list("image_id", flat=True)) == [free.pk]
    told = create_batch(project=project, name="told", settings=parse_settings({}), images=[question.image_id])
    assert list(told.works.values_list("image_id", flat=True)) == [question.image_id]


def test_images_of_retired_questions_are_free_again() -> None:
    project = make_project()
    (question,) = make_questions(project, "link")
    with pytest.raises(BatchError, match="neither a batch nor verification questions"):
        make_batch(project)
    VerificationQuestion.objects.filter(pk=question.pk).update(state="retired")
    assert make_batch(project).works.count() == 1


def test_images_are_worked_on_in_an_order_that_is_drawn() -> None:
    """Otherwise their ids would be neighbours, and those of questions would stand out."""
    orders = []
    for seed in (1, 1, 2):
        project = make_project()
        images = [make_image(project, [["man"]], name=f"{n:02}.jpg").pk for n in range(30)]
        batch = make_batch(project, launch=False, seed=seed)
        works = list(batch.works.order_by("pk").values_list("image_id", flat=True))
        assert sorted(works) == images != works
        orders.append([work - images[0] for work in works])
    assert orders[0] == orders[1] != orders[2]


def capped(cap: int) -> Batch:
    project = make_project()
    for _ in range(6):
        make_image(project, [["man", "dog"]] * 5)
    reward = dict.fromkeys(OPEN, 25)
    return make_batch(project, launch=False, reward=reward, crowd={"cap": cap})


def test_a_cap_of_10_cents_is_not_ready() -> None:
    batch = capped(10)
    found = readiness_of(batch)
    assert found.cap is not None and found.cap.too_low and not found.ready
    with pytest.raises(
        BatchError, match=r"crowd.cap: 0.10 USD is less than .* costs .*[0-9] USD; it probably"
    ):
        move_batch(batch=batch, action="launch")
    batch.refresh_from_db()
    assert batch.state == Batch.State.DRAFT


def test_a_cap_within_the_forecast_is_a_warning_and_one_above_it_is_enough() -> None:
    low = readiness_of(capped(10)).cap
    assert low is not None
    between = readiness_of(capped(int(low.cost.middle))).cap
    assert between is not None and between.perhaps_too_low and not between.too_low
    enough = readiness_of(capped(int(10 * low.cost.high)))
    assert enough.cap is not None and not enough.cap.perhaps_too_low and enough.ready


def test_a_batch_without_a_cap_needs_no_forecast() -> None:
    assert readiness_of(draft("open")).cap is None


def test_it_says_how_many_people_the_rules_may_need() -> None:
    batch = draft("open")
    team = readiness_of(batch).team
    assert team is not None and team.invited == 0 and team.short["quality"] == 2
    assert readiness_of(batch).ready, "people can be invited after the launch"
    for _ in range(5):
        make_worker(batch.project)
    team = readiness_of(batch).team
    assert team is not None and (team.invited, dict(team.short)) == (5, {})


def test_a_platform_brings_its_people() -> None:
    batch = draft("open")
    batch.settings = parse_settings({"regime": "open", "crowd": {"provider": "mturk"}}).to_json()
    batch.save()
    assert readiness_of(batch).team is None


@pytest.mark.parametrize(
    ("settings", "contact", "why"),
    [
        ({"regime": "open"}, "", ""),
        ({"regime": "trusted", "screening": {"test": False}}, "", ""),
        ({"regime": "trusted"}, "", "tests its workers"),
        ({"regime": {"link": "trusted"}}, "", "tests its workers"),
        ({"regime": "open", "reward": {"drawing": 1}}, "", "pays its workers"),
        ({"regime": "trusted", "reward": {"drawing": 1}}, "", "pays its workers"),
        ({"regime": "trusted", "reward": {"drawing": 1}}, "ada@example.org", ""),
    ],
)
def test_a_batch_that_pays_or_tests_needs_a_contact(settings: dict[str, Any], contact: str, why: str) -> None:
    said = contact_obstacle(parse_settings(settings), contact)
    assert (said == "") if not why else said.startswith(f"it {why}, and they have nobody to write to")


def test_a_batch_without_a_contact_it_needs_is_not_launched(settings: Settings) -> None:
    settings.GROUNDCREW_CONTACT = ""
    project = make_project()
    make_image(project, [["man"], ["man"]])
    batch = make_batch(project, launch=False, reward={"link": 5})
    assert not readiness_of(batch).ready
    with pytest.raises(BatchError, match="cannot be launched: it pays its workers, and they have nobody"):
        move_batch(batch=batch, action="launch")
    change_project(project_id=project.pk, name=project.name, contact="ada@example.org")
    batch.project.refresh_from_db()
    assert readiness_of(batch).ready
    assert move_batch(batch=batch, action="launch").state == "running"

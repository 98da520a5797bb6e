"""Questions that are made of crowd work are asked only once a researcher has approved them."""

from __future__ import annotations

from functools import partial

import pytest

from annotation.models import Chain, Decision, Judgment, Project, VerificationQuestion
from tests.factories import NOW, answer_page, make_batch, make_image, make_project, make_worker
from tests.workflows.threads import at_once
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.pipeline.advance import advance_pending
from workflows.questions.approve import Decided, decide_proposals
from workflows.questions.domain.known_images import QuestionError
from workflows.questions.images import free_images
from workflows.questions.make import promote_chains
from workflows.questions.supply import askable_now
from workflows.review.set_aside import set_aside_workers

pytestmark = pytest.mark.django_db


def proposed(images: int = 1, *, by_need: bool = False) -> list[VerificationQuestion]:
    """Return what is proposed of images that a crowd has finished."""
    project = make_project()
    for _ in range(images):
        make_image(project, [["dog"], ["dog"], ["man"]])
    batch = make_batch(project)
    for _ in range(200):
        if not batch.works.exclude(state="done").exists():
            break
        answer_page(make_worker(project))
        advance_pending(now=NOW)
    chains = list(Chain.objects.filter(state__in=("done", "nonvisual")).values_list("pk", flat=True))
    promote_chains(chain_ids=chains, by="ada", now=NOW, settings=BatchSettings() if by_need else None)
    return list(VerificationQuestion.objects.order_by("pk"))


def decide(project: Project, approve: list[int], refuse: list[int]) -> Decided:
    return decide_proposals(project_id=project.pk, approve=approve, refuse=refuse, by="ada", now=NOW)


def test_nothing_is_asked_before_it_is_approved() -> None:
    first, second, third, *_ = proposed()
    project = first.project
    assert not askable_now(project)
    assert not free_images(project).exists(), "an image with proposed questions is reserved for them"
    assert decide(project, [first.pk, second.pk], [third.pk]) == Decided(2, 1)
    assert askable_now(project).total() == 2
    for row, state, retired in ((first, "active", ""), (third, "retired", "refused")):
        row.refresh_from_db()
        assert (row.state, row.retired) == (state, retired)
    made = Decision.objects.filter(kind__in=("approve", "refuse")).order_by("kind")
    assert [one.content["questions"] for one in made] == [[first.pk, second.pk], [third.pk]]
    assert {one.by for one in made} == {"ada"}


def test_what_was_decided_stays_decided() -> None:
    first, second, *_ = proposed()
    decide(first.project, [first.pk], [second.pk])
    assert decide(first.project, [second.pk], [first.pk]) == Decided(0, 0)
    assert Decision.objects.filter(kind__in=("approve", "refuse")).count() == 2
    chains = list(Chain.objects.values_list("pk", flat=True))
    promote_chains(chain_ids=chains, by="ada", now=NOW)
    second.refresh_from_db()
    assert second.state == "retired", "a refused question is not proposed again"


def test_practice_and_tests_are_proposed_as_well_where_they_are_missing() -> None:
    rows = proposed(12, by_need=True)
    assert {row.role for row in rows} == {"gold", "test", "training"}
    assert {row.state for row in rows} == {"proposed"}
    roles: dict[int, set[str]] = {}
    for row in rows:
        roles.setdefault(row.image_id, set()).add(row.role)
    assert all(len(of) == 1 for of in roles.values()), "an image serves one role"


def test_what_is_not_finished_any_more_is_not_approved() -> None:
    first, *rest = proposed()
    worker = Judgment.objects.filter(item__stage="drawing", item__chain=first.chain).values_list(
        "worker_id", flat=True
    )[0]
    set_aside_workers(
        workers=[worker], stages=["drawing"], unsupported_only=False, by="ada", note="", now=NOW
    )
    advance_pending(now=NOW)
    assert decide(first.project, [row.pk for row in (first, *rest)], []) == Decided(0, 0)
    assert decide(first.project, [], [first.pk]) == Decided(0, 1)


def test_questions_of_another_project_are_left_alone() -> None:
    first, *_ = proposed()
    assert decide(make_project(), [first.pk], []) == Decided(0, 0)


def test_one_question_cannot_be_approved_and_refused() -> None:
    first, *_ = proposed()
    with pytest.raises(QuestionError, match=f"question {first.pk} cannot"):
        decide(first.project, [first.pk], [first.pk])
    with pytest.raises(QuestionError, match="at most 500"):
        decide(first.project, list(range(501)), [])


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_of_two_who_decide_at_once_one_decides() -> None:
    rows = proposed()
    ids = [row.pk for row in rows]
    project = rows[0].project
    found = at_once([partial(decide, project, ids, []), partial(decide, project, [], ids)])
    assert sum(one.approved + one.refused for one in found) == len(ids)
    states = set(VerificationQuestion.objects.values_list("state", flat=True))
    assert len(states) == 1 and Decision.objects.filter(kind__in=("approve", "refuse")).count() == 1

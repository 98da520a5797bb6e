"""`verify_state` computes standings and the counts of pages again."""

from __future__ import annotations

import pytest

from annotation.models import Assignment, Exposure, Judgment, Standing
from tests.factories import answer_page, make_controlled, make_worker
from workflows.quality.standing_check import wrong_standings

pytestmark = pytest.mark.django_db


@pytest.fixture
def page() -> Assignment:
    batch = make_controlled("link", "trusted", images=4, questions=20)
    answer_page(make_worker(batch.project), stage="link")
    assert list(wrong_standings()) == list(wrong_standings(batch.project_id)) == []
    return Assignment.objects.get(asked__gt=0)


def test_a_standing_that_does_not_follow_is_named(page: Assignment) -> None:
    Standing.objects.update(state="lost")
    (line,) = wrong_standings()
    assert "stored is ('lost'," in line
    Standing.objects.update(stale=True)
    assert list(wrong_standings()) == [], "the next sweep computes it"


def test_counts_of_a_page_that_do_not_follow_are_named(page: Assignment) -> None:
    Assignment.objects.filter(pk=page.pk).update(right=0)
    asked = page.asked
    assert list(wrong_standings()) == [
        f"page {page.pk}: stored are 0 right of {asked}, its judgments say {page.right} of {asked}"
    ]


def test_an_answer_to_a_question_that_was_not_shown_is_named(page: Assignment) -> None:
    shown = Exposure.objects.order_by("pk")[0]
    shown.delete()
    judgment = Judgment.objects.get(question=shown.question_id)
    assert list(wrong_standings()) == [
        f"judgment {judgment.pk}: worker {page.worker_id} was not shown question {shown.question_id}"
    ]


def test_a_page_of_another_worker_is_named(page: Assignment) -> None:
    Assignment.objects.filter(pk=page.pk).update(worker=make_worker(page.batch.project))
    assert all("is of another worker, or not confirmed" in line for line in wrong_standings())
    assert len(list(wrong_standings())) == page.asked

"""A worker's history of accuracy, on their page."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest
from django.test import Client

from annotation.models import Assignment, Judgment, Standing, Worker
from console.workers.histories import Whose, history_charts
from tests.console.workers.distrusted import page_of
from tests.factories import NOW, make_controlled, make_questions, make_worker

pytestmark = pytest.mark.django_db


def give_answers(worker: Worker, stage: str, said: str) -> None:
    """Let the worker answer a new verification question for each letter, one a day; `y` is right."""
    batch = worker.project.batches.get()
    page = Assignment.objects.create(
        worker=worker, batch=batch, stage=stage, state="submitted", items=[], created_at=NOW, expires_at=NOW
    )
    questions = make_questions(worker.project, stage, images=-(-len(said) // 5), each=5)
    Judgment.objects.bulk_create(
        Judgment(
            question=question,
            worker=worker,
            assignment=page,
            answer={"good": True},
            correct=letter == "y",
            created_at=NOW + timedelta(days=day),
        )
        for day, (question, letter) in enumerate(zip(questions, said, strict=False))
    )


def test_a_stage_has_a_chart_with_the_minimum_and_its_numbers(viewer: Client) -> None:
    worker = make_worker(make_controlled("quality", "trusted", minimum_score={"quality": 0.7}).project)
    Standing.objects.create(worker=worker, stage="quality", state="trusted", changed_at=NOW)
    give_answers(worker, "quality", "y" * 9 + "n" + "y" * 5 + "n" * 5 + "ny")
    reply = viewer.get(page_of(worker))
    (chart,) = reply.context["found"].histories
    assert (chart.title, chart.header) == ("Box quality", ("answers", "accuracy", "minimum"))
    assert chart.rows == (
        ("1 to 10, 10 Mar 2026", "90.0%", "70.0%"),
        ("11 to 22, 22 Mar 2026", "50.0%", "70.0%"),
    )
    text = reply.content.decode()
    assert "Accuracy over time" in text
    assert "11 to 22, 22 Mar 2026: 50.0% (accuracy)" in text


def test_a_stage_without_a_standing_has_no_minimum(viewer: Client) -> None:
    worker = make_worker(make_controlled("quality", "trusted").project)
    give_answers(worker, "quality", "y" * 15)
    (chart,) = viewer.get(page_of(worker)).context["found"].histories
    assert chart.header == ("answers", "accuracy")


def test_one_run_is_no_history(viewer: Client) -> None:
    worker = make_worker(make_controlled("quality", "trusted").project)
    give_answers(worker, "quality", "y" * 14)
    reply = viewer.get(page_of(worker))
    assert not reply.context["found"].histories
    assert "Accuracy over time" not in reply.content.decode()


def test_a_long_history_has_at_most_twelve_points(viewer: Client) -> None:
    worker = make_worker(make_controlled("quality", "trusted").project)
    give_answers(worker, "quality", "".join(random.Random(7).choices("yn", k=130)))
    (chart,) = viewer.get(page_of(worker)).context["found"].histories
    assert [row[0].partition(",")[0] for row in chart.rows][-1] == "121 to 130"
    assert len(chart.rows) == 7


@pytest.mark.parametrize("names", [("minimum", "ann"), ("ann", "minimum of ann")])
def test_a_worker_called_like_another_line_keeps_their_own(names: tuple[str, str]) -> None:
    project = make_controlled("quality", "trusted").project
    workers = [make_worker(project, name) for name in names]
    for worker in workers:
        give_answers(worker, "quality", "y" * 20)

    def header(*least: float) -> tuple[str, ...]:
        whose = [
            Whose(worker.pk, name, {"quality": value})
            for worker, name, value in zip(workers, names, least, strict=False)
        ]
        (chart,) = history_charts(whose)
        assert chart.rows[0][1 : len(least) + 1] == ("100.0%",) * len(least)
        return chart.header[1:]

    for least in ((0.7,), (0.7, 0.8), (0.7, 0.7)):
        lines = header(*least)
        assert len(set(lines)) == len(least) + len(set(least))

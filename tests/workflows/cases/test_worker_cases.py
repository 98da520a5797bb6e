"""Cases about a worker: a row for each stage, and one case in the queue for each reason."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from django.db import connection

from annotation.models import Case, Decision, Project, Worker
from tests.factories import LATER, NOW, make_project, make_worker
from tests.query_plans import plan_of
from tests.workflows.threads import at_once
from workflows.cases.review_queue import (
    CaseError,
    assign_cases,
    close_of_worker,
    close_several,
    open_case,
    reopen_case,
)
from workflows.cases.worker_cases import first_of_each, together, with_others
from workflows.workers.enrolment import block_worker

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def lose(worker: Worker, *stages: str, reason: str = "trust") -> list[Case]:
    """Open a case about the worker for each of these stages."""
    for stage in stages:
        open_case(project_id=worker.project_id, reason=reason, now=NOW, worker_id=worker.pk, stage=stage)
    cases = Case.objects.filter(worker=worker, reason=reason)
    return list(cases.filter(stage__in=stages).order_by("pk"))


def waiting(project: Project) -> list[tuple[str, str]]:
    """Return the reason and the stage of each row that the queue shows."""
    rows = first_of_each(Case.objects.filter(project=project, closed_at=None)).order_by("pk")
    return list(rows.values_list("reason", "stage"))


def open_now() -> list[int]:
    return list(Case.objects.filter(closed_at=None).order_by("pk").values_list("pk", flat=True))


def close(cases: list[Case], by: str = "ada") -> Decision | None:
    return close_of_worker(cases=[case.pk for case in cases], by=by, note="seen", now=NOW)


def test_a_workers_stages_are_one_case_a_reason() -> None:
    project = make_project()
    ann, bob = make_worker(project, "ann"), make_worker(project, "bob")
    lose(ann, "link", "drawing")
    lose(bob, "quality", "link")
    lose(ann, "link", "quality", reason="pace")
    assert waiting(project) == [("trust", "link"), ("trust", "quality"), ("pace", "link")]


def test_what_is_about_no_worker_or_about_an_answer_stays_one_by_one() -> None:
    worker = make_worker(make_project())
    for worker_id, reason in ((worker.pk, "comment"), (worker.pk, "comment"), (None, "suggestions")):
        for _ in range(2):
            open_case(project_id=worker.project_id, reason=reason, now=NOW, worker_id=worker_id)
    found = list(Case.objects.order_by("pk"))
    assert len(waiting(worker.project)) == len(found) == 6
    assert together(found) == with_others(found) == [[case] for case in found]


def test_the_next_stage_stands_for_the_case_when_the_first_is_closed() -> None:
    worker = make_worker(make_project())
    first, second, third = lose(worker, "link", "drawing", "quality")
    assert with_others([second]) == [[first, second, third]]
    close([first])
    assert waiting(worker.project) == [("trust", "drawing")]
    assert with_others([first]) == [[second, third]]


def test_an_index_finds_the_other_stages_of_a_worker() -> None:
    project = make_project()
    workers = Worker.objects.bulk_create(
        Worker(project=project, external_id=f"w{place}") for place in range(500)
    )
    Case.objects.bulk_create(
        Case(project=project, reason="trust", worker=worker, stage=stage, opened_at=NOW)
        for stage in ("link", "drawing")
        for worker in workers
    )
    if connection.vendor == "postgresql":  # which knows no sizes in a test's transaction otherwise
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE annotation_case")
    rows = first_of_each(Case.objects.filter(project=project, closed_at=None)).order_by("pk")
    statement = str(rows.query).replace("(trust, pace, suggestions)", "('trust', 'pace', 'suggestions')")
    (inner,) = (step for step in plan_of(statement).splitlines() if "U0" in step or "u0" in step)
    assert "worker_id" in inner or "case_worker_once" in inner


def test_one_decision_closes_the_chosen_stages() -> None:
    link, drawing, quality = lose(make_worker(make_project()), "link", "drawing", "quality")
    decision = close([link, quality])
    assert decision is not None and decision == Decision.objects.get()
    assert (decision.worker, decision.stage) == (link.worker, "")
    assert decision.content == {"case": link.pk, "reason": "trust", "stages": ["link", "quality"]}
    assert open_now() == [drawing.pk]
    assert close([link, quality], by="bob") is None, "it is closed once"
    assert Decision.objects.count() == 1
    last = close([link, drawing])
    assert last is not None and last.stage == "drawing", "what was closed keeps its decision"
    assert Case.objects.filter(decision=decision).count() == 2


def test_cases_of_two_workers_or_reasons_are_not_closed_as_one() -> None:
    project = make_project()
    ann, bob = make_worker(project, "ann"), make_worker(project, "bob")
    trust, pace, other = lose(ann, "link"), lose(ann, "link", reason="pace"), lose(bob, "link")
    open_case(project_id=project.pk, reason="comment", now=NOW, worker_id=ann.pk)
    for cases in (trust + pace, trust + other, [], list(Case.objects.filter(reason="comment"))):
        with pytest.raises(CaseError, match="stages of one case"):
            close(cases)
    assert len(open_now()) == 4
    assert not Decision.objects.exists()


def test_several_are_closed_and_assigned_as_the_queue_counts_them() -> None:
    project = make_project()
    cases = lose(make_worker(project, "ann"), "link", "drawing") + lose(make_worker(project, "bob"), "link")
    ids = [case.pk for case in cases]
    assert assign_cases(cases=ids, to="mona") == 2
    assert set(Case.objects.values_list("assigned_to", flat=True)) == {"mona"}
    assert close_several(cases=ids, by="ada", note="", now=NOW) == (2, 0)
    assert Decision.objects.count() == 2
    assert close_several(cases=ids, by="ada", note="", now=NOW) == (0, 0)


def test_a_further_stage_is_of_the_researcher_who_has_the_case() -> None:
    worker = make_worker(make_project())
    first = lose(worker, "link")
    assign_cases(cases=[case.pk for case in first], to="mona")
    (drawing,) = lose(worker, "drawing")
    assert drawing.assigned_to == "mona"
    (other,) = lose(worker, "drawing", reason="pace")
    assert other.assigned_to == "", "it is another case"
    close([*first, drawing])
    (anew,) = (case for case in lose(worker, "link") if case.closed_at is None)
    assert anew.assigned_to == ""


def undo(decision: Decision) -> Decision:
    return reopen_case(decision_id=decision.pk, by="bob", note="", now=LATER)


def test_undoing_opens_all_stages_again_by_one_decision() -> None:
    cases = lose(make_worker(make_project()), "link", "drawing")
    decision = close(cases)
    assert decision is not None
    undone = undo(decision)
    assert open_now() == [case.pk for case in cases]
    assert undone.content == {
        "undoes": decision.pk,
        "case": cases[0].pk,
        "reason": "trust",
        "stages": ["link", "drawing"],
    }
    with pytest.raises(CaseError, match="open again already"):
        undo(decision)


def test_a_stage_that_was_settled_or_reported_since_stays_closed() -> None:
    worker = make_worker(make_project())
    cases = lose(worker, "link", "drawing", "quality")
    decision = close(cases)
    assert decision is not None
    Decision.objects.create(
        project=worker.project, kind="restore", by="ada", worker=worker, stage="link", created_at=LATER
    )
    (again,) = (case for case in lose(worker, "drawing") if case.closed_at is None)
    undone = undo(decision)
    assert open_now() == sorted([again.pk, cases[2].pk])
    assert "stages" not in undone.content
    with pytest.raises(CaseError, match="restored since"):
        undo(decision)


@pytest.mark.django_db(transaction=True)
def test_closing_undoing_and_blocking_at_once_neither_stop_each_other_nor_happen_twice() -> None:
    worker = make_worker(make_project())
    cases = lose(worker, "link", "drawing", "quality")
    calls = [partial(close, cases), partial(close, cases[::-1]), partial(close, cases[1:])]
    made = [one for one in at_once(calls) if one is not None]
    assert len(made) == Decision.objects.count()
    assert sum(Case.objects.filter(decision=one).count() for one in made) == 3
    undoing: list[Callable[[], object]] = [partial(_tried, one) for one in made * 2]
    at_once(undoing)
    assert open_now() == [case.pk for case in cases]
    assert Decision.objects.filter(kind="undo").count() == len(made)
    block = partial(block_worker, worker_id=worker.pk, by="ada", note="", now=LATER)
    ends: list[Callable[[], object]] = [block, partial(close, cases), partial(close, cases)]
    at_once(ends)
    assert open_now() == []
    assert Case.objects.values("decision").distinct().count() == 1


def _tried(decision: Decision) -> None:
    """Undo it, unless another has."""
    try:
        undo(decision)
    except CaseError:
        return

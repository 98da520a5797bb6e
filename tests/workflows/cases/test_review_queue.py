"""The review queue: cases are opened once and closed once, and samples have no duplicates."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from annotation.models import Assignment, Case, Chain, Decision, Item, Judgment, Worker
from console.common.case_list import say_case
from tests.factories import (
    LATER,
    NOW,
    answer_page,
    claim_page,
    make_at_stage,
    make_controlled,
    make_running,
    make_worker,
    replies,
)
from tests.unguarded import unguarded
from tests.workflows.threads import at_once
from workflows.assignments.submit import submit
from workflows.cases.review_queue import (
    CaseError,
    close_case,
    flag_chain,
    open_late_remarks,
    open_remarks,
    sample_chains,
)
from workflows.pipeline.advance import advance_pending

pytestmark = pytest.mark.django_db


def _finished(images: int) -> int:
    """Make a batch whose chains are all done. Return its id."""
    batch = make_at_stage("drawing", images=images)
    for _ in range(20 * images):
        if not Chain.objects.filter(work__batch=batch).exclude(state="done").exists():
            return batch.pk
        answer_page(make_worker(batch.project))
        advance_pending(now=NOW)
    raise AssertionError("the chains are not done")


def _flagged() -> Case:
    make_at_stage("quality")
    flag_chain(chain_id=Chain.objects.get().pk, by="ada", note="two people", now=NOW)
    return Case.objects.get()


def test_a_chain_flagged_twice_waits_once() -> None:
    case = _flagged()
    flag_chain(chain_id=Chain.objects.get().pk, by="bob", note="again", now=LATER)
    assert Case.objects.get() == case
    assert case.detail == {"by": "ada", "note": "two people"}


def test_a_chain_whose_flag_was_closed_can_be_flagged_again() -> None:
    case = _flagged()
    close_case(case_id=case.pk, by="ada", note="fine", now=NOW)
    flag_chain(chain_id=Chain.objects.get().pk, by="bob", note="again", now=LATER)
    assert Case.objects.filter(closed_at=None).count() == 1


def test_closing_says_who_why_and_about_what() -> None:
    case = _flagged()
    assert close_case(case_id=case.pk, by="ada", note="fine", now=LATER)
    case.refresh_from_db()
    decision = Decision.objects.get()
    assert (case.decision, case.closed_at) == (decision, LATER)
    assert (decision.kind, decision.by, decision.note) == ("close", "ada", "fine")
    assert decision.chain == case.chain


def test_a_closed_case_stays_closed_by_what_closed_it() -> None:
    case = _flagged()
    assert close_case(case_id=case.pk, by="ada", note="fine", now=NOW)
    assert not close_case(case_id=case.pk, by="bob", note="no", now=LATER)
    assert Decision.objects.get().note == "fine"


def test_a_case_is_closed_by_the_decision_that_answers_it() -> None:
    case = _flagged()
    decision = Decision.objects.create(project=case.project, kind="chain", by="ada", created_at=NOW)
    assert close_case(case_id=case.pk, by="ada", note="", now=NOW, decision=decision)
    case.refresh_from_db()
    assert case.decision == Decision.objects.get() == decision


def test_an_unknown_case_or_chain_is_refused() -> None:
    with pytest.raises(CaseError, match="no case 1"):
        close_case(case_id=1, by="ada", note="", now=NOW)
    with pytest.raises(CaseError, match="no chain 1"):
        flag_chain(chain_id=1, by="ada", note="", now=NOW)


def test_a_sample_is_of_finished_chains_without_doubles() -> None:
    batch = _finished(6)
    assert sample_chains(batch_id=batch, seed=1, number=2, now=NOW) == 2
    assert sample_chains(batch_id=batch, seed=1, number=2, now=NOW) == 0, (
        "asked again, as after a double click"
    )
    assert sample_chains(batch_id=batch, seed=2, number=5, now=NOW) == 3
    assert sample_chains(batch_id=batch, seed=3, share=1, now=NOW) == 1
    drawn = Case.objects.filter(reason="sample").values_list("chain", flat=True)
    assert sorted(drawn) == sorted(Chain.objects.values_list("pk", flat=True))


def test_a_chain_seen_in_a_sample_is_not_drawn_again() -> None:
    batch = _finished(2)
    sample_chains(batch_id=batch, seed=1, share=0.5, now=NOW)
    close_case(case_id=Case.objects.get().pk, by="ada", note="good", now=NOW)
    assert sample_chains(batch_id=batch, seed=1, share=0.5, now=LATER) == 0


def test_the_seed_says_which_chains_are_drawn() -> None:
    batch = _finished(6)
    drawn = []
    for seed in (1, 1, 2, 3):
        sample_chains(batch_id=batch, seed=seed, number=2, now=NOW)
        drawn.append(tuple(Case.objects.order_by("chain").values_list("chain", flat=True)))
        Case.objects.all().delete()
    assert drawn[0] == drawn[1]
    assert len(set(drawn)) > 1


def test_nothing_is_sampled_of_unfinished_chains() -> None:
    batch = make_at_stage("quality", images=2)
    assert sample_chains(batch_id=batch.pk, seed=1, number=10, now=NOW) == 0


@pytest.mark.parametrize(
    "asked", [{}, {"share": 0.1, "number": 1}, {"share": 1.5}, {"share": -0.1}, {"number": -1}]
)
def test_a_sample_of_an_impossible_size_is_refused(asked: dict[str, float]) -> None:
    batch = make_running([["man"]])
    with pytest.raises(CaseError):
        sample_chains(batch_id=batch.pk, seed=1, now=NOW, **asked)  # type: ignore[arg-type]  # that is the test
    assert not Case.objects.exists()


def _remarked(**remark: object) -> list[Judgment]:
    batch = make_at_stage("quality")
    answer_page(make_worker(batch.project))
    with unguarded():
        Judgment.objects.filter(item__stage="quality").update(**remark)
    return list(Judgment.objects.order_by("pk"))


def test_a_comment_opens_a_case_about_its_chain() -> None:
    judgments = _remarked(comment="this is the dog")
    project = judgments[0].assignment.batch.project_id
    for _ in range(2):
        open_remarks(judgments=judgments, project_id=project, now=NOW)
    case = Case.objects.get()
    assert (case.reason, case.stage, case.judgment) == ("comment", "quality", judgments[-1])
    assert (case.chain, case.work) == (Chain.objects.get(), Chain.objects.get().work)


def test_a_flagged_chunk_with_a_comment_opens_one_case() -> None:
    judgments = _remarked(comment="cut wrongly", chunk_flag=True)
    open_remarks(judgments=judgments, project_id=judgments[0].worker.project_id, now=NOW)
    assert Case.objects.get().reason == "chunk"


def test_judgments_without_a_remark_cost_nothing(django_assert_num_queries: pytest.FixtureRequest) -> None:
    judgments = _remarked(comment="  ")
    with django_assert_num_queries(0):  # type: ignore[operator]  # pytest-django's fixture has no type
        open_remarks(judgments=judgments, project_id=1, now=NOW)


def _late(worker: Worker, **remark: Any) -> Assignment:
    """Submit a page whose items others have answered meanwhile, with this remark on each item."""
    page = claim_page(worker)
    Item.objects.filter(pk__in=page.items).update(needed=0, leased=0)
    Assignment.objects.filter(pk=page.pk).update(state="expired")
    given = [replace(reply, **remark) for reply in replies(page)]
    for _ in range(2):
        submit(worker_id=worker.pk, assignment_id=page.pk, replies=given, now=LATER)
    Item.objects.filter(pk__in=page.items).update(needed=1)
    page.refresh_from_db()
    return page


def test_a_remark_that_came_too_late_to_count_is_in_the_queue_once() -> None:
    batch = make_at_stage("coverage")
    worker = make_worker(batch.project)
    page = _late(worker, comment="a third man")
    open_late_remarks(assignment=page, project_id=batch.project_id, now=LATER)
    case, chain = Case.objects.get(), Chain.objects.get()
    assert (case.reason, case.stage, case.worker) == ("comment", "coverage", worker)
    assert (case.chain, case.work, case.judgment) == (chain, chain.work, None)
    assert case.detail == {"note": "a third man", "assignment": str(page.pk)}
    assert say_case(case) == "comments: a third man"


def test_no_late_remark_is_lost_to_another_about_the_same_chain() -> None:
    batch = make_at_stage("coverage")
    for name in ("ada", "bob"):
        _late(make_worker(batch.project, name), comment=f"said by {name}")
    chain = Chain.objects.get()
    cases = Case.objects.order_by("pk").values_list("detail__note", "work", "chain")
    assert list(cases) == [("said by ada", chain.work_id, chain.pk), ("said by bob", chain.work_id, None)]


def test_a_late_flag_of_a_question_is_about_the_question() -> None:
    batch = make_controlled("link", "trusted")
    page = claim_page(make_worker(batch.project), stage="link")
    page.late = [{"question": page.checks[0][1], "answer": {}, "comment": "", "chunk_flag": True}]
    open_late_remarks(assignment=page, project_id=batch.project_id, now=LATER)
    case = Case.objects.get()
    assert (case.reason, case.question_id, case.work) == ("chunk", page.checks[0][1], None)
    assert say_case(case).endswith("this chunk is wrong")


@pytest.mark.parametrize("remark", [{}, {"comment": "  "}])
def test_late_answers_without_a_remark_open_nothing(remark: dict[str, str]) -> None:
    _late(make_worker(make_at_stage("coverage").project), **remark)
    assert not Case.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_opening_closing_and_sampling_at_once_happen_once() -> None:
    batch = _finished(4)
    chain = Chain.objects.order_by("pk").values_list("pk", flat=True)[0]
    at_once([partial(flag_chain, chain_id=chain, by="ada", note="", now=NOW)] * 6)
    case = Case.objects.get()
    closed = at_once([partial(close_case, case_id=case.pk, by="ada", note="", now=NOW)] * 6)
    assert sum(closed) == Decision.objects.count() == 1
    drawn = at_once([partial(sample_chains, batch_id=batch, seed=1, number=3, now=NOW)] * 6)
    assert sorted(drawn) == [0, 0, 0, 0, 0, 3]

"""A decision is undone while others undo, decide and work, on SQLite and on PostgreSQL.

Any other exception in a thread fails its test: deadlocks, broken constraints and "database is locked", too.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from annotation.domain.geometry import Box as Rectangle
from annotation.models import Assignment, Batch, Case, Chain, Decision, Image, ImageWork, Judgment
from tests.factories import NOW, claim_page, make_at_stage, make_image, make_project, make_worker, submit_page
from tests.workflows.pipeline.invariants import check_promises, check_rules
from tests.workflows.review.annotating import drawn, store
from tests.workflows.threads import at_once
from workflows.cases.review_queue import CaseError, close_case, flag_chain
from workflows.pipeline.advance import advance_pending
from workflows.pipeline.replay.domain.decisions import DecisionError
from workflows.review.decide import StaleDecisionError, decide_chain, version_of
from workflows.review.undo import undo_decision

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

OWN = Rectangle(300, 20, 400, 220)
REFUSED = (CaseError, DecisionError, StaleDecisionError)


def tried(act: Callable[[], object]) -> bool:
    """Return whether it was done, and not refused."""
    try:
        act()
    except REFUSED:
        return False
    return True


def undo(decision: Decision) -> Decision:
    return undo_decision(decision_id=decision.pk, by="bob", note="", now=NOW)


def decide(chain: Chain, version: int, state: str = "drawing") -> Decision:
    return decide_chain(
        chain_id=chain.pk, by="ada", note="", now=NOW, state=state, boxes=[OWN], version=version
    )


def decided() -> tuple[Batch, Chain, Decision, int]:
    """Return a decided chain, with the version of its image."""
    batch = make_at_stage("coverage")
    chain = Chain.objects.get()
    decision = decide(chain, version_of(chain.work))
    return batch, chain, decision, version_of(chain.work)


def settled(batch: Batch) -> None:
    advance_pending(now=NOW)
    check_promises(batch.project)
    check_rules(batch.project)


def undone(decision: Decision) -> int:
    return Decision.objects.filter(kind="undo", content__undoes=decision.pk).count()


def test_two_who_undo_a_decision_at_once_undo_it_once() -> None:
    batch, _, decision, _ = decided()
    assert sorted(at_once([partial(tried, partial(undo, decision))] * 3)) == [False, False, True]
    assert undone(decision) == 1
    settled(batch)


def test_an_undo_and_a_new_decision_at_once_are_one_of_them() -> None:
    """Whoever comes second is told: the image has changed, or a later decision rests on the first."""
    batch, chain, decision, version = decided()
    calls = [partial(undo, decision), partial(decide, chain, version, "done")]
    first, second = at_once([partial(tried, call) for call in calls])
    assert first != second
    assert (undone(decision), Decision.objects.filter(kind="chain").count()) == ((1, 1) if first else (0, 2))
    settled(batch)


def test_a_page_that_is_submitted_while_its_question_is_undone_is_kept() -> None:
    batch, _, decision, _ = decided()
    page = claim_page(make_worker(batch.project), stage="drawing")
    judged = Judgment.objects.count()
    calls: list[Callable[[], object]] = [partial(undo, decision), partial(submit_page, page)]
    at_once(calls)
    assert Judgment.objects.count() == judged + 1
    assert Assignment.objects.get(pk=page.pk).state == "submitted"
    assert Chain.objects.get().state == "coverage", "what was asked by the decision does not move the chain"
    settled(batch)


def test_an_annotation_and_its_undoing_at_once_leave_what_one_after_the_other_leaves() -> None:
    image = make_image(make_project(), [["man", "dog"]])
    first = store(image, drawn(image))
    again = {**drawn(image, key="k2"), "note": "again"}
    done = at_once([partial(tried, partial(undo, first)), partial(tried, partial(store, image, again))])
    assert done.count(True) == 1
    assert ImageWork.objects.filter(active=True).exists() == done[1]
    check_promises(image.project)
    check_rules(image.project)
    assert Image.objects.count() == 1


def test_a_case_that_two_open_again_at_once_while_the_chain_is_flagged_is_in_the_queue_once() -> None:
    make_at_stage("coverage")
    chain = Chain.objects.get()
    flag_chain(chain_id=chain.pk, by="ada", note="", now=NOW)
    close_case(case_id=Case.objects.get().pk, by="ada", note="", now=NOW)
    decision = Decision.objects.get()
    flag = partial(flag_chain, chain_id=chain.pk, by="cy", note="", now=NOW)
    undoing = partial(tried, partial(undo, decision))
    calls: list[Callable[[], object]] = [undoing, undoing, flag]
    results = at_once(calls)
    assert results[:2].count(True) <= 1
    assert Case.objects.filter(closed_at=None).count() == 1
    assert undone(decision) == results[:2].count(True)

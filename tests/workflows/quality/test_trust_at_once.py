"""Trust under concurrency and in any order of events, on SQLite and on PostgreSQL.

docs/protocol.md, "Quality control": nobody gets ordinary items before passing, and nobody gets new work after
losing trust. Every answer to a verification question counts once.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from random import Random

import pytest

from annotation.models import Assignment, Exposure, Judgment, Standing, VerificationQuestion
from annotation.transactions import write_transaction
from tests.factories import NOW, claim_maybe, make_controlled, make_worker, submit_page
from tests.selection import and_nightly
from tests.workflows.pipeline.invariants import check_promises
from tests.workflows.threads import at_once
from workflows.assignments.claim import Claim, ClaimError, NotAdmittedError, claim
from workflows.assignments.leases import expire_leases, return_page
from workflows.assignments.submit import OtherAnswersError
from workflows.pipeline.advance import advance_pending
from workflows.quality.standings import mark_stale, reassess_stale
from workflows.review.enforcement import enforce_policies

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]


def keyed(worker_id: int, key: str) -> Claim | None:
    return claim(worker_id=worker_id, stage="link", now=NOW, key=key)


def claim_at_once(worker_id: int) -> list[Assignment]:
    """Make six claims of one worker at once, each with its own key."""
    found = at_once([partial(keyed, worker_id, key) for key in "abcdef"])
    return [one.assignment for one in found if one]


def test_pages_of_one_worker_submitted_at_once_are_all_counted() -> None:
    batch = make_controlled("link", "trusted", images=20, questions=80)
    worker = make_worker(batch.project)
    pages = claim_at_once(worker.pk)
    assert len(pages) == 3, "thirty questions are three pages, however many are claimed at once"
    at_once([partial(submit_page, held) for held in pages] * 2)
    row = Standing.objects.get()
    assert (row.state, row.asked, row.right) == ("trusted", 30, 30)
    assert Judgment.objects.count() == 30
    assert VerificationQuestion.objects.filter(asked=1, right=1, exposures=1).count() == 30


def test_sets_of_pages_submitted_at_once_are_scored_once_each() -> None:
    batch = make_controlled("link", "verification", images=70, questions=60, control={"set_questions": 4})
    worker = make_worker(batch.project)
    pages = claim_at_once(worker.pk)
    assert len(pages) == 6
    at_once([partial(submit_page, held) for held in pages])
    assert Counter(Assignment.objects.values_list("verdict", flat=True)) == {"accepted": 6}
    row = Standing.objects.get()
    assert (row.state, row.asked, row.right, row.recent_asked) == ("trusted", 12, 12, 4)


def test_a_question_is_never_shown_twice_to_a_worker_who_claims_in_parallel() -> None:
    batch = make_controlled("link", "verification", images=80, questions=16)
    workers = [make_worker(batch.project) for _ in range(2)]
    calls = [partial(keyed, worker.pk, key) for worker in workers for key in "abcde"]
    pages = [found.assignment for found in at_once(calls) if found]
    shown = [(held.worker_id, question) for held in pages for _, question in held.checks]
    assert len(shown) == len(set(shown)) == Exposure.objects.count() == 20
    assert sum(VerificationQuestion.objects.values_list("exposures", flat=True)) == 20
    at_once([partial(submit_page, held) for held in pages])
    assert sum(VerificationQuestion.objects.values_list("asked", flat=True)) == 20
    check_promises(batch.project)


def test_marking_and_reassessing_at_once_forgets_nothing() -> None:
    batch = make_controlled("drawing", "trusted", images=2, control={"entrance": 5})
    workers = [make_worker(batch.project) for _ in range(4)]
    for worker in workers:
        found = claim(worker_id=worker.pk, stage="drawing", now=NOW)
        assert found
        submit_page(found.assignment)
    ids = [worker.pk for worker in workers]
    calls = [partial(mark, ids)] * 4 + [partial(reassess_stale, now=NOW)] * 4
    at_once(calls)
    reassess_stale(now=NOW)
    assert not Standing.objects.filter(stale=True).exists()
    assert set(Standing.objects.values_list("asked", "right")) == {(5, 5)}


def mark(ids: list[int]) -> int:
    with write_transaction():
        mark_stale(worker_ids=ids)
    return 0


@pytest.mark.parametrize("regime", ["trusted", "verification"])
@pytest.mark.parametrize("seed", and_nightly([0], [1, 2], "other random work"))
def test_whatever_happens_nobody_works_without_trust(regime: str, seed: int) -> None:
    """Random claims, submissions in time and late, returns and lost hints.

    The rule is checked at every claim.
    """
    rng = Random(seed)
    control = {"entrance": 10, "recent": 10, "trusted_share": 0.3, "set_questions": 4, "on_loss": "set-aside"}
    batch = make_controlled("link", regime, images=30, questions=120, control=control)
    skill = {make_worker(batch.project).pk: share for share in (1.0, 0.85, 0.7, 0.3)}
    pages: list[Assignment] = []
    now = NOW
    for step in range(120):
        now += timedelta(minutes=rng.randrange(6))
        match rng.randrange(10):
            case 0 if pages:
                held = rng.choice(pages)
                return_page(worker_id=held.worker_id, assignment_id=held.pk)
            case 1:
                expire_leases(now=now)
            case 2:
                enforce_policies(now=now)
                advance_pending(now=now)
            case 3 | 4 | 5 | 6 if pages:
                held = rng.choice(pages[-4:])
                right = skill[held.worker_id]
                with suppress(OtherAnswersError):
                    submit_page(held, answering=lambda *_: {"same": rng.random() < right}, now=now)  # noqa: B023
            case _:
                pages += _claim_and_check(rng.choice(sorted(skill)), regime, str(step), now)
    check_promises(batch.project)
    assert Standing.objects.exclude(state="lost").exists()
    for held in Assignment.objects.all():
        assert held.items or regime == "trusted"


def _claim_and_check(worker_id: int, regime: str, key: str, now: datetime) -> list[Assignment]:
    before = Standing.objects.filter(worker_id=worker_id).first()
    state = before.state if before else "entering"
    try:
        found = claim(worker_id=worker_id, stage="link", now=now, key=key)
    except NotAdmittedError:
        assert state == "lost"
        return []
    except ClaimError:  # the worker holds six pages
        return []
    assert state != "lost" or not (found and found.created), "new work after trust was lost"
    if found and found.created and regime == "trusted":
        assert bool(found.assignment.items) == (state == "trusted"), "ordinary items before passing"
    return [found.assignment] if found else []


def test_tabs_that_enter_at_once_hold_one_page() -> None:
    batch = make_controlled("link", "trusted")
    worker = make_worker(batch.project)
    found = at_once([partial(claim_maybe, worker, stage="link")] * 6)
    assert len({one.assignment.pk for one in found if one}) == 1
    assert Exposure.objects.count() == 10

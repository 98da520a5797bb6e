"""docs/quality.md: what a batch's policy does if a worker loses trust, and what it does not touch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import pytest

from annotation.domain.answers import Stage
from annotation.models import Abstention, Assignment, Batch, Case, Decision, Judgment, Standing, Worker
from tests.factories import (
    NOW,
    answer_page,
    claim_maybe,
    claim_page,
    make_controlled,
    make_image,
    make_questions,
    make_worker,
    replies,
    submit_page,
)
from workflows import tasks
from workflows.assignments.claim import NotAdmittedError, claim
from workflows.assignments.submit import submit
from workflows.batch_settings.domain.settings import parse_settings
from workflows.batches.lifecycle import create_batch, move_batch
from workflows.pipeline.advance import advance_pending, open_queued
from workflows.quality.standings import restore_worker
from workflows.review import enforcement
from workflows.review.enforcement import enforce_policies
from workflows.review.set_aside import reinstate, reject_pages, set_aside_worker

pytestmark = pytest.mark.django_db


def second(batch: Batch, regime: str, *, images: int = 30, **settings: Any) -> Batch:
    """Pause the batch, and make another batch of links in the project, in which work goes on."""
    Batch.objects.filter(pk=batch.pk).update(state="paused")
    made = [make_image(batch.project, [["man"], ["man"]]).pk for _ in range(images)]
    given = {
        "regime": dict.fromkeys(map(str, Stage), "open") | {"link": regime},
        "screening": {"test": False},
    }
    other = create_batch(
        project=batch.project, name="second", settings=parse_settings(given | settings), images=made
    )
    other = move_batch(batch=other, action="launch")
    open_queued(batch_id=other.pk, now=NOW)
    return other


def wrongly(stage: str, question: Mapping[str, Any]) -> dict[str, Any]:
    return {"same": False}


def lose(worker: Worker) -> None:
    for _ in range(8):
        try:
            found = claim_maybe(worker, stage="link")
        except NotAdmittedError:
            return
        assert found
        submit_page(found.assignment, answering=wrongly)
    raise AssertionError("trust was never lost")


def aside(batch: Batch) -> int:
    return Judgment.objects.filter(item__batch=batch, set_aside__by="policy:control.on_loss").count()


def test_an_open_case_does_not_hide_a_loss_in_another_batch() -> None:
    control = {"set_questions": 2}
    first = make_controlled("link", "verification", images=40, questions=100, control=control)
    worker = make_worker(first.project)
    lose(worker)
    other = second(first, "verification", images=40, control=control | {"on_loss": "set-aside"})
    lose(worker)
    Assignment.objects.update(verdict="accepted")  # so that the worker's judgments wait for the policy
    case = Case.objects.get(reason="trust")
    assert [loss["batch"] for loss in case.detail["losses"]] == [first.pk, other.pk]
    assert {loss["asked"] for loss in case.detail["losses"]} == {4}
    assert enforce_policies(now=NOW) == 1 and enforce_policies(now=NOW) == 0
    case.refresh_from_db()
    assert (aside(first), aside(other)) == (0, 16)
    assert case.closed_at is None, "the first batch leaves it to a researcher"


def test_every_loss_that_waits_for_the_policy_is_settled() -> None:
    control = {"set_questions": 2, "on_loss": "set-aside"}
    first = make_controlled("link", "verification", images=40, questions=100, control=control)
    worker = make_worker(first.project)
    lose(worker)
    other = second(first, "verification", images=40, control=control)
    lose(worker)
    Assignment.objects.update(verdict="accepted")
    assert enforce_policies(now=NOW) == 1
    assert (aside(first), aside(other)) == (16, 16)
    assert Case.objects.get(reason="trust").closed_at


def test_a_policy_touches_only_batches_that_ask_for_it() -> None:
    first = make_controlled("link", "open", images=25, questions=1)
    make_questions(first.project, "link", images=12, each=5)
    worker = make_worker(first.project)
    answer_page(worker, stage="link")
    advance_pending(now=NOW)
    second(first, "trusted", control={"on_loss": "set-aside"})
    lose(worker)
    enforce_policies(now=NOW)
    assert Case.objects.get(reason="trust").closed_at
    assert not Judgment.objects.filter(set_aside__isnull=False).exists(), "everybody's count in the first"


def working(**control: Any) -> tuple[Batch, Worker]:
    """Make a trusted worker who has judged a page of five items."""
    given = {"trusted_share": 0.5, "entrance": 10, "recent": 5, "on_loss": "set-aside"}
    batch = make_controlled("link", "trusted", images=40, questions=100, control=given | control)
    worker = make_worker(batch.project)
    for _ in range(2):
        answer_page(worker, stage="link")
    assert Judgment.objects.filter(worker=worker, item__isnull=False).count() == 5
    return batch, worker


def test_a_policy_does_not_overrule_a_researcher_who_reinstated_judgments() -> None:
    batch, worker = working()
    kept = set(Judgment.objects.filter(worker=worker, item__isnull=False).values_list("pk", flat=True))
    undone = set_aside_worker(worker_id=worker.pk, stage="link", by="ann", note="", now=NOW)
    assert undone
    reinstate(decision_id=undone.pk, by="ann", note="they were fine", now=NOW)
    lose(worker)
    assert enforce_policies(now=NOW) == 1
    assert aside(batch) == 5, "those of the page on which trust was lost"
    assert not Judgment.objects.filter(pk__in=kept, set_aside__isnull=False).exists()


def test_a_policy_does_not_overrule_a_researcher_who_reinstated_reports() -> None:
    _, worker = working()
    page = claim_page(worker, stage="link")
    answers = replies(page)
    places = {at + 1 for at, _ in page.checks}
    said = [one if one.item in places else replace(one, answer={"unusable": True}) for one in answers]
    with patch("workflows.assignments.abstentions.is_broken", return_value=False):
        submit(worker_id=worker.pk, assignment_id=page.pk, replies=said, now=NOW)
    reports = set(Abstention.objects.values_list("pk", flat=True))
    undone = set_aside_worker(worker_id=worker.pk, stage="link", by="ann", note="", now=NOW)
    assert undone and set(undone.content["reports"]) == reports != set()
    reinstate(decision_id=undone.pk, by="ann", note="they were fine", now=NOW)
    lose(worker)
    enforce_policies(now=NOW)
    policy = Decision.objects.get(by="policy:control.on_loss", kind="set-aside")
    assert "reports" not in policy.content


def test_a_policy_leaves_alone_what_was_said_before_the_worker_was_restored() -> None:
    batch, worker = working()
    before = set(Judgment.objects.filter(worker=worker, item__isnull=False).values_list("pk", flat=True))
    Standing.objects.update(state="lost")
    restore_worker(worker_id=worker.pk, stage="link", by="ann", note="", now=NOW)
    for _ in range(2):
        answer_page(worker, stage="link")
    lose(worker)
    enforce_policies(now=NOW)
    assert aside(batch) == 10
    assert not Judgment.objects.filter(pk__in=before, set_aside__isnull=False).exists()


def test_a_worker_who_was_restored_meanwhile_loses_nothing() -> None:
    batch, worker = working()
    lose(worker)
    restore_worker(worker_id=worker.pk, stage="link", by="ann", note="", now=NOW)
    assert enforce_policies(now=NOW) == 0 and aside(batch) == 0
    case = Case.objects.get(reason="trust")
    assert case.closed_at and case.decision and case.decision.kind == "restore"


def test_a_page_in_hand_when_trust_was_lost_asks_for_the_policy_again() -> None:
    batch, worker = working(on_loss="keep")
    found = [claim(worker_id=worker.pk, stage="link", now=NOW, key=key) for key in "ab"]
    assert found[0] and found[1]
    submit_page(found[0].assignment, answering=wrongly)
    (before,) = Case.objects.get().detail["losses"]
    assert Standing.objects.get().state == "lost" and "policy" not in before
    batch.settings["control"]["on_loss"] = "set-aside"
    batch.save()
    submit_page(found[1].assignment)
    assert Case.objects.get().detail["losses"] == [before | {"policy": "set-aside"}]
    assert enforce_policies(now=NOW) == 1 and aside(batch) == 15


def test_pages_that_a_researcher_accepted_meanwhile_are_not_rejected() -> None:
    batch = make_controlled("link", "verification", images=40, control={"set_questions": 2})
    answer_page(make_worker(batch.project), stage="link", answering=wrongly)
    page = Assignment.objects.get()
    assert page.verdict == "failing"
    Assignment.objects.update(verdict="accepted")
    assert reject_pages(assignment_ids=[page.pk], by="policy", now=NOW, failing_only=True) is None
    assert not Decision.objects.exists()


def test_a_worker_who_cannot_be_settled_stops_neither_others_nor_advance(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    batch = make_controlled("link", "verification", images=40, control={"set_questions": 2})
    pages = []
    for _ in range(2):
        held = claim_page(make_worker(batch.project), stage="link")
        submit_page(held, answering=wrongly)
        pages.append(held.pk)

    def break_one(*, assignment_ids: list[Any], **rest: Any) -> Decision | None:
        if pages[0] in assignment_ids:
            raise ValueError("broken")
        return reject_pages(assignment_ids=assignment_ids, **rest)

    monkeypatch.setattr(enforcement, "reject_pages", break_one)
    with pytest.raises(ExceptionGroup, match="cannot be set aside"):
        tasks.advance()
    with pytest.raises(ExceptionGroup) as swept:
        tasks.sweep()
    assert ["cannot be set aside" in str(error) for error in swept.value.exceptions] == [True]
    verdicts = Assignment.objects.in_bulk(pages)
    assert [verdicts[pk].verdict for pk in pages] == ["failing", "rejected"]
    assert not batch.items.filter(unread=True).exists(), "advanced all the same"

"""A worker's newest judgments as pictures, their notes, their figures, and what a block would affect."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.models import Assignment, Box, Judgment, Standing, Worker
from console.workers import answers as module
from console.workers.answers import given
from tests.console.review.review_rows import SCRIPT, make_finished, remark
from tests.factories import (
    NOW,
    answer_page,
    claim_maybe,
    claim_page,
    make_at_stage,
    make_controlled,
    make_running,
    make_worker,
    submit_page,
    unsteady,
)
from workflows.analysis.counts.refresh import keep_workers
from workflows.analysis.models import WorkerCounts
from workflows.core.models import AuditEntry
from workflows.crowd.direct.extra_pay import pay_more
from workflows.pipeline.advance import advance_pending
from workflows.workers.models import WorkerNote

pytestmark = pytest.mark.django_db


def _url(worker: Worker, name: str = "workers:worker") -> str:
    return reverse(name, args=[worker.pk])


def test_a_box_is_shown_with_what_became_of_it_and_leads_to_its_chain(viewer: Client) -> None:
    chain = make_finished()
    drawn = Judgment.objects.get(item__stage="drawing")
    (tile,) = given(drawn.worker_id).tiles
    assert (tile.outcome, tile.link) == ("agreed", reverse("review:chain", args=[chain.pk]))
    assert [(shape.kind, shape.label) for shape in tile.picture.shapes] == [("accepted", "+")]
    assert [piece.text for piece in tile.captions[0] if piece.kind] == [chain.representative.text]
    Box.objects.update(state=Box.State.REJECTED)
    assert given(drawn.worker_id).tiles[0].outcome == "not agreed"
    remark(chain, SCRIPT)
    text = viewer.get(_url(drawn.worker)).content.decode()
    assert "not agreed" in text and SCRIPT not in text


def test_who_was_outvoted_did_not_agree() -> None:
    batch = make_at_stage("coverage")
    first, second, third = (make_worker(batch.project) for _ in range(3))
    for worker, complete in ((first, True), (second, False), (third, True)):
        answer_page(worker, stage="coverage", answering=lambda *_, said=complete: {"complete": said})
        advance_pending(now=NOW)
    outcomes = [given(worker.pk).tiles[0].outcome for worker in (first, second, third)]
    assert outcomes == ["agreed", "not agreed", "agreed"]


def test_one_answer_alone_agrees_with_nobody() -> None:
    make_at_stage("verification")
    linked = Judgment.objects.get(item__stage="link")
    (tile,) = (one for one in given(linked.worker_id).tiles if one.judgment == linked)
    assert tile.outcome == ""
    assert len(tile.captions) == 2, "both captions, a mention marked in each"


def test_answers_to_verification_questions_are_right_or_wrong() -> None:
    batch = make_controlled("quality", "verification")
    worker = make_worker(batch.project)
    answer_page(worker, stage="quality", answering=lambda *_: {"good": False})
    checked = [tile for tile in given(worker.pk).tiles if tile.judgment.question_id]
    assert checked
    assert {(tile.outcome, tile.answer, tile.right_answer) for tile in checked} == {("wrong", "bad", "good")}
    assert {shape.kind for shape in checked[0].picture.shapes} == {"proposed"}


def test_older_pages_follow_without_a_gap(viewer: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    batch = make_at_stage("requirement", images=6, items_a_page={"requirement": 1})
    worker = make_worker(batch.project)
    for _ in range(6):
        answer_page(worker, stage="requirement")
    monkeypatch.setattr(module, "ENOUGH", 2)
    seen, url = [], _url(worker, "workers:judgments")
    reply = viewer.get(url)
    while True:
        seen += [tile.judgment.pk for tile in reply.context["given"].tiles]
        if not reply.context["given"].more:
            break
        reply = viewer.get(f"{url}?before={reply.context['given'].more}")
    assert len(seen) == 6 and set(seen) == set(worker.judgments.values_list("pk", flat=True))
    assert len(given(worker.pk, before="nonsense").tiles) == 2


def test_the_page_stays_within_thirty_queries(reviewer: Client, django_assert_max_num_queries: Any) -> None:
    batch = make_at_stage("link", images=4)
    worker, *others = (make_worker(batch.project) for _ in range(3))
    answering = unsteady(random.Random(1))
    for _ in range(8):
        for one in (worker, *others):
            if claimed := claim_maybe(one):
                submit_page(claimed.assignment, answering=answering)
                advance_pending(now=NOW)
    with django_assert_max_num_queries(30):
        reply = reviewer.get(_url(worker))
    assert len({tile.stage for tile in reply.context["given"].tiles}) > 3


def test_a_note_stays_and_is_in_the_audit_log(reviewer: Client, viewer: Client) -> None:
    worker = make_worker(make_at_stage("link").project)
    for text in ("wrote to me", " ", "x" * 2001):
        reviewer.post(_url(worker), {"action": "note", "text": text})
    assert list(WorkerNote.objects.values_list("by", "text")) == [("rita", "wrote to me")]
    entry = AuditEntry.objects.get(action="worker.note")
    assert (entry.by, entry.kind, entry.object) == ("rita", "worker", worker.external_id)
    assert "wrote to me" in viewer.get(_url(worker)).content.decode()


def test_before_a_block_the_page_says_what_it_would_touch(reviewer: Client) -> None:
    batch = make_at_stage("link", images=3)
    worker = make_worker(batch.project)
    page = claim_page(worker, stage="link")
    Standing.objects.create(worker=worker, stage="quality", state="trusted", asked=9, right=9, changed_at=NOW)
    reply = reviewer.get(_url(worker))
    (held,) = reply.context["found"].in_hand
    assert (held.stage, held.places, held.until) == ("coreference link", len(page.items), page.expires_at)
    assert "box quality: trusted" in reply.content.decode()


def test_a_page_whose_lease_is_over_is_said_to_be(viewer: Client, reviewer: Client) -> None:
    """It stood among the pages in hand, until a time that had passed, before the next sweep."""
    batch = make_at_stage("link", images=3)
    worker, now = make_worker(batch.project), timezone.now()
    page = claim_page(worker, stage="link", now=now)
    shown = reviewer.get(_url(worker))
    assert not shown.context["found"].in_hand[0].over and "lease over" not in shown.content.decode()
    Assignment.objects.filter(pk=page.pk).update(expires_at=now - timedelta(minutes=1))
    shown = reviewer.get(_url(worker))
    assert shown.context["found"].in_hand[0].over and "lease over since" in shown.content.decode()
    assert '<span class="pill warn">lease over</span>' in viewer.get(_url(worker)).content.decode()
    Assignment.objects.filter(pk=page.pk).update(state="expired")
    shown = reviewer.get(_url(worker))
    assert not shown.context["found"].in_hand and "lease over" not in shown.content.decode()


def test_figures_stand_beside_those_of_everybody(viewer: Client) -> None:
    worker = make_worker(make_at_stage("link").project)
    WorkerCounts.objects.create(
        worker=worker,
        project=worker.project,
        judgments=12,
        earned={"USD": 340},
        stages={
            "link": {"judgments": 12, "questions": 4, "right": 3, "agreement": 0.9, "median_seconds": 2.5}
        },
        last_at=NOW,
        counted_at=NOW,
    )
    reply = viewer.get(_url(worker))
    (row,) = reply.context["found"].stages
    assert (row.stage, row.own.judgments) == ("coreference link", 12)
    assert (row.agreement, row.right) == ("90.0%", "75.0%")
    assert (row.own.pages, row.hours) == (None, "–"), "counted by an earlier version"
    assert row.agreement_of_all == "–", "nobody counted the project yet"
    assert "· earned 3.40 USD in rewards\n" in reply.content.decode()


def test_bonuses_stand_beside_the_rewards_so_that_the_payroll_says_no_more(viewer: Client) -> None:
    batch = make_running([["man"], ["man"]], reward={"link": 25})
    worker = make_worker(batch.project)
    page = claim_page(worker)
    submit_page(page)
    page.refresh_from_db()
    pay_more(page=page, amount=112, reason="the picture was missing", by="ann", now=NOW)
    keep_workers(project_id=batch.project_id, workers=[worker.pk], clock=lambda: NOW)
    said = viewer.get(_url(worker)).content.decode()
    assert "· earned 0.25 USD in rewards and 1.12 USD in bonuses\n" in said
    everybody = viewer.get(f"/admin/review/worker/?project={batch.project_id}").content.decode()
    assert "Rewards</th>" in everybody and "Earned" not in everybody and "without bonuses" in everybody

"""Writers are told how many of their captions were refused, and why."""

from __future__ import annotations

import pytest

from annotation.models import Judgment, Worker
from tests.campaigns import WRITING
from tests.factories import NOW, answer_page, make_worker
from tests.workflows.http import Api
from tests.workflows.quality.test_writers import check, running, write
from workflows.pipeline.advance import advance_pending
from workflows.quality.written_feedback import CHECK, written_feedback
from workflows.review.written_captions import rule_on_caption

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def told(worker: Worker) -> object:
    """Return what the worker's own page shows, which is the same as the selector's answer."""
    shown = Api(worker).get("me").json()["captions"]
    assert shown == written_feedback(worker_id=worker.pk)
    return shown


def test_nothing_is_told_before_a_caption_was_judged() -> None:
    batch = running(2, items_a_page={"writing": 1, "caption_check": 1})
    writer = make_worker(batch.project)
    assert told(writer) is None
    write(writer, 1)
    assert told(writer) is None


def test_captions_are_counted_by_what_became_of_them() -> None:
    batch = running(4, items_a_page={"writing": 1, "caption_check": 1})
    writer, other = make_worker(batch.project), make_worker(batch.project)
    write(writer, 3)
    check(batch, ["right", "wrong", "wrong"])
    assert told(writer) == {"accepted": 1, "refused": 2, "reasons": [{"reason": CHECK, "captions": 2}]}
    assert told(other) is None, "only one's own"


def test_the_rules_that_found_something_are_the_reasons() -> None:
    batch = running(3, items_a_page={"writing": 1})
    writer = make_worker(batch.project)
    for text in ("A dog.", "Probably a dogg runs here."):
        page_with(writer, text)
    advance_pending(now=NOW)
    for judgment in Judgment.objects.filter(worker=writer):
        refuse(judgment.pk)
    shown = told(writer)
    assert isinstance(shown, dict) and (shown["accepted"], shown["refused"]) == (0, 2)
    reasons = {one["reason"]: one["captions"] for one in shown["reasons"]}
    assert reasons["short"] == reasons["guess"] == 1 and CHECK not in reasons


def page_with(writer: Worker, text: str) -> None:
    answer_page(writer, stage=WRITING, answering=lambda stage, question: {"caption": text})


def refuse(judgment: int) -> None:
    rule_on_caption(judgment_id=judgment, accept=False, text=None, by="rita", note="", now=NOW)

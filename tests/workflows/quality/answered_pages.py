"""Workers who answer verification questions rightly or wrongly, and their standing then."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotation.models import (
    Assignment,
    Standing,
    Worker,
)
from tests.factories import (
    NOW,
    claim_page,
    replies,
)
from workflows.assignments.replies import Reply
from workflows.assignments.submit import submit

WRONG: Mapping[str, dict[str, Any]] = {
    "link": {"same": False},
    "verification": {"same": False},
    "requirement": {"requirement": "nobox"},
    "drawing": {"box": [300, 200, 400, 300]},
    "quality": {"good": False},
    "coverage": {"complete": False},
    "boxes": {"boxes": [{"box": [300, 200, 400, 300]}]},
    "check": {"boxes": ["wrong"], "missing": True},
}


def answer(held: Assignment, wrong: int = 0) -> None:
    """Submit the page. The first so many of its verification questions are answered wrongly."""
    bad = {place + 1 for place, _ in held.checks[:wrong]}
    given = [
        Reply(item=reply.item, answer=WRONG[held.stage] if reply.item in bad else reply.answer)
        for reply in replies(held)
    ]
    submit(worker_id=held.worker_id, assignment_id=held.pk, replies=given, now=NOW)


def enter(worker: Worker, stage: str, wrong: int = 0) -> None:
    while True:
        held = claim_page(worker, stage=stage)
        if held.items:
            return
        now = min(wrong, len(held.checks))
        answer(held, now)
        wrong -= now
        if Standing.objects.get(worker=worker).state != "entering":
            return


def standing(worker: Worker) -> tuple[str, int, int, int, int]:
    row = Standing.objects.get(worker=worker)
    return row.state, row.asked, row.right, row.recent_asked, row.recent_right

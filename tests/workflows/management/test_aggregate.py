from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Assignment, Batch, Case, Chain, Item, Judgment
from tests.factories import NOW, answer_page, make_at_stage, make_project
from tests.workflows.management.test_agreement import judge
from workflows.analysis.rule_disagreement import METHODS
from workflows.cases.review_queue import close_case
from workflows.pipeline.advance import advance_pending

pytestmark = pytest.mark.django_db


def judged(batch: Batch, item: Item, *answers: dict[str, Any]) -> None:
    """Add more judgments than the rules wanted, as after many replays."""
    for n, answer in enumerate(answers):
        worker, _ = batch.project.workers.get_or_create(external_id=f"w{n}")
        page = Assignment.objects.create(
            worker=worker, batch=batch, stage=item.stage, items=[item.pk], state=Assignment.State.SUBMITTED,
            created_at=NOW, expires_at=NOW,
        )  # fmt: skip
        Judgment.objects.create(item=item, worker=worker, assignment=page, answer=answer, created_at=NOW)


@pytest.fixture
def batch() -> Batch:
    """Make four chains at box quality.

    For the first one, one judgment says bad, which decides, and two others say good.
    """
    batch = make_at_stage("quality", images=4)
    items = list(Item.objects.filter(batch=batch, stage="quality").order_by("pk"))
    judged(batch, items[0], {"good": False}, {"good": True}, {"good": True})
    for item in items[1:]:
        judged(batch, item, {"good": True}, {"good": True}, {"good": True})
    return batch


def printed(batch: Batch, **options: Any) -> str:
    out = StringIO()
    call_command("aggregate", project=batch.project.name, stdout=out, **{"stage": "quality", **options})
    return out.getvalue()


def worst(told: str) -> str:
    lines = told.splitlines()
    heading = next(place for place, line in enumerate(lines) if line.lstrip().startswith("worker "))
    return lines[heading + 1].split()[0]


@pytest.mark.parametrize("method", METHODS)
def test_labels_workers_and_differences_are_told(batch: Batch, method: str) -> None:
    told = printed(batch, method=method)
    assert f"4 items, 12 judgments, {method}" in told
    assert "differ from what the rules decided: 1 of 4" in told
    assert worst(told) == "w0"


def test_json_has_a_line_an_item(batch: Batch, tmp_path: Path) -> None:
    file = tmp_path / "labels.jsonl"
    printed(batch, json=str(file))
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    items = list(Item.objects.filter(stage="quality").order_by("pk").values_list("pk", flat=True))
    assert [row["item"] for row in rows] == items
    assert rows[0] == {
        "item": items[0],
        "label": "good",
        "posterior": {"bad": pytest.approx(1 / 3, abs=1e-6), "good": pytest.approx(2 / 3, abs=1e-6)},
        "rules": "bad",
    }
    assert "rules" not in rows[1]


def test_a_file_that_is_there_is_not_overwritten(batch: Batch, tmp_path: Path) -> None:
    file = tmp_path / "labels.jsonl"
    file.write_text("mine")
    with pytest.raises(CommandError, match="exists already; name a new file"):
        printed(batch, json=str(file), review=True, above=0.6)
    assert file.read_text() == "mine" and not Case.objects.exists()


def test_review_opens_a_case_a_chain_once(batch: Batch) -> None:
    assert "cases opened for review: 0" in printed(batch, review=True)
    assert "cases opened for review: 1" in printed(batch, review=True, above=0.6)
    case = Case.objects.get()
    item = Item.objects.filter(stage="quality").order_by("pk")[0]
    assert (case.reason, case.chain_id, case.work_id, case.stage) == (
        "disagreement", item.chain_id, item.work_id, "quality",
    )  # fmt: skip
    assert case.detail == {
        "item": item.pk, "rules": "bad", "aggregated": "good", "probability": 0.6667, "method": "majority",
    }  # fmt: skip
    assert "cases opened for review: 0" in printed(batch, review=True, above=0.6)
    close_case(case_id=case.pk, by="ada", note="", now=NOW)
    assert "cases opened for review: 0" in printed(batch, review=True, above=0.6)


def test_a_link_that_differs_is_a_case_of_its_chain() -> None:
    batch = make_at_stage("link")
    item = Item.objects.get(batch=batch, stage="link")
    workers = [batch.project.workers.create(external_id=f"link {n}") for n in range(1)]
    answer_page(workers[0], stage="link", answering=lambda *_: {"same": False})
    advance_pending(now=NOW)
    judged(batch, item, {"same": True}, {"same": True})
    assert "cases opened for review: 1" in printed(batch, stage="link", review=True, above=0.6)
    chain = Case.objects.get().chain
    assert chain is not None and item.mention_a_id in chain.members
    assert Chain.objects.count() == 2


@pytest.mark.usefixtures("unguarded")
def test_a_tie_differs_from_nothing_by_majority(batch: Batch) -> None:
    Judgment.objects.filter(item__stage="quality", worker__external_id="w2").delete()
    assert "differ from what the rules decided: 0 of 4" in printed(batch)


def test_verification_questions_anchor_who_is_able(batch: Batch) -> None:
    """w1 and w2 outvote w0, but on known questions w0 was always right."""
    for n in range(12):
        right = {"good": bool(n % 2)}
        judge(
            batch, "quality", [right, {"good": not n % 2}, {"good": not n % 2}], content=f"{n}", right=right
        )
    told = printed(batch, method="one-coin", anchor=True)
    assert "4 items, 48 judgments" in told
    assert worst(told) != "w0"


def test_a_stage_without_judgments_is_empty() -> None:
    batch = make_at_stage("link")
    for method in METHODS:
        assert "0 items, 0 judgments" in printed(batch, stage="coverage", method=method)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"project": "nettles"}, "there is no project 'nettles'"),
        ({"batch": "second"}, "has no batch 'second'"),
        ({"above": 2.0}, "--above must be a probability"),
        ({"json": "/no/such/folder/file"}, "--json /no/such/folder/file: No such file or directory"),
    ],
)
def test_what_cannot_be_is_named(options: dict[str, Any], message: str) -> None:
    make_project("flowers")
    with pytest.raises(CommandError, match=message):
        call_command("aggregate", **{"project": "flowers", "stage": "link", **options})

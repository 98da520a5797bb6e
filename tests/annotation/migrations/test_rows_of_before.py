"""What migrations make of rows that were there before, on SQLite and on PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from importlib import import_module
from typing import Any

import pytest
from django.apps.registry import Apps
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

pytestmark = pytest.mark.django_db(transaction=True)

THEN = datetime(2025, 11, 3, tzinfo=UTC)
TABLES, CONTROL, CASES = "0003_quality_control", "0004_before_quality_control", "0007_cases_of_before"
OWED = "0012_owed_pages"


def _migrate(name: str) -> Apps:
    """Bring the tables to where this migration leaves them; the models as they were then."""
    MigrationExecutor(connection).migrate([("annotation", name)])
    apps: Apps = MigrationExecutor(connection).loader.project_state([("annotation", name)]).apps
    return apps


@pytest.fixture
def old() -> Iterator[Old]:
    """A database from before quality control did anything; afterwards its tables are of today again."""
    latest = MigrationExecutor(connection).loader.graph.leaf_nodes()
    yield Old(_migrate(TABLES))
    MigrationExecutor(connection).migrate(latest)


class Old:
    """Rows of the models as they were."""

    def __init__(self, apps: Apps) -> None:
        self.apps = apps
        self.project = self.make("Project", name="old")
        self.worker = self.make("Worker", project=self.project, external_id="ada")
        image = self.make("Image", project=self.project, name="a.jpg", width=640, height=480)
        caption = self.make("Caption", image=image, index=0, text="a man", tokens=["a", "man"])
        self.mention = self.make(
            "Mention", image=image, caption=caption, start=0, end=2, text="a man", head="man", types="people"
        )
        self.batch = self.make_batch("main", state="running", settings={"regime": "trusted"})
        self.work = self.make("ImageWork", batch=self.batch, image=image, state="boxing")

    def make(self, model: str, **fields: Any) -> Any:
        return self.apps.get_model("annotation", model).objects.create(**fields)

    def make_batch(self, name: str, **fields: Any) -> Any:
        return self.make("Batch", project=self.project, name=name, **fields)

    def make_chain(self, state: str, reason: str = "") -> Any:
        return self.make(
            "Chain",
            work=self.work,
            generation=self.apps.get_model("annotation", "Chain").objects.count(),
            first=self.mention,
            representative=self.mention,
            members=[self.mention.pk],
            types="people",
            state=state,
            reason=reason,
        )

    def make_item(self, chain: Any, stage: str, visit: int, **fields: Any) -> Any:
        return self.make(
            "Item",
            batch=self.batch,
            work=self.work,
            stage=stage,
            chain=chain,
            visit=visit,
            state="done",
            judged=1,
            queued_at=THEN,
            **fields,
        )

    def make_page(self, item: Any, **fields: Any) -> Any:
        return self.make(
            "Assignment",
            worker=self.worker,
            batch=self.batch,
            stage=item.stage,
            items=[item.pk],
            state="submitted",
            created_at=THEN,
            expires_at=THEN,
            submitted_at=THEN,
            **fields,
        )

    def answer(self, item: Any, **fields: Any) -> Any:
        page = self.make_page(item)
        return self.make(
            "Judgment", item=item, worker=self.worker, assignment=page, answer={}, created_at=THEN, **fields
        )

    def draw(self, item: Any, state: str = "accepted") -> Any:
        edges = {"left": 1, "top": 1, "right": 9, "bottom": 9}
        return self.make("Box", chain=item.chain, judgment=self.answer(item), state=state, **edges)

    def migrated(self, model: str, name: str) -> Any:
        """The rows of a model after this migration."""
        return _migrate(name).get_model("annotation", model).objects.order_by("pk")


def test_batches_of_before_stay_open_to_everybody(old: Old) -> None:
    """Their regime said something, and did nothing. A draft that says nothing is as any new one."""
    old.make_batch("silent", state="draft", settings={"minimum_side": 5})
    old.make_batch("trusting", state="draft", settings={"regime": "trusted"})
    old.make_batch("ended", state="finished", settings={})
    assert dict(old.migrated("Batch", CONTROL).values_list("name", "settings")) == {
        "main": {"regime": "open"},
        "silent": {"minimum_side": 5},
        "trusting": {"regime": "open"},
        "ended": {"regime": "open"},
    }


def test_items_of_before_keep_the_boxes_they_showed(old: Old) -> None:
    """Those accepted of earlier visits, in the order they were drawn; a new box is judged, not shown."""
    chain, other = old.make_chain("coverage"), old.make_chain("drawing")
    drawing = [old.make_item(chain, "drawing", visit) for visit in (1, 3)]
    first, second = map(old.draw, drawing)
    quality = old.make_item(chain, "quality", 4, box=second)
    coverage = old.make_item(chain, "coverage", 5)
    rejected = old.make_item(other, "drawing", 1)
    old.draw(rejected, "rejected")
    again = old.make_item(other, "drawing", 2)
    shown = dict(old.migrated("Item", CONTROL).values_list("pk", "shown"))
    assert [shown[item.pk] for item in drawing] == [[], [first.pk]]
    assert (shown[quality.pk], shown[coverage.pk]) == ([first.pk], [first.pk, second.pk])
    assert (shown[rejected.pk], shown[again.pk]) == ([], [])


def test_chains_that_came_to_review_before_are_in_the_queue(old: Old) -> None:
    waiting = old.make_chain("review", "returned too often")
    old.answer(old.make_item(waiting, "requirement", 1))
    old.make_chain("done")
    (case,) = old.migrated("Case", CASES)
    assert (case.reason, case.chain_id, case.work_id) == ("cycle", waiting.pk, old.work.pk)
    assert (case.project_id, case.detail) == (old.project.pk, {"rule": "returned too often"})
    assert (case.opened_at, case.closed_at) == (THEN, None)


def test_chains_of_cancelled_batches_are_not(old: Old) -> None:
    old.make_chain("review")
    old.apps.get_model("annotation", "ImageWork").objects.update(active=False)
    assert not old.migrated("Case", CASES).exists()


def test_remarks_of_before_are_in_the_queue(old: Old) -> None:
    chain = old.make_chain("drawing")
    items = [old.make_item(chain, "requirement", visit) for visit in range(1, 5)]
    said = {"comment": "which man?"}, {"chunk_flag": True, "comment": "not a man"}, {"comment": " "}, {}
    comment, flag, *_ = [old.answer(item, **one) for item, one in zip(items, said, strict=True)]
    cases = old.migrated("Case", CASES)
    assert list(cases.values_list("reason", "judgment_id")) == [("comment", comment.pk), ("chunk", flag.pk)]
    for case in cases:
        assert (case.work_id, case.chain_id, case.worker_id) == (old.work.pk, chain.pk, old.worker.pk)
        assert (case.project_id, case.stage, case.opened_at) == (old.project.pk, "requirement", THEN)


def test_remarks_of_before_that_came_too_late_are_in_the_queue(old: Old) -> None:
    item = old.make_item(old.make_chain("drawing"), "requirement", 1)
    silent = {"item": item.pk, "answer": {}, "comment": "", "chunk_flag": False}
    page = old.make_page(item, late=[silent, {**silent, "comment": "a third man"}])
    (case,) = old.migrated("Case", CASES)
    assert (case.reason, case.work_id, case.worker_id) == ("comment", old.work.pk, old.worker.pk)
    assert case.detail == {"note": "a third man", "assignment": str(page.pk)}


def test_what_is_in_the_queue_is_not_put_there_twice(old: Old, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor what was closed since; however the rows are cut into pieces."""
    migration = import_module(f"annotation.migrations.{CASES}")
    monkeypatch.setattr(migration, "AT_ONCE", 2)
    for _ in range(3):
        item = old.make_item(old.make_chain("review"), "requirement", 1)
        old.answer(item, comment="hm")
        old.make_page(item, late=[{"item": item.pk, "answer": {}, "comment": "oh", "chunk_flag": False}])
    cases = old.migrated("Case", CASES)
    before = list(cases.values_list("pk", "reason"))
    assert sorted(reason for _, reason in before) == ["comment"] * 6 + ["cycle"] * 3
    cases.update(closed_at=THEN)
    for put in (migration.chains_in_review, migration.remarks, migration.late_remarks):
        put(_migrate(CASES), None)
    assert list(cases.values_list("pk", "reason")) == before


def test_nobody_is_owed_what_they_submitted_before_there_was_a_ledger(old: Old) -> None:
    """They may have been paid long ago. What a platform pays, or nobody, is no question."""
    items = [old.make_item(old.make_chain("drawing"), "requirement", 1) for _ in range(2)]
    paid, unpaid = (old.make_page(item, reward=reward) for item, reward in zip(items, (5, 0), strict=True))
    owed = dict(old.migrated("Assignment", OWED).values_list("pk", "owed"))
    assert owed == {
        paid.pk: None,
        unpaid.pk: False,
    }

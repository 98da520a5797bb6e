from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson
import pytest
from django.db.models import F

from annotation.domain.answers import Stage
from annotation.domain.geometry import Box as Rectangle
from annotation.exporting.provenance import FILE
from annotation.models import Batch, Box, Chain, Item, Judgment
from tests.annotation.exporting.annotated_projects import Made, annotate, export, make_annotated
from tests.factories import (
    NOW,
    Answering,
    answer_page,
    make_at_stage,
    make_image,
    make_running,
    make_worker,
    willing,
)
from tests.workflows.review.regrouping import regroup
from workflows.pipeline.advance import advance_pending
from workflows.pipeline.replay.domain.decisions import Chunk, Cut, NewGroup
from workflows.review.decide import decide_chain, version_of
from workflows.review.set_aside import set_aside_worker

pytestmark = pytest.mark.django_db


def finish(batch: Batch, answering: Answering) -> None:
    """Answer all items, each page by a worker of its own."""
    while (
        todo := Item.objects.filter(batch=batch, state=Item.State.OPEN).order_by("pk").first()
    ) is not None:
        answer_page(make_worker(batch.project), stage=todo.stage, answering=answering)
        advance_pending(now=NOW)


def exported(batch: Batch, out: Path, **options: Any) -> dict[str, Any]:
    export(batch.project, out, "jsonl", **options)
    line: dict[str, Any] = orjson.loads((out / FILE).read_bytes())
    return line


def judgments(**about: Any) -> list[int]:
    return sorted(Judgment.objects.filter(**about).values_list("pk", flat=True))


def test_every_judgment_that_was_agreed_to_is_some_box_or_chains(tmp_path: Path) -> None:
    asked: list[str] = []

    def answer(stage: str, question: Mapping[str, Any]) -> dict[str, Any]:
        asked.append(stage)
        if stage == Stage.COVERAGE and asked.count(stage) == 1:
            return {"complete": False}  # back to drawing, where the answer is that no further box is needed
        return willing(stage, question)

    batch = make_running([["man", "dog"], ["man"]])
    finish(batch, answer)
    line = exported(batch, tmp_path / "out", merge=None)
    told = [pk for kind in ("chains", "boxes") for entry in line[kind] for pk in entry["judgments"]]
    assert sorted(told) == judgments()
    stages = [
        set(Item.objects.filter(judgments__in=chain["judgments"]).values_list("stage", flat=True))
        for chain in line["chains"]
    ]
    assert {"link", "verification", "coverage"} <= stages[0]
    assert {"requirement", "coverage"} <= stages[1]
    assert "drawing" in stages[0] | stages[1]


def test_a_box_rests_on_its_drawing_and_its_quality(tmp_path: Path) -> None:
    batch = make_running([["man"]])
    finish(batch, willing)
    (box,) = exported(batch, tmp_path / "out")["boxes"]
    stages = Item.objects.filter(judgments__in=box["judgments"]).values_list("stage", flat=True)
    assert sorted(stages) == ["drawing", "quality"]
    drawn = Box.objects.get()
    assert drawn.judgment_id is not None
    assert box["judgments"] == sorted([drawn.judgment_id, *judgments(item__box=drawn)])


def test_a_rejected_box_supports_nothing(tmp_path: Path) -> None:
    rejected: list[str] = []

    def answer(stage: str, question: Mapping[str, Any]) -> dict[str, Any]:
        if stage == Stage.QUALITY and not rejected:
            rejected.append(stage)
            return {"good": False}
        return willing(stage, question)

    batch = make_running([["man"]])
    finish(batch, answer)
    line = exported(batch, tmp_path / "out")
    bad = Box.objects.get(state="rejected")
    wasted = {bad.judgment_id, *judgments(item__box=bad)}
    told = {pk for kind in ("chains", "boxes") for entry in line[kind] for pk in entry["judgments"]}
    assert told == set(judgments()) - wasted


def test_parts_of_a_split_chain_rest_on_its_verification_and_their_own_links(tmp_path: Path) -> None:
    def answer(stage: str, question: Mapping[str, Any]) -> dict[str, Any]:
        return {"same": False} if stage == Stage.VERIFICATION else willing(stage, question)

    batch = make_running([["man"], ["woman"], ["man"]], strategy="exhaustive")
    finish(batch, answer)
    line = exported(batch, tmp_path / "out")
    # `willing` draws the same box for both, so merging joins them again
    (chain,) = line["chains"]
    asked = Item.objects.filter(stage="link")
    kept = asked.filter(mention_a__head=F("mention_b__head"))
    assert (asked.count(), kept.count()) == (3, 1)
    told = set(chain["judgments"])
    assert set(judgments(item__stage="verification")) <= told
    assert told & set(judgments(item__stage="link")) == set(judgments(item__in=kept))


@pytest.mark.parametrize(
    ("format", "beside"), [("flickr30k-entities", True), ("jsonl", True), ("coco", True), ("parquet", False)]
)
def test_it_lies_beside_the_data_but_for_parquet(format: str, beside: bool, tmp_path: Path) -> None:
    edges = (0, 0, 100, 200)
    project = make_annotated([Made([0], [edges]), Made([1], [(0, 0, 100, 190)])], [["man"], ["woman"]])
    export(project, tmp_path / "out", format)
    path = tmp_path / "out" / FILE
    assert path.exists() == beside
    if beside:
        assert orjson.loads(path.read_bytes()) == {
            "name": "a.jpg",
            "chains": [{"id": 1, "judgments": [], "decisions": []}],
            "boxes": [
                {
                    "chains": [1],
                    "box": [0, 0, 100, 195],
                    "judgments": judgments(),
                    "decisions": [],
                    "merged_from": [[0, 0, 100, 190], [0, 0, 100, 200]],
                }
            ],
        }


def test_what_was_set_aside_a_moment_ago_is_not_exported_before_it_is_read(tmp_path: Path) -> None:
    """Until `advance` has read it, the image is still done, with a box of somebody whom we do not trust."""
    batch = make_running([["man"]])
    finish(batch, willing)
    drawn = Judgment.objects.get(item__stage="drawing", boxes__isnull=False)
    annotate(make_image(batch.project, [["dog"]]), [Made([0], [(0, 0, 9, 9)])], batch=batch)
    aside: dict[str, Any] = {"by": "ada", "note": "", "now": NOW, "unsupported_only": False}
    set_aside_worker(worker_id=drawn.worker_id, stage="drawing", **aside)
    manifest = export(batch.project, tmp_path / "out", "jsonl")
    assert (manifest.images, manifest.left_out.images["waiting to be read"]) == (1, 1)
    everything = export(batch.project, tmp_path / "all", "jsonl", include_unfinished=True)
    assert (everything.images, sum(everything.left_out.images.values())) == (2, 0)


def test_what_was_set_aside_or_withdrawn_is_not_exported_and_decisions_are(tmp_path: Path) -> None:
    batch = make_at_stage("coverage")
    chain, drawn = Chain.objects.get(), Box.objects.get()
    assert drawn.judgment is not None
    own = (300, 20, 400, 220)
    decision = decide_chain(
        chain_id=chain.pk,
        by="ada",
        note="",
        now=NOW,
        state="done",
        boxes=[drawn.rectangle, Rectangle(*own)],
        version=version_of(chain.work),
    )
    set_aside_worker(
        worker_id=drawn.judgment.worker_id,
        stage="drawing",
        by="ada",
        note="",
        now=NOW,
        unsupported_only=False,
    )
    advance_pending(now=NOW)
    line = exported(batch, tmp_path / "first")
    found = [(box["judgments"], box["decisions"]) for box in line["boxes"]]
    assert found == [([], [decision.pk]), ([], [decision.pk])]
    (told,) = line["chains"]
    assert told["decisions"] == [decision.pk]
    chains = [NewGroup(((0, 0, 2),), state="done", boxes=(Rectangle(*own),))]
    regrouped = regroup(
        work_id=chain.work_id,
        by="ada",
        note="",
        now=NOW,
        chains=chains,
        cuts=[],
        version=version_of(chain.work),
    )
    line = exported(batch, tmp_path / "second")
    assert [box["decisions"] for box in line["boxes"]] == [[decision.pk, regrouped.pk]]
    (told,) = line["chains"]
    assert told["decisions"] == [decision.pk, regrouped.pk]


def test_a_box_that_a_regrouping_kept_is_still_its_authors(tmp_path: Path) -> None:
    batch = make_at_stage("coverage")
    drawn = Box.objects.get()
    work = drawn.chain.work
    chains = [NewGroup(((0, 0, 1),), state="done", boxes=(drawn.rectangle,))]
    regrouped = regroup(
        work_id=work.pk,
        by="ada",
        note="",
        now=NOW,
        chains=chains,
        cuts=[Cut(0, (Chunk(0, 1),))],
        version=version_of(work),
    )
    box = Box.objects.get(state="accepted")
    assert (box.judgment, box.decision) == (drawn.judgment, None)
    (line,) = exported(batch, tmp_path / "out")["boxes"]
    assert (line["judgments"], line["decisions"]) == ([drawn.judgment_id], [regrouped.pk])

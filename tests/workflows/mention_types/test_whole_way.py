"""A type of a project's own on its whole way: import, all stages, four export formats, and the measures."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db.models import Q
from pycocotools.coco import COCO

from annotation.domain.own_types import parse_types
from annotation.formats.registry import READERS
from annotation.models import Batch, Chain, Image, ImageWork, Item, Judgment, Mention, Project
from evaluation.__main__ import main as evaluate
from tests.annotation.importing.made_corpora import record, run
from tests.factories import FAST, NOW, answer_page, make_batch, make_worker, willing
from workflows.mention_types.versions import save_types
from workflows.pipeline.advance import advance_pending
from workflows.pipeline.replay.verify_state import verify
from workflows.review.annotate import image_version
from workflows.review.captions import change_caption
from workflows.review.domain.captions import Phrase, Wording

pytestmark = pytest.mark.django_db

PAPER = "flickr30k-entities"


def types(project: Project, **words: str) -> None:
    said = parse_types({key: {"words": one} for key, one in words.items()})
    save_types(project_id=project.pk, types=said, based_on=None, by="ada", now=NOW)


def imported() -> Project:
    project = Project.objects.create(name="corpus")
    types(project, food="pizza")
    found = run(
        [
            record("a.jpg", "A man eats a pizza.", "A man with a slice of pizza.", width=640, height=480),
            record("b.jpg", "Two pizzas on a table.", "The pizzas.", width=640, height=480),
        ]
    )
    assert found.problems == []
    Image.objects.update(file="corpus/x.jpg")
    return project


def drawing_apart(stage: str, question: Mapping[str, Any]) -> dict[str, Any]:
    """Answer yes to everything. Food has a box of its own, so that it is not merged with other things."""
    answer = willing(stage, question)
    marked = [
        part["text"]
        for caption in question.get("captions", [])
        for part in caption.get("segments", [])
        if part["mention"]
    ]
    if any("pizza" in text for text in marked):
        said = json.dumps(answer).replace("[10, 20, 110, 220]", "[300, 300, 400, 400]")
        changed: dict[str, Any] = json.loads(said)
        return changed
    return answer


def finish(batch: Batch) -> set[str]:
    """Let workers answer until nothing is open. Return the stages that asked about food."""
    for _ in range(200):
        todo = Item.objects.filter(batch=batch, state=Item.State.OPEN).first()
        if todo is None:
            break
        answer_page(make_worker(batch.project), stage=todo.stage, answering=drawing_apart)
        advance_pending(now=NOW)
    assert set(batch.works.values_list("state", flat=True)) == {"done"}
    about_food = Item.objects.filter(Q(chain__types="food") | Q(mention_a__types="food"), batch=batch)
    return set(about_food.values_list("stage", flat=True))


@pytest.mark.parametrize(
    ("settings", "asked"),
    [
        ({}, {"link", "verification", "requirement", "drawing", "quality", "coverage"}),
        (
            {"skip_requirement": ["people", "food"]},
            {"link", "verification", "drawing", "quality", "coverage"},
        ),
        ({"protocol": FAST}, {"link", "boxes", "check"}),
    ],
    ids=["paper", "food skips a stage", "fast"],
)
def test_food_is_asked_about_exported_and_measured(
    tmp_path: Path, settings: dict[str, Any], asked: set[str]
) -> None:
    project = imported()
    batch = make_batch(project, **settings)
    types(project, food="table", toys="man")  # another version after the launch
    assert finish(batch) == asked
    works = list(ImageWork.objects.values_list("pk", flat=True))
    assert verify(works) == []
    chains = Chain.objects.filter(types="food", state="done")
    assert sorted(len(chain.members) for chain in chains) == [2, 2]
    for form in ("jsonl", PAPER, "coco", "parquet"):
        call_command("export_dataset", str(tmp_path / form), project="corpus", format=form)
        manifest = json.loads((tmp_path / form / "about" / "manifest.json").read_text())
        assert manifest["types"] == {
            "version": 2,
            "own": {"food": "food", "toys": "toys"},
            "mentions_by_version": {"1": 7},
        }
    assert "[/EN#2/food a pizza]" in (tmp_path / PAPER / "Sentences" / "a.txt").read_text()
    coco = COCO(str(tmp_path / "coco" / "coco.json"))
    (food,) = coco.getCatIds(catNms=["food"])
    assert food == 9 and len(coco.getAnnIds(catIds=[food])) == 2
    for form in ("jsonl", PAPER, "parquet"):
        out = tmp_path / f"measured-{form}"
        assert evaluate(["localization", "--dataset", str(tmp_path / form), "--out", str(out)]) == 0
        rows = [line.split(",")[:2] for line in (out / "by_type.csv").read_text().splitlines()]
        assert rows[1:] == [["people", "2"], ["other", "1"], ["food", "4"]]
    for form, path in (("jsonl", tmp_path / "jsonl" / "images.jsonl"), (PAPER, tmp_path / PAPER)):
        again = Project.objects.create(name=f"again-{form}")
        types(again, food="pizza")
        assert run(READERS[form](path), name=again.name, as_gold=True).problems == []
        assert Mention.objects.filter(image__project=again, types="food").count() == 4


def test_a_caption_that_is_edited_later_has_the_newest_types_and_replay_agrees() -> None:
    project = imported()
    batch = make_batch(project)
    answer_page(make_worker(project), stage="link")
    advance_pending(now=NOW)
    types(project, food="pizza", furniture="table")
    image = Image.objects.get(name="b.jpg")
    caption = image.captions.get(index=0)
    tokens = ["Two", "pizzas", "on", "a", "big", "table", "."]
    wording = Wording(" ".join(tokens), tuple(tokens), (Phrase(0, 2), Phrase(3, 6)))
    change_caption(
        caption_id=caption.pk,
        wording=wording,
        by="rita",
        note="",
        now=NOW,
        version=image_version(image.pk),
    )
    said = Mention.objects.filter(image=image, superseded=False, caption__index=0).order_by("start")
    assert list(said.values_list("text", "types", "types_version")) == [
        ("Two pizzas", "food", 1),  # it is the same mention
        ("a big table", "furniture", 2),
    ]
    finish(batch)
    assert Judgment.objects.exists()
    assert verify(list(ImageWork.objects.values_list("pk", flat=True))) == []
    assert Chain.objects.filter(types="furniture", state="done").count() == 1

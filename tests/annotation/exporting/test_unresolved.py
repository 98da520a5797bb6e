"""The list of mentions that have no result, which says of each why."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from annotation.exporting.manifest import Manifest
from annotation.exporting.unresolved import ChainSoFar, why_unresolved
from annotation.models import Caption, Case, Chain, ImageWork, Project
from tests.annotation.exporting.annotated_projects import (
    Made,
    annotate,
    export,
    make_annotated,
    make_batch,
    make_random,
)
from tests.factories import NOW, make_image, make_project

MAN, DOG = (0, 0, 100, 200), (200, 0, 300, 100)


@pytest.mark.parametrize(
    ("work", "chain", "unusable", "why"),
    [
        ("boxing", ChainSoFar("done"), False, None),
        ("boxing", ChainSoFar("nonvisual"), False, None),
        (
            "boxing",
            ChainSoFar("review", 0, "rejection-cycle"),
            False,
            ("waits for review", "rejection-cycle"),
        ),
        ("boxing", ChainSoFar("review", 0, "cannot-tell"), False, ("cannot tell", "cannot-tell")),
        ("boxing", ChainSoFar("drawing"), False, ("in progress", "drawing")),
        ("boxing", ChainSoFar("drawing", 1), False, ("split in progress", "drawing")),
        ("boxing", ChainSoFar("quality", 2), False, ("in progress", "quality")),
        ("boxing", None, False, ("without a chain", "")),
        ("done", None, False, ("without a chain", "")),
        ("queued", None, False, ("not started", "")),
        ("linking", None, False, ("links in progress", "")),
        ("resting", None, False, ("cannot tell", "")),
        ("resting", None, True, ("photograph unusable", "")),
        ("resting", ChainSoFar("drawing", 1), True, ("photograph unusable", "")),
        ("resting", ChainSoFar("done"), True, None),
    ],
)
def test_each_mention_has_one_reason(
    work: str, chain: ChainSoFar | None, unusable: bool, why: tuple[str, str] | None
) -> None:
    assert why_unresolved(work, chain, unusable=unusable) == why


def listed(project: Project, out: Path, **options: Any) -> tuple[Manifest, list[dict[str, Any]]]:
    manifest = export(project, out, "jsonl", **options)
    path = out / "about" / "unresolved.jsonl"
    return manifest, [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


@pytest.fixture
def project(db: None) -> Project:
    """One image of each kind. Only d.jpg is in the data set."""
    project = make_project()
    batch = make_batch(project)

    def add(name: str, words: list[list[str]], made: list[Made], state: str) -> ImageWork:
        return annotate(make_image(project, words, name=name), made, batch=batch, state=state)

    review = [Made([0], [MAN]), Made([1, 2], [DOG], "review")]
    add("a.jpg", [["man", "dog"], ["dog"]], review, "boxing")
    Chain.objects.filter(state="review").update(reason="rejection-cycle")
    parts = [
        Made([0, 1], (), "split"),
        Made([0], [MAN], "done", generation=1),
        Made([1], (), "drawing", generation=1),
    ]
    add("b.jpg", [["man", "woman"]], parts, "boxing")
    resting = add("c.jpg", [["man"]], [], "resting")
    Case.objects.create(project=project, work=resting, reason="photograph", opened_at=NOW)
    add("d.jpg", [["man"]], [Made([0], [MAN])], "done")
    add("e.jpg", [["dog"]], [], "linking")
    make_image(project, [["dog"]], name="f.jpg")
    return project


@pytest.mark.both_databases
def test_every_mention_without_a_result_is_listed(project: Project, tmp_path: Path) -> None:
    manifest, found = listed(project, tmp_path / "out")
    assert found == [
        {
            "image": "a.jpg",
            "caption": 0,
            "start": 2,
            "end": 4,
            "phrase": "a dog",
            "reason": "waits for review",
            "detail": "rejection-cycle",
        },
        found[1] | {"image": "a.jpg", "caption": 1, "start": 0, "end": 2, "reason": "waits for review"},
        found[2]
        | {"image": "b.jpg", "phrase": "a woman", "reason": "split in progress", "detail": "drawing"},
        found[3] | {"image": "c.jpg", "phrase": "a man", "reason": "photograph unusable"},
        found[4] | {"image": "e.jpg", "phrase": "a dog", "reason": "links in progress"},
    ]
    assert manifest.images == 1
    assert manifest.to_json()["unresolved"] == {
        "links in progress": 1,
        "photograph unusable": 1,
        "split in progress": 1,
        "waits for review": 2,
    }


def test_the_list_is_the_same_whatever_is_included(project: Project, tmp_path: Path) -> None:
    _, found = listed(project, tmp_path / "out")
    assert listed(project, tmp_path / "unresolved", include_unresolved=True)[1] == found
    assert listed(project, tmp_path / "all", include_unfinished=True)[1] == found


def test_if_all_is_resolved_there_is_no_list(db: None, tmp_path: Path) -> None:
    manifest, _ = listed(make_random(3), tmp_path / "out")
    assert not (tmp_path / "out" / "about" / "unresolved.jsonl").exists()
    assert manifest.to_json()["unresolved"] == {}


def test_pronouns_and_withdrawn_captions_are_not_unresolved(db: None, tmp_path: Path) -> None:
    project = make_annotated([Made([0], [MAN]), Made([1], (), "review")], [["man", "dog"], ["ball"]])
    ImageWork.objects.update(state="linking")
    Caption.objects.filter(index=1).update(superseded=True)
    Caption.objects.get(index=0).mentions.filter(head="man").update(annotatable=False)
    _, found = listed(project, tmp_path / "out", include_unfinished=True)
    assert [one["phrase"] for one in found] == ["a dog"]


def test_mentions_that_came_after_a_batch_was_over_have_no_chain(db: None, tmp_path: Path) -> None:
    project = make_annotated([Made([0], [MAN])], [["man", "dog"]])
    ImageWork.objects.update(active=False)
    _, found = listed(project, tmp_path / "out", batch="main")
    assert [(one["phrase"], one["reason"]) for one in found] == [("a dog", "without a chain")]
    assert listed(project, tmp_path / "all", include_unfinished=True)[1] == []


def test_known_answers_have_no_such_list(project: Project, tmp_path: Path) -> None:
    manifest, found = listed(project, tmp_path / "out", source="gold", include_unfinished=True)
    assert found == [] and not manifest.unresolved

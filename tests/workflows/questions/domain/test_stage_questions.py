from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.answers import Answer, Stage, parse_answer
from annotation.domain.geometry import Box, iou
from annotation.domain.mentions import admissible, reading_order
from tests.workflows.questions.domain.known_image_builder import (
    DOGS,
    LUCK,
    MAN,
    PARK,
    SIZE,
    known_images,
    park,
)
from workflows.batch_settings.domain.paper import MINIMUM_SCORE
from workflows.batch_settings.domain.quality_control import Control
from workflows.questions.domain.known_images import KnownImage, Question, content_digest
from workflows.questions.domain.right_answers import is_right
from workflows.questions.domain.stage_questions import MIX, balanced, balanced_number, make_questions

SKIP = ("people", "clothing", "bodyparts")
BOX_IOU = Control().box_iou
FIELDS = {"link": "same", "verification": "same", "quality": "good", "coverage": "complete"}


def _made(stage: str, known: KnownImage | None = None, number: int = 40, seed: int = 1) -> list[Question]:
    return make_questions(known or park(), stage, number, Random(seed), skip=SKIP)


def _by_truth(known: KnownImage, question: Question) -> dict[str, Any]:
    """Return the answer of somebody who knows the image, without looking at the question's own answer."""
    chains = {mention.id: chain for chain in known.chains for mention in chain.mentions}
    about = {chains[mention].id: chains[mention] for mention in question.mentions}
    chain = about[chains[question.mentions[0]].id]
    missing = [box for box in chain.boxes if box not in question.boxes]
    match question.stage:
        case Stage.LINK | Stage.VERIFICATION:
            return {"same": len(about) == 1}
        case Stage.REQUIREMENT:
            return {"requirement": "box" if chain.boxes else "scene" if chain.scene else "nobox"}
        case Stage.DRAWING:
            return {"box": list(missing[0].edges) if missing else None}
        case Stage.QUALITY:
            assert question.box is not None
            return {"good": any(iou(question.box, box) >= BOX_IOU for box in missing)}
    return {"complete": not missing}


def _opposite(stage: str, answer: dict[str, Any]) -> Answer:
    if stage in FIELDS:
        return parse_answer(stage, {FIELDS[stage]: not answer[FIELDS[stage]]})
    if stage == Stage.REQUIREMENT:
        others = {"box": "scene", "scene": "nobox", "nobox": "box"}
        return parse_answer(stage, {"requirement": others[answer["requirement"]]})
    return parse_answer(stage, {"box": [0, 0, 9, 9] if answer["box"] is None else None})


@given(known_images(), st.sampled_from(list(Stage)), st.integers(1, 12), st.integers())
def test_who_knows_the_image_is_right_and_who_says_the_opposite_wrong(
    known: KnownImage, stage: Stage, number: int, seed: int
) -> None:
    for question in _made(stage, known, number, seed):
        truth = _by_truth(known, question)
        assert is_right(stage, question.answer, parse_answer(stage, truth), box_iou=BOX_IOU)
        assert not is_right(stage, question.answer, _opposite(stage, truth), box_iou=BOX_IOU)


@given(known_images(), st.sampled_from(list(Stage)), st.integers(1, 12), st.integers())
def test_every_question_could_be_an_item(known: KnownImage, stage: Stage, number: int, seed: int) -> None:
    """Protocol: the worker cannot tell a verification question from another item."""
    mentions = {mention.id: mention for chain in known.chains for mention in chain.mentions}
    questions = _made(stage, known, number, seed)
    for question in questions:
        shown = [mentions[pk] for pk in question.mentions]
        assert shown == reading_order(shown)
        assert len(question.mentions) == len(set(question.mentions))
        assert question.explanation
        match stage:
            case Stage.LINK:
                assert len(shown) == 2 and admissible(*shown)
            case Stage.VERIFICATION:
                assert len(shown) >= 2
            case _:
                chain = next(one for one in known.chains if one.id == question.chain)
                assert shown == [chain.shown]
        for box in (*question.boxes, *([question.box] if question.box else ())):
            assert box.right <= SIZE[0] and box.bottom <= SIZE[1]
            assert min(box.width, box.height) >= 8, (
                "what the default minimum of a drawn box leaves far behind"
            )
        assert (question.box is not None) == (stage == Stage.QUALITY)
        assert stage == Stage.COVERAGE or stage in ("drawing", "quality") or not question.boxes
        assert question.boxes or stage != Stage.COVERAGE, "coverage comes after a box"
    names = {content_digest(known.id, q.stage, q.mentions, q.boxes, q.box) for q in questions}
    assert len(names) == len(questions) <= number


@given(known_images(), st.integers(1, 30), st.integers())
def test_a_made_up_box_is_wrong_beyond_doubt(known: KnownImage, number: int, seed: int) -> None:
    for question in _made(Stage.QUALITY, known, number, seed):
        assert question.box is not None
        chain = next(one for one in known.chains if one.id == question.chain)
        fits = [iou(question.box, box) for box in chain.boxes if box not in question.boxes]
        if question.kind == "good":
            assert max(fits) >= 0.9
        else:
            assert max(fits, default=0) < 0.6
        if question.kind == "duplicate":
            assert max(iou(question.box, box) for box in question.boxes) > 0.8
        if question.kind == "other-entity":
            assert all(iou(question.box, box) < 0.3 for box in chain.boxes)


@given(known_images(), st.sampled_from(list(Stage)), st.integers())
def test_the_same_source_makes_the_same_questions(known: KnownImage, stage: Stage, seed: int) -> None:
    assert _made(stage, known, 6, seed) == _made(stage, known, 6, seed)


@pytest.mark.parametrize("stage", Stage)
def test_an_image_that_admits_everything_has_every_kind(stage: Stage) -> None:
    kinds = {kind for part in MIX[stage] for kind in part.kinds}
    found = {question.kind for seed in range(10) for question in _made(stage, seed=seed)}
    # Chains of `park` that could need a box are of people, or do not skip requirement. So both kinds occur.
    assert found == kinds


def test_requirement_is_not_asked_of_what_skips_it() -> None:
    chains = {question.chain for question in _made(Stage.REQUIREMENT)}
    assert chains == {DOGS, PARK, LUCK}
    assert MAN not in chains


def test_boxes_are_not_asked_about_where_the_source_has_none() -> None:
    bare = park(boxes=False)
    for stage in ("requirement", "drawing", "quality", "coverage"):
        assert _made(stage, bare) == []
    assert _made("link", bare) and _made("verification", bare)


def test_boxes_that_can_hardly_be_told_apart_are_not_asked_about() -> None:
    chain = park().chains[DOGS]
    close = KnownImage(1, *SIZE, (type(chain)(1, chain.mentions, (Box(0, 0, 100, 100), Box(0, 0, 100, 90))),))
    for stage in ("drawing", "quality", "coverage"):
        assert _made(stage, close) == []


@pytest.mark.parametrize("stage", Stage)
def test_no_answer_is_right_so_often_that_it_would_pass_by_itself(stage: Stage) -> None:
    """Protocol, "Quality control": a worker is trusted with at least the minimum score."""
    assert sum(part.share for part in MIX[stage]) == pytest.approx(1)
    # In drawing, "missing" has as many right answers as there are boxes.
    answers = [part.share for part in MIX[stage] if part.kinds != ("missing",)]
    assert max(answers) <= MINIMUM_SCORE[stage] - 0.2


@pytest.mark.parametrize("stage", Stage)
def test_over_many_images_answers_come_in_their_shares(stage: Stage) -> None:
    part_of = {kind: part for part in MIX[stage] for kind in part.kinds}
    counts: Counter[Any] = Counter()
    for seed in range(1000):
        counts.update(part_of[question.kind] for question in _made(stage, number=1, seed=seed))
    for part in MIX[stage]:
        assert counts[part] / counts.total() == pytest.approx(part.share, abs=0.05)


def test_chains_take_turns() -> None:
    for seed in range(20):
        about = Counter(question.chain for question in _made("drawing", number=2, seed=seed))
        assert set(about.values()) == {1}


def test_links_of_different_things_are_often_hard() -> None:
    """*dogs* is the head of two chains here. Most pairs have different heads."""
    heads = {mention.id: mention.head for chain in park().chains for mention in chain.mentions}
    hard = Counter(
        heads[question.mentions[0]] == heads[question.mentions[1]]
        for seed in range(200)
        for question in _made("link", number=1, seed=seed)
        if question.kind == "different"
    )
    assert 0.35 < hard[True] / hard.total() < 0.65


def test_what_is_shown_names_a_question() -> None:
    a, b = Box(0, 0, 9, 9), Box(10, 0, 19, 9)
    name = content_digest(1, "quality", [1], [a, b], a)
    assert name == content_digest(1, "quality", [1], [b, a], a), "boxes are shown in any order"
    assert len(name) == 64
    others = [
        content_digest(2, "quality", [1], [a, b], a),
        content_digest(1, "quality", [2], [a, b], a),
        content_digest(1, "quality", [1], [a], a),
        content_digest(1, "quality", [1], [a, b], b),
        content_digest(1, "coverage", [1], [a, b], None),
    ]
    assert len({name, *others}) == 6


def test_where_one_answer_is_scarce_the_others_give_way() -> None:
    """If few chains of a corpus had several boxes, a worker who always says *complete* would pass."""
    made = [one for seed in range(20) for one in _made("coverage", seed=seed)]
    complete = [one for one in made if one.kind == "complete"]
    incomplete = [one for one in made if one.kind == "incomplete"][:10]
    kept = balanced("coverage", [*complete, *incomplete])
    assert kept == [*complete[:15], *incomplete]
    assert balanced("coverage", complete) == []
    assert balanced("coverage", [*complete[:5], *incomplete[:5]]) == [*complete[:5], *incomplete[:5]]


@given(st.lists(st.sampled_from([k for part in MIX["requirement"] for k in part.kinds]), max_size=30))
def test_balancing_leaves_no_answer_too_often(kinds: list[str]) -> None:
    template = _made("requirement")[0]
    made = [replace(template, kind=kind, chain=n) for n, kind in enumerate(kinds)]
    kept = balanced("requirement", made)
    counts = Counter(question.kind for question in kept)
    assert all(count <= 0.7 * len(kept) for count in counts.values())
    assert kept == [question for question in made if question in kept], "in their order"
    assert balanced_number("requirement", Counter(kinds)) == len(kept)

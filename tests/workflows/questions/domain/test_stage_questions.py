from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from math import ceil, comb
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.answers import Answer, JointStage, Stage, parse_answer
from annotation.domain.geometry import Box, iou
from annotation.domain.mentions import admissible, reading_order
from annotation.domain.protocols import ENTITIES_STAGES
from tests.workflows.questions.domain.known_image_builder import (
    DOGS,
    LUCK,
    MAN,
    PARK,
    SIZE,
    known_images,
    park,
)
from workflows.batch_settings.domain.protocol_stages import ITEMS_PER_PAGE, MINIMUM_SCORE
from workflows.batch_settings.domain.quality_control import Control
from workflows.questions.domain.known_images import KnownImage, Question, content_digest
from workflows.questions.domain.right_answers import is_right
from workflows.questions.domain.stage_questions import FLAWS, MIX, balanced, balanced_number, make_questions

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
        case JointStage.BOXES:
            drawn = [{"box": list(box.edges)} for box in missing]
            why = "done" if chain.boxes else "scene" if chain.scene else "nobox"
            return {"boxes": drawn} if drawn else {"none": why}
        case JointStage.CHECK:
            return _checked(question.new_boxes, missing)
    return {"complete": not missing}


def _checked(new: Sequence[Box], missing: Sequence[Box]) -> dict[str, Any]:
    """Return what is true of the new boxes: good, around something, or around nothing that is missing."""
    good = [max(missing, key=lambda one: iou(box, one), default=None) for box in new]
    fits = [one is not None and iou(box, one) >= BOX_IOU for box, one in zip(new, good, strict=True)]
    left = [box for box in missing if not any(ok and box == one for ok, one in zip(fits, good, strict=True))]
    said = []
    for box, ok in zip(new, fits, strict=True):
        meant = max(left, key=lambda one: iou(box, one), default=None)
        seen = not ok and meant is not None and iou(box, meant) >= 0.1
        if seen:
            left.remove(meant)  # type: ignore[arg-type]
        said.append("good" if ok else "cut" if seen else "wrong")
    return {"boxes": said, "missing": bool(left)}


def _opposite(stage: str, answer: dict[str, Any]) -> Answer:
    if stage in FIELDS:
        return parse_answer(stage, {FIELDS[stage]: not answer[FIELDS[stage]]})
    if stage == Stage.REQUIREMENT:
        others = {"box": "scene", "scene": "nobox", "nobox": "box"}
        return parse_answer(stage, {"requirement": others[answer["requirement"]]})
    if stage == JointStage.BOXES:
        return parse_answer(
            stage, {"boxes": [{"box": [0, 0, 9, 9]}]} if "none" in answer else {"none": "done"}
        )
    if stage == JointStage.CHECK:
        flipped = ["wrong" if one == "good" else "good" for one in answer["boxes"]]
        return parse_answer(stage, {"boxes": flipped, "missing": not answer["missing"]})
    return parse_answer(stage, {"box": [0, 0, 9, 9] if answer["box"] is None else None})


@given(known_images(), st.sampled_from(ENTITIES_STAGES), st.integers(1, 12), st.integers())
def test_who_knows_the_image_is_right_and_who_says_the_opposite_wrong(
    known: KnownImage, stage: str, number: int, seed: int
) -> None:
    for question in _made(stage, known, number, seed):
        truth = _by_truth(known, question)
        assert is_right(stage, question.answer, parse_answer(stage, truth), box_iou=BOX_IOU)
        assert not is_right(stage, question.answer, _opposite(stage, truth), box_iou=BOX_IOU)


@given(known_images(), st.sampled_from(ENTITIES_STAGES), st.integers(1, 12), st.integers())
def test_every_question_could_be_an_item(known: KnownImage, stage: str, number: int, seed: int) -> None:
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
        for box in (*question.boxes, *([question.box] if question.box else ()), *question.new_boxes):
            assert box.right <= SIZE[0] and box.bottom <= SIZE[1]
            assert min(box.width, box.height) >= 8, (
                "what the default minimum of a drawn box leaves far behind"
            )
        assert (question.box is not None) == (stage == Stage.QUALITY)
        assert bool(question.new_boxes) == (stage == JointStage.CHECK)
        assert stage in ("drawing", "quality", "coverage", "boxes", "check") or not question.boxes
        assert question.boxes or stage != Stage.COVERAGE, "coverage comes after a box"
    names = {content_digest(known.id, q.stage, q.mentions, q.boxes, q.box, q.new_boxes) for q in questions}
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


@given(known_images(), st.integers(1, 30), st.integers())
def test_in_a_joint_check_a_good_box_is_good_and_a_bad_one_bad_beyond_doubt(
    known: KnownImage, number: int, seed: int
) -> None:
    for question in _made(JointStage.CHECK, known, number, seed):
        chain = next(one for one in known.chains if one.id == question.chain)
        missing = [box for box in chain.boxes if box not in question.boxes]
        for box, said in zip(question.new_boxes, question.answer["boxes"], strict=True):
            best = max((iou(box, one) for one in missing), default=0)
            assert best >= 0.9 if said == "good" else best < 0.6
            assert (said == "double") == any(iou(box, one) > 0.8 for one in question.boxes)
        bad = [said for said in question.answer["boxes"] if said != "good"]
        assert len(bad) == (question.kind not in ("clean", "incomplete"))
        assert question.kind != "clean" or not question.answer["missing"]
        assert question.kind != "incomplete" or question.answer["missing"]


@given(known_images(), st.integers(1, 30), st.integers())
def test_a_mark_of_what_is_missing_is_in_the_image_and_where_something_is(
    known: KnownImage, number: int, seed: int
) -> None:
    for question in _made(JointStage.BOXES, known, number, seed):
        assert question.boxes or not question.points, "nobody has checked anything before the first boxes"
        for x, y in question.points:
            left = [Box(*edges) for edges in question.answer.get("boxes", [[0, 0, *SIZE]])]
            assert any(box.left <= x < box.right and box.top <= y < box.bottom for box in left)


def test_about_half_of_the_questions_that_show_boxes_have_a_mark() -> None:
    """Items have one where a check gave it. If questions had none, a mark would tell that it is an item."""
    made = [one for seed in range(200) for one in _made(JointStage.BOXES, number=4, seed=seed) if one.boxes]
    for kind in ("some-missing", "all-drawn"):
        marks = [len(one.points) for one in made if one.kind == kind]
        assert 0.4 < sum(marks) / len(marks) < 0.6


@given(known_images(), st.sampled_from(ENTITIES_STAGES), st.integers())
def test_the_same_source_makes_the_same_questions(known: KnownImage, stage: str, seed: int) -> None:
    assert _made(stage, known, 6, seed) == _made(stage, known, 6, seed)


@pytest.mark.parametrize("stage", ENTITIES_STAGES)
def test_an_image_that_admits_everything_has_every_kind(stage: str) -> None:
    kinds = {kind for part in MIX[stage] for kind in part.kinds}
    found = {question.kind for seed in range(10) for question in _made(stage, seed=seed)}
    # Chains of `park` that could need a box are of people, or do not skip requirement. So both kinds occur.
    assert found == kinds


def test_requirement_is_not_asked_of_what_skips_it() -> None:
    chains = {question.chain for question in _made(Stage.REQUIREMENT)}
    assert chains == {DOGS, PARK, LUCK}
    assert MAN not in chains


def test_whoever_draws_is_asked_about_chains_without_boxes_too() -> None:
    """Most chains come to them before anybody said whether they need a box."""
    made = [one for seed in range(20) for one in _made(JointStage.BOXES, seed=seed) if one.kind == "no-box"]
    assert {(one.chain, str(one.answer["none"])) for one in made} == {(PARK, "scene"), (LUCK, "nobox")}
    assert not any(one.boxes or one.points for one in made)


def test_boxes_are_not_asked_about_where_the_source_has_none() -> None:
    bare = park(boxes=False)
    for stage in ("requirement", "drawing", "quality", "coverage", "boxes", "check"):
        assert _made(stage, bare) == []
    assert _made("link", bare) and _made("verification", bare)


def test_boxes_that_can_hardly_be_told_apart_are_not_asked_about() -> None:
    chain = park().chains[DOGS]
    close = KnownImage(1, *SIZE, (type(chain)(1, chain.mentions, (Box(0, 0, 100, 100), Box(0, 0, 100, 90))),))
    for stage in ("drawing", "quality", "coverage", "boxes", "check"):
        assert _made(stage, close) == []


@pytest.mark.parametrize("stage", ENTITIES_STAGES)
def test_no_answer_is_right_so_often_that_it_would_pass_by_itself(stage: str) -> None:
    """Protocol, "Quality control": a worker is trusted with at least the minimum score."""
    assert sum(part.share for part in MIX[stage]) == pytest.approx(1)
    # Where boxes are missing, there are as many right answers as boxes. One bad box among several, or in one
    # way of several, has no answer that is always the same, either.
    various = {("missing",), ("all-missing",), ("some-missing",)} | ({FLAWS} if stage == "check" else set())
    answers = [part.share for part in MIX[stage] if part.kinds not in various]
    assert max(answers) <= MINIMUM_SCORE[stage] - 0.2


def test_whoever_waves_every_check_through_fails_within_a_page() -> None:
    """Even if images admit as few other questions as `balanced` allows."""
    (clean,) = (part for part in MIX[JointStage.CHECK] if part.kinds == ("clean",))
    page = ITEMS_PER_PAGE[JointStage.CHECK]
    enough = ceil(MINIMUM_SCORE[JointStage.CHECK] * page)
    passes = sum(
        comb(page, right) * clean.limit**right * (1 - clean.limit) ** (page - right)
        for right in range(enough, page + 1)
    )
    assert passes < 0.05
    made = [one for seed in range(30) for one in _made(JointStage.CHECK, seed=seed)]
    few = [one for one in made if one.kind == "incomplete"][:7] + [one for one in made if one.kind in FLAWS][
        :7
    ]
    kept = balanced(JointStage.CHECK, [*(one for one in made if one.kind == "clean"), *few])
    assert Counter(one.kind == "clean" for one in kept) == {True: 6, False: 14}


@pytest.mark.parametrize("stage", ENTITIES_STAGES)
def test_over_many_images_answers_come_in_their_shares(stage: str) -> None:
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
    check = content_digest(1, "check", [1], [], None, [a, b])
    assert check == content_digest(1, "check", [1], [], None, [b, a])
    assert (
        len(
            {check, content_digest(1, "check", [1], [], None, [a]), content_digest(1, "check", [1], [], None)}
        )
        == 3
    )


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

"""An attack by a client that has nothing but the API's replies, and much patience.

In docs/protocol.md, a verification question is "an item whose answer is known; the worker cannot tell it from
another". The client tries to tell them. It measures everything that it can of every item, and learns
afterwards which items were questions: more than anybody outside ever will. Still, no feature may separate
them, nor may what it learned from the first half separate the second.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations
from random import Random
from typing import Any

import numpy as np
import pytest

from annotation.domain.answers import JointStage, Stage
from annotation.domain.protocols import PROTOCOL_STAGES
from annotation.domain.suggested import SuggestedBox
from annotation.models import Assignment, Image, Mention, VerificationQuestion
from tests.factories import (
    NOW,
    claim_maybe,
    make_batch,
    make_project,
    make_random_image,
    make_worker,
    protocol_with,
    submit_page,
)
from tests.selection import and_nightly
from tests.suggesting_models import make_set
from tests.workflows.assignments.classifiers import Attacker, bound, learned, separation
from tests.workflows.http import Api
from workflows.assignments import claim, page_composition, page_view
from workflows.assignments.domain import match_questions
from workflows.assignments.page_view import _asked as page_view_asked
from workflows.pipeline.advance import advance_pending

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.slow("trains classifiers on what thousands of pages look like"),
]

STAGE = "link"
ALARM = 1e-4
"""The probability that one of the tests here fails although nothing is wrong."""
BEFORE: dict[str, str] = {JointStage.CHECK: JointStage.BOXES, Stage.DRAWING: Stage.REQUIREMENT}
"""The stage that chains of a corpus are in before they come to a stage."""
Suggesting = Callable[[Mention], list[SuggestedBox]]
"""The boxes that a model suggests for a mention."""
SMALL_VISITS = 300, 80, 70
SMALL = 300, 50, 70
"""Items, images and reserved images of an attack that still finds each of the faults below."""
SMALL_JOINT = 300, 130, 50
"""The same in the joint stages, which are asked once a chain."""


def make_corpus(
    stage: str,
    regime: str,
    *,
    images: int,
    reserved: int,
    seed: int,
    page: str = "mixed",
    suggesting: Suggesting | None = None,
) -> Any:
    """Make a running batch, and all questions of the stage about images drawn from the same corpus."""
    rng = Random(seed)
    project = make_project()
    captions, words = (5, 2) if stage == STAGE else (1, 4)  # no links, so that chains come to boxes at once
    made = [make_random_image(project, rng, captions=captions, words=words) for _ in range(images + reserved)]
    questions = []
    for image in sorted(rng.sample(made, reserved), key=lambda image: image.pk):
        mentions = image.mentions.order_by("pk").select_related("caption")
        if stage == STAGE:
            pairs = [pair for pair in combinations(mentions, 2) if _may_be_asked(*pair)]
            questions += [_question(image, pair) for pair in pairs]
        else:
            questions += [_joint(image, stage, one, rng) for one in mentions]
    VerificationQuestion.objects.bulk_create(questions)
    protocol = protocol_with(stage)
    shown = {"set": make_set(project, suggesting).number} if suggesting else {}
    batch = make_batch(
        project,
        suggestions=shown,
        protocol=protocol,
        strategy="exhaustive",
        page=page,
        seed=seed,
        regime=dict.fromkeys(PROTOCOL_STAGES[protocol], "open") | {stage: regime},
        screening={"test": False},
        minimum_score={stage: 0},  # so that saying yes to everything will do
        items_a_page={before: 100} if (before := BEFORE.get(stage)) else {},
    )
    while stage == Stage.DRAWING and (found := claim_maybe(make_worker(project), stage=Stage.REQUIREMENT)):
        submit_page(found.assignment)
        advance_pending(now=NOW)
    if stage == JointStage.CHECK:
        drawer = make_worker(project)
        while (drawn := claim_maybe(drawer, stage=JointStage.BOXES)) is not None:
            submit_page(
                drawn.assignment, answering=lambda *_: {"boxes": [{"box": box} for box in _drawn(rng)]}
            )
        advance_pending(now=NOW)
    return batch


def _may_be_asked(a: Mention, b: Mention) -> bool:
    return a.caption_id != b.caption_id and a.types == b.types


def _question(image: Image, pair: Sequence[Mention]) -> VerificationQuestion:
    return VerificationQuestion(
        project_id=image.project_id,
        image=image,
        stage=STAGE,
        source=VerificationQuestion.Source.GOLD,
        kind="link",
        mentions=[mention.pk for mention in pair],
        answer={"same": pair[0].text == pair[1].text},
        content="-".join(str(mention.pk) for mention in pair),
        created_at=NOW,
    )


def _drawn(rng: Random) -> list[list[int]]:
    """Return a few boxes that do not overlap, in any order."""
    lefts = rng.sample(range(0, 600, 60), rng.choice([1, 1, 2, 3]))
    return [
        [left, rng.randrange(200), left + rng.randrange(20, 50), 300 + rng.randrange(90)] for left in lefts
    ]


def _joint(image: Image, stage: str, mention: Mention, rng: Random) -> VerificationQuestion:
    boxes = _drawn(rng)
    check = {"boxes": ["good"] * len(boxes), "missing": False}
    return VerificationQuestion(
        project_id=image.project_id,
        image=image,
        stage=stage,
        source=VerificationQuestion.Source.GOLD,
        kind="made",
        mentions=[mention.pk],
        new_boxes=boxes if stage == JointStage.CHECK else [],
        answer=check if stage == JointStage.CHECK else {"boxes": boxes},
        content=str(mention.pk),
        created_at=NOW,
    )


def attack(
    monkeypatch: pytest.MonkeyPatch,
    regime: str,
    *,
    items: int,
    images: int,
    reserved: int,
    seed: int = 1,
    stage: str = STAGE,
    page: str = "mixed",
    suggesting: Suggesting | None = None,
) -> tuple[dict[str, float], float, list[bool]]:
    """Return how far from chance the attacker gets, in standard deviations.

    It is given by each feature, and by all together.
    """
    rng = Random(seed)
    monkeypatch.setattr(claim, "SystemRandom", lambda: rng)
    batch = make_corpus(
        stage, regime, images=images, reserved=reserved, seed=seed, page=page, suggesting=suggesting
    )
    attacker = Attacker(Api(make_worker(batch.project)))
    attacker.work(stage, items, before=30 if regime == "trusted" else 0)
    attacker.hindsight()
    checks = {
        (str(page), place)
        for page, places in Assignment.objects.values_list("pk", "checks")
        for place, _ in places
    }
    labels = np.array([where in checks for where in attacker.pages])
    names = list(attacker.rows[0])
    table = np.array([[row[name] for name in names] for row in attacker.rows])
    shown = np.array(attacker.images)
    found = {
        name: separation(column, labels, shown)[1] for name, column in zip(names, table.T, strict=True)
    } | images_apart(attacker, labels)
    return found, learned(table, labels, shown)[1], list(labels)


def images_apart(attacker: Attacker, labels: Any) -> dict[str, float]:
    """Return the separation by what is the same whenever an image comes.

    It is measured once for each image, since otherwise its items would count twice.
    """
    asked = {image for image, label in zip(attacker.images, labels, strict=True) if label}
    images = sorted(set(attacker.images))
    known = np.array([image in asked for image in images])
    ids = np.array(images, dtype=float)
    times = np.array([attacker.images.count(image) for image in images], dtype=float)
    return {
        "times an image comes in all": separation(times, known)[1],
        "image id": separation(ids, known)[1],
        "image id is odd": separation(ids % 2, known)[1],
        "image id by tens": separation(ids % 10, known)[1],
    }


def check_chance(found: dict[str, float], together: float) -> None:
    most = bound(ALARM, len(found) + 1)
    told = {name: round(score, 1) for name, score in found.items() if abs(score) > most}
    assert not told, f"features that tell questions, standard deviations from chance (limit {most:.1f})"
    assert together < most, f"a classifier tells questions: {together:.1f} standard deviations"


@pytest.mark.parametrize(
    ("stage", "regime", "share", "items", "images", "reserved"),
    and_nightly(
        [
            (STAGE, "verification", 0.2, *SMALL),
            (JointStage.BOXES, "verification", 0.2, *SMALL_JOINT),
            (JointStage.CHECK, "verification", 0.2, *SMALL_JOINT),
        ],
        [
            (STAGE, "verification", 0.2, 2000, 200, 100),
            (STAGE, "trusted", 0.02, 2000, 250, 40),
            (JointStage.BOXES, "verification", 0.2, 2000, 900, 300),
            (JointStage.CHECK, "trusted", 0.02, 2000, 900, 60),
        ],
        "more pages show smaller differences",
    ),
)
def test_questions_are_not_told_apart(
    monkeypatch: pytest.MonkeyPatch,
    stage: str,
    regime: str,
    share: float,
    items: int,
    images: int,
    reserved: int,
) -> None:
    found, together, labels = attack(
        monkeypatch, regime, items=items, images=images, reserved=reserved, stage=stage
    )
    assert abs(sum(labels) / len(labels) - share) < 0.01
    check_chance(found, together)


@pytest.mark.parametrize(
    ("items", "images", "reserved"),
    and_nightly([SMALL_VISITS], [(2000, 700, 250)], "more pages show smaller differences"),
)
def test_visits_of_questions_are_not_told_apart(
    monkeypatch: pytest.MonkeyPatch, items: int, images: int, reserved: int
) -> None:
    found, together, labels = attack(
        monkeypatch, "verification", items=items, images=images, reserved=reserved, page="visit"
    )
    assert abs(sum(labels) / len(labels) - 0.2) < 0.1
    check_chance(found, together)


def _one_by_one(candidates: Any, parts: Any, **_: Any) -> Any:
    """Match every visit with one question, as if questions came alone."""
    return {image: [candidates[number]] for number, image in enumerate(parts)}


def test_a_question_that_comes_alone_among_visits_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_composition, "match_visits", _one_by_one)
    items, images, reserved = SMALL_VISITS
    found, together, _ = attack(
        monkeypatch, "verification", items=items, images=images, reserved=reserved, page="visit"
    )
    with pytest.raises(AssertionError):
        check_chance(found, together)


def _last(items: int, questions: Sequence[int], rng: Random) -> list[list[int]]:
    return [[items + place, question] for place, question in enumerate(questions)]


def _always_new(*args: Any, seen: Any, **named: Any) -> Any:
    """Match questions as if every image of the page were new."""
    candidates, images, count = args
    fresh = [candidate for candidate in candidates if candidate[1] not in seen]
    return match_questions(fresh, images, count, seen={}, **named)


def _without_hiding(candidates: Any, images: Any, count: int, *, rng: Random, **_: Any) -> Any:
    return rng.sample(candidates, min(count, len(candidates)))


def _oldest_first(candidates: Any, seen: Any, rng: Random) -> Any:
    return sorted(candidates)


def _in_smaller_pixels(questions: Any) -> Any:
    """Show the new boxes of questions in pixels of a smaller photograph than those of items."""
    shown = page_view_asked(questions)
    smaller = {pk: [[edge // 2 for edge in box] for box in one.new_boxes] for pk, one in shown.items()}
    return {pk: replace(one, new_boxes=smaller[pk]) for pk, one in shown.items()}


@pytest.mark.parametrize(
    ("stage", "module", "name", "broken"),
    and_nightly(
        [(STAGE, page_composition, "match_questions", _without_hiding)],
        [
            (STAGE, claim, "place_questions", _last),
            (STAGE, page_composition, "match_questions", _always_new),
            (STAGE, page_composition, "order_items", _oldest_first),
            (JointStage.CHECK, page_view, "_asked", _in_smaller_pixels),
        ],
        "other faults, found by the same attack",
    ),
)
def test_the_attack_finds_what_is_not_hidden(
    monkeypatch: pytest.MonkeyPatch, stage: str, module: Any, name: str, broken: Callable[..., Any]
) -> None:
    """Questions are last on the page, of new images, of any images, or among items in the queue's order. Or
    their new boxes are smaller than those of items.
    """
    monkeypatch.setattr(module, name, broken)
    items, images, reserved = SMALL if stage == STAGE else SMALL_JOINT
    found, together, _ = attack(
        monkeypatch, "verification", items=items, images=images, reserved=reserved, stage=stage
    )
    with pytest.raises(AssertionError):
        check_chance(found, together)


def test_the_classifier_finds_what_no_feature_tells_alone() -> None:
    """Only two features together show what is a question."""
    rng = np.random.default_rng(1)
    table = rng.normal(size=(2000, 5))
    labels = (table[:, 0] * table[:, 1] > 0) & (rng.random(2000) < 0.4)
    assert all(abs(separation(column, labels)[1]) < bound(ALARM, 5) for column in table.T)
    assert learned(table, labels)[1] > bound(ALARM, 5)
    assert abs(learned(rng.normal(size=(2000, 5)), labels)[1]) < bound(ALARM, 5)


def test_separation_is_that_of_ranks() -> None:
    labels = np.array([False, False, True, True])
    assert separation(np.array([1.0, 2, 3, 4]), labels)[0] == 1
    assert separation(np.array([1.0, 3, 2, 4]), labels)[0] == 0.75
    assert separation(np.array([5.0, 5, 5, 5]), labels) == (0.5, 0)


def test_items_of_one_image_tell_no_more_than_one_of_them() -> None:
    rng = np.random.default_rng(1)
    values, labels = rng.random(60), rng.random(60) < 0.4
    _, once = separation(values, labels)
    images = np.repeat(np.arange(60), 9)
    _, clustered = separation(np.repeat(values, 9), np.repeat(labels, 9), images)
    _, taken_apart = separation(np.repeat(values, 9), np.repeat(labels, 9))
    assert clustered == pytest.approx(once, rel=0.05)
    assert abs(taken_apart) > 2.9 * abs(once)


def test_what_is_alike_for_whole_images_tells_no_more_than_as_many_items() -> None:
    """Images come three times each, and a fifth of them twice. How often they came before is then a value."""
    images = np.repeat(np.arange(100), 3)
    values, labels = np.tile([0.0, 1, 2], 100), np.repeat(np.arange(100) < 20, 3)
    kept = ~(labels & (values == 2))
    _, deviations = separation(values[kept], labels[kept], images[kept])
    assert -4 < deviations < -3, "the images alone would make it thirteen"

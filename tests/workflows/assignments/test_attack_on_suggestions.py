"""The attacker of `test_attack` sees a model's boxes as well: they tell no question from an item, either."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from annotation.domain.answers import JointStage, Stage
from annotation.domain.suggested import SuggestedBox
from annotation.models import Mention, VerificationQuestion
from tests.workflows.assignments.test_attack import SMALL_JOINT, attack, check_chance
from workflows.suggestions import selectors

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.slow("trains classifiers on what thousands of pages look like"),
]
STAGES = [JointStage.BOXES, Stage.DRAWING]


def detector(mention: Mention) -> list[SuggestedBox]:
    """Return what a detector might have for a mention: some, or none, more certain of some photographs."""
    rng = Random(f"{mention.image_id} {mention.pk}")
    light = Random(f"light {mention.image_id}").random()
    boxes: list[SuggestedBox] = []
    for _ in range(rng.choice([0, 1, 1, 2, 3, 6])):
        left, top = rng.randrange(400), rng.randrange(200)
        edges = [left, top, left + rng.randrange(20, 150), top + rng.randrange(20, 150)]
        boxes.append([*edges, round(rng.random() * light, 4)])
    return sorted(boxes, key=lambda box: -(box[4] or 0))


def run(
    monkeypatch: pytest.MonkeyPatch, size: Sequence[int], suggesting: Any = detector, stage: str = STAGES[0]
) -> Any:
    items, images, reserved = size
    return attack(
        monkeypatch,
        "verification",
        items=items,
        images=images,
        reserved=reserved,
        stage=stage,
        suggesting=suggesting,
    )


@pytest.mark.parametrize("stage", STAGES)
def test_suggestions_do_not_tell_questions_from_items(stage: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found, together, labels = run(monkeypatch, SMALL_JOINT, stage=stage)
    assert {"suggestions", "best score", "no suggestion"} <= set(found) and any(labels)
    check_chance(found, together)


def asked_about(image: int) -> bool:
    return VerificationQuestion.objects.filter(image=image).exists()


@pytest.mark.parametrize("stage", STAGES)
def test_questions_that_always_have_suggestions_are_found(
    stage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def some_items(*, seed: int, image: int, without: float) -> bool:
        return image % 4 == 0 or asked_about(image)

    monkeypatch.setattr(selectors, "gets_suggestions", some_items)
    found, together, _ = run(monkeypatch, SMALL_JOINT, stage=stage)
    with pytest.raises(AssertionError):
        check_chance(found, together)


def test_a_model_that_knows_the_images_of_questions_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if it had been trained on them: it is surer of its boxes there."""

    def trained(mention: Mention) -> list[SuggestedBox]:
        sure = 0.5 if asked_about(mention.image_id) else 0.0
        return [[*box[:4], round(sure + (box[4] or 0) / 2, 4)] for box in detector(mention)]

    # Which images have suggestions follows from ids. Rarely, they are too few to tell: then once more.
    found, together, _ = run(monkeypatch, SMALL_JOINT, trained)
    try:
        check_chance(found, together)
    except AssertionError:
        return
    found, together, _ = run(monkeypatch, SMALL_JOINT, trained)
    with pytest.raises(AssertionError):
        check_chance(found, together)

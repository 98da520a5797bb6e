"""An attack by several accounts of one client, which work in all stages and share all that they see.

The client recognises images by eye, so names and ids do not matter. It knows the rules of the pipeline. Like
the attacker of `test_attack`, it learns afterwards which items were questions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from random import Random
from typing import Any

import numpy as np
import pytest

from annotation.domain.answers import JointStage, Stage
from annotation.domain.protocols import ENTITIES_PROTOCOLS, PROTOCOL_STAGES
from annotation.models import Image, Mention, VerificationQuestion
from tests.factories import (
    FAST,
    NOW,
    RIGHT,
    RIGHT_OF_JOINT,
    TYPES,
    make_batch,
    make_project,
    make_random_image,
    make_worker,
)
from tests.workflows.assignments.classifiers import OTHERS, Row, Team, bound, learned, separation
from workflows.assignments import claim, page_composition
from workflows.assignments.domain import Sighting, match_questions, order_items

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.slow("four accounts work through all stages of a batch"),
]

SEED = 1
SHARE = 0.2
"""The share of questions on pages with items: ten times the default, so that there is something to find."""
ALARM = 1e-4
"""The probability that a check of what one account sees fails although nothing is wrong."""
LONGER = pytest.mark.nightly("four accounts that do all the work go through the same checks")
PEOPLE = ("people", "clothing")
"""The types whose chains never come to box requirement first."""
BOX = [10, 20, 110, 220]
"""The box that `willing` draws."""


def make_corpus(*, images: int, reserved: int, seed: int, protocol: str) -> Any:
    """Make a running batch, and questions of all its stages about images drawn from the same corpus.

    The questions about an image are what the pipeline asks about it if everybody says yes.
    """
    rng = Random(seed)
    project = make_project()
    made = [make_random_image(project, rng, captions=2, words=3) for _ in range(images + reserved)]
    questions = []
    for image in sorted(rng.sample(made, reserved), key=lambda image: image.pk):
        questions += [one for one in _questions(image) if one.stage in PROTOCOL_STAGES[protocol]]
    VerificationQuestion.objects.bulk_create(questions)
    batch = make_batch(
        project,
        protocol=protocol,
        strategy="exhaustive",
        seed=seed,
        regime="trusted",
        screening={"test": False},
        control={"entrance": 10, "trusted_share": SHARE, "retire_below": 0},
        minimum_score=dict.fromkeys(PROTOCOL_STAGES[protocol], 0),  # so that saying yes to everything will do
    )
    if protocol == FAST:
        # Who says yes to everything always draws, so only these words bring chains to box requirement.
        batch.box_heads = {word: (0, 30) for word, kind in TYPES.items() if kind not in PEOPLE}
        batch.save(update_fields=["box_heads"])
    return batch


def _questions(image: Image) -> list[VerificationQuestion]:
    mentions = list(image.mentions.order_by("pk").select_related("caption"))
    pairs = [
        (a, b) for a, b in combinations(mentions, 2) if a.caption_id != b.caption_id and a.types == b.types
    ]
    made = [_question(image, Stage.LINK, pair) for pair in pairs]
    for kind in sorted({mention.types for mention in mentions}):
        chain = [mention for mention in mentions if mention.types == kind]
        shown = chain[:1]
        if len({mention.caption_id for mention in chain}) > 1:
            made.append(_question(image, Stage.VERIFICATION, chain))
        if shown[0].types not in PEOPLE:
            made.append(_question(image, Stage.REQUIREMENT, shown))
        made.append(_question(image, Stage.DRAWING, shown))
        made.append(_question(image, Stage.DRAWING, shown, boxes=[BOX]))
        made.append(_question(image, Stage.QUALITY, shown, box=BOX))
        made.append(_question(image, Stage.COVERAGE, shown, boxes=[BOX]))
        made.append(_question(image, JointStage.BOXES, shown))
        made.append(_question(image, JointStage.CHECK, shown, new_boxes=[BOX]))
    return made


def _question(
    image: Image,
    stage: str,
    mentions: Sequence[Mention],
    *,
    boxes: Any = (),
    box: Any = None,
    new_boxes: Any = (),
) -> VerificationQuestion:
    ids = [mention.pk for mention in mentions]
    return VerificationQuestion(
        project_id=image.project_id,
        image=image,
        stage=stage,
        source=VerificationQuestion.Source.GOLD,
        kind="made",
        mentions=ids,
        boxes=list(boxes),
        box=box,
        new_boxes=list(new_boxes),
        answer={**RIGHT, **RIGHT_OF_JOINT}[stage],
        content=f"{stage}-{ids}-{boxes}",
        created_at=NOW,
    )


def attack(
    monkeypatch: pytest.MonkeyPatch,
    *,
    pages: int,
    images: int,
    reserved: int,
    bystanders: int = 0,
    protocol: str = ENTITIES_PROTOCOLS[0],
) -> tuple[list[Row], Any, Any]:
    """Return what four accounts know of each place on pages with items, if it is a question and its image."""
    rng = Random(SEED)
    monkeypatch.setattr(claim, "SystemRandom", lambda: rng)
    batch = make_corpus(images=images, reserved=reserved, seed=SEED, protocol=protocol)
    everybody = [make_worker(batch.project) for _ in range(4 + bystanders)]
    # Nobody is asked to verify a chain by the second protocol.
    stages = [
        str(stage) for stage in PROTOCOL_STAGES[protocol] if protocol != FAST or stage != Stage.VERIFICATION
    ]
    team = Team(everybody[:4], rng, everybody[4:], stages)
    team.work(pages)
    rows, labels, seen = team.table()
    assert abs(labels.mean() - SHARE) < 0.02
    assert len({row["stage"] for row in rows}) == len(stages)
    return rows, labels, seen


def table_of(rows: Sequence[Row], names: Sequence[str]) -> Any:
    return np.array([[row[name] for name in names] for row in rows])


def check_alone(rows: Sequence[Row], labels: Any, images: Any) -> None:
    """Assert that nothing tells questions that an account saw itself."""
    names = [name for name in rows[0] if not name.startswith(OTHERS)]
    table = table_of(rows, names)
    most = bound(ALARM, len(names) + 1)
    scores = {
        name: separation(column, labels, images)[1] for name, column in zip(names, table.T, strict=True)
    }
    told = {name: round(score, 1) for name, score in scores.items() if abs(score) > most}
    assert not told, f"features that tell questions, standard deviations from chance (limit {most:.1f})"
    assert learned(table, labels, images)[1] < most, "a classifier tells questions"


def check_entrances(rows: Sequence[Row]) -> None:
    """Assert that nothing on pages with items has an image that one of the others saw at an entrance."""
    assert not any(row[OTHERS + "saw it at an entrance"] for row in rows)


def check_together(rows: Sequence[Row], labels: Any, *, area: float, classifier: float) -> None:
    """Assert that what the others saw on pages tells questions no better than docs/quality.md says."""
    names = [name for name in rows[0] if name.startswith(OTHERS)]
    table = table_of(rows, names)
    areas = {name: separation(column, labels)[0] for name, column in zip(names, table.T, strict=True)}
    told = {name: round(one, 2) for name, one in areas.items() if not 1 - area < one < area}
    assert not told, f"features that tell more than {area}"
    assert learned(table_of(rows, list(rows[0])), labels)[0] < classifier


def test_four_accounts_that_do_all_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bounds are what was measured (at most 0.79 and 0.89), and a margin: see docs/quality.md."""
    rows, labels, seen = attack(monkeypatch, pages=40, images=150, reserved=60)
    check_alone(rows, labels, seen)
    check_entrances(rows)
    check_together(rows, labels, area=0.85, classifier=0.95)


@LONGER
def test_four_accounts_among_twelve(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bounds are what was measured (at most 0.67 and 0.74), and a margin: see docs/quality.md."""
    rows, labels, seen = attack(monkeypatch, pages=26, images=300, reserved=110, bystanders=8)
    check_alone(rows, labels, seen)
    check_entrances(rows)
    check_together(rows, labels, area=0.76, classifier=0.85)


@LONGER
def test_four_accounts_that_do_all_the_work_of_the_second_protocol(monkeypatch: pytest.MonkeyPatch) -> None:
    rows, labels, seen = attack(monkeypatch, pages=40, images=150, reserved=60, protocol=FAST)
    check_alone(rows, labels, seen)
    check_entrances(rows)
    check_together(rows, labels, area=0.85, classifier=0.95)


def _of_this_stage(seen: Mapping[int, Sighting]) -> dict[int, Sighting]:
    return {image: Sighting(here=one.here, ago=one.ago) for image, one in seen.items() if one.here}


@LONGER
def test_the_attack_finds_what_was_seen_in_other_stages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Items and questions are matched as if only the page's stage counted."""
    monkeypatch.setattr(
        page_composition,
        "order_items",
        lambda candidates, seen, rng: order_items(candidates, _of_this_stage(seen), rng),
    )
    monkeypatch.setattr(
        page_composition,
        "match_questions",
        lambda *args, seen, rng: match_questions(*args, seen=_of_this_stage(seen), rng=rng),
    )
    rows, labels, seen = attack(monkeypatch, pages=40, images=150, reserved=60)
    check_entrances(rows)
    with pytest.raises(AssertionError):
        check_alone(rows, labels, seen)


@LONGER
def test_the_attack_finds_images_of_entrances(monkeypatch: pytest.MonkeyPatch) -> None:
    """No image is set apart for entrances: what a colleague saw there is a question."""
    monkeypatch.setattr(page_composition, "reserve_for_entrances", lambda images: None)
    rows, labels, _ = attack(monkeypatch, pages=20, images=100, reserved=40)
    with pytest.raises(AssertionError):
        check_entrances(rows)
    seen = table_of(rows, [OTHERS + "saw it at an entrance"])[:, 0] > 0
    assert labels[seen].all(), "they are told with certainty"

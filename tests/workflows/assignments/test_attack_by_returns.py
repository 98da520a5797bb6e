"""The attacker of `test_attack` gives most pages back, to see which of their items come again.

Others work meanwhile, and take items of the pages that were given back. Before, items came again and
questions did not: all questions of a project were known after eleven pages.
"""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from annotation.domain.answers import JointStage
from annotation.models import Assignment
from tests.factories import claim_maybe, make_worker, submit_page
from tests.selection import and_nightly
from tests.workflows.assignments.classifiers import Attacker, learned, separation
from tests.workflows.assignments.test_attack import STAGE, check_chance, make_corpus
from tests.workflows.http import Api
from workflows.assignments import claim

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.slow("trains classifiers on what many pages look like"),
]

LEAVES, OTHERS_WORK = 0.6, 0.5
"""How often a page is given back, and how often somebody else does a page after that."""


def attack(
    monkeypatch: pytest.MonkeyPatch,
    regime: str,
    *,
    batches: int,
    items: int,
    images: int,
    reserved: int,
    stage: str = STAGE,
    seed: int = 1,
) -> tuple[dict[str, float], float]:
    """Return how far from chance the attacker gets with pages of all batches, in standard deviations."""
    rng = Random(seed)
    monkeypatch.setattr(claim, "SystemRandom", lambda: rng)
    rows, shown, labels = [], [], []
    for number in range(batches):
        batch = make_corpus(stage, regime, images=images, reserved=reserved, seed=seed + number)
        other = make_worker(batch.project)
        enter = 30 if regime == "trusted" else 0
        Attacker(Api(other)).work(stage, 1, before=enter)

        def leaves(other: Any = other) -> bool:
            if rng.random() >= LEAVES:
                return False
            if rng.random() < OTHERS_WORK and (found := claim_maybe(other, stage=stage)):
                submit_page(found.assignment)
            return True

        attacker = Attacker(Api(make_worker(batch.project)))
        attacker.work(stage, items, before=enter, leaves=leaves, to_the_end=True)
        attacker.hindsight()
        checks = {
            (str(page), place)
            for page, places in Assignment.objects.filter(batch=batch).values_list("pk", "checks")
            for place, _ in places
        }
        rows += attacker.rows
        shown += attacker.images
        labels += [where in checks for where in attacker.pages]
    names = list(rows[0])
    table = np.array([[row[name] for name in names] for row in rows])
    known, image = np.array(labels), np.array(shown)
    found = {name: separation(column, known, image)[1] for name, column in zip(names, table.T, strict=True)}
    return found, learned(table, known, image)[1]


@pytest.mark.parametrize(
    ("stage", "regime", "batches", "items", "images", "reserved"),
    and_nightly(
        [
            (STAGE, "verification", 8, 30, 10, 20),
            (STAGE, "verification", 4, 200, 10, 60),  # until no work is left
            (STAGE, "verification", 1, 300, 50, 90),
            (JointStage.BOXES, "verification", 1, 300, 130, 90),
        ],
        [
            (STAGE, "verification", 1, 3000, 300, 250),
            (JointStage.BOXES, "verification", 1, 3000, 900, 600),
            (STAGE, "trusted", 8, 30, 30, 60),
            (STAGE, "trusted", 1, 300, 150, 90),
            (STAGE, "trusted", 1, 3000, 300, 90),
        ],
        "longer, and in the other regime",
    ),
)
def test_pages_that_are_given_back_tell_no_questions(
    monkeypatch: pytest.MonkeyPatch,
    stage: str,
    regime: str,
    batches: int,
    items: int,
    images: int,
    reserved: int,
) -> None:
    found, together = attack(
        monkeypatch, regime, stage=stage, batches=batches, items=items, images=images, reserved=reserved
    )
    check_chance(found, together)


def test_the_attack_finds_items_that_come_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if every page were a new one, of whatever waits."""
    monkeypatch.setattr(claim, "unanswered_pages", lambda **_: [])
    found, _ = attack(monkeypatch, "verification", batches=4, items=200, images=10, reserved=60)
    with pytest.raises(AssertionError, match="the same comes again"):
        check_chance(found, 0)

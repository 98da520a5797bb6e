"""The rules for how many verification questions a stage needs, and which images they are made from."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from math import ceil
from random import Random

from annotation.domain.answers import CampaignStage
from workflows.batch_settings.domain.quality_control import Regime
from workflows.batch_settings.domain.settings import BatchSettings, shows_suggestions

GOLD, TRAINING, TEST = "gold", "training", "test"
ROLES = (GOLD, TEST, TRAINING)
"""What questions are for; the role that is needed most comes first."""
IN_TESTS_ALONE = frozenset({CampaignStage.WRITING})
"""Stages whose questions are asked in qualification tests alone: on a page, everybody would know them [ours].
In `writing`, they have a sentence to correct."""
AFTER_ENTRANCE = 10
"""Questions that must be left for a worker who has just passed the entrance [ours]."""

FEW, CLOSE = 10, 0.05
"""`told_by_ids` says nothing about fewer images, nor about shares farther than this from 0 and 1."""


def questions_needed(settings: BatchSettings, stage: str) -> dict[str, int]:
    """Return how many questions of each role it takes before anybody can work in the stage, and be scored."""
    regime, control, screening = settings.regime[stage], settings.control, settings.screening
    if regime == Regime.OPEN:
        return {}
    wanted = {}
    if stage not in IN_TESTS_ALONE:
        trusted = regime == Regime.TRUSTED
        wanted[GOLD] = to_enter(settings, stage) + AFTER_ENTRANCE if trusted else control.set_questions
    if screening.test:
        wanted[TRAINING] = screening.training_items
        wanted[TEST] = screening.test_items * screening.tries
    return wanted


def question_share(settings: BatchSettings, stage: str) -> float:
    """Return which share of what is asked on the stage's pages with items are verification questions."""
    if stage in IN_TESTS_ALONE:
        return 0.0
    control = settings.control
    shares = {Regime.TRUSTED: control.trusted_share, Regime.VERIFICATION: control.verification_share}
    return shares.get(Regime(settings.regime[stage]), 0.0)


def to_enter(settings: BatchSettings, stage: str) -> int:
    """Return how many questions are asked, at most, until those of the stage's entrance are answered.

    Where a model suggests boxes, answers that leave one as it was do not count, and every second page shows
    none (`is_unaided_page`). So it takes twice as many pages, if all suggestions are accepted.
    """
    if settings.regime[stage] != Regime.TRUSTED or stage in IN_TESTS_ALONE:
        return 0
    if shows_suggestions(stage, settings):
        return 2 * _whole_pages(settings, stage)
    return settings.control.entrance


def entrance_length(settings: BatchSettings, stage: str) -> int:
    """Return how many questions a worker is asked, at most, at the entrance of the stage: whole pages."""
    return max(to_enter(settings, stage), _whole_pages(settings, stage)) if to_enter(settings, stage) else 0


def _whole_pages(settings: BatchSettings, stage: str) -> int:
    """Return the questions of as many pages as `control.entrance` answers take."""
    size = settings.items_a_page[stage]
    return ceil(settings.control.entrance / size) * size


def is_unaided_page(*, aided: int, unaided: int) -> bool:
    """Return whether the next page of an entrance shows no suggestions, by the pages of it so far.

    Every second one does not, so that a worker shows how they draw, and also which suggestions they accept
    [ours]. Whoever gives pages back gets no more of the one kind by that.
    """
    return aided > unaided


USUAL_YIELD = 2.5
"""How many questions of a stage and role an image usually gives, of the four that are tried [ours].

Not every image has a scene, or a chain with several boxes. In our corpora, 30 images gave what the default
settings need.
"""


def images_needed(missing: Mapping[tuple[str, str], int]) -> int:
    """Return about how many images it takes for the missing questions, counted by (stage, role).

    An image gives questions of all stages, but of one role.
    """
    most: dict[str, int] = {}
    for (_, role), number in missing.items():
        most[role] = max(number, most.get(role, 0))
    return sum(ceil(number / USUAL_YIELD) for number in most.values() if number > 0)


def left_over(
    questions: Mapping[str, Mapping[int, int]],
    entrances: Mapping[str, int],
    *,
    reserved: Collection[int] = (),
) -> dict[str, int]:
    """Return by stage how many gold questions are left for a worker who has entered all these stages.

    `questions` counts them by stage and image; `entrances` gives the length of each stage's entrance. Images
    that are `reserved` for entrances are asked about at entrances only, in every stage. An entrance reserves
    no more images than it needs.
    """
    known = set(reserved)
    for stage, length in entrances.items():
        counts = questions.get(stage, {})
        asked = sum(number for image, number in counts.items() if image in known)
        for image in sorted(counts, key=lambda image: (-counts[image], image)):
            if asked >= length:
                break
            if image not in known:
                known.add(image)
                asked += counts[image]
    return {
        stage: sum(number for image, number in questions.get(stage, {}).items() if image not in known)
        for stage in entrances
    }


@dataclass(slots=True)
class Supplied:
    """The questions that can be asked: by stage and role, and those that are gold by stage and image."""

    there: Counter[tuple[str, str]]
    by_image: dict[str, dict[int, int]]
    reserved: Collection[int]

    def copy(self) -> Supplied:
        """Return a copy to which questions can be added."""
        by_image = {stage: dict(images) for stage, images in self.by_image.items()}
        return Supplied(self.there.copy(), by_image, self.reserved)

    def add(self, stage: str, role: str, image: int) -> None:
        """Count one question more."""
        self.there[stage, role] += 1
        if role == GOLD:
            images = self.by_image.setdefault(stage, {})
            images[image] = images.get(image, 0) + 1

    def missing(self, settings: BatchSettings) -> dict[tuple[str, str], int]:
        """Return how many questions are missing, by stage and role.

        There must also be enough gold questions about images that are not reserved for an entrance, of this
        stage or another. So making as many as are missing may not be enough: an image that gets questions may
        become one of an entrance.
        """
        trusted = [str(stage) for stage, regime in settings.regime.items() if regime == Regime.TRUSTED]
        entrances = {stage: to_enter(settings, stage) for stage in trusted}
        others = dict.fromkeys((str(stage) for stage in settings.regime if str(stage) not in trusted), 0)
        left = left_over(self.by_image, entrances | others, reserved=self.reserved)
        missing = {}
        for stage in map(str, settings.regime):
            for role, number in questions_needed(settings, stage).items():
                lacking = number - self.there[stage, role]
                if role == GOLD:
                    after = AFTER_ENTRANCE if stage in trusted else number
                    lacking = max(lacking, after - left[stage])
                if lacking > 0:
                    missing[stage, role] = lacking
        return missing


def told_by_ids(asked: Collection[int], others: Collection[int]) -> bool:
    """Return whether images (ids) with questions are nearly all older, or nearly all newer, than the others.

    That is so if the share of pairs in which the image with questions is newer is within 0.05 of 0 or 1. Too
    few images say nothing. With FEW images drawn at random it happens about once in 5,000 times.
    """
    if min(len(asked), len(others)) < FEW:
        return False
    order = sorted(others)
    newer = sum(bisect_left(order, image) for image in asked) / (len(asked) * len(order))
    return not CLOSE < newer < 1 - CLOSE


def next_role(
    serves: Mapping[str, int],
    there: Mapping[tuple[str, str], int],
    wanted: Mapping[str, Mapping[str, int]],
) -> str:
    """Return the role for the questions of one more image: the one that the stages it serves lack most.

    `serves` counts the image's questions by stage, `there` those of all images by (stage, role), and `wanted`
    has `questions_needed` by stage. An image has one role, since a worker who knows its answers from a test
    would know them on a page. If nothing is missing the role is gold: the more gold there is, the longer a
    worker can go on.
    """

    def missing(role: str) -> float:
        shares = [
            max(0.0, 1 - there.get((stage, role), 0) / wanted[stage][role])
            for stage, number in serves.items()
            if number and wanted.get(stage, {}).get(role)
        ]
        return sum(shares) / len(shares) if shares else 0.0

    return max(ROLES, key=missing)


def image_place(name: str, seed: int) -> float:
    """Return the place (0 to 1) of an image in a random order that does not depend on the other images.

    So the same seed draws the same images again, and drawing more of them only adds some.
    """
    return Random(f"{seed}/{name}").random()

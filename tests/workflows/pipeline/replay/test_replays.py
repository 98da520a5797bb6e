"""Whatever is set aside, and whenever, the state is as if it had never been given."""

from __future__ import annotations

import pytest

from annotation.models import Item, Judgment
from tests.selection import and_nightly
from tests.workflows.pipeline.invariants import check_promises
from tests.workflows.pipeline.replay.courses import Course
from tests.workflows.pipeline.replay.twins import same_as_its_twin
from workflows.pipeline.domain.link_strategies import STRATEGIES

pytestmark = [pytest.mark.django_db, pytest.mark.slow("random work, taken back and replayed")]

OTHER = "other random work"


@pytest.mark.parametrize(
    ("strategy", "seed"),
    and_nightly(
        [("greedy_plus", 0)],
        [*((other, 0) for other in STRATEGIES if other != "greedy_plus"), ("greedy_plus", 1)],
        OTHER,
    ),
)
def test_what_was_set_aside_might_as_well_never_have_been_said(strategy: str, seed: int) -> None:
    course = Course(strategy, seed)
    for moment in range(3):
        course.work(course.rng.randrange(30, 150))
        course.set_aside()
        check_promises(course.project)
        course.read()
        course.check()
        same_as_its_twin(course.batch, f"twin-{moment}")
    course.finish()
    course.check()
    assert Judgment.objects.filter(set_aside__isnull=False).exists()


@pytest.mark.parametrize("seed", and_nightly([0], [1], OTHER))
def test_decisions_in_between_replay_too(seed: int) -> None:
    """Researchers decide, judgments are set aside, and pages come late. The work still ends."""
    course = Course("greedy_plus", seed)
    for _moment in range(4):
        course.work(course.rng.randrange(30, 100))
        course.decide()
        course.check_promises()
        course.work(course.rng.randrange(30))
        course.set_aside()
        course.read()
        course.check()
        before = course.everything()
        course.read()
        assert course.everything() == before, "reading twice changes nothing"
    course.finish()
    course.check()


@pytest.mark.parametrize("seed", and_nightly([0], [1], OTHER))
def test_images_that_were_regrouped_go_on_to_their_end(seed: int) -> None:
    course = Course("greedy_plus", 100 + seed)
    for moment in range(3):
        course.work(course.rng.randrange(30, 100))
        course.regroup(cuts=moment == 1)
        course.check_promises()
        course.work(course.rng.randrange(30))
        course.decide()
        course.set_aside()
        course.read()
        course.check()
    course.finish()
    course.check()
    assert not Item.objects.filter(stage="link", state="open").exists()

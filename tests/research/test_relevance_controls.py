"""No careless judge of relevance passes a set of controls, and honest ones do."""

from __future__ import annotations

import random

import pytest

from research.relevance_controls import HONEST, SPAMMERS, Judge, share_of_captions, tried
from workflows.questions.domain.right_answers import judges_captions_right

SETS = 400


@pytest.mark.parametrize("judge", SPAMMERS.values(), ids=SPAMMERS)
def test_no_spammer_passes(judge: Judge) -> None:
    right, passed = tried(judge, judges_captions_right, SETS, random.Random(1))
    assert right < 0.35 and passed <= 0.01


def test_an_honest_judge_of_the_papers_accuracy_passes() -> None:
    _, passed = tried(next(iter(HONEST.values())), judges_captions_right, SETS, random.Random(1))
    assert passed > 0.99


def test_by_the_share_of_captions_one_tick_at_random_passed() -> None:
    """So the other rule was no control of those who do not look."""
    right, passed = tried(SPAMMERS["one tick at random"], share_of_captions, SETS, random.Random(1))
    assert right > 0.7 and passed > 0.7

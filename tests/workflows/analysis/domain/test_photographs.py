"""Each photograph is counted once, in however many batches it is."""

from __future__ import annotations

from annotation.domain.protocols import Campaign
from workflows.analysis.domain.kept_counts import Photographs
from workflows.analysis.domain.photographs import Held, count_photographs, first_campaign

GROUNDING, CAPTIONS, RELEVANCE = Campaign


def held(campaign: str, batch: int, *states: str, first: int = 1) -> list[Held]:
    """Return photographs in these states, numbered from `first`. `released` ones are not active."""
    return [
        Held(
            image,
            batch,
            campaign,
            "linking" if state == "released" else state,
            state != "released",
        )
        for image, state in enumerate(states, first)
    ]


def test_captions_alone_are_counted_as_captions() -> None:
    found = count_photographs(held(CAPTIONS, 1, "done", "done", "asking"), {1: None})
    assert found == {CAPTIONS: Photographs({"done": 2, "asking": 1}, 3)}
    assert first_campaign(found) == CAPTIONS


def test_a_photograph_with_captions_that_is_grounded_is_counted_once() -> None:
    works = [*held(CAPTIONS, 1, "done", "done", "done"), *held(GROUNDING, 2, "done", "boxing")]
    found = count_photographs(works, {})
    assert found == {
        GROUNDING: Photographs({"done": 1, "boxing": 1}, 2),
        CAPTIONS: Photographs({"done": 1}, 1),
    }
    assert first_campaign(found) == GROUNDING


def test_a_photograph_that_went_on_to_another_batch_is_not_counted_as_released() -> None:
    works = [*held(GROUNDING, 1, "done", "released", "released"), *held(GROUNDING, 2, "queued", first=2)]
    found = count_photographs(works, {})
    assert found == {GROUNDING: Photographs({"done": 1, "queued": 1, "released": 1}, 2)}


def test_captions_stay_collected_when_the_batch_that_grounds_them_is_cancelled() -> None:
    works = [*held(CAPTIONS, 1, "done", "done"), *held(GROUNDING, 2, "released", "released")]
    found = count_photographs(works, {})
    assert found == {CAPTIONS: Photographs({"done": 2}, 2)}


def test_a_photograph_judged_in_two_batches_is_done_when_both_are() -> None:
    works = [*held(RELEVANCE, 1, "done", "done"), *held(RELEVANCE, 2, "asking", "done")]
    assert count_photographs(works, {}) == {RELEVANCE: Photographs({"asking": 1, "done": 1}, 2)}


def test_a_target_counts_for_its_own_batch_alone() -> None:
    works = [*held(GROUNDING, 1, *["queued"] * 5), *held(GROUNDING, 2, *["queued"] * 4, first=6)]
    assert count_photographs(works, {1: 2})[GROUNDING].wanted == 2 + 4
    done = [*held(GROUNDING, 1, "done", "done", "done", "queued")]
    assert count_photographs(done, {1: 2})[GROUNDING].wanted == 3


def test_a_photograph_that_another_batch_wants_is_not_spare() -> None:
    works = [*held(RELEVANCE, 1, "asking", "asking"), *held(RELEVANCE, 2, "asking", "asking")]
    assert count_photographs(works, {1: 1})[RELEVANCE].wanted == 2


def test_captions_of_grounded_photographs_reach_no_target_again() -> None:
    works = [*held(CAPTIONS, 1, "done", "done", "asking"), *held(GROUNDING, 2, "done", "done")]
    assert count_photographs(works, {1: 2})[CAPTIONS] == Photographs({"asking": 1}, 0)


def test_nothing_held_is_no_progress() -> None:
    assert count_photographs([], {}) == {}
    assert first_campaign({}) == GROUNDING
    cancelled = count_photographs(held(CAPTIONS, 1, "released"), {})
    assert cancelled == {CAPTIONS: Photographs({"released": 1}, 0)}
    assert first_campaign(cancelled) == CAPTIONS

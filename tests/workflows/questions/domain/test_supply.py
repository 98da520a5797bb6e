from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.answers import Stage
from workflows.batch_settings.domain.quality_control import Control, Screening
from workflows.batch_settings.domain.settings import BatchSettings, parse_settings
from workflows.questions.domain.supply import (
    entrance_length,
    image_place,
    left_over,
    next_role,
    questions_needed,
    told_by_ids,
)

WANTED = {"link": {"gold": 40, "test": 30, "training": 4}, "drawing": {"gold": 40, "test": 30, "training": 4}}


def test_the_default_settings_need_an_entrance_and_some_and_three_tests() -> None:
    assert questions_needed(BatchSettings(), "link") == {"gold": 40, "training": 4, "test": 30}


@pytest.mark.parametrize(("stage", "size", "length"), [("boxes", 5, 60), ("boxes", 8, 64), ("check", 8, 32)])
def test_an_entrance_with_suggestions_takes_up_to_twice_as_many(stage: str, size: int, length: int) -> None:
    settings = parse_settings(
        {
            "protocol": "entities-fast",
            "regime": {"boxes": "trusted", "check": "trusted"},
            "items_a_page": {stage: size},
            "suggestions": {"set": 1},
        }
    )
    assert entrance_length(settings, stage) == length
    assert questions_needed(settings, stage)["gold"] == (length + 10 if stage == "boxes" else 40)


def test_a_regime_needs_what_it_asks() -> None:
    regime = {str(stage): "verification" if stage == Stage.LINK else "open" for stage in Stage}
    settings = BatchSettings(
        regime=regime, control=Control(set_questions=15), screening=Screening(test=False)
    )
    assert questions_needed(settings, "link") == {"gold": 15}
    assert questions_needed(settings, "drawing") == {}


def test_the_first_images_go_round_the_roles() -> None:
    there: dict[tuple[str, str], int] = {}
    roles = []
    for _ in range(4):
        role = next_role({"link": 4, "drawing": 4}, there, WANTED)
        roles.append(role)
        for stage in ("link", "drawing"):
            there[stage, role] = there.get((stage, role), 0) + 4
    assert roles == ["gold", "test", "training", "gold"]


def test_only_stages_that_the_image_serves_say_what_is_missing() -> None:
    there = {("link", "gold"): 40, ("link", "training"): 4}
    assert next_role({"link": 4, "drawing": 0}, there, WANTED) == "test"


def test_where_nothing_is_missing_there_is_more_gold() -> None:
    there = {("link", "gold"): 40, ("link", "training"): 4, ("link", "test"): 30}
    assert next_role({"link": 4}, there, WANTED) == "gold"
    assert next_role({}, {}, WANTED) == "gold"
    assert next_role({"link": 4}, {}, {"link": {}}) == "gold"


@given(st.integers(1, 60), st.integers(1, 8))
def test_every_role_has_what_it_needs_once_there_are_images_enough(spare: int, each: int) -> None:
    there: dict[tuple[str, str], int] = {}
    for _ in range(sum(-(-number // each) for number in WANTED["link"].values()) + spare):
        role = next_role({"link": each}, there, WANTED)
        there["link", role] = there.get(("link", role), 0) + each
    assert all(there["link", role] >= number for role, number in WANTED["link"].items())


@given(st.text(), st.integers())
def test_an_image_keeps_its_place_in_the_draw(name: str, seed: int) -> None:
    assert 0 <= image_place(name, seed) == image_place(name, seed) < 1


def test_another_seed_draws_another_order() -> None:
    names = [f"{number}.jpg" for number in range(10)]
    assert len({tuple(sorted(names, key=lambda name: image_place(name, seed))) for seed in range(5)}) == 5


def test_an_entrance_uses_up_whole_images_in_every_stage() -> None:
    questions = {"link": {1: 4, 2: 4, 3: 4, 4: 2}, "drawing": {1: 1, 2: 4, 3: 1, 5: 3}}
    assert left_over(questions, {"link": 6}) == {"link": 6}
    assert left_over(questions, {"link": 6, "drawing": 5}) == {"link": 6, "drawing": 4}
    assert left_over(questions, {"drawing": 5, "link": 6}) == {"link": 6, "drawing": 1}
    assert left_over(questions, {"link": 99}) == left_over({}, {"link": 3}) == {"link": 0}
    everything = left_over(questions, {"link": 0, "drawing": 0})
    assert everything == {stage: sum(counts.values()) for stage, counts in questions.items()}
    some = next(iter(questions["link"]))
    rest = left_over(questions, {"link": 0, "drawing": 0}, reserved={some})
    assert rest == {stage: all_ - questions[stage].get(some, 0) for stage, all_ in everything.items()}


@given(
    st.dictionaries(st.sampled_from("abc"), st.dictionaries(st.integers(1, 9), st.integers(1, 5))),
    st.dictionaries(st.sampled_from("abc"), st.integers(1, 12)),
)
def test_nothing_is_left_over_twice(questions: dict[str, dict[int, int]], entrances: dict[str, int]) -> None:
    for stage, left in left_over(questions, entrances).items():
        counts = questions.get(stage, {})
        assert 0 <= left <= max(0, sum(counts.values()) - entrances[stage])


def test_ids_tell_where_images_of_questions_were_imported_apart() -> None:
    assert told_by_ids(range(1, 41), range(41, 200)) and told_by_ids(range(200, 240), range(41, 200))
    assert told_by_ids([*range(1, 40), 60], range(41, 200)), "but one"
    assert not told_by_ids(range(1, 200, 7), range(2, 200, 7))
    assert not told_by_ids(range(1, 10), range(41, 200)), "too few to say"
    assert not told_by_ids([], [])


@given(st.integers())
def test_ids_do_not_tell_what_was_drawn_at_random(seed: int) -> None:
    asked = set(Random(seed).sample(range(300), 40))
    assert not told_by_ids(asked, set(range(300)) - asked)

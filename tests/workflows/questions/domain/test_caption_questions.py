"""Verification questions about whole captions."""

from __future__ import annotations

from random import Random

import pytest

from annotation.domain.answers import CampaignStage
from workflows.questions.domain.caption_questions import Graded, make_caption_question

OWN = ["A dog runs on grass .", "A brown dog runs .", "Dogs run over a lawn .", "A dog plays ."]
OTHERS = [f"{name} in a kitchen ." for name in ("Cups", "Plates", "Knives", "Forks", "Spoons", "Pans")]
OTHERS += [f"{name} at sea ." for name in ("Boats", "Sailors", "Gulls", "Waves", "Whales")]
SHARES_A_WORD = "Two dogs sleep ."


@pytest.mark.parametrize("seed", range(20))
def test_a_control_has_one_to_three_own_captions_among_ten(seed: int) -> None:
    made = make_caption_question(CampaignStage.RELEVANCE, OWN, [*OTHERS, SHARES_A_WORD], Random(seed))
    assert made is not None and len(made.captions) == len(set(made.captions)) == 10
    describes = made.answer["describes"]
    assert 1 <= sum(describes) <= 3
    assert [text in OWN for text in made.captions] == describes
    assert SHARES_A_WORD not in made.captions


def test_the_own_captions_of_controls_are_in_any_place() -> None:
    places = set()
    for seed in range(100):
        made = make_caption_question(CampaignStage.RELEVANCE, OWN, OTHERS, Random(seed))
        assert made is not None
        places |= {at for at, one in enumerate(made.answer["describes"]) if one}
    assert places == set(range(10))


@pytest.mark.parametrize(
    ("own", "others"), [([], OTHERS), (OWN, OTHERS[:3]), (OWN, [SHARES_A_WORD] * 20), (OWN, OTHERS[:1] * 20)]
)
def test_no_control_is_made_of_too_few_captions(own: list[str], others: list[str]) -> None:
    assert make_caption_question(CampaignStage.RELEVANCE, own, others, Random(1)) is None


@pytest.mark.parametrize(
    ("stage", "right", "wrong"),
    [
        (CampaignStage.GRADING, {"grade": 4}, {"grade": 1}),
        (CampaignStage.CAPTION_CHECK, {"caption": "right"}, {"caption": "wrong"}),
    ],
)
def test_questions_about_one_caption_are_of_both_kinds(
    stage: CampaignStage, right: dict[str, object], wrong: dict[str, object]
) -> None:
    made = [make_caption_question(stage, OWN, OTHERS, Random(seed)) for seed in range(200)]
    own = [one for one in made if one and one.captions[0] in OWN]
    other = [one for one in made if one and one.captions[0] in OTHERS]
    assert len(own) + len(other) == 200 and 70 < len(own) < 130
    assert all(one.answer == right and one.kind == "own" for one in own)
    assert all(one.answer == wrong and one.kind == "other" for one in other)


@pytest.mark.parametrize("seed", range(20))
def test_captions_that_experts_found_wrong_come_first_and_right_ones_never(seed: int) -> None:
    graded = Graded(wrong=[SHARES_A_WORD], not_wrong={OTHERS[0]}, not_right={OWN[0]})
    made = make_caption_question(CampaignStage.RELEVANCE, OWN, OTHERS, Random(seed), graded)
    assert made is not None and SHARES_A_WORD in made.captions
    assert OTHERS[0] not in made.captions and OWN[0] not in made.captions
    assert not made.answer["describes"][made.captions.index(SHARES_A_WORD)]


def test_an_explanation_says_which_captions_are_the_image_s_own() -> None:
    for seed in range(20):
        made = make_caption_question(CampaignStage.RELEVANCE, OWN, OTHERS, Random(seed))
        assert made is not None
        said = made.explanation.partition(" w")[0].removeprefix("Captions ").removeprefix("Caption ")
        places = [int(place) for place in said.replace(" and", ",").split(", ")]
        assert [made.captions[place - 1] in OWN for place in places] == [True] * sum(made.answer["describes"])


def test_writing_has_no_such_questions() -> None:
    with pytest.raises(ValueError, match="writing"):
        make_caption_question(CampaignStage.WRITING, OWN, OTHERS, Random(1))

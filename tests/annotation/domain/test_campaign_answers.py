"""Answers of the campaigns that collect captions, and that judge which captions fit."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.answer_labels import NAMES, label_of
from annotation.domain.answers import (
    MAX_CAPTION_LENGTH,
    Answer,
    AnswerError,
    CampaignStage,
    CaptionCheckAnswer,
    CaptionJudgment,
    GradingAnswer,
    RelevanceAnswer,
    WritingAnswer,
    parse_answer,
    to_json,
)
from annotation.domain.protocols import (
    ALL_STAGES,
    CAMPAIGNS,
    ENTITIES_STAGES,
    PROTOCOL_STAGES,
    Campaign,
    protocols_of,
)

WRITING, CHECK, GRADING, RELEVANCE = CampaignStage


@pytest.mark.parametrize(
    ("stage", "data", "answer", "label"),
    [
        (WRITING, {"caption": "A man rides a horse ."}, WritingAnswer("A man rides a horse ."), "caption"),
        (CHECK, {"caption": "right"}, CaptionCheckAnswer(CaptionJudgment.RIGHT), "right"),
        (CHECK, {"caption": "minor"}, CaptionCheckAnswer(CaptionJudgment.MINOR), "minor"),
        (CHECK, {"caption": "wrong"}, CaptionCheckAnswer(CaptionJudgment.WRONG), "wrong"),
        *((GRADING, {"grade": n}, GradingAnswer(n), str(n)) for n in (1, 2, 3, 4)),
        (RELEVANCE, {"describes": [False, True]}, RelevanceAnswer((False, True)), "some"),
        (RELEVANCE, {"describes": [False] * 10}, RelevanceAnswer((False,) * 10), "none"),
    ],
)
def test_an_answer_of_a_campaign_is_read_written_back_and_counted(
    stage: CampaignStage, data: dict[str, Any], answer: Answer, label: str
) -> None:
    assert parse_answer(str(stage), data) == answer
    assert to_json(answer) == data
    assert NAMES[stage][label_of(stage, data)] == label


@pytest.mark.parametrize(
    ("stage", "data", "field"),
    [
        (WRITING, {}, "caption"),
        (WRITING, {"caption": "A dog .", "grade": 1}, "grade"),
        (WRITING, {"caption": None}, "caption"),
        (WRITING, {"caption": " \n "}, "caption"),
        (WRITING, {"caption": "A dog .\nA cat ."}, "caption"),
        (WRITING, {"caption": "A dog .\u2028A cat ."}, "caption"),
        (WRITING, {"caption": "A\tdog"}, "caption"),
        (WRITING, {"caption": "A\0dog"}, "caption"),
        (WRITING, {"caption": "A \ud800 dog"}, "caption"),
        (WRITING, {"caption": "1 2 3 !"}, "caption"),
        (WRITING, {"caption": "a" * (MAX_CAPTION_LENGTH + 1)}, "caption"),
        (CHECK, {"caption": "good"}, "caption"),
        (CHECK, {"caption": ["right"]}, "caption"),
        (GRADING, {"grade": 0}, "grade"),
        (GRADING, {"grade": 5}, "grade"),
        (GRADING, {"grade": True}, "grade"),
        (GRADING, {"grade": 3.0}, "grade"),
        (GRADING, {"grade": "3"}, "grade"),
        (RELEVANCE, {"describes": []}, "describes"),
        (RELEVANCE, {"describes": [1, 0]}, "describes"),
        (RELEVANCE, {"describes": True}, "describes"),
        (RELEVANCE, {"describes": [True] * 11}, "describes"),
    ],
)
def test_a_wrong_answer_of_a_campaign_is_refused_with_its_field(
    stage: CampaignStage, data: dict[str, Any], field: str
) -> None:
    with pytest.raises(AnswerError) as caught:
        parse_answer(stage, data)
    assert caught.value.field == field


def test_an_answer_of_relevance_is_about_every_caption_shown() -> None:
    assert parse_answer(RELEVANCE, {"describes": [True, False]}, captions=2) == RelevanceAnswer((True, False))
    with pytest.raises(AnswerError, match="each of the 3 captions"):
        parse_answer(RELEVANCE, {"describes": [True, False]}, captions=3)


def test_spaces_around_a_caption_have_no_meaning() -> None:
    assert parse_answer(WRITING, {"caption": "  A dog .\n"}) == WritingAnswer("A dog .")
    longest = ("abcd " * MAX_CAPTION_LENGTH)[: MAX_CAPTION_LENGTH - 1] + "."
    assert parse_answer(WRITING, {"caption": f" {longest} "}) == WritingAnswer(longest)
    with pytest.raises(AnswerError, match="has a word of more than 100 characters"):
        parse_answer(WRITING, {"caption": "a" * 101})


@given(
    st.sampled_from(CampaignStage),
    st.dictionaries(
        st.sampled_from(["caption", "grade", "describes"]),
        st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.lists(st.booleans()),
    ),
)
def test_whatever_json_comes_to_a_campaign_is_an_answer_or_an_answer_error(
    stage: CampaignStage, data: dict[str, Any]
) -> None:
    try:
        answer = parse_answer(stage, data)
    except AnswerError:
        return
    assert parse_answer(stage, to_json(answer)) == answer


def test_every_protocol_belongs_to_a_campaign_that_has_its_stages() -> None:
    assert set(CAMPAIGNS) == set(PROTOCOL_STAGES)
    assert protocols_of(Campaign.ENTITIES) == ("flickr30k-entities", "entities-fast")
    assert protocols_of(Campaign.CAPTIONS) == ("captions",)
    assert protocols_of(Campaign.RELEVANCE) == ("relevance-expert", "relevance-crowd")
    for protocol, campaign in CAMPAIGNS.items():
        of_chains = campaign is Campaign.ENTITIES
        assert all((stage in ENTITIES_STAGES) == of_chains for stage in PROTOCOL_STAGES[protocol])
    assert set(ALL_STAGES) == {stage for stages in PROTOCOL_STAGES.values() for stage in stages}

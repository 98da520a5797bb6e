"""What the batches of campaigns take: a forecast from their settings, and from the captions to judge."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from workflows.batch_settings.domain.protocol_stages import SECONDS
from workflows.batch_settings.domain.settings import BatchSettings, parse_settings
from workflows.batches.domain.forecast import Forecast, answers_needed, forecast, further_items
from workflows.batches.domain.knowledge import Knowledge
from workflows.batches.domain.link_work import ImageShape
from workflows.batches.domain.team import people_needed, stages_short_of_people


def settings(protocol: str, **more: Any) -> BatchSettings:
    return parse_settings({"protocol": protocol, "regime": "open", **more})


def takes(given: BatchSettings, sample: list[ImageShape] | None = None, images: int = 100) -> Forecast:
    return forecast(sample or [[]], images, given, workers=5, rng=Random(3))


def test_five_captions_are_written_and_checked_and_some_are_written_again() -> None:
    found = takes(settings("captions"))
    assert set(found.stages) == {"writing", "caption_check"}
    writing, check = found.stages["writing"], found.stages["caption_check"]
    assert writing.items.middle == pytest.approx(100, rel=0.1)
    assert 500 < writing.judgments.middle < 580 and check.judgments.middle == pytest.approx(
        writing.judgments.middle, rel=0.05
    )
    assert writing.judgments.low < writing.judgments.middle < writing.judgments.high
    assert writing.hours.middle == pytest.approx(
        writing.judgments.middle * SECONDS["writing"] / 3600, rel=0.3
    )


def test_without_checks_nobody_checks() -> None:
    found = takes(settings("captions", captions={"check": False, "wanted": 3}))
    assert found.stages["caption_check"].judgments.high == 0
    assert found.stages["writing"].judgments.middle == pytest.approx(315, rel=0.1)


def test_every_question_takes_as_many_judgments_as_there_are_judges() -> None:
    four: list[ImageShape] = [[()] * 4]
    found = takes(settings("relevance-crowd", reward={"relevance": 10}), four)
    one = found.stages["relevance"]
    assert (one.items.middle, one.judgments.middle) == pytest.approx((400, 1200), rel=0.1)
    assert one.money.middle == pytest.approx(one.judgments.middle / 6 * 10, rel=0.05)
    again = takes(settings("relevance-expert", relevance={"judges": 5}), four)
    assert again.stages["grading"].judgments.middle == pytest.approx(2000, rel=0.1)
    assert takes(settings("relevance-expert"), [[]]).total.judgments.high == 0


def test_controls_are_paid_and_everybody_enters_a_stage_with_an_entrance() -> None:
    sample: list[ImageShape] = [[()]]
    plain = takes(settings("relevance-crowd"), sample).stages["relevance"]
    controlled = takes(parse_settings({"protocol": "relevance-crowd"}), sample).stages["relevance"]
    assert controlled.pages.middle == pytest.approx(plain.pages.middle * 6 / 5, rel=0.35)
    entered = takes(parse_settings({"protocol": "relevance-expert"}), sample).stages["grading"]
    assert entered.pages.middle > 300 / 10 + 3 * 5, "three pages of questions for each of five people"


def test_a_campaign_has_no_visits() -> None:
    given = settings("captions", page="visit")
    assert further_items([[]], 100, given, workers=5, rng=Random(3), knowledge=Knowledge()) == {}
    assert answers_needed([[]], 100, given, rng=Random(3))["writing"].middle > 500


def test_people_who_write_judge_or_check_are_others_each_time() -> None:
    assert people_needed(settings("captions")) == {"writing": 5, "caption_check": 2}
    assert people_needed(settings("relevance-crowd", relevance={"judges": 4})) == {"relevance": 4}
    assert stages_short_of_people(settings("captions"), {"writing": 3, "caption_check": 3}) == {"writing": 5}

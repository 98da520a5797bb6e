"""How many pages a batch takes, and how full they are."""

from __future__ import annotations

from random import Random

import pytest

from annotation.domain.answers import Stage
from annotation.domain.protocols import ALL_STAGES, ENTITIES_PROTOCOLS, PROTOCOL_STAGES
from workflows.batch_settings.domain.protocol_groups import Limits
from workflows.batch_settings.domain.protocol_stages import REJECTED, SECONDS
from workflows.batch_settings.domain.settings import BatchSettings, parse_settings
from workflows.batches.domain.chain_course import Crowd, chain_course
from workflows.batches.domain.forecast import forecast
from workflows.batches.domain.page_course import Played, Work, courses, play

WORK = Work(links=20.0, alone={"people": 2.0, "scene": 1.0}, several={"people": 1.5, "other": 1.5})
NOBODY_FAILS = dict.fromkeys(ALL_STAGES, 0.0)


def played(
    images: int, workers: int, *, rejected: dict[str, float] | None = None, **settings: object
) -> Played:
    return play(
        WORK,
        images,
        parse_settings({"regime": "open", **settings}),
        workers=workers,
        seconds=SECONDS,
        rejected=rejected or NOBODY_FAILS,
        rng=Random(3),
    )


def fill(found: Played) -> float:
    """Return how many judgments a page has on average."""
    return sum(found.judgments.values()) / sum(found.pages.values())


def test_one_person_fills_pages_that_many_share() -> None:
    """With 20 people for six images, everybody takes what has just been asked."""
    few, many = played(6, 2), played(6, 20)
    assert fill(few) > 1.5 * fill(many)
    assert sum(many.pages.values()) > 1.5 * sum(few.pages.values())


def test_pages_of_more_images_are_fuller() -> None:
    assert fill(played(60, 8)) > 1.3 * fill(played(6, 8))


def test_every_judgment_is_on_a_page_that_has_room_for_it() -> None:
    settings, found = BatchSettings(), played(20, 5)
    for stage, judgments in found.judgments.items():
        assert found.pages[stage] <= judgments <= found.pages[stage] * settings.items_a_page[stage]
    assert not any(found.entrances.values()), "there is no entrance"


def test_with_visits_everything_is_judged_and_most_of_it_about_a_photograph_that_is_there() -> None:
    usual, visits = played(20, 5), played(20, 5, page="visit")
    assert not usual.further
    for stage, judgments in visits.judgments.items():
        assert visits.further[stage] < judgments <= visits.pages[stage] * 10
        assert 0.8 * usual.judgments[stage] < judgments < 1.25 * usual.judgments[stage]
    assert visits.further[Stage.LINK] > 0.5 * visits.judgments[Stage.LINK]


def test_everybody_who_gets_work_answers_the_whole_entrance() -> None:
    found = played(20, 5, regime="trusted")
    assert found.entrances[Stage.LINK] == 5 * 3, "30 questions on pages of ten"
    assert found.entrances[Stage.DRAWING] == 5 * 6, "and of five"


def test_whoever_fails_is_replaced_until_the_work_is_done() -> None:
    found = played(6, 2, rejected=dict(REJECTED) | {Stage.QUALITY: 0.9}, regime="trusted")
    assert found.entrances[Stage.QUALITY] > 2 * 3
    assert found.judgments[Stage.COVERAGE] > 0, "which comes after quality"


def test_rejected_pages_are_asked_again() -> None:
    asked = played(20, 6, regime="verification").judgments
    again = played(20, 6, regime="verification", rejected=dict.fromkeys(map(str, Stage), 0.4)).judgments
    assert again[Stage.LINK] > 1.3 * asked[Stage.LINK]


def test_on_a_platform_pages_wait_for_a_round_and_are_fuller() -> None:
    crowd = {"provider": "mturk", "cap": 1000}
    assert fill(played(6, 8, crowd=crowd)) > fill(played(6, 8))


def test_nothing_to_do_takes_nothing() -> None:
    nothing = play(
        Work(0.0, {}, {}),
        3,
        BatchSettings(),
        workers=4,
        seconds=SECONDS,
        rejected=NOBODY_FAILS,
        rng=Random(1),
    )
    assert not nothing.judgments and not nothing.pages


@pytest.mark.parametrize("boxes", [0, 1, 2])
def test_courses_follow_the_rules(boxes: int) -> None:
    settings = BatchSettings()
    found = courses(settings.protocol, settings.limits, boxes, Stage.REQUIREMENT, False)
    assert {way[0] for way in found} == {(str(Stage.VERIFICATION), False)}
    assert {way[1] for way in found} == {(str(Stage.REQUIREMENT), False)}
    drawn = sum(stage == Stage.DRAWING for way in found for stage, _ in way) / len(found)
    assert drawn >= boxes or boxes == 0
    assert found == courses(settings.protocol, settings.limits, boxes, Stage.REQUIREMENT, False)


@pytest.mark.parametrize("protocol", ENTITIES_PROTOCOLS)
@pytest.mark.parametrize("boxes", [0, 2])
def test_courses_take_what_a_chain_is_expected_to_take(protocol: str, boxes: int) -> None:
    prior = 0.77 if protocol == "entities-fast" else None
    ways = courses(protocol, Limits(), boxes, Stage.REQUIREMENT, True, prior)
    expected = chain_course(protocol, Limits(), Crowd(), boxes, Stage.REQUIREMENT, prior)
    drawn = sum(len(way) for way in ways) / len(ways)
    assert drawn == pytest.approx(sum(one.judgments for one in expected.values()), rel=0.25)
    assert {stage for way in ways for stage, _ in way} <= set(expected) <= set(PROTOCOL_STAGES[protocol])


def test_a_play_has_the_stages_of_its_protocol() -> None:
    found = played(6, 3, regime="trusted", protocol="entities-fast")
    assert set(found.judgments) == {"link", "requirement", "boxes", "check"}, "nobody verifies chains"
    assert found.judgments["check"] >= found.judgments["boxes"] > 0


def test_what_twelve_images_cost_is_in_the_range() -> None:
    """Twelve images were forecast at 21.02 to 33.59 dollars when all pages counted as full."""
    shape = [["people", "scene"], ["people", "other"], ["people"], ["people", "clothing"], ["people"]]
    sample = [[[(kind,) for kind in caption] for caption in shape]] * 12
    settings = parse_settings({"regime": "open", "reward": dict.fromkeys(map(str, Stage), 30)})
    seen = forecast(sample, 12, settings, workers=8, rng=Random(1))
    full = sum(one.judgments.middle / settings.items_a_page[stage] * 30 for stage, one in seen.stages.items())
    assert seen.total.cost == seen.total.money, "direct workers cost their rewards"
    assert seen.total.cost.low > full, "pages that are not full are in the range"
    assert (seen.total.cost.high - seen.total.cost.low) / 2 <= 0.4 * seen.total.cost.middle


def test_prices_are_what_a_page_costs_altogether() -> None:
    sample = [[[("people",)], [("people",)]]] * 6
    settings = parse_settings({"regime": "open", "reward": dict.fromkeys(map(str, Stage), 30)})
    prices = dict.fromkeys(map(str, Stage), 36.0)
    seen = forecast(sample, 6, settings, workers=3, rng=Random(1), prices=prices)
    assert seen.total.cost.middle == pytest.approx(1.2 * seen.total.money.middle)

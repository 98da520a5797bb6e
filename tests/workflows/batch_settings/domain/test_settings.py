from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.answers import Stage
from annotation.domain.protocols import ENTITIES_PROTOCOLS, PROTOCOL_STAGES, Campaign
from annotation.domain.types import TYPES
from workflows.batch_settings.domain.protocol_groups import Limits
from workflows.batch_settings.domain.quality_control import Control, OnLoss, Regime, Screening
from workflows.batch_settings.domain.setting_fields import SettingsError
from workflows.batch_settings.domain.settings import (
    BY_STAGE,
    CERTAINTY_NAMES,
    METHODS,
    PROTOCOL_NAMES,
    SETTLE_NAMES,
    STRATEGY_NAMES,
    BatchSettings,
    most_unsure,
    parse_settings,
    stages_by_need,
)
from workflows.pipeline.domain.link_courses import CERTAINTIES
from workflows.pipeline.domain.link_strategies import SETTLING, STRATEGIES
from workflows.pipeline.domain.moves import PROTOCOLS


def test_the_defaults_are_those_of_the_paper() -> None:
    settings = BatchSettings()
    assert parse_settings({}) == settings
    assert settings.strategy == "greedy_plus"
    assert set(settings.regime.values()) == {"trusted"}
    assert (settings.control.entrance, settings.control.recent) == (30, 30)
    assert (settings.control.trusted_share, settings.control.verification_share) == (0.02, 0.20)
    assert settings.control.box_iou == 0.7
    assert (settings.screening.completed, settings.screening.approval) == (500, 0.95)
    assert dict(settings.items_a_page) == {
        "link": 10,
        "verification": 5,
        "requirement": 10,
        "drawing": 5,
        "quality": 10,
        "coverage": 10,
    }
    assert dict(settings.minimum_score) == {
        "link": 0.80,
        "verification": 0.83,
        "requirement": 0.83,
        "drawing": 0.70,
        "quality": 0.78,
        "coverage": 0.80,
    }
    assert set(settings.skip_requirement) == {"people", "clothing", "bodyparts"}
    assert settings.limits == Limits(returns=2, fruitless=3, rejected=5)


def test_by_default_nothing_is_paid_and_workers_choose_how_to_draw() -> None:
    settings = BatchSettings()
    assert settings.drawing == "either"
    assert dict(settings.reward) == dict.fromkeys(Stage, 0)
    assert settings.currency == "USD"


def test_a_share_of_a_page_may_be_answered_cannot_tell_but_not_by_default_and_not_in_drawing() -> None:
    assert most_unsure(BatchSettings(), "link", 10) == 0
    few = parse_settings({"unsure_share": 0.07})
    assert [most_unsure(few, "coverage", items) for items in (1, 10, 15, 100)] == [1, 1, 2, 7]
    assert most_unsure(few, "drawing", 10) == most_unsure(few, "boxes", 10) == 0


def test_the_names_to_choose_from_are_those_of_the_pipelines_tables() -> None:
    assert set(ENTITIES_PROTOCOLS) == set(PROTOCOLS)
    assert set(STRATEGY_NAMES) == {*STRATEGIES, "posterior"}
    assert set(CERTAINTY_NAMES) == set(CERTAINTIES)
    assert set(SETTLE_NAMES) == set(SETTLING)
    assert BatchSettings().protocol in PROTOCOLS
    assert BatchSettings().strategy in STRATEGIES


def test_one_number_a_stage_leaves_the_other_stages_alone() -> None:
    settings = parse_settings(
        {
            "items_a_page": {"link": 20},
            "minimum_score": {"drawing": 1},
            "priorities": {"coverage": 5},
            "limits": {"rejected": 9},
        }
    )
    assert settings.items_a_page["link"] == 20
    assert settings.items_a_page["verification"] == 5
    assert settings.minimum_score["drawing"] == 1
    assert settings.minimum_score["link"] == 0.80
    assert settings.priorities["coverage"] == 5
    assert settings.limits == Limits(returns=2, fruitless=3, rejected=9)


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ({"lease": 60}, "lease"),
        ({"protocol": "imagenet"}, "protocol"),
        ({"protocol": None}, "protocol"),
        ({"strategy": "clever"}, "strategy"),
        ({"strategy": ["greedy"]}, "strategy"),
        ({"regime": ""}, "regime"),
        ({"regime": None}, "regime"),
        ({"regime": ["trusted"]}, "regime"),
        ({"regime": {"link": "strict"}}, "regime"),
        ({"regime": {"link": ["open"]}}, "regime"),
        ({"regime": {"links": "open"}}, "regime.links"),
        ({"control": 30}, "control"),
        ({"control": {"entry": 30}}, "control.entry"),
        ({"control": {"entrance": 0}}, "control.entrance"),
        ({"control": {"recent": 30.0}}, "control.recent"),
        ({"control": {"trusted_share": 0.6}}, "control.trusted_share"),
        ({"control": {"verification_share": float("nan")}}, "control.verification_share"),
        ({"control": {"box_iou": "0.7"}}, "control.box_iou"),
        ({"control": {"idle_seconds": 59}}, "control.idle_seconds"),
        ({"control": {"idle_seconds": 3600.0}}, "control.idle_seconds"),
        ({"control": {"on_loss": "forget"}}, "control.on_loss"),
        ({"control": {"on_loss": ["keep"]}}, "control.on_loss"),
        ({"screening": True}, "screening"),
        ({"screening": {"hits": 500}}, "screening.hits"),
        ({"screening": {"approval": 95}}, "screening.approval"),
        ({"screening": {"completed": -1}}, "screening.completed"),
        ({"screening": {"test": 1}}, "screening.test"),
        ({"weekly_feedback": 1}, "weekly_feedback"),
        ({"screening": {"tries": 0}}, "screening.tries"),
        ({"screening": {"wait_seconds": 0.5}}, "screening.wait_seconds"),
        ({"pass_mark": {"link": 80}}, "pass_mark.link"),
        ({"seed": "7"}, "seed"),
        ({"seed": 2**63}, "seed"),
        ({"seed": True}, "seed"),
        ({"lease_seconds": 29}, "lease_seconds"),
        ({"lease_seconds": 60.0}, "lease_seconds"),
        ({"lease_seconds": 604_801}, "lease_seconds"),
        ({"minimum_side": 0}, "minimum_side"),
        ({"target": 0}, "target"),
        ({"target": "all"}, "target"),
        ({"items_a_page": 10}, "items_a_page"),
        ({"items_a_page": {"links": 10}}, "items_a_page.links"),
        ({"items_a_page": {"link": 0}}, "items_a_page.link"),
        ({"items_a_page": {"link": 101}}, "items_a_page.link"),
        ({"items_a_page": {"link": 1.5}}, "items_a_page.link"),
        ({"items_a_page": {"link": True}}, "items_a_page.link"),
        ({"minimum_score": [0.8]}, "minimum_score"),
        ({"minimum_score": {"link": 1.01}}, "minimum_score.link"),
        ({"minimum_score": {"link": -0.1}}, "minimum_score.link"),
        ({"minimum_score": {"link": float("nan")}}, "minimum_score.link"),
        ({"minimum_score": {"link": "80%"}}, "minimum_score.link"),
        ({"priorities": {"link": 1001}}, "priorities.link"),
        ({"priorities": {"link": None}}, "priorities.link"),
        ({"skip_requirement": "people"}, "skip_requirement"),
        ({"skip_requirement": ["Person"]}, "skip_requirement"),
        ({"skip_requirement": [["people"]]}, "skip_requirement"),
        ({"skip_requirement": None}, "skip_requirement"),
        ({"limits": 3}, "limits"),
        ({"drawing": "lasso"}, "drawing"),
        ({"check": {"preset": "bad"}}, "check.preset"),
        ({"check": {"pre": "good"}}, "check.pre"),
        ({"unsure_share": 0.6}, "unsure_share"),
        ({"unsure_share": "some"}, "unsure_share"),
        ({"reward": 5}, "reward"),
        ({"reward": {"link": 0.05}}, "reward.link"),
        ({"reward": {"link": -1}}, "reward.link"),
        ({"reward": {"link": 1_000_001}}, "reward.link"),
        ({"reward": {"links": 5}}, "reward.links"),
        ({"currency": "usd"}, "currency"),
        ({"currency": "US"}, "currency"),
        ({"currency": "EUR\n"}, "currency"),
        ({"currency": None}, "currency"),
        ({"limits": {"cycles": 3}}, "limits.cycles"),
        ({"limits": {"returns": 0}}, "limits.returns"),
        ({"limits": {"fruitless": 2.0}}, "limits.fruitless"),
        ({"limits": {"rejected": 1001}}, "limits.rejected"),
    ],
)
def test_a_setting_that_cannot_be_used_is_named(data: dict[str, Any], field: str) -> None:
    with pytest.raises(SettingsError) as caught:
        parse_settings(data)
    assert caught.value.field == field
    assert str(caught.value).startswith(f"{field}: ")


def numbers(low: int, high: int) -> st.SearchStrategy[dict[str, int]]:
    return st.dictionaries(st.sampled_from([str(stage) for stage in Stage]), st.integers(low, high))


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "strategy": st.sampled_from(STRATEGY_NAMES),
            "certainty": st.sampled_from(CERTAINTY_NAMES),
            "human_yes": st.booleans(),
            "prior": st.none() | st.integers(1, 10**9),
            "regime": st.dictionaries(st.sampled_from(list(Stage)), st.sampled_from(list(Regime))),
            "control": st.fixed_dictionaries(
                {},
                optional={
                    "entrance": st.integers(1, 1000),
                    "idle_seconds": st.integers(60, 31_536_000),
                    "trusted_share": st.floats(0, 0.5),
                    "on_loss": st.sampled_from(list(OnLoss)),
                },
            ),
            "screening": st.fixed_dictionaries(
                {}, optional={"tries": st.integers(1, 100), "test": st.booleans()}
            ),
            "pass_mark": st.dictionaries(st.sampled_from(["link", "drawing"]), st.floats(0, 1)),
            "seed": st.integers(-(2**63), 2**63 - 1),
            "lease_seconds": st.integers(30, 604_800),
            "minimum_side": st.integers(1, 1000),
            "target": st.none() | st.integers(1, 10**9),
            "items_a_page": numbers(1, 100),
            "minimum_score": st.dictionaries(st.sampled_from(["link", "drawing"]), st.floats(0, 1)),
            "priorities": numbers(-1000, 1000),
            "drawing": st.sampled_from(METHODS),
            "reward": numbers(0, 1_000_000),
            "currency": st.from_regex("[A-Z]{3}", fullmatch=True),
            "skip_requirement": st.lists(st.sampled_from(TYPES), unique=True),
            "limits": st.dictionaries(
                st.sampled_from(["returns", "fruitless", "rejected"]), st.integers(1, 1000)
            ),
        },
    )
)
def test_settings_go_through_json_and_back(data: dict[str, Any]) -> None:
    settings = parse_settings(data)
    assert parse_settings(json.loads(json.dumps(settings.to_json()))) == settings
    given_plainly = {name: value for name, value in data.items() if not isinstance(value, dict | list)}
    assert {name: getattr(settings, name) for name in given_plainly} == given_plainly


@pytest.mark.parametrize(
    ("free", "priorities", "order"),
    [
        ({}, {}, []),
        ({"link": 0, "drawing": 0}, {}, []),
        # if both fill a page, the later stage comes first: chains are finished before new ones begin
        ({"link": 10, "drawing": 5, "coverage": 10}, {}, ["coverage", "drawing", "link"]),
        # a full page comes before one that is not full
        ({"link": 10, "coverage": 9}, {}, ["link", "coverage"]),
        ({"link": 3, "coverage": 1}, {}, ["coverage", "link"]),
        # the researcher's priority comes before both
        ({"link": 1, "coverage": 10}, {"link": 1}, ["link", "coverage"]),
        ({"link": 10, "coverage": 1}, {"link": -1}, ["coverage", "link"]),
    ],
)
def test_a_worker_who_takes_any_work_gets_the_most_needed(
    free: dict[str, int], priorities: dict[str, int], order: list[str]
) -> None:
    assert stages_by_need(free, parse_settings({"priorities": priorities})) == order


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({"reward": {"link": 0.05}}, "a whole number of the currency's smallest unit"),
        ({"items_a_page": {"link": 1.5}}, "a whole number from 1 to 100"),
        ({"control": {"entrance": 2.5}}, "a whole number from 1 to"),
        ({"control": {"recent": 2.5}}, "a whole number from 1 to"),
    ],
)
def test_what_must_be_whole_is_said_to(data: dict[str, Any], says: str) -> None:
    with pytest.raises(SettingsError, match=says):
        parse_settings(data)


def test_one_word_is_the_regime_of_every_stage() -> None:
    assert set(parse_settings({"regime": "open"}).regime.values()) == {Regime.OPEN}


def test_a_regime_by_stage_leaves_the_others_alone() -> None:
    regime = parse_settings({"regime": {"drawing": "verification"}}).regime
    assert regime["drawing"] == "verification"
    assert {regime[stage] for stage in Stage if stage != Stage.DRAWING} == {"trusted"}


def test_what_is_not_given_of_a_group_keeps_its_default() -> None:
    settings = parse_settings({"control": {"entrance": 10}, "screening": {"tries": 1}})
    assert settings.control == Control(entrance=10)
    assert settings.screening == Screening(tries=1)


@pytest.mark.parametrize("protocol", ENTITIES_PROTOCOLS)
def test_a_protocol_about_chains_decides_all_its_stages(protocol: str) -> None:
    assert set(PROTOCOL_STAGES[protocol]) == {Stage.LINK, *PROTOCOLS[protocol].decide}


@pytest.mark.parametrize("protocol", PROTOCOL_NAMES)
def test_settings_by_stage_have_the_stages_of_the_protocol(protocol: str) -> None:
    first, *_ = stages = PROTOCOL_STAGES[protocol]
    settings = parse_settings({"protocol": protocol, "reward": {first: 7}, "regime": "open"})
    data = settings.to_json()
    assert all(list(data[name]) == list(stages) for name in BY_STAGE)
    assert (settings.reward[first], settings.regime[first]) == (7, "open")
    assert parse_settings(data) == settings


def test_a_page_of_relevance_is_six_images_one_of_which_is_a_control() -> None:
    settings = parse_settings({"protocol": "relevance-crowd"})
    assert settings.campaign is Campaign.RELEVANCE
    assert (settings.items_a_page["relevance"], settings.regime["relevance"]) == (6, "verification")
    assert settings.control.verification_share * 6 == 1
    assert settings.minimum_score["relevance"] == settings.pass_mark["relevance"] == 0.70
    assert settings.relevance.judges == 3
    fewer = parse_settings({"protocol": "relevance-crowd", "control": {"entrance": 5}})
    assert fewer.control == Control(entrance=5, verification_share=1 / 6)
    assert parse_settings({"protocol": "relevance-expert"}).control == Control()


def test_how_many_captions_and_judges_a_campaign_wants() -> None:
    settings = parse_settings({"protocol": "captions", "captions": {"wanted": 3, "check": False}})
    assert (settings.captions.wanted, settings.captions.check) == (3, False)
    assert parse_settings(settings.to_json()) == settings
    assert (BatchSettings().captions.wanted, BatchSettings().captions.check) == (5, True)
    for data, field in (
        ({"captions": {"wanted": 0}}, "captions.wanted"),
        ({"captions": {"check": 1}}, "captions.check"),
        ({"captions": {"refused": -1}}, "captions.refused"),
        ({"relevance": {"judges": "3"}}, "relevance.judges"),
        ({"relevance": {"people": 3}}, "relevance.people"),
    ):
        with pytest.raises(SettingsError, match=f"^{field}: "):
            parse_settings(data)


def test_a_stage_of_another_protocol_is_named() -> None:
    for protocol, stage in (("entities-fast", "drawing"), ("flickr30k-entities", "check")):
        with pytest.raises(SettingsError, match=f"^reward.{stage}: is not a stage; the stages are link, "):
            parse_settings({"protocol": protocol, "reward": {stage: 1}})


def test_new_boxes_are_good_or_have_to_be_judged() -> None:
    assert BatchSettings().check.preset == "good"
    settings = parse_settings({"check": {"preset": "none"}})
    assert settings.check.preset == "none"
    assert parse_settings(settings.to_json()) == settings


def test_without_a_protocol_it_is_the_papers() -> None:
    assert parse_settings({}) == parse_settings({"protocol": PROTOCOL_NAMES[0]}) == BatchSettings()

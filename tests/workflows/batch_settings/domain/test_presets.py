"""Settings to begin a batch with."""

from __future__ import annotations

from annotation.domain.answers import Stage
from workflows.batch_settings.domain.paper import PAGE_SECONDS
from workflows.batch_settings.domain.presets import (
    KNOWN,
    PAID,
    PAPER,
    PRESETS,
    preset_after,
    preset_settings,
    rewards_for,
    with_fewer_questions,
)
from workflows.batch_settings.domain.settings import BatchSettings


def test_every_preset_can_be_used() -> None:
    assert {name for name in PRESETS if preset_settings(name).to_json()} == {KNOWN, PAID, PAPER}


def test_the_paper_is_what_the_defaults_are() -> None:
    assert preset_settings(PAPER) == BatchSettings()


def test_people_one_knows_need_no_questions_and_finish_on_their_own() -> None:
    settings = preset_settings(KNOWN)
    assert set(settings.regime.values()) == {"open"} and not settings.screening.test
    assert (settings.author_after_hours, settings.unsure_share) == (24, 0.1)
    assert [preset_settings(name).unsure_share for name in (PAID, PAPER)] == [0, 0]


def test_rewards_pay_the_wage_at_the_papers_times() -> None:
    rewards = rewards_for(1200)
    for stage in Stage:
        assert 1200 <= 3600 * rewards[stage] / PAGE_SECONDS[stage] < 1200 + 3600 / PAGE_SECONDS[stage]
    assert rewards_for(0) == dict.fromkeys(map(str, Stage), 0)
    assert dict(preset_settings(PAID).reward) == rewards_for(preset_settings(PAID).crowd.hourly_wage)


def test_fewer_questions_leave_everything_else_as_it_is() -> None:
    fewer = with_fewer_questions(preset_settings(PAID))
    assert not fewer.screening.test and fewer.control.entrance == 6
    data, before = fewer.to_json(), preset_settings(PAID).to_json()
    data["screening"]["test"], data["control"]["entrance"] = True, 30
    assert data == before
    assert with_fewer_questions(fewer) == fewer


def test_a_preset_follows_the_batch_before() -> None:
    assert {name: preset_after(preset_settings(name)) for name in PRESETS} == {one: one for one in PRESETS}
    assert preset_after(preset_settings(PAID, provider="mturk", currency="USD")) == PAID


def test_a_wage_is_proposed_in_few_currencies() -> None:
    for provider, currency, wage in (("prolific", "GBP", 900), ("mturk", "USD", 1200)):
        settings = preset_settings(PAID, provider=provider, currency=currency)
        assert (settings.currency, settings.crowd.provider) == (currency, provider)
        assert settings.crowd.hourly_wage == wage and dict(settings.reward) == rewards_for(wage)
    assert preset_settings(PAID, currency="JPY").crowd.hourly_wage == 0


def test_only_mechanical_turk_asks_for_a_record() -> None:
    """The 500 tasks and 95% of section 3.3 are a qualification there."""
    on_mturk, on_prolific = (preset_settings(PAID, provider=one).screening for one in ("mturk", "prolific"))
    assert (on_mturk.completed, on_mturk.approval) == (500, 0.95)
    assert (on_prolific.completed, on_prolific.approval) == (0, 0)
    assert on_prolific.test and preset_settings(PAPER).screening.completed == 500

"""Settings to begin a batch with, by who is going to annotate it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from annotation.domain.protocols import DEFAULT_PROTOCOL, PROTOCOL_STAGES
from workflows.batch_settings.domain.crowd_settings import LINK, PLATFORMS, PROLIFIC
from workflows.batch_settings.domain.protocol_stages import ITEMS_PER_PAGE, PAGE_SECONDS
from workflows.batch_settings.domain.quality_control import Regime
from workflows.batch_settings.domain.settings import BatchSettings, parse_settings

KNOWN, PAID, PAPER = "known", "paid", "paper"
USUAL_WAGES: Mapping[str, int] = MappingProxyType({"USD": 1200, "GBP": 900, "EUR": 1050})
"""An hour's pay with which the rewards of `PAID` begin, by currency, in smallest units [ours].

The paper does not say its pay. No wage is proposed in other currencies.
"""


def usual_record(provider: str) -> dict[str, float]:
    """Return the finished tasks, and the share of them approved, that workers of a platform must have.

    A platform that is reached by its link does not tell. On Prolific workers need none: 500 finished tasks of
    which 95% were approved is what Mechanical Turk has a qualification for, and would leave out most
    participants [ours].
    """
    if provider in (PROLIFIC, LINK):
        return {"completed": 0, "approval": 0.0}
    usual = BatchSettings().screening
    return {"completed": usual.completed, "approval": usual.approval}


def rewards_for(wage: int, protocol: str = DEFAULT_PROTOCOL) -> dict[str, int]:
    """Return rewards by stage, in smallest units, that pay this wage an hour at the usual times."""
    return {stage: -(-wage * PAGE_SECONDS[stage] // 3600) for stage in PROTOCOL_STAGES[protocol]}


PRESETS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        KNOWN: {
            "regime": str(Regime.OPEN),
            "screening": {"test": False},
            "author_after_hours": 24,
            "unsure_share": 0.1,
        },
        PAID: {
            "crowd": {"provider": PROLIFIC},
        },
        PAPER: {},
    }
)
"""What differs from the defaults, by preset.

- `known`: people whom one knows. Everybody's judgments count, and who drew a box judges it after a day if
  nobody else has. A tenth of a page may be answered *cannot tell*.
- `paid`: workers of a platform, who are trusted only if they answer verification questions well. Rewards
  follow from the wage.
- `paper`: as in the paper, with people who are invited and pages as long as there.
"""


LINKED: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "connect": {"participant": "participantId", "assignment": "assignmentId"},
        "sona": {"participant": "survey_code"},
        "prolific": {"participant": "PROLIFIC_PID", "assignment": "SESSION_ID"},
        "panel": {"participant": "id"},
    }
)
"""The settings of a link by the platform: the names by which it gives ids to an address.

CloudResearch Connect and Positly add theirs by themselves; SONA and Prolific fill in placeholders that you
write into the address; a panel of one's own gives each person an address.
"""


def preset_after(before: BatchSettings) -> str:
    """Return the preset for a batch that follows one with these settings: who annotates stays the same."""
    if before.crowd.provider in PLATFORMS:
        return PAID
    return KNOWN if all(regime == Regime.OPEN for regime in before.regime.values()) else PAPER


FEW_AT_ENTRANCE = 6
"""The questions of an entrance for which few images are enough [ours]."""


def with_fewer_questions(settings: BatchSettings) -> BatchSettings:
    """Return these settings without a qualification test and with a short entrance.

    Then a batch takes seven or eight images with known answers instead of thirty, but more careless workers
    come to the work before their answers show what they are.
    """
    entrance = min(settings.control.entrance, FEW_AT_ENTRANCE)
    return replace(
        settings,
        control=replace(settings.control, entrance=entrance),
        screening=replace(settings.screening, test=False),
    )


def preset_settings(
    name: str,
    protocol: str = DEFAULT_PROTOCOL,
    *,
    provider: str = PROLIFIC,
    currency: str = "GBP",
    linked: str = "",
) -> BatchSettings:
    """Return all settings of a preset, for the stages of a protocol.

    `provider` and `currency` are those of `PAID`. Its amounts are 0 if no wage is proposed in the currency.
    `linked` is one of LINKED, for the provider `link`.
    """
    by_stage: dict[str, Any] = {}
    if name == PAID:
        wage = USUAL_WAGES.get(currency, 0)
        by_stage["reward"] = rewards_for(wage, protocol)
        by_stage["crowd"] = {"provider": provider, "hourly_wage": wage}
        by_stage["currency"] = currency
        by_stage["screening"] = usual_record(provider)
        by_stage["by_link"] = LINKED.get(linked, {})
    if name == PAPER:
        by_stage["items_a_page"] = {stage: ITEMS_PER_PAGE[stage] for stage in PROTOCOL_STAGES[protocol]}
    return parse_settings({**PRESETS[name], **by_stage, "protocol": protocol})

"""Groups of settings that only some protocols have."""

from __future__ import annotations

import re
from dataclasses import dataclass

from annotation.domain.answers import CampaignStage, Stage
from workflows.batch_settings.domain.setting_fields import MONEY, SECONDS, setting

CHECK_PRESETS = ("good", "none")
"""In a joint check, new boxes are good unless a worker says otherwise, or each one has to be judged."""
MODELS = "models"
"""The group of the settings of models that help, where boxes are drawn."""
MAX_CAPTIONS = 100
MAX_JUDGES = 100


@dataclass(frozen=True, slots=True)
class Limits:
    """When a chain counts as cycling and goes to review (docs/protocol.md, "Additional review")."""

    returns: int = setting(
        2,
        "Returns to box requirement",
        "After this many returns the chain goes to review.",
        between=(1, 1000),
        unit="times",
        ours=True,
    )
    fruitless: int = setting(
        3,
        "Rounds without a box",
        "After this many rounds from coverage (or a joint check) to drawing and back without a new box, the "
        "chain goes to review.",
        between=(1, 1000),
        unit="times",
        ours=True,
    )
    rejected: int = setting(
        5,
        "Boxes rejected",
        "After this many rejected boxes the chain goes to review.",
        between=(1, 1000),
        unit="boxes",
        ours=True,
    )
    boxes: int = setting(
        20,
        "Boxes accepted",
        "If a box is still missing when the chain has this many, the chain goes to review.",
        between=(1, 1000),
        unit="boxes",
        ours=True,
    )


@dataclass(frozen=True, slots=True)
class Check:
    """How a joint check begins."""

    preset: str = setting(
        "good",
        "New boxes begin as",
        "In the joint check of entities-fast. Good: a new box counts as good unless the worker marks it. "
        "None: the worker has to judge each one, and say whether anything is missing.",
        choices=CHECK_PRESETS,
        group=Stage.QUALITY,
        ours=True,
    )


def _fault_of_model(name: str) -> str:
    right = re.fullmatch(r"[-a-zA-Z0-9_]+/[-a-zA-Z0-9_.]+|", name)
    return "" if right else "must be the name and version of a model, such as detector/1.0"


@dataclass(frozen=True, slots=True)
class Judge:
    """A model that judges boxes before workers do."""

    model: str = setting(
        "",
        "Model that judges",
        "One of the project's models, as name/version: it answers each joint check of entities-fast before "
        "workers do. Empty: none.",
        longest=81,
        group=MODELS,
        ours=True,
        see="models.md",
        fault=_fault_of_model,
    )
    counts: bool = setting(
        True,
        "Its answers count",
        "As much as they have earned. Off: workers are asked everything, and you see how good it would be.",
        group=MODELS,
        ours=True,
        alterable=True,
        see="models.md",
    )
    test_split: bool = setting(
        False,
        "Its answers count in the test split",
        "Off: workers alone judge the boxes of images in the split test, so that no model is measured by "
        "what another one has said.",
        group=MODELS,
        ours=True,
        see="models.md",
    )
    seconds: int = setting(
        600,
        "Wait for the model",
        "If it has not answered a question after this time, workers are asked.",
        between=(1, 7 * 24 * 3600),
        unit=SECONDS,
        group=MODELS,
        ours=True,
        alterable=True,
    )
    price: int = setting(
        0,
        "Price of 1,000 answers",
        "What 1,000 answers of the model cost, to known questions as well. The money is reserved under the "
        "batch's cap. 0: nothing.",
        between=(0, 1_000_000),
        unit=MONEY,
        group=MODELS,
        ours=True,
        see="models.md#what-a-model-costs",
    )


@dataclass(frozen=True, slots=True)
class Suggestions:
    """Which boxes of a model workers are shown when they draw the first boxes of a chain."""

    set: int | None = setting(
        None,
        "Suggested boxes",
        "The number of one of the project's sets of suggestions: workers who draw the first boxes of a chain "
        "see its boxes, and accept, adjust or ignore them. Empty: none.",
        between=(1, 10**9),
        group=MODELS,
        ours=True,
        see="models.md#suggest-boxes",
    )
    without: float = setting(
        0.1,
        "Photographs without suggestions",
        "Chosen by the seed and the photograph. They show what suggestions change: keep some.",
        group=MODELS,
        ours=True,
        see="models.md#suggest-boxes",
    )
    test_split: bool = setting(
        False,
        "Suggestions in the test split",
        "Off: photographs of the split test get none, so that no model is measured by what another one has "
        "suggested.",
        group=MODELS,
        ours=True,
        see="models.md#suggest-boxes",
    )


@dataclass(frozen=True, slots=True)
class Captions:
    """What a campaign that collects captions asks for (ranking task, section 2.3.2)."""

    wanted: int = setting(
        5,
        "Captions an image",
        "How many captions an image gets, each from another worker. The source's: 5.",
        between=(1, MAX_CAPTIONS),
        unit="captions",
        group=CampaignStage.WRITING,
    )
    check: bool = setting(
        True,
        "Check captions",
        "Whether a second worker says if a caption describes its photograph.",
        group=CampaignStage.CAPTION_CHECK,
        ours=True,
    )
    rules: int = setting(
        2,
        "Rules of captions",
        "Which version of the rules looks at captions. 1: the one of batches that were launched before "
        "28 November 2026, which finds fewer names and guesses.",
        between=(1, 2),
        group=CampaignStage.WRITING,
        ours=True,
    )
    refused: int = setting(
        5,
        "Write again",
        "So many captions of an image that were refused are written again by other workers.",
        between=(0, MAX_CAPTIONS),
        unit="captions",
        group=CampaignStage.WRITING,
        ours=True,
    )


@dataclass(frozen=True, slots=True)
class Relevance:
    """What a campaign that judges which captions fit asks for (ranking task, sections 4.2.1 and 4.3.2)."""

    judges: int = setting(
        3,
        "Judges",
        "How many workers judge each caption of an image. The source's: 3.",
        between=(1, MAX_JUDGES),
        unit="workers",
        group=CampaignStage.GRADING,
    )

"""The settings of a batch, with the paper's numbers (table 3) as defaults, and their parser."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from math import ceil
from types import MappingProxyType
from typing import Any

from annotation.domain.answers import DRAWS_BOXES, CampaignStage, Stage
from annotation.domain.protocols import ALL_STAGES, CAMPAIGNS, DEFAULT_PROTOCOL, PROTOCOL_STAGES, Campaign
from annotation.domain.types import TYPES
from evaluation.dataset import is_type
from workflows.batch_settings.domain.crowd_settings import PLATFORMS, Crowd, Link
from workflows.batch_settings.domain.protocol_groups import (
    Captions,
    Check,
    Judge,
    Limits,
    Relevance,
    Suggestions,
)
from workflows.batch_settings.domain.protocol_stages import control_of, screening_of, stage_defaults
from workflows.batch_settings.domain.quality_control import MAX_SHARE, Control, Regime, Screening
from workflows.batch_settings.domain.setting_fields import (
    MONEY,
    SECONDS,
    Setting,
    SettingsError,
    described,
    plain,
    read_group,
    setting,
)

PROTOCOL_NAMES: tuple[str, ...] = tuple(PROTOCOL_STAGES)
STRATEGY_NAMES: tuple[str, ...] = (
    *("exhaustive", "greedy", "exhaustive_plus", "greedy_plus"),
    *("likely_first", "posterior", "every_pair"),
)
ASKING_AGAIN = ("likely_first", "posterior", "every_pair")
"""The link strategies that may ask several workers about a link although nothing is settled."""
CERTAINTY_NAMES: tuple[str, ...] = ("careful", "balanced")
SETTLE_NAMES: tuple[str, ...] = ("captions", "triangles", "cycles")
"""What a batch can choose. `pipeline.domain` has the tables behind these names."""

METHODS = ("drag", "extreme", "either")
"""How boxes are drawn: corner to corner; by the four extreme points (Papadopoulos et al. 2017,
"Extreme clicking for efficient object annotation"); or as the worker likes."""
PAGE_MIXED, PAGE_VISIT = "mixed", "visit"
PAGES = (PAGE_MIXED, PAGE_VISIT)
"""What a page holds: items about as many images as possible, or everything of its stage about one image."""
PAY_BY_PAGE, PAY_BY_ITEM = "page", "item"
PAY_BY = (PAY_BY_PAGE, PAY_BY_ITEM)
"""A page that is not full pays as much as a full one, or as its items."""
MAX_REWARD = 1_000_000
MAX_ITEMS_PER_PAGE = 100

PINNED = frozenset({"box_heads"})
"""What a launch keeps in the batch beside its settings. It is no setting."""
_OF_STAGES = stage_defaults(DEFAULT_PROTOCOL)


def _fault_of_currency(code: str) -> str:
    right = re.fullmatch("[A-Z]{3}", code)
    return "" if right else "must be a code of ISO 4217: three capital letters, such as USD"


@dataclass(frozen=True, slots=True)
class BatchSettings:
    """All settings of a batch. They are stored as JSON with the batch, but for what its launch has pinned."""

    protocol: str = setting(
        DEFAULT_PROTOCOL,
        "Protocol",
        "The stages, and the step after each answer. flickr30k-entities is the paper's. In entities-fast, "
        "one worker draws all boxes of a chain, and others check them together. The others are campaigns "
        "without chains.",
        choices=PROTOCOL_NAMES,
        see="#campaigns",
    )
    strategy: str = setting(
        "greedy_plus",
        "Link strategy",
        "Which pairs of mentions are asked about. The paper used greedy plus: it needs 66.9% of the "
        "judgments of exhaustive and gets 86.1% of the chains right (table 2). Exhaustive plus needs 119.7% "
        "and gets 90.7% right. Likely first and posterior ask less, because they also look at the words of "
        "the mentions; posterior needs a prior of the project. Every pair asks five workers about each "
        "pair, to compare the strategies on some of your own images.",
        choices=STRATEGY_NAMES,
        group=Stage.LINK,
        see="#link-strategies",
    )
    settle: str = setting(
        "captions",
        "What is settled",
        "Triangles: two links that say “same” and a third that says “different”, as in the paper. Captions: "
        "then also links that would join two mentions of one caption. Cycles: every contradiction, however "
        "many links it takes. Two mentions of one caption that are in one chain at the end open a case, and "
        "with cycles every contradiction that remains does. Only exhaustive plus and greedy plus settle "
        "anything.",
        choices=SETTLE_NAMES,
        group=Stage.LINK,
        see="#link-strategies",
    )
    certainty: str = setting(
        "careful",
        "How certain chains must be",
        "For the link strategy posterior. Careful: a mention stays in a chain once that is 99% probable. "
        "Balanced: 98%, and new chains begin later.",
        choices=CERTAINTY_NAMES,
        group=Stage.LINK,
        ours=True,
        see="protocol.md#stage-1-coreference-links",
    )
    human_yes: bool = setting(
        False,
        "Each mention rests on a worker's “same”",
        "For the link strategy posterior: nothing is joined by its words alone. A prior that adds a model's "
        "scores needs it.",
        group=Stage.LINK,
        ours=True,
    )
    prior: int | None = setting(
        None,
        "Prior",
        "For the link strategy posterior: the number of one of the project's priors. Empty: the launch "
        "takes the newest.",
        between=(1, 10**9),
        group=Stage.LINK,
        ours=True,
        see="priors.md",
    )
    seed: int = setting(
        0,
        "Seed",
        "The seed of everything random: the order of images, and the pairs of mentions.",
        between=(-(2**63), 2**63 - 1),
    )
    regime: Mapping[str, str] = setting(
        _OF_STAGES["regime"],
        "Whose judgments count",
        "Trusted: those of workers who answer verification questions well, as in the paper's later work. "
        "Verification: those on pages whose verification questions were answered well, as in its earlier "
        "work. Open: those of all workers.",
        choices=tuple(Regime),
        see="quality.md",
    )
    lease_seconds: int = setting(
        900,
        "Time for a page",
        "How long a page is kept for its worker.",
        between=(30, 7 * 24 * 3600),
        unit=SECONDS,
        ours=True,
        alterable=True,
    )
    minimum_side: int = setting(
        3,
        "Smallest box",
        "A drawn box must be at least this wide and this high.",
        between=(1, 1000),
        unit="pixels",
        group=Stage.DRAWING,
        ours=True,
    )
    target: int | None = setting(
        None,
        "Stop after",
        "The batch ends when this many images are done. Empty: all.",
        between=(1, 10**9),
        unit="images",
        alterable=True,
    )
    page: str = setting(
        PAGE_MIXED,
        "What a page holds",
        "Mixed: items about as many photographs as possible, or the next ones if pages have no verification "
        "questions. Visit: everything that its stage asks about one photograph, filled up with the next one; "
        "the photograph stays on the screen. A worker is asked about a photograph on one page of each stage, "
        "unless no other workers are there.",
        choices=PAGES,
        ours=True,
        see="#visits",
    )
    items_a_page: Mapping[str, int] = setting(
        _OF_STAGES["items_a_page"],
        "Items a page",
        "Questions on a page, including verification questions. On Prolific, the time that participants are "
        "told grows with this number.",
        between=(1, MAX_ITEMS_PER_PAGE),
        unit="items",
    )
    minimum_score: Mapping[str, float] = setting(
        _OF_STAGES["minimum_score"],
        "Minimum score",
        "The share of verification questions a worker must get right.",
    )
    priorities: Mapping[str, int] = setting(
        _OF_STAGES["priorities"],
        "Priority",
        "Workers who take any work are given the stage with the highest number first.",
        between=(-1000, 1000),
        alterable=True,
    )
    verify_chains: bool = setting(
        False,
        "Verify chains in entities-fast",
        "Whether workers verify chains of several mentions there, too. In flickr30k-entities they always do.",
        group=Stage.VERIFICATION,
        ours=True,
    )
    skip_requirement: tuple[str, ...] = setting(
        ("people", "clothing", "bodyparts"),
        "Types without this stage",
        "Chains with a mention of these types go straight to box drawing. The paper's: people, clothing, "
        "bodyparts. In entities-fast, this stage is skipped for chains that very likely need a box, "
        "whatever is chosen here.",
        choices=TYPES,
        more=is_type,
        more_words="types that the project added",
        group=Stage.REQUIREMENT,
    )
    requirement_adds_up: bool = setting(
        True,
        "Earlier answers count",
        "If drawing finds no box, the chain goes back to this stage, and the answers that workers gave here "
        "before still count, as in the paper. Off: only the answer of drawing counts. In entities-fast it is "
        "always off.",
        group=Stage.REQUIREMENT,
    )
    limits: Limits = field(default_factory=Limits)
    control: Control = field(default_factory=Control)
    screening: Screening = field(default_factory=Screening)
    pass_mark: Mapping[str, float] = setting(
        _OF_STAGES["pass_mark"],
        "Pass mark",
        "The share of test questions to get right.",
        ours=True,
    )
    drawing: str = setting(
        "either",
        "How boxes are drawn",
        "Drag: from corner to corner. Extreme: by the four outermost points. Either: the worker chooses.",
        choices=METHODS,
        group=Stage.DRAWING,
        ours=True,
    )
    check: Check = field(default_factory=Check)
    judge: Judge = field(default_factory=Judge)
    suggestions: Suggestions = field(default_factory=Suggestions)
    captions: Captions = field(default_factory=Captions)  # only for the protocol `captions`
    relevance: Relevance = field(
        default_factory=Relevance
    )  # only for `relevance-expert` and `relevance-crowd`
    author_after_hours: int | None = setting(
        None,
        "Own boxes after",
        "For small teams: a box may go to the worker who drew it, and a chain that came back to box "
        "requirement to a worker who voted on it there before, if it has waited this long and nothing else "
        "waits for this worker. Items of a page that the worker gave back come again after it, too. "
        "Empty: never.",
        between=(0, 365 * 24),
        unit="hours",
        group=Stage.QUALITY,
        ours=True,
        alterable=True,
    )
    unsure_share: float = setting(
        0.0,
        "Cannot tell",
        "The share of a page's items that workers may answer “cannot tell”, outside of box drawing; a part "
        "of an item counts as one. Another worker is asked then; two such answers open a case. To a "
        "verification question it is a wrong answer. 0: it is not offered.",
        between=(0, MAX_SHARE),
        ours=True,
        see="quality.md#cannot-tell",
    )
    reward: Mapping[str, int] = setting(
        _OF_STAGES["reward"],
        "Reward a page",
        "The pay of a page, as promised when it was claimed. 0: nothing. The paper does not tell its pay.",
        between=(0, MAX_REWARD),
        unit=MONEY,
        alterable=True,
    )
    pay_by: str = setting(
        PAY_BY_PAGE,
        "Pay by",
        "Page: a page that is not full pays as much as a full one. Item: it pays its part of that, rounded "
        "up, and its worker is told so before the first question. On a platform, it is always page.",
        choices=PAY_BY,
        ours=True,
    )
    currency: str = setting(
        "USD",
        "Currency",
        "The currency of all payments: three letters, as in USD (ISO 4217). A platform sets its own.",
        fault=_fault_of_currency,
    )
    weekly_feedback: bool = setting(
        False,
        "Weekly feedback",
        "Workers see on their own page how many verification questions of a week they had right. It is a "
        "rounded share of at least 30 answers, and only of weeks that are over, so that it does not show "
        "which questions these were.",
        group="control",
        ours=True,
        alterable=True,
        see="quality.md#what-workers-are-told",
    )
    crowd: Crowd = field(default_factory=Crowd)
    by_link: Link = field(default_factory=Link)  # only for the provider `link`
    # Pinned, and no setting: by head noun, how many finished chains needed a box, of how many.
    box_heads: Mapping[str, Sequence[int]] = field(default_factory=dict)

    @property
    def stages(self) -> tuple[str, ...]:
        """The stages of the protocol, in the order of its pipeline."""
        return PROTOCOL_STAGES[self.protocol]

    @property
    def campaign(self) -> Campaign:
        """What the batch makes of its images."""
        return CAMPAIGNS[self.protocol]

    @property
    def needs_prior(self) -> bool:
        """Whether the link strategy asks by a prior, which the batch pins at its launch."""
        return self.strategy == "posterior" and self.campaign is Campaign.ENTITIES

    @property
    def asks_links_again(self) -> bool:
        """Whether the link strategy may ask several workers about a link although nothing is settled."""
        return self.strategy in ASKING_AGAIN

    def to_json(self) -> dict[str, Any]:
        """Return the settings as plain JSON values, without what is pinned.

        `parse_settings` makes equal settings of them.
        """
        values = {name: value for name, value in asdict(self).items() if name not in PINNED}
        data: dict[str, Any] = plain(values)
        return data


SETTINGS: Mapping[str, Setting] = MappingProxyType(dict(described(BatchSettings())))
"""The description of each setting by its name, such as `control.entrance`."""
BY_STAGE = tuple(name for name, about in SETTINGS.items() if about.by_stage)
"""The settings that have a value for each stage."""


def parse_settings(data: Mapping[str, Any]) -> BatchSettings:
    """Read settings from JSON. Settings that are not given keep the defaults of the protocol.

    Raises SettingsError, which names the field.
    """
    protocol = SETTINGS["protocol"].read("protocol", data.get("protocol", DEFAULT_PROTOCOL), None)
    defaults = BatchSettings(
        protocol=protocol,
        control=control_of(protocol),
        screening=screening_of(protocol),
        **plain(stage_defaults(protocol)),
    )
    settings = read_group(data, defaults)
    if settings.pay_by == PAY_BY_ITEM and settings.crowd.provider in PLATFORMS:
        raise SettingsError("pay_by", "must be page: a platform pays every place what was published")
    return settings


def most_unsure(settings: BatchSettings, stage: str, items: int) -> int:
    """Return how many of the items of a page may be answered *cannot tell*; a part of one counts as one.

    Nobody who draws needs it: whoever finds nothing to draw says that no further box is needed. Nor does
    anybody who describes a photograph that can be seen.
    """
    return (
        0 if stage in (*DRAWS_BOXES, CampaignStage.WRITING) else ceil(round(settings.unsure_share * items, 6))
    )


def shows_suggestions(stage: str, settings: BatchSettings) -> bool:
    """Return whether some items and questions of a stage are shown with boxes of a model."""
    return stage in DRAWS_BOXES and settings.suggestions.set is not None


def stages_by_need(free: Mapping[str, int], settings: BatchSettings) -> list[str]:
    """Return the stages that have work, in the order in which a worker who takes any work is offered them.

    `free` has the number of items that wait in each stage; a count may stop at one page. The highest priority
    comes first. Among equals, a stage that fills a page comes first, and then the later stage of the
    pipeline, so that chains get finished before new ones are begun.
    """
    waiting = [stage for stage in free if free[stage] > 0]
    return sorted(
        waiting,
        key=lambda stage: (
            settings.priorities[stage],
            free[stage] >= settings.items_a_page[stage],
            ALL_STAGES.index(stage),
        ),
        reverse=True,
    )

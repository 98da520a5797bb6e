"""The settings of a batch, with the paper's numbers (table 3) as defaults, and their parser."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from math import ceil
from typing import Any

from annotation.domain.answers import DRAWS_BOXES, CampaignStage
from annotation.domain.protocols import ALL_STAGES, CAMPAIGNS, DEFAULT_PROTOCOL, PROTOCOL_STAGES, Campaign
from annotation.domain.types import TYPES
from workflows.batch_settings.domain.crowd_settings import PLATFORMS, Crowd, parse_crowd
from workflows.batch_settings.domain.field_checks import (
    SettingsError,
    check_choice,
    check_share,
    check_whole,
    parse_group,
)
from workflows.batch_settings.domain.protocol_stages import control_of, screening_of, stage_defaults
from workflows.batch_settings.domain.quality_control import (
    MAX_ANSWERS,
    PAID_TESTS,
    Control,
    OnLoss,
    Regime,
    Screening,
)

PROTOCOL_NAMES: tuple[str, ...] = tuple(PROTOCOL_STAGES)
STRATEGY_NAMES: tuple[str, ...] = (
    *("exhaustive", "greedy", "exhaustive_plus", "greedy_plus"),
    *("likely_first", "posterior", "every_pair"),
)
ASKING_AGAIN = ("likely_first", "posterior", "every_pair")
"""The link strategies that may ask several workers about a link although nothing is settled."""
CERTAINTY_NAMES: tuple[str, ...] = ("careful", "balanced")
SETTLE_NAMES: tuple[str, ...] = ("triangles", "cycles")
"""What a batch can choose. `pipeline.domain` has the tables behind these names."""

METHODS = ("drag", "extreme", "either")
"""How boxes are drawn: corner to corner; by the four extreme points (Papadopoulos et al. 2017,
"Extreme clicking for efficient object annotation"); or as the worker likes."""
CHECK_PRESETS = ("good", "none")
"""In a joint check, new boxes are good unless a worker says otherwise, or each one has to be judged."""
PAGE_MIXED, PAGE_VISIT = "mixed", "visit"
PAGES = (PAGE_MIXED, PAGE_VISIT)
"""What a page holds: items about as many images as possible, or everything of its stage about one image."""
PAY_BY_PAGE, PAY_BY_ITEM = "page", "item"
PAY_BY = (PAY_BY_PAGE, PAY_BY_ITEM)
"""A page that is not full pays as much as a full one, or as its items."""
MAX_REWARD = 1_000_000
MAX_ITEMS_PER_PAGE = 100
MAX_CAPTIONS = 100
MAX_JUDGES = 100
MAX_SHARE = 0.5
"""The largest share of a page that verification questions, or answers *cannot tell*, may take."""


_SMALLEST = " of the currency's smallest unit (5 for 0.05 USD)"
PINNED = frozenset({"box_heads"})
"""What a launch keeps in the batch beside its settings. Nobody sets it."""
BY_STAGE = ("regime", "items_a_page", "minimum_score", "pass_mark", "priorities", "reward")


def _by_stage_field(name: str) -> Any:
    """Return a field that has a value for each stage of the default protocol."""
    values = stage_defaults(DEFAULT_PROTOCOL)[name]
    return field(default_factory=lambda: dict(values))


@dataclass(frozen=True, slots=True)
class Limits:
    """When a chain counts as cycling and goes to review (docs/protocol.md, "Additional review")."""

    returns: int = 2  # to the stage requirement
    fruitless: int = 3  # rounds from coverage to drawing that brought no accepted box
    rejected: int = 5  # boxes rejected


@dataclass(frozen=True, slots=True)
class Check:
    """How a joint check begins."""

    preset: str = "good"  # one of CHECK_PRESETS


@dataclass(frozen=True, slots=True)
class Captions:
    """What a campaign that collects captions asks for (ranking task, section 2.3.2)."""

    wanted: int = 5  # captions for each image, from as many workers
    check: bool = True  # whether a second worker says if a caption describes its image [ours]
    refused: int = 5  # so many refused captions of an image are written again, and no more [ours]


@dataclass(frozen=True, slots=True)
class Relevance:
    """What a campaign that judges which captions fit asks for (ranking task, sections 4.2.1 and 4.3.2)."""

    judges: int = 3  # workers who judge each caption of an image


@dataclass(frozen=True, slots=True)
class BatchSettings:
    """All settings of a batch. They are stored as JSON with the batch, but for what its launch has pinned."""

    protocol: str = DEFAULT_PROTOCOL
    strategy: str = "greedy_plus"
    settle: str = "triangles"  # one of SETTLE_NAMES; only strategies with *plus* settle
    # Only for the strategy `posterior`:
    certainty: str = "careful"  # one of CERTAINTY_NAMES
    human_yes: bool = False  # each mention of a chain rests on a *same* by a worker
    prior: int | None = None  # the number of the project's prior; None: the launch pins the newest
    seed: int = 0
    regime: Mapping[str, str] = _by_stage_field("regime")
    lease_seconds: int = 900
    minimum_side: int = 3  # of a drawn box, in pixels
    target: int | None = None  # finish once this many images are done; None: all
    page: str = PAGE_MIXED  # one of PAGES [ours]
    items_a_page: Mapping[str, int] = _by_stage_field("items_a_page")
    minimum_score: Mapping[str, float] = _by_stage_field("minimum_score")
    # A worker who takes any work gets stages with a higher number first.
    priorities: Mapping[str, int] = _by_stage_field("priorities")
    verify_chains: bool = False  # only `entities-fast` leaves chains unverified
    skip_requirement: tuple[str, ...] = ("people", "clothing", "bodyparts")
    limits: Limits = Limits()
    control: Control = field(default_factory=Control)
    screening: Screening = field(default_factory=Screening)
    # The share of right answers that passes the qualification test [ours]: the same as in the work.
    pass_mark: Mapping[str, float] = _by_stage_field("pass_mark")
    drawing: str = "either"  # one of METHODS
    check: Check = Check()
    captions: Captions = Captions()  # only for the protocol `captions`
    relevance: Relevance = Relevance()  # only for `relevance-expert` and `relevance-crowd`
    # A box that has waited so many hours may be judged by whoever drew it, if nothing else waits for them.
    # None: never [ours].
    author_after_hours: int | None = None
    # The share of a page's items that may be answered *cannot tell*. 0: nobody may [ours].
    unsure_share: float = 0.0
    # For a page, in smallest units of the currency (cents). 0: the stage is not paid.
    reward: Mapping[str, int] = _by_stage_field("reward")
    pay_by: str = PAY_BY_PAGE  # one of PAY_BY: whether a page that is not full pays less
    currency: str = "USD"  # ISO 4217
    # Whether workers are told each week how many verification questions they had right [ours].
    weekly_feedback: bool = False
    crowd: Crowd = field(default_factory=Crowd)
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
        data = asdict(self)
        for name in PINNED:
            del data[name]
        data["skip_requirement"] = list(self.skip_requirement)
        for name in BY_STAGE:
            data[name] = {str(stage): _plain(value) for stage, value in data[name].items()}
        data["control"]["on_loss"] = str(self.control.on_loss)
        return data


def parse_settings(data: Mapping[str, Any]) -> BatchSettings:
    """Read settings from JSON. Settings that are not given keep their defaults.

    Raises SettingsError, which names the field.
    """
    known = {f.name for f in fields(BatchSettings)} - PINNED
    for name in data:
        if name not in known:
            raise SettingsError(
                str(name), f"is not a setting of a batch; the settings are {', '.join(sorted(known))}"
            )
    given = dict(data)
    check_choice(given, "protocol", PROTOCOL_NAMES)
    check_choice(given, "strategy", STRATEGY_NAMES)
    check_choice(given, "settle", SETTLE_NAMES)
    check_choice(given, "certainty", CERTAINTY_NAMES)
    for name in ("human_yes", "verify_chains"):
        if not isinstance(given.get(name, False), bool):
            raise SettingsError(name, "must be true or false")
    if given.get("prior") is not None:
        check_whole(given, "prior", 1, 10**9)
    check_choice(given, "drawing", METHODS)
    check_choice(given, "page", PAGES)
    check_choice(given, "pay_by", PAY_BY)
    check_whole(given, "seed", -(2**63), 2**63 - 1)
    check_whole(given, "lease_seconds", 30, 7 * 24 * 3600)
    check_whole(given, "minimum_side", 1, 1000)
    if given.get("target") is not None:
        check_whole(given, "target", 1, 10**9)
    if given.get("author_after_hours") is not None:
        check_whole(given, "author_after_hours", 0, 365 * 24)
    check_share(given, "unsure_share", "")
    if given.get("unsure_share", 0) > MAX_SHARE:
        raise SettingsError("unsure_share", f"must be at most {MAX_SHARE}: somebody has to tell")
    defaults = BatchSettings()
    if "protocol" in given:
        control, screening = control_of(given["protocol"]), screening_of(given["protocol"])
        defaults = replace(
            defaults, **stage_defaults(given["protocol"]), control=control, screening=screening
        )
        by_stage = {name: getattr(defaults, name) for name in BY_STAGE}
        given = {**by_stage, "control": asdict(control), "screening": asdict(screening), **given}
    for name, low, high in (
        ("items_a_page", 1, MAX_ITEMS_PER_PAGE),
        ("priorities", -1000, 1000),
        ("reward", 0, MAX_REWARD),
    ):
        if name in given:
            given[name] = _by_stage(given[name], name, getattr(defaults, name), low, high, whole=True)
    for name in ("minimum_score", "pass_mark"):
        if name in given:
            given[name] = _by_stage(given[name], name, getattr(defaults, name), 0, 1, whole=False)
    if "regime" in given:
        given["regime"] = _regimes(given["regime"], defaults.regime)
    currency = given.get("currency", defaults.currency)
    if not (isinstance(currency, str) and re.fullmatch("[A-Z]{3}", currency)):
        raise SettingsError("currency", "must be a code of ISO 4217: three capital letters, such as USD")
    if "skip_requirement" in given:
        types = given["skip_requirement"]
        if not isinstance(types, list | tuple) or not all(kind in TYPES for kind in types):
            raise SettingsError("skip_requirement", f"must be a list of types: {', '.join(TYPES)}")
        given["skip_requirement"] = tuple(types)
    if "limits" in given:
        limits = parse_group(given["limits"], "limits", Limits)
        for name in limits:
            check_whole(limits, name, 1, 1000, within="limits.")
        given["limits"] = Limits(**limits)
    if "check" in given:
        check = parse_group(given["check"], "check", Check)
        check_choice(check, "preset", CHECK_PRESETS, within="check.")
        given["check"] = Check(**check)
    if "captions" in given:
        captions = parse_group(given["captions"], "captions", Captions)
        check_whole(captions, "wanted", 1, MAX_CAPTIONS, within="captions.")
        check_whole(captions, "refused", 0, MAX_CAPTIONS, within="captions.")
        if not isinstance(captions.get("check", True), bool):
            raise SettingsError("captions.check", "must be true or false")
        given["captions"] = Captions(**captions)
    if "relevance" in given:
        relevance = parse_group(given["relevance"], "relevance", Relevance)
        check_whole(relevance, "judges", 1, MAX_JUDGES, within="relevance.")
        given["relevance"] = Relevance(**relevance)
    if "control" in given:
        given["control"] = _control(given["control"], defaults.control)
    if "screening" in given:
        given["screening"] = _screening(given["screening"], defaults.screening)
    if not isinstance(given.get("weekly_feedback", False), bool):
        raise SettingsError("weekly_feedback", "must be true or false")
    if "crowd" in given:
        given["crowd"] = parse_crowd(given["crowd"])
        if given.get("pay_by") == PAY_BY_ITEM and given["crowd"].provider in PLATFORMS:
            raise SettingsError("pay_by", "must be page: a platform pays every place what was published")
    return BatchSettings(**given)


def _control(value: object, defaults: Control) -> Control:
    given = parse_group(value, "control", Control)
    for name in ("entrance", "recent", "set_questions", "retire_after"):
        check_whole(given, name, 1, MAX_ANSWERS, within="control.")
    check_whole(given, "idle_seconds", 60, 365 * 24 * 3600, within="control.")
    check_whole(given, "exposures", 1, 10**9, within="control.")
    for name in ("trusted_share", "verification_share", "box_iou", "retire_below"):
        check_share(given, name, "control.")
    if given.get("on_loss", OnLoss.KEEP) not in tuple(OnLoss):
        raise SettingsError("control.on_loss", f"must be one of {', '.join(OnLoss)}")
    control = replace(defaults, **given)
    # Otherwise no item of a page would be new work.
    for name in ("trusted_share", "verification_share"):
        if getattr(control, name) > MAX_SHARE:
            raise SettingsError(f"control.{name}", f"must be at most {MAX_SHARE}: the rest is the work")
    return control


def _screening(value: object, defaults: Screening) -> Screening:
    given = parse_group(value, "screening", Screening)
    check_whole(given, "completed", 0, 10**9, within="screening.")
    check_whole(given, "training_items", 0, 100, within="screening.")
    for name in ("test_items", "tries"):
        check_whole(given, name, 1, 100, within="screening.")
    check_whole(given, "wait_seconds", 0, 365 * 24 * 3600, within="screening.")
    check_share(given, "approval", "screening.")
    if not isinstance(given.get("test", True), bool):
        raise SettingsError("screening.test", "must be true or false")
    check_choice(given, "paid", PAID_TESTS, within="screening.")
    return replace(defaults, **given)


def _regimes(value: object, defaults: Mapping[str, str]) -> dict[str, str]:
    """Read one regime for all stages, or regimes by stage; the other stages keep their defaults."""
    words = ", ".join(Regime)
    if isinstance(value, str):
        value = dict.fromkeys(defaults, value)
    if not isinstance(value, Mapping):
        raise SettingsError("regime", f"must be one of {words}, or an object of these by stage")
    result = {str(stage): str(regime) for stage, regime in defaults.items()}
    for stage, regime in value.items():
        if stage not in result:
            raise SettingsError(f"regime.{stage}", f"is not a stage; the stages are {', '.join(result)}")
        if regime not in tuple(Regime):
            raise SettingsError("regime", f"{regime!r} is not one of {words}")
        result[str(stage)] = str(regime)
    return result


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, str) else value


def _by_stage(
    value: object, name: str, defaults: Mapping[str, Any], low: float, high: float, *, whole: bool
) -> dict[str, Any]:
    """Read one number for each given stage; {"link": 20} leaves the other stages at their defaults."""
    if not isinstance(value, Mapping):
        raise SettingsError(name, 'must be an object of numbers by stage, e.g. {"link": 10}')
    result = {str(stage): number for stage, number in defaults.items()}
    for stage, number in value.items():
        if stage not in result:
            raise SettingsError(f"{name}.{stage}", f"is not a stage; the stages are {', '.join(result)}")
        kinds = (int,) if whole else (int, float)
        if type(number) not in kinds or not low <= number <= high:
            what = "a number"
            if whole:
                what = "a whole number" + _SMALLEST * (name == "reward")
            raise SettingsError(f"{name}.{stage}", f"must be {what} from {low} to {high}")
        result[stage] = number
    return result


def most_unsure(settings: BatchSettings, stage: str, items: int) -> int:
    """Return how many of the items of a page may be answered *cannot tell*; a part of one counts as one.

    Nobody who draws needs it: whoever finds nothing to draw says that no further box is needed. Nor does
    anybody who describes a photograph that can be seen.
    """
    return (
        0 if stage in (*DRAWS_BOXES, CampaignStage.WRITING) else ceil(round(settings.unsure_share * items, 6))
    )


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

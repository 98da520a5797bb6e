"""Whether a batch is ready to launch: its pictures, questions, prior, crowd and money."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from django.conf import settings as site
from django.db.models import Count, Q

from annotation.domain.protocols import Campaign
from annotation.domain.records import TEST_SPLIT
from annotation.models import Batch, Image, VerificationQuestion
from workflows.batch_settings.domain.crowd_settings import DIRECT
from workflows.batch_settings.domain.quality_control import Regime
from workflows.batch_settings.domain.settings import BatchSettings, shows_suggestions
from workflows.batch_settings.selectors import settings_of
from workflows.batches.cost_forecast import forecast_batch
from workflows.batches.domain.forecast import Forecast, Range
from workflows.batches.domain.question_reach import Reach
from workflows.batches.domain.team import stages_short_of_people
from workflows.batches.people import able_people, newest_invited
from workflows.batches.question_reach import reach_of, workers_with
from workflows.crowd.installation import crowd_obstacles
from workflows.judges.versions import find_model
from workflows.pipeline.domain.moves import PROTOCOLS
from workflows.priors.selectors import has_scores, newest
from workflows.questions import supply
from workflows.questions.domain.supply import TEST, questions_needed
from workflows.questions.exposure import stock_of
from workflows.suggestions.selectors import completed, uncovered


class Shortage(NamedTuple):
    """Verification questions of one stage and role of which there are too few."""

    stage: str
    role: str
    found: int
    needed: int


@dataclass(frozen=True, slots=True)
class Cap:
    """What a batch may cost, and what it is forecast to cost, in the smallest unit of the currency."""

    cap: int
    cost: Range
    currency: str

    @property
    def too_low(self) -> bool:
        """Whether the batch would stop before its end even if it costs as little as it may."""
        return self.cap < self.cost.low

    @property
    def perhaps_too_low(self) -> bool:
        """Whether the batch may stop before its end."""
        return self.cap < self.cost.high


@dataclass(frozen=True, slots=True)
class Team:
    """How many people are invited, of whom one batch may need more: for a question, or until its end."""

    invited: int
    able: int  # of these, who may answer in every stage, or in the one that is closed to most of them
    planned: int  # for the whole batch; 0: no question is used up
    short: Mapping[str, int]  # by stage: how many it may need


@dataclass(frozen=True, slots=True)
class Readiness:
    """What stands between a draft and its launch."""

    bare: int  # images without a picture
    unsized: int  # images without a size, if their boxes have to be checked
    shortages: tuple[Shortage, ...]  # of what it takes before anybody can work
    crowd: tuple[str, ...]  # what is missing for its crowd: sentences without their full stop
    prior: str = ""  # what is wrong with its prior, and what to do: a sentence without its full stop
    cap: Cap | None = None  # None: there is no cap
    team: Team | None = None  # None: a platform brings the people. It can grow, so it delays no launch
    reach: Reach | None = None  # how far the questions reach. None: none are asked, or there are too few
    unpaired: int = 0  # images without captions to judge, of a batch that judges captions
    judge: str = (
        ""  # what is wrong with the model that judges, and what to do: a sentence without its full stop
    )
    suggestions: str = ""  # what is wrong with its suggestions, and what to do: in the same way
    contact: str = ""  # why its workers need somebody to write to, if they have nobody: in the same way
    forecast: Forecast | None = None  # of the batch, if the caller asked for it or there is a cap

    @property
    def ready(self) -> bool:
        """Whether the batch can be launched by somebody who agrees to images without a picture."""
        return not (
            self.unsized
            or self.unpaired
            or self.shortages
            or self.prior
            or self.judge
            or self.suggestions
            or self.contact
            or self.crowd
            or (self.cap and self.cap.too_low)
            or (self.reach and self.reach.hopeless)
        )


def readiness_of(batch: Batch, *, with_forecast: bool = False) -> Readiness:
    """Return what is missing to launch the batch. Launching it checks the same.

    A question cannot be asked while any batch annotates its image, so such questions do not count. The
    forecast, of as many workers as the reach says to plan for, takes a tenth of a second.
    """
    works = batch.works.filter(active=True)  # without withdrawn images
    pictures = works.aggregate(
        bare=Count("pk", filter=Q(image__file="")),
        unsized=Count("pk", filter=Q(image__width=None) | Q(image__height=None)),
    )
    settings, stock = settings_of(batch), stock_of(batch.project_id)
    judges = settings.campaign is Campaign.RELEVANCE
    shortages = tuple(Shortage(*short) for short in supply.shortages(batch.project, settings, stock))
    people = newest_invited(batch) if settings.crowd.provider == DIRECT else None
    invited = None if people is None else len(people)
    reach = None if shortages else reach_of(batch, stock, people)
    forecast = None
    if with_forecast or settings.crowd.cap is not None:
        forecast = forecast_batch(batch, works.count(), workers_with(settings, invited, reach))
    return Readiness(
        bare=pictures["bare"],
        unsized=pictures["unsized"] if settings.campaign is Campaign.ENTITIES else 0,
        unpaired=works.filter(pairs=None).count() if judges else 0,
        shortages=shortages,
        crowd=tuple(crowd_obstacles(settings)),
        prior=_prior_obstacle(batch.project_id, settings),
        cap=cap_of(settings, forecast),
        team=None if people is None else _team(batch, people, reach),
        reach=reach,
        judge=_judge_obstacle(batch.project_id, settings),
        suggestions=_suggestions_obstacle(batch, settings),
        contact=contact_obstacle(settings, batch.project.contact or site.GROUNDCREW_CONTACT),
        forecast=forecast,
    )


def _prior_obstacle(project: int, settings: BatchSettings) -> str:
    if not settings.needs_prior:
        return ""
    latest = newest(project)
    if latest is None:
        return (
            f"its link strategy {settings.strategy} needs a prior, and the project has none. Fit one with "
            "manage.py fit_prior or on the project's page Priors, or choose another link strategy"
        )
    if settings.prior is not None and settings.prior > latest.number:
        return f"prior: the project has no prior {settings.prior}. The newest is {latest.number}"
    number = settings.prior or latest.number
    if not settings.human_yes and has_scores(project, number):
        return (
            f"prior {number} adds a model's scores, so the setting human_yes must be on: no score alone "
            "joins mentions. Set it, or name a prior of words alone (prior)"
        )
    return ""


def contact_obstacle(settings: BatchSettings, contact: str) -> str:
    """Return why workers need a contact, "" if they have one or need none [ours].

    A worker whose pay is missing, or who fails a test, must be able to write to a person.
    """
    if contact:
        return ""
    tested = any(TEST in questions_needed(settings, stage) for stage in settings.stages)
    why = "pays its workers" if any(settings.reward.values()) else "tests its workers" if tested else ""
    if not why:
        return ""
    return f"it {why}, and they have nobody to write to: set the project's contact (manage.py contact)"


def _judge_obstacle(project: int, settings: BatchSettings) -> str:
    named = settings.judge.model
    if not named:
        return ""
    if not any(PROTOCOLS[settings.protocol].waits_for_model(stage, settings) for stage in settings.stages):
        return f"judge.model: no model judges in {settings.protocol}. Leave it empty, or choose entities-fast"
    if find_model(project_id=project, named=named) is None:
        return f"judge.model: the project has no model {named}. Add it with manage.py model add"
    return ""


def _suggestions_obstacle(batch: Batch, settings: BatchSettings) -> str:
    number = settings.suggestions.set
    if number is None:
        return ""
    stage = next((stage for stage in settings.stages if shows_suggestions(stage, settings)), None)
    if stage is None:
        return (
            f"suggestions.set: no suggestions are shown in {settings.protocol}, where no boxes are drawn. "
            "Leave it empty"
        )
    found = completed(batch.project_id, number)
    if found is None:
        return (
            f"suggestions.set: the project has no complete set {number}. Import one with "
            "manage.py import_suggestions"
        )
    if found.of_pairs:
        return (
            f"suggestions.set: set {number} has scores of pairs, and no boxes. Leave it empty, or name a set "
            "of boxes; a set of scores is for manage.py fit_prior"
        )
    images = Image.objects.in_use().filter(project=batch.project_id)
    if not settings.suggestions.test_split:
        images = images.exclude(split=TEST_SPLIT)
    asked = VerificationQuestion.objects.filter(
        project=batch.project_id,
        stage=stage,
        role=VerificationQuestion.Role.GOLD,
        state=VerificationQuestion.State.ACTIVE,
    )
    if settings.regime[stage] == Regime.OPEN:  # no page has questions
        asked = asked.none()
    of_questions = uncovered(found, images.filter(pk__in=asked.values("image")))
    of_batch = uncovered(found, images.filter(pk__in=batch.works.filter(active=True).values("image")))
    if not of_questions and not of_batch:
        return ""
    return (
        f"suggestions.set: set {number} has nothing about {of_batch:,} images of the batch and "
        f"{of_questions:,} images of verification questions, by which workers could tell one from the other. "
        "Let the model look at these, too, and import all; if it did and found nothing, import with "
        "--every-mention"
    )


def cap_of(settings: BatchSettings, forecast: Forecast | None) -> Cap | None:
    """Return the batch's cap beside its forecast cost, fees included, or None if it has no cap."""
    cap = settings.crowd.cap
    return None if cap is None or forecast is None else Cap(cap, forecast.total.cost, settings.currency)


def _team(batch: Batch, people: Collection[int], reach: Reach | None) -> Team:
    able, planned = able_people(batch, people), reach.people_to_plan_for if reach else 0
    return Team(len(people), min(able.values()), planned, stages_short_of_people(settings_of(batch), able))

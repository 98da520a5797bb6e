"""The counts that are kept for pages: one frozen dataclass a kind, to JSON and back: docs/kept-counts.md.

Every field has a default, and unknown keys in JSON are skipped. So figures of another version can be read
until they are counted again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from types import MappingProxyType
from typing import Any, Self

from annotation.domain.protocols import Campaign

Counts = Mapping[str, int]
"""Name -> number."""
Interval = tuple[float | None, float | None, float | None]
"""A figure, and the ends of its 95% interval. None: nothing to compute it from."""
NO_INTERVAL: Interval = (None, None, None)


@dataclass(frozen=True, slots=True)
class Counted:
    """A group of figures that are counted together."""

    def to_json(self) -> dict[str, Any]:
        """Return plain values. `from_json` reads them back."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return the figures that `to_json` of this or another version wrote."""
        return cls(**_known(cls, data))


@dataclass(frozen=True, slots=True)
class Corpus(Counted):
    """The corpus of a project, with its captions as they are chunked now."""

    images: int = 0
    with_pictures: int = 0
    captions: int = 0
    mentions: int = 0  # all chunks, also pronouns and non-visual terms
    annotatable: int = 0  # mentions that workers are asked about
    mentions_by_type: Counts = field(
        default_factory=dict
    )  # annotatable mentions; one with two types counts under both
    gold_chains: int = 0
    free_images: int = 0  # images that no batch holds, without verification questions
    question_images: int = 0  # images that no batch holds, with verification questions
    undescribed: int = 0  # photographs without a caption that no batch collects captions for
    histogram: tuple[tuple[int, int], ...] = ()  # (annotatable mentions of an image, such images)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return the figures that `to_json` wrote."""
        known = _known(cls, data)
        known["histogram"] = tuple((mentions, images) for mentions, images in known.get("histogram", ()))
        return cls(**known)


@dataclass(frozen=True, slots=True)
class StageItems:
    """The items of a stage. Each item is in one of the first five counts."""

    open: int = 0  # not judged, and on no live page
    leased: int = 0  # on a live page
    waiting: int = 0  # has judgments, and waits for more or to be read
    done: int = 0
    withdrawn: int = 0  # does not follow any more, or its image was released
    judgments_to_come: int = 0  # that the rules want for open items, as far as known
    judged: int = 0  # judgments that count, on images not released

    @property
    def unfinished(self) -> int:
        """The number of items that are not finished."""
        return self.open + self.leased + self.waiting


DONE, SHORT, RELEASED = "done", "short", "released"
"""The states of photographs that are done, of those that are done but have fewer captions than they were to
get, and of those that no batch holds any more."""


@dataclass(frozen=True, slots=True)
class Photographs:
    """Photographs of which the same is made, each counted once."""

    states: Counts = field(default_factory=dict)  # by state, as queued, or released
    wanted: int = 0  # that are to be done: without released ones, at most a batch's target

    @property
    def done(self) -> int:
        """The number of photographs that are done."""
        return self.states.get(DONE, 0)

    @property
    def over(self) -> int:
        """The same with those that are short of captions: workers are asked nothing more about them."""
        return self.done + self.states.get(SHORT, 0)


@dataclass(frozen=True, slots=True)
class Items(Counted):
    """How far the work is.

    `images` and `wanted` are of the photographs of which most is made, which `campaign` names: those that are
    grounded if there are any. `beside` has those of which something else is made.
    """

    stages: Mapping[str, StageItems] = field(default_factory=dict)
    images: Counts = field(default_factory=dict)  # by state, as queued, or released
    wanted: int = 0  # images that are to be done: without released ones, at most a batch's target
    campaign: str = Campaign.ENTITIES
    beside: Mapping[str, Photographs] = field(default_factory=dict)  # by campaign

    @property
    def judged(self) -> int:
        """The number of judgments that count, on images that were not released."""
        return sum(one.judged for one in self.stages.values())

    @property
    def judgments_to_come(self) -> int:
        """The number of judgments that the rules ask for now."""
        return sum(one.judgments_to_come for one in self.stages.values())

    @property
    def images_done(self) -> int:
        """The number of images that are done."""
        return self.images.get(DONE, 0)

    def of(self, campaign: Campaign) -> Photographs:
        """Return the photographs of which this is made."""
        if campaign == self.campaign:
            return Photographs(self.images, self.wanted)
        return self.beside.get(campaign, Photographs())

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return the figures that `to_json` wrote."""
        return cls(
            stages={name: StageItems(**_known(StageItems, one)) for name, one in _of(data, "stages")},
            images=dict(data.get("images", {})),
            wanted=data.get("wanted", 0),
            campaign=data.get("campaign", Campaign.ENTITIES),
            beside={name: Photographs(**_known(Photographs, one)) for name, one in _of(data, "beside")},
        )


@dataclass(frozen=True, slots=True)
class Times:
    """How long some of a stage's answers took, in seconds."""

    answers: int = 0
    median: float | None = None
    p90: float | None = None


FIRST, FURTHER = "first", "further"
"""The ways of StageJudgments besides those of drawing: the first question about a photograph, and others."""


@dataclass(frozen=True, slots=True)
class StageJudgments:
    """What was answered in a stage. Shares are from 0 to 1, or None if there is nothing to divide by."""

    judgments: int = 0  # on items, whether they count or not
    set_aside: int = 0  # those of them that do not count
    pages: int = 0  # submitted
    workers: int = 0  # workers who gave judgments or answers
    rejected_pages: int = 0  # below the minimum, under the regime `verification`
    pages_judged: int = 0  # accepted or rejected
    asked: int = 0  # answers to verification questions
    right: int = 0
    trusted_asked: int = 0  # of these, those of workers who are trusted now
    trusted_right: int = 0
    trusted_mean: float | None = None  # seconds a judgment of these workers
    agreement: float | None = None  # with the outcome: see docs/kept-counts.md
    mean_iou: float | None = None  # of boxes that several workers drew for one verification question
    median: float | None = None  # seconds a judgment
    p90: float | None = None
    p99: float | None = None
    ways: Mapping[str, Times] = field(default_factory=dict)  # by DrawnBy and, with visits, FIRST and FURTHER

    @property
    def score(self) -> float | None:
        """The share of right answers to verification questions."""
        return self.right / self.asked if self.asked else None

    @property
    def trusted_score(self) -> float | None:
        """The same of workers who are trusted now, as in the paper's table 3."""
        return self.trusted_right / self.trusted_asked if self.trusted_asked else None

    @property
    def rejected(self) -> float | None:
        """The share of judged pages that were rejected."""
        return self.rejected_pages / self.pages_judged if self.pages_judged else None


@dataclass(frozen=True, slots=True)
class WorkerStage(Counted):
    """What one worker did in a stage. Shares are from 0 to 1, or None if there is nothing to divide by."""

    judgments: int = 0  # on items, whether they count or not
    questions: int = 0  # answers to verification questions
    right: int = 0
    agreement: float | None = None  # with the outcome; where boxes are drawn, the share of accepted boxes
    median_seconds: float | None = None  # of a judgment
    pages: int | None = None  # submitted; None: counted by an earlier version
    seconds: float | None = None  # of all answers together, as in `Hours`

    @property
    def accuracy(self) -> float | None:
        """The share of right answers to verification questions."""
        return self.right / self.questions if self.questions else None

    @property
    def hours(self) -> float | None:
        """The time at work, which pages call HOURS (console/common/labels.py)."""
        return None if self.seconds is None else self.seconds / 3600


@dataclass(frozen=True, slots=True)
class Judgments(Counted):
    """What was answered, by stage."""

    stages: Mapping[str, StageJudgments] = field(default_factory=dict)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return the figures that `to_json` wrote."""
        stages = {}
        for name, one in _of(data, "stages"):
            ways = {way: Times(**_known(Times, times)) for way, times in _of(one, "ways")}
            stages[name] = StageJudgments(**_known(StageJudgments, one) | {"ways": ways})
        return cls(stages)


@dataclass(frozen=True, slots=True)
class Hours(Counted):
    """Judgments on items by time (UTC) and stage. Times without judgments are left out."""

    hours: tuple[tuple[str, Counts], ...] = ()  # ("2026-01-31T14", {stage: judgments}), of the last 14 days
    days: tuple[tuple[str, Counts], ...] = ()  # ("2026-01-31", {stage: judgments}), since the beginning
    # By day: of all answers, also to verification questions, and of abstentions.
    seconds: Counts = field(default_factory=dict)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return the figures that `to_json` wrote."""
        read = {name: tuple((time, dict(n)) for time, n in data.get(name, ())) for name in ("hours", "days")}
        return cls(**read, seconds=dict(data.get("seconds", {})))


@dataclass(frozen=True, slots=True)
class Results(Counted):
    """Chains and boxes of images that were not released.

    A chain with several types is counted under each. Split and withdrawn chains are counted in
    `chains_by_state` only.
    """

    chains_by_state: Counts = field(default_factory=dict)
    chains_by_type: Counts = field(default_factory=dict)
    mentions_by_type: Counts = field(default_factory=dict)  # in these chains
    boxes_by_type: Counts = field(default_factory=dict)  # accepted
    boxes: Counts = field(default_factory=dict)  # by state: proposed, accepted, rejected, withdrawn
    chains_by_boxes: Counts = field(default_factory=dict)  # finished ones: none, one, several accepted boxes
    flags: Counts = field(default_factory=dict)  # scene, nobndbox


@dataclass(frozen=True, slots=True)
class Links(Counted):
    """Sources of links (the paper's figure 3): pairs of mentions in images whose links are settled."""

    sources: Counts = field(default_factory=dict)  # asked, transitivity, type, caption
    settled: int = 0  # images
    # Pairs that are in one chain although they were answered *different*, or are of one caption.
    contradictions: int = 0


@dataclass(frozen=True, slots=True)
class Sums:
    """Rewards in a currency's smallest unit."""

    spent: int = 0  # of submitted pages
    held: int = 0  # of live pages
    to_come: int = 0  # of judgments to come that are on no live page, in full pages


@dataclass(frozen=True, slots=True)
class Money(Counted):
    """Rewards by currency (ISO 4217)."""

    currencies: Mapping[str, Sums] = field(default_factory=dict)
    days: Mapping[str, Counts] = field(default_factory=dict)  # day (UTC) -> {currency: of submitted pages}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return the figures that `to_json` wrote."""
        return cls(
            {name: Sums(**_known(Sums, one)) for name, one in _of(data, "currencies")},
            days={day: dict(one) for day, one in _of(data, "days")},
        )


@dataclass(frozen=True, slots=True)
class Queue(Counted):
    """The review queue: open cases."""

    reasons: Counts = field(default_factory=dict)

    @property
    def total(self) -> int:
        """The number of open cases."""
        return sum(self.reasons.values())


@dataclass(frozen=True, slots=True)
class WithSuggestions:
    """What is known of the answers with suggestions, or of those without. None: nothing to say it from.

    Each figure is its value and the ends of its 95% interval.
    """

    answers: int = 0
    seconds: Interval = NO_INTERVAL  # the median of an answer
    boxes: Interval = NO_INTERVAL  # a chain
    good: Interval = NO_INTERVAL  # share of judged boxes
    side: Interval = NO_INTERVAL  # mean side of a box, as a share of the photograph's
    overlooked: Interval = NO_INTERVAL  # share of chains for which a check missed something


@dataclass(frozen=True, slots=True)
class ByScore:
    """Suggestions whose scores are from `low` to the next one's, and what became of them."""

    low: float = 0.0
    shown: int = 0
    accepted: int = 0
    adjusted: int = 0
    checked: int = 0  # of those accepted: the ones that a check accepted or rejected
    right: int = 0  # and those that it accepted


@dataclass(frozen=True, slots=True)
class BadAccepted:
    """Bad suggestions on known images, those of them that were accepted, and this share with its interval."""

    shown: int = 0
    accepted: int = 0
    share: Interval = NO_INTERVAL


@dataclass(frozen=True, slots=True)
class Suggestions(Counted):
    """What suggestions did in a batch that shows some: `workflows.suggestions.domain.effects`."""

    with_them: WithSuggestions = WithSuggestions()
    without: WithSuggestions = WithSuggestions()
    by_score: tuple[ByScore, ...] = ()
    bad: BadAccepted = BadAccepted()
    bad_of_workers: tuple[tuple[int, BadAccepted], ...] = ()  # the ids of the workers who accepted the most
    workers: int = 0  # who were shown a bad one

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return the figures that `to_json` wrote."""
        return cls(
            with_them=_group(data.get("with_them", {})),
            without=_group(data.get("without", {})),
            by_score=tuple(ByScore(**_known(ByScore, one)) for one in data.get("by_score", ())),
            bad=_bad(data.get("bad", {})),
            bad_of_workers=tuple((worker, _bad(one)) for worker, one in data.get("bad_of_workers", ())),
            workers=data.get("workers", 0),
        )


def _group(data: Mapping[str, Any]) -> WithSuggestions:
    known = _known(WithSuggestions, data)
    read: dict[str, Any] = {name: tuple(one) if isinstance(one, list) else one for name, one in known.items()}
    return WithSuggestions(**read)


def _bad(data: Mapping[str, Any]) -> BadAccepted:
    known = _known(BadAccepted, data)
    return BadAccepted(**known | {"share": tuple(known.get("share", NO_INTERVAL))})


KINDS: Mapping[str, type[Counted]] = MappingProxyType(
    {
        "corpus": Corpus,
        "items": Items,
        "judgments": Judgments,
        "hours": Hours,
        "results": Results,
        "links": Links,
        "money": Money,
        "queue": Queue,
        "suggestions": Suggestions,
    }
)
"""The classes of figures by kind, the name under which they are stored."""
SUGGESTIONS = "suggestions"
"""The kind that only batches with a set of suggestions have."""
OF_PROJECTS = tuple(kind for kind in KINDS if kind != SUGGESTIONS)
OF_BATCHES = tuple(kind for kind in OF_PROJECTS if kind not in ("corpus", "queue"))


def _known(cls: type[Any], data: Mapping[str, Any]) -> dict[str, Any]:
    names = {one.name for one in fields(cls)}
    return {name: value for name, value in data.items() if name in names}


def _of(data: Mapping[str, Any], name: str) -> list[tuple[str, Mapping[str, Any]]]:
    return list(data.get(name, {}).items())

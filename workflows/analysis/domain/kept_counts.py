"""Figures that are kept for pages: one frozen dataclass a kind, to JSON and back. docs/figures.md says more.

Every field has a default, and what JSON says beyond the fields is passed over: figures that an earlier
version counted can be read until they are counted again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from types import MappingProxyType
from typing import Any, Self

Counts = Mapping[str, int]
"""Something -> how many."""


@dataclass(frozen=True, slots=True)
class Counted:
    """A group of figures that are counted together."""

    def to_json(self) -> dict[str, Any]:
        """Plain values; `from_json` reads them back to equal figures."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """The figures of what `to_json` gave, now or in another version."""
        return cls(**_known(cls, data))


@dataclass(frozen=True, slots=True)
class Corpus(Counted):
    """What a project has, as its captions are cut now."""

    images: int = 0
    with_pictures: int = 0
    captions: int = 0
    mentions: int = 0  # all chunks, pronouns and non-visual terms too
    annotatable: int = 0  # mentions that are asked about
    mentions_by_type: Counts = field(default_factory=dict)  # annotatable; one of two types is in both
    gold_chains: int = 0
    free_images: int = 0  # that no batch has, nor any verification question
    histogram: tuple[tuple[int, int], ...] = ()  # (annotatable mentions of an image, such images)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """As of any kind; the histogram in its order."""
        known = _known(cls, data)
        known["histogram"] = tuple((mentions, images) for mentions, images in known.get("histogram", ()))
        return cls(**known)


@dataclass(frozen=True, slots=True)
class StageItems:
    """Items of a stage; each is in one of the first five."""

    open: int = 0  # nobody judged it, nobody has it
    leased: int = 0  # on somebody's page now
    waiting: int = 0  # has judgments; waits for others, or to be read
    done: int = 0
    withdrawn: int = 0  # does not follow any more, or its batch was cancelled before it was done
    judgments_to_come: int = 0  # that the rules want of those not done, as far as they know now
    judged: int = 0  # judgments that count, of images not let go

    @property
    def unfinished(self) -> int:
        """Items that something is still to happen to."""
        return self.open + self.leased + self.waiting


@dataclass(frozen=True, slots=True)
class Items(Counted):
    """How far the work is."""

    stages: Mapping[str, StageItems] = field(default_factory=dict)
    images: Counts = field(default_factory=dict)  # by state: queued, linking, boxing, done, released
    wanted: int = 0  # images that are to be done: without those let go, and no more than a batch's target

    @property
    def judged(self) -> int:
        """Judgments that count, of images that were not let go."""
        return sum(one.judged for one in self.stages.values())

    @property
    def images_done(self) -> int:
        """Those of them that are."""
        return self.images.get("done", 0)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """As of any kind, with what is known of each stage."""
        return cls(
            stages={name: StageItems(**_known(StageItems, one)) for name, one in _of(data, "stages")},
            images=dict(data.get("images", {})),
            wanted=data.get("wanted", 0),
        )


@dataclass(frozen=True, slots=True)
class StageJudgments:
    """What was answered in a stage. Shares are from 0 to 1, or None where there is nothing to divide by."""

    judgments: int = 0  # on items, whether they still count or not
    set_aside: int = 0  # of these, that do not
    pages: int = 0  # submitted
    workers: int = 0  # who gave judgments or answers
    rejected_pages: int = 0  # below the minimum, under the regime `verification`
    pages_judged: int = 0  # accepted or rejected
    asked: int = 0  # answers to verification questions
    right: int = 0
    agreement: float | None = None  # with the outcome: see docs/figures.md
    mean_iou: float | None = None  # of boxes that several workers drew for one verification question
    median: float | None = None  # seconds a judgment
    p90: float | None = None
    p99: float | None = None

    @property
    def score(self) -> float | None:
        """The share of answers to verification questions that is right."""
        return self.right / self.asked if self.asked else None

    @property
    def rejected(self) -> float | None:
        """The share of judged pages that was rejected."""
        return self.rejected_pages / self.pages_judged if self.pages_judged else None


@dataclass(frozen=True, slots=True)
class Judgments(Counted):
    """What was answered, by stage."""

    stages: Mapping[str, StageJudgments] = field(default_factory=dict)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """As of any kind, with what is known of each stage."""
        return cls({name: StageJudgments(**_known(StageJudgments, one)) for name, one in _of(data, "stages")})


@dataclass(frozen=True, slots=True)
class Hours(Counted):
    """Judgments on items by time (UTC) and stage; a time without any is left out."""

    hours: tuple[tuple[str, Counts], ...] = ()  # ("2026-01-31T14", {stage: judgments}), of the last 14 days
    days: tuple[tuple[str, Counts], ...] = ()  # ("2026-01-31", {stage: judgments}), since the beginning

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """As of any kind, the earliest first."""
        read = {name: tuple((time, dict(n)) for time, n in data.get(name, ())) for name in ("hours", "days")}
        return cls(**read)


@dataclass(frozen=True, slots=True)
class Results(Counted):
    """Chains and boxes, of images that are with their batch still.

    Of a chain with several types, everything is counted under each. But for `chains_by_state`, chains that
    were split or withdrawn are left out.
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
    """Where links came from (the paper's figure 3): pairs of mentions of images whose links are settled."""

    sources: Counts = field(default_factory=dict)  # asked, transitivity, type, caption
    settled: int = 0  # images


@dataclass(frozen=True, slots=True)
class Sums:
    """Money in a currency's smallest unit."""

    spent: int = 0  # of submitted pages
    held: int = 0  # of pages in somebody's hands
    to_come: int = 0  # of the judgments to come that no page in hands is for, in full pages


@dataclass(frozen=True, slots=True)
class Money(Counted):
    """By currency (ISO 4217)."""

    currencies: Mapping[str, Sums] = field(default_factory=dict)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """As of any kind, with the sums of each currency."""
        return cls({name: Sums(**_known(Sums, one)) for name, one in _of(data, "currencies")})


@dataclass(frozen=True, slots=True)
class Queue(Counted):
    """The review queue: open cases."""

    reasons: Counts = field(default_factory=dict)

    @property
    def total(self) -> int:
        """All of them."""
        return sum(self.reasons.values())


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
    }
)
"""By the name under which they are kept."""
OF_PROJECTS = tuple(KINDS)
OF_BATCHES = tuple(kind for kind in KINDS if kind not in ("corpus", "queue"))


def _known(cls: type[Any], data: Mapping[str, Any]) -> dict[str, Any]:
    names = {one.name for one in fields(cls)}
    return {name: value for name, value in data.items() if name in names}


def _of(data: Mapping[str, Any], name: str) -> list[tuple[str, Mapping[str, Any]]]:
    return list(data.get(name, {}).items())

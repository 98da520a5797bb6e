"""What a job may be asked to do, which moves between states are possible, and when a job is abandoned."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from datetime import datetime, timedelta
from math import isfinite
from types import MappingProxyType
from typing import Any, TypeVar

from annotation.domain.field_errors import FieldError
from annotation.domain.merge import MergeSettings, read_pairs, said_pairs
from annotation.domain.records import MAX_LICENCE
from annotation.formats.base import is_printable

QUEUED, RUNNING, DONE, FAILED, CANCELLED = "queued", "running", "done", "failed", "cancelled"
UNFINISHED = (QUEUED, RUNNING)

MOVES: Mapping[str, tuple[frozenset[str], str]] = MappingProxyType(
    {
        "take": (frozenset({QUEUED, RUNNING}), RUNNING),
        "finish": (frozenset({RUNNING}), DONE),
        "fail": (frozenset({RUNNING}), FAILED),
        "cancel": (frozenset({QUEUED, RUNNING}), CANCELLED),
        "resume": (frozenset({FAILED, CANCELLED}), QUEUED),
    }
)
"""For each move, the states it is possible from and the state it leads to. A running job is taken only if it
is abandoned."""

STALE = timedelta(minutes=1)
"""A run that has written nothing for so long is dead."""
BLIND = timedelta(minutes=10)
"""How long a run may be silent while the disk syncs or a bucket takes an archive. It says so before."""
BEAT = timedelta(seconds=1)
"""A run writes its progress, and reads whether it should stop, at most so often."""
MAX_ATTEMPTS = 5
"""How many runs a job may have: if so many died, the next one would die too."""
MAX_PROBLEMS = 500
"""The most problems that are stored with a job; all of them are counted."""
MAX_LOCATION = 500  # characters

MAX_PAIRS = 2_000_000
"""The most pairs that a batch judges: all of 1,000 images with two captions each."""

_Asked = TypeVar("_Asked", "ImportAsked", "ExportAsked", "EvaluationAsked", "PairsAsked", "SuggestionsAsked")

COMPONENTS, LOCALIZATION = "components", "localization"
TASKS = (COMPONENTS, LOCALIZATION)
"""What a version can be evaluated for, as `python -m evaluation` calls it."""
RULES = ("merged", "any", "component")
SPLITS = ("", "train", "val", "test")
CANDIDATES = ("all", "drawn", "first")
"""Which captions of an image may be judged for others: all, one that is drawn, or its first."""
MAX_DEPTH = 1000
PREDICTIONS_FORMATS = (
    "",
    *(
        f"{unit}{order}"
        for unit in ("pixels", "fractions", "thousandths")
        for order in ("", "-xywh", "-yxyx", "-cxcywh")
    ),
    *("qwen2.5-vl", "qwen3-vl", "qwen2-vl", "internvl", "florence-2", "paligemma", "kosmos-2"),
    *("shikra", "gemini", "molmo"),
)
"""What the numbers of boxes are, or whose answers a file has: `--predictions-format`.

"": pixels; in COCO results `pixels-xywh`.
"""
RESIZING = "qwen2.5-vl"
"""The format whose numbers depend on `--max-pixels`."""
LEAST_MAX_PIXELS, MOST_MAX_PIXELS = 56 * 56, 10**9


_RENAMED = {"coordinates": "predictions_format"}
"""Former names of options, which stored jobs have. `thousandths` still reads all that it did then."""


class JobError(FieldError):
    """A job cannot be started or moved. `field` names the wrong option, and the text says what to do."""


@dataclass(frozen=True, slots=True)
class ImportAsked:
    """What to import: an upload by its id, or a place, which is a file or folder of the server or s3://bucket/prefix."""

    upload: str = ""
    place: str = ""
    format: str = ""  # "": recognise it
    as_gold: bool = False
    strict: bool = False
    any_language: bool = False
    keep_metadata: bool = False
    after: int = 0  # the id of the dry run whose copy of a bucket is used

    def __post_init__(self) -> None:
        if bool(self.upload) == bool(self.place):
            raise JobError("place", "Upload a corpus or name the place where it is, but not both.")
        if len(self.place) > MAX_LOCATION or not is_printable(self.place):
            raise JobError("place", f"A place has at most {MAX_LOCATION} characters, all of them printable.")


MAX_CHOSEN = 1000
"""The most images that are chosen one by one for an export."""


@dataclass(frozen=True, slots=True)
class ExportAsked:
    """What to export. The options are those of `manage.py export_dataset`."""

    format: str
    source: str = "crowd"
    batch: str = ""
    merge: bool = True
    merge_iou: float = MergeSettings().iou
    merge_iou_other: float = MergeSettings().iou_other
    keep_apart: str = said_pairs(MergeSettings().never)
    include_unfinished: bool = False
    include_unresolved: bool = False
    people_only: bool = False
    pictures: bool = False
    licence: str = ""
    images: list[int] = field(default_factory=list)  # ids; all if there are none

    def __post_init__(self) -> None:
        if len(self.images) > MAX_CHOSEN:
            raise JobError("images", f"At most {MAX_CHOSEN:,} images can be chosen for an export.")
        if len(self.licence) > MAX_LICENCE or not self.licence.isprintable():
            raise JobError(
                "licence", f"A licence has at most {MAX_LICENCE} characters, all of them printable."
            )
        if self.batch and self.source != "crowd":
            raise JobError(
                "batch", "Only the crowd's annotation has batches: choose no batch for known answers."
            )
        for name in ("merge_iou", "merge_iou_other"):
            if not 0 < getattr(self, name) <= 1:
                raise JobError(name, "An IoU must be above 0 and at most 1.")
        try:
            read_pairs(self.keep_apart)
        except ValueError as error:
            raise JobError("keep_apart", f"{error}.") from error

    @property
    def merging(self) -> MergeSettings | None:
        """How boxes are merged; None if nothing is merged."""
        if not self.merge:
            return None
        return MergeSettings(self.merge_iou, self.merge_iou_other, read_pairs(self.keep_apart))


@dataclass(frozen=True, slots=True)
class EvaluationAsked:
    """Which version to evaluate (id of the snapshot), for what, and by which uploaded predictions.

    The settings are those of `python -m evaluation`. Without an upload, it is about the data set alone.
    """

    version: int
    task: str = COMPONENTS
    upload: str = ""
    file: str = ""  # what the upload's file is called, for people
    rule: str = RULES[0]
    iou: float = 0.5
    split: str = ""
    predictions_format: str = PREDICTIONS_FORMATS[0]
    max_pixels: int = 0  # 0: the default of the model's processor

    def __post_init__(self) -> None:
        for name, choices in (
            ("task", TASKS),
            ("rule", RULES),
            ("split", SPLITS),
            ("predictions_format", PREDICTIONS_FORMATS),
        ):
            if getattr(self, name) not in choices:
                raise JobError(name, f"It must be one of {', '.join(filter(None, choices))}.")
        if not 0 < self.iou <= 1:
            raise JobError("iou", "An IoU must be above 0 and at most 1.")
        _check_max_pixels(self.max_pixels, self.predictions_format)


@dataclass(frozen=True, slots=True)
class PairsAsked:
    """Which pairs of an image and a caption are looked at, and which of them remain to be judged.

    The settings are those of `python -m evaluation pairs`. The upload has ranked lists of systems, and
    experts' grades; without ranked lists, all pairs are looked at.
    """

    upload: str = ""
    files: str = ""  # what the ranked lists are called, for people
    grades: str = ""  # and the grades
    split: str = ""
    candidates: str = CANDIDATES[0]
    depth: int = 10
    least_bleu: float = 0.25

    def __post_init__(self) -> None:
        for name, choices in (("candidates", CANDIDATES), ("split", SPLITS)):
            if getattr(self, name) not in choices:
                raise JobError(name, f"It must be one of {', '.join(filter(None, choices))}.")
        if not 0 <= self.least_bleu <= 1:
            raise JobError("least_bleu", "A Bleu is a number from 0 to 1.")
        if not 1 <= self.depth <= MAX_DEPTH:
            raise JobError("depth", f"It must be a number from 1 to {MAX_DEPTH:,}.")


@dataclass(frozen=True, slots=True)
class SuggestionsAsked:
    """Which uploaded boxes become a set of suggestions of a model (id), and how they are chosen.

    The options are those of `manage.py import_suggestions`; `nms` None keeps boxes that overlap.
    """

    model: int
    upload: str
    file: str = ""  # what the upload's file is called, for people
    threshold: float | None = None
    nms: float | None = 0.7
    every_mention: bool = False
    predictions_format: str = PREDICTIONS_FORMATS[0]
    max_pixels: int = 0  # 0: the default of the model's processor

    def __post_init__(self) -> None:
        if self.predictions_format not in PREDICTIONS_FORMATS:
            choices = ", ".join(filter(None, PREDICTIONS_FORMATS))
            raise JobError("predictions_format", f"It must be one of {choices}.")
        _check_max_pixels(self.max_pixels, self.predictions_format)
        if self.threshold is not None and not isfinite(self.threshold):
            raise JobError("threshold", "A threshold is a number.")
        if self.nms is not None and not 0 < self.nms <= 1:
            raise JobError("nms", "An IoU must be above 0 and at most 1. Leave it empty to keep all boxes.")


def _check_max_pixels(max_pixels: int, predictions_format: str) -> None:
    if max_pixels and predictions_format != RESIZING:
        raise JobError("max_pixels", f"Choose the format {RESIZING}, or leave this empty.")
    if max_pixels and not LEAST_MAX_PIXELS <= max_pixels <= MOST_MAX_PIXELS:
        limits = f"{LEAST_MAX_PIXELS:,} to {MOST_MAX_PIXELS:,}"
        raise JobError("max_pixels", f"It must be a number from {limits}.")


Asked = ImportAsked | ExportAsked | EvaluationAsked | PairsAsked | SuggestionsAsked


def to_options(asked: Asked) -> dict[str, Any]:
    """Return the request as a job's `options`."""
    return asdict(asked)


def parse_options(kind: type[_Asked], options: Mapping[str, Any]) -> _Asked:
    """Read what `to_options` made. Raises JobError if another version of this program made it."""
    known = {field.name for field in fields(kind)}
    options = {_RENAMED.get(name, name): value for name, value in options.items()}
    if set(options) - known:
        raise JobError("", "This job was made by another version of this program: start a new one.")
    try:
        return kind(**options)
    except TypeError as error:
        raise JobError(
            "", "This job was made by another version of this program: start a new one."
        ) from error


def can_move(move: str, state: str) -> bool:
    """Return whether a job in `state` can make the move."""
    return state in MOVES[move][0]


def is_abandoned(state: str, beat_at: datetime | None, now: datetime) -> bool:
    """Return whether a job is in the state running although its run is dead.

    A time from the future is trusted only as far as a run may be silent. The clock may have been set back
    after the run died, and the job would stay until the clock comes to that time again.
    """
    if state != RUNNING or beat_at is None:
        return state == RUNNING
    return not -(BLIND + STALE) <= now - beat_at <= STALE


def seconds_left(done: int, total: int | None, seconds: float) -> float | None:
    """Return how many seconds the rest takes at the speed so far; None while that is unknown."""
    if not total or not done or seconds <= 0:
        return None
    return max(total - done, 0) * seconds / done

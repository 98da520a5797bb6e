"""What a job may be asked for, which moves it may make, and when it counts as abandoned."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any, TypeVar

from annotation.domain.merge import MergeSettings

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
"""From which states a move is possible, and where it leads. Only an abandoned one is taken while running."""

STALE = timedelta(minutes=1)
"""A run that was not heard of for as long is dead."""
BEAT = timedelta(seconds=1)
"""A run says that it lives, how far it is, and looks whether it is to stop, at most as often."""
MOST_ATTEMPTS = 5
"""A job that killed so many runs would kill the next one, too."""
MOST_PROBLEMS = 500
"""Problems that are kept; all of them are counted."""
MOST_LOCATION = 500  # characters

_Asked = TypeVar("_Asked", "ImportAsked", "ExportAsked")


class JobError(Exception):
    """A job cannot be had or moved like this: `field` is what was asked for wrongly, the text what to do."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


@dataclass(frozen=True, slots=True)
class ImportAsked:
    """What to import: an upload by its id, or a place (a folder or file of the server, or s3://bucket/prefix)."""

    upload: str = ""
    place: str = ""
    format: str = ""  # "": whatever it looks like
    as_gold: bool = False
    strict: bool = False
    after: int = 0  # the dry run whose copy of a bucket it takes over

    def __post_init__(self) -> None:
        if bool(self.upload) == bool(self.place):
            raise JobError("place", "Upload a corpus, or name the place where it is: one of the two.")
        if len(self.place) > MOST_LOCATION or not self.place.isprintable():
            raise JobError("place", f"A place has up to {MOST_LOCATION} plain characters.")


@dataclass(frozen=True, slots=True)
class ExportAsked:
    """What to export; the same as of `manage.py export_dataset`. Without `merge` nothing is merged."""

    format: str
    source: str = "crowd"
    batch: str = ""
    merge: bool = True
    merge_iou: float = MergeSettings().iou
    merge_iou_other: float = MergeSettings().iou_other
    include_unfinished: bool = False

    def __post_init__(self) -> None:
        if self.batch and self.source != "crowd":
            raise JobError("batch", "Only the crowd's annotation has batches: choose none for known answers.")
        for name in ("merge_iou", "merge_iou_other"):
            if not 0 < getattr(self, name) <= 1:
                raise JobError(name, "An IoU is above 0 and at most 1.")

    @property
    def merging(self) -> MergeSettings | None:
        return MergeSettings(self.merge_iou, self.merge_iou_other) if self.merge else None


def to_options(asked: ImportAsked | ExportAsked) -> dict[str, Any]:
    """As a job's `options`."""
    return asdict(asked)


def parse_options(kind: type[_Asked], options: Mapping[str, Any]) -> _Asked:
    """What `to_json` made. Raises JobError where another version of this program stored something else."""
    known = {field.name for field in fields(kind)}
    if set(options) - known:
        raise JobError("", "This job was made by another version: start it anew.")
    try:
        return kind(**options)
    except TypeError as error:
        raise JobError("", "This job was made by another version: start it anew.") from error


def can_move(move: str, state: str) -> bool:
    """Whether the move leads on from there."""
    return state in MOVES[move][0]


def is_abandoned(state: str, beat_at: datetime | None, now: datetime) -> bool:
    """Whether nobody runs it any more, though it says so."""
    return state == RUNNING and (beat_at is None or now - beat_at > STALE)


def seconds_left(done: int, total: int | None, seconds: float) -> float | None:
    """How long the rest takes at the speed so far; None while nobody can tell."""
    if not total or not done or seconds <= 0:
        return None
    return max(total - done, 0) * seconds / done

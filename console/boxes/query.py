"""The conditions of the wall of boxes, as read from the address of the page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from types import MappingProxyType
from urllib.parse import urlencode

from annotation.domain.suggested import Origin
from annotation.models import Box
from console.inspector.search_query import Wanted

STATES: Mapping[str, str] = MappingProxyType(
    {
        Box.State.ACCEPTED: "accepted",
        Box.State.PROPOSED: "waiting for a check",
        Box.State.REJECTED: "rejected",
        Box.State.WITHDRAWN: "withdrawn",
    }
)
ORIGINS: Mapping[str, str] = MappingProxyType(
    {
        Origin.DRAWN: "drawn without one",
        Origin.ACCEPTED: "accepted as it was",
        Origin.ADJUSTED: "adjusted",
    }
)
REVIEWED: Mapping[str, str] = MappingProxyType({"yes": "reviewed", "no": "not reviewed"})


@dataclass(frozen=True, slots=True)
class BoxesWanted:
    """The conditions, all of which a box must meet. Empty ones are ignored.

    `low` and `high` are limits of the IoU, in per cent.
    """

    phrase: str = ""
    type: str = ""
    batch: int | None = None
    worker: str = ""
    state: str = ""
    low: int | None = None
    high: int | None = None
    suggestion: str = ""
    reviewed: str = ""

    @classmethod
    def read(cls, data: Mapping[str, str]) -> BoxesWanted:
        """Read the conditions from an address. Values that the form does not offer are ignored."""
        images = Wanted.read(data)
        return cls(
            phrase=images.phrase,
            type=images.type,
            batch=images.batch,
            worker=images.worker,
            state=_one_of(data, "state", STATES),
            low=_share(data, "low"),
            high=_share(data, "high"),
            suggestion=_one_of(data, "suggestion", ORIGINS),
            reviewed=_one_of(data, "reviewed", REVIEWED),
        )

    @property
    def images(self) -> Wanted:
        """Return what an image must meet to have such a box."""
        rejected = "boxes" if self.state == Box.State.REJECTED else ""
        return Wanted(phrase=self.phrase, type=self.type, batch=self.batch, disagreement=rejected)

    @property
    def narrow(self) -> bool:
        """Whether many images may meet `images` and have no such box."""
        return bool(self.query())

    def query(self, **more: object) -> str:
        """Return the conditions as a query string with its question mark, or '' if there are none."""
        words = {name: value for name, value in {**asdict(self), **more}.items() if value not in ("", None)}
        return f"?{urlencode(words)}" if words else ""


def _one_of(data: Mapping[str, str], name: str, choices: Mapping[str, str]) -> str:
    value = data.get(name, "")
    return value if value in choices else ""


def _share(data: Mapping[str, str], name: str) -> int | None:
    value = data.get(name, "").strip()
    return int(value) if re.fullmatch(r"[0-9]{1,3}", value) and int(value) <= 100 else None

"""What is in a set of suggestions, or would be: how much it covers, and how good it is on known images."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from console.common.charts import Chart, bars
from console.common.numbers import UNKNOWN, say


@dataclass(frozen=True, slots=True)
class Suggested:
    """The report of a set. `known` has a row for each type: its name, and words."""

    counts: Sequence[tuple[str, int]]
    coverage: str
    chart: Chart
    known: Sequence[tuple[str, Sequence[tuple[str, str]]]]
    left_out: Sequence[tuple[str, int]]
    scored: bool


KNOWN = ("Known phrases", "Known boxes", "Suggested boxes", "Recall", "Precision")


def suggested(report: Mapping[str, Any]) -> Suggested | None:
    """Return the report of `workflows.suggestions.files.Found` as a page shows it.

    None if it is empty, or that of a set of scores of pairs.
    """
    if not report or "pairs" in report:
        return None
    boxes = list(report["boxes"])
    total = sum(number * count for number, count in enumerate(boxes))
    most = max((number for number, count in enumerate(boxes) if count), default=0)
    return Suggested(
        counts=[
            ("boxes", total),
            ("phrases with boxes", report["mentions"] - boxes[0]),
            ("phrases in which nothing was found", boxes[0]),
            ("phrases that the file lacks", report["asked"] - report["mentions"]),
            ("images", report["images"]),
        ],
        coverage=coverage(report),
        chart=bars(
            "Phrases by their number of boxes",
            [str(number) for number in range(most + 1)],
            {"phrases": boxes[: most + 1]},
        ),
        known=[(name, _known(found)) for name, found in report["known"].items()],
        left_out=list(report["left_out"].items()),
        scored=report["scored"],
    )


def coverage(report: Mapping[str, Any]) -> str:
    """Return the share of the phrases that workers may be asked about which the set has an entry for.

    Of a set of scores, return how many pairs it has.
    """
    if not report:
        return UNKNOWN
    if "pairs" in report:
        return f"{say(report['pairs'])} pairs of phrases in {say(report['images'])} images"
    return f"{_share(report['mentions'], report['asked'])} of {say(report['asked'])} phrases"


def _known(found: Mapping[str, int]) -> list[tuple[str, str]]:
    words = (
        say(found["mentions"]),
        say(found["known"]),
        say(found["suggested"]),
        _share(found["matched"], found["known"]),
        _share(found["matched"], found["suggested"]),
    )
    return list(zip(KNOWN, words, strict=True))


def _share(part: int, of: int) -> str:
    return say(round(100 * part / of, 1) if of else None, "%")

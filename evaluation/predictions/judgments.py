"""People's judgments of whether a caption describes an image: experts' grades, or ticks of a crowd.

The file has JSON lines such as `{"image": "a.jpg", "caption": ["b.jpg", 3], "judge": "anna", "grade": 4}`, or
with `"ticked": true` in place of the grade. Without `judge`, a grade is a mean of judgments already.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from evaluation.arrays import Floats, Ints
from evaluation.errors import InputError, Place, fields_of, real, within
from evaluation.predictions.findings import Findings
from evaluation.predictions.pairs import Pairs, caption_of
from evaluation.readers.files import json_lines

MAX_LINE = 64 * 1024
MAX_JUDGMENTS = 10_000_000
Kind = Literal["grade", "ticked"]


@dataclass(frozen=True, slots=True, eq=False)
class Judgments:
    """Judgment n: `judges[judge[n]]` gave the pair `pair[n]` the value `value[n]`.

    A pair is the place of its image times the number of captions, plus the place of its caption. The value is
    a grade, or 1 for a tick and 0 for none. If `judges` is empty, values are means already, and `judge` has
    zeros.
    """

    kind: Kind
    pair: Ints
    judge: Ints
    value: Floats
    judges: tuple[str, ...]

    def means(self) -> tuple[Ints, Floats]:
        """Return the pairs that were judged, in their order, and the mean of each."""
        pair, place, times = np.unique(self.pair, return_inverse=True, return_counts=True)
        return pair, np.asarray(np.bincount(place, weights=self.value) / times, dtype=np.float64)


def read_judgments(path: Path, found: Pairs, findings: Findings) -> Judgments:
    """Return the judgments in a file.

    Those of pairs that the data set does not have, and second ones of one judge about a pair, are counted in
    `findings`. Raise InputError for the first mistake, if a file mixes grades with ticks, or judges with
    means, and if it has no judgment of a pair of the data set.
    """
    rows = {name: at for at, name in enumerate(found.images)}
    columns = {caption: at for at, caption in enumerate(found.captions)}
    judges: dict[str, int] = {}
    values: dict[tuple[int, int], float] = {}
    first: tuple[Kind, bool] | None = None
    for value, place in json_lines(path, MAX_LINE):
        fields = fields_of(value, place, ("image", "caption"), ("judge", "grade", "ticked"))
        image = within(fields["image"], str, place, "image")
        caption = caption_of(fields["caption"], place, "caption")
        kind, number = _value(fields, place)
        judge = within(fields["judge"], str, place, "judge") if "judge" in fields else ""
        if "judge" in fields and not 0 < len(judge) <= 200:
            raise place.error("judge", "has 1 to 200 characters")
        first = first or (kind, bool(judge))
        if first[0] != kind:
            raise place.error(kind, f"the lines before have {first[0]}: a file has grades or ticks")
        if first[1] != bool(judge):
            raise place.error("judge", "is in some lines only: a file has it in each line, or in none")
        if image not in rows or caption not in columns:
            findings.add("item that the data set does not have", f"{place.entry}: {image}, {list(caption)}")
            continue
        key = (rows[image] * len(columns) + columns[caption], judges.setdefault(judge, len(judges)))
        if key in values:
            findings.add("second grade of the same pair", f"{place.entry}: {image}, {list(caption)}")
            continue
        values[key] = number
        if len(values) > MAX_JUDGMENTS:
            raise place.error("", f"there are more than {MAX_JUDGMENTS:,} judgments")
    if first is None or not values:
        raise InputError(f"{path}: has no grade of a pair of the data set")
    keys = np.array(list(values), dtype=np.int64)
    given = np.array(list(values.values()), dtype=np.float64)
    return Judgments(first[0], keys[:, 0], keys[:, 1], given, tuple(judges) if first[1] else ())


def _value(fields: dict[str, object], place: Place) -> tuple[Kind, float]:
    if "ticked" in fields:
        if "grade" in fields:
            raise place.error("ticked", "stands beside a grade: give one of them")
        if "judge" not in fields:
            raise place.error("judge", "is missing; give means of ticks as grades from 0 to 1")
        return "ticked", float(within(fields["ticked"], bool, place, "ticked"))
    if "grade" not in fields:
        raise place.error("grade", "is missing")
    grade = real(fields["grade"], place, "grade")
    if not np.isfinite(grade):
        raise place.error("grade", "is NaN or infinity")
    return "grade", grade

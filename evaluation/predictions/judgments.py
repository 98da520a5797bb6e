"""People's judgments of whether a caption describes an image: experts' grades, or ticks of a crowd.

The file has JSON lines such as `{"image": "a.jpg", "caption": ["b.jpg", 3], "judge": "anna", "grade": 4}`, or
with `"ticked": true` in place of the grade. Without `judge`, a grade is a mean of judgments already.

The two files that were published with Flickr8k are read, too. Their lines have an image, a caption such as
`b.jpg#3`, and three numbers, with tabs between them: three grades (ExpertAnnotations.txt), or the share, the
number of yes and the number of no (CrowdFlowerAnnotations.txt). They do not name the judges.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from evaluation.arrays import Floats, Ints
from evaluation.errors import InputError, Place, fields_of, real, within
from evaluation.predictions.findings import Findings
from evaluation.predictions.pairs import CaptionKey, Pairs, caption_of
from evaluation.readers.files import json_lines, opened_file, read_lines, text_of
from evaluation.readers.records import MAX_CAPTIONS

MAX_LINE = 64 * 1024
MAX_JUDGMENTS = 10_000_000
MAX_TICKS = 1_000
"""Of one pair in a published file."""
_COLUMNS = (
    "expected image, caption#k, and three grades from 1 to 4, or the share, the number of yes and that of no"
)
Kind = Literal["grade", "ticked"]


@dataclass(frozen=True, slots=True, eq=False)
class Judgments:
    """Judgment n: `judges[judge[n]]` gave the pair `pair[n]` the value `value[n]`.

    A pair is the place of its image times the number of captions, plus the place of its caption. The value is
    a grade, or 1 for a tick and 0 for none. If `judges` is empty, the file names no judge: it has means, or
    `judge` counts the judgments of each pair from 0.
    """

    kind: Kind
    pair: Ints
    judge: Ints
    value: Floats
    judges: tuple[str, ...]

    @property
    def repeated(self) -> bool:
        """Return whether a pair has several judgments."""
        return len(np.unique(self.pair)) < len(self.pair)

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
    with opened_file(path) as file:
        start = file.read(4096).lstrip()
    read = _published if b"\t" in start and not start.startswith(b"{") else _json
    known = _Known(found, findings)
    judges: dict[str, int] = {}
    values: dict[tuple[int, int], float] = {}
    first: _Kinds | None = None
    for line in read(path):
        first = first or line.kinds
        if first.kind != line.kinds.kind:
            raise line.place.error(
                line.kinds.kind, f"the lines before have {first.kind}: a file has grades or ticks"
            )
        if first.named != line.kinds.named:
            raise line.place.error("judge", "is in some lines only: a file has it in each line, or in none")
        pair = known.pair(line)
        if pair is None:
            continue
        for at, (judge, value) in enumerate(line.values):
            key = (pair, judges.setdefault(judge, len(judges)) if first.named else at)
            if key in values:
                findings.add("second grade of the same pair", line.said)
                break
            values[key] = value
        if len(values) > MAX_JUDGMENTS:
            raise line.place.error("", f"there are more than {MAX_JUDGMENTS:,} judgments")
    if first is None or not values:
        raise InputError(f"{path}: has no grade of a pair of the data set")
    keys = np.array(list(values), dtype=np.int64)
    given = np.array(list(values.values()), dtype=np.float64)
    return Judgments(first.kind, keys[:, 0], keys[:, 1], given, tuple(judges) if first.named else ())


@dataclass(frozen=True, slots=True)
class _Kinds:
    """What the lines of a file are: grades or ticks, of judges who are named or not."""

    kind: Kind
    named: bool


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of a file: the values of a pair, each with its judge or ""."""

    place: Place
    image: str
    caption: CaptionKey
    kinds: _Kinds
    values: Sequence[tuple[str, float]]

    @property
    def said(self) -> str:
        return f"{self.place.entry}: {self.image}, {list(self.caption)}"


class _Known:
    """Finds the pairs of a data set."""

    def __init__(self, found: Pairs, findings: Findings) -> None:
        self._rows = {name: at for at, name in enumerate(found.images)}
        self._columns = {caption: at for at, caption in enumerate(found.captions)}
        self._findings = findings

    def pair(self, line: _Line) -> int | None:
        row, column = self._rows.get(line.image), self._columns.get(line.caption)
        if row is None or column is None:
            self._findings.add("item that the data set does not have", line.said)
            return None
        return row * len(self._columns) + column


def _json(path: Path) -> Iterator[_Line]:
    for value, place in json_lines(path, MAX_LINE):
        fields = fields_of(value, place, ("image", "caption"), ("judge", "grade", "ticked"))
        image = within(fields["image"], str, place, "image")
        caption = caption_of(fields["caption"], place, "caption")
        kind, number = _value(fields, place)
        judge = within(fields["judge"], str, place, "judge") if "judge" in fields else ""
        if "judge" in fields and not 0 < len(judge) <= 200:
            raise place.error("judge", "has 1 to 200 characters")
        yield _Line(place, image, caption, _Kinds(kind, bool(judge)), ((judge, number),))


def _published(path: Path) -> Iterator[_Line]:
    for line, content in read_lines(path, MAX_LINE):
        place = Place(str(path), line)
        cells = text_of(content, place).split("\t")
        if len(cells) != 5:
            raise place.error("", f"has {len(cells)} columns, not 5: {_COLUMNS}")
        image, label, *numbers = cells
        name, hash_, index = label.rpartition("#")
        if not hash_ or not (index.isascii() and index.isdigit()) or int(index[:9]) >= MAX_CAPTIONS:
            raise place.error("", f"{label[:80]!r} does not end in #k with k below {MAX_CAPTIONS:,}")
        if set(numbers) <= {"1", "2", "3", "4"}:
            values = [("", float(one)) for one in numbers]
            yield _Line(place, image, (name, int(index)), _Kinds("grade", False), values)
        else:
            ticks = [("", value) for value in _ticks(numbers, place)]
            yield _Line(place, image, (name, int(index)), _Kinds("ticked", False), ticks)


def _ticks(numbers: Sequence[str], place: Place) -> list[float]:
    """Return 1 for each yes and 0 for each no. Raise InputError if the share is not theirs."""
    try:
        share, yes, no = float(numbers[0]), *map(int, numbers[1:])
    except ValueError as error:
        raise place.error("", f"{', '.join(numbers)[:80]} are not three numbers: {_COLUMNS}") from error
    if min(yes, no) < 0 or not 0 < yes + no <= MAX_TICKS:
        raise place.error("", f"there are {yes} yes and {no} no, not 1 to {MAX_TICKS:,} together")
    if not abs(share - yes / (yes + no)) < 0.006:  # files may have two digits
        raise place.error("", f"the share is {share:g}, and {yes} yes and {no} no give {yes / (yes + no):g}")
    return [1.0] * yes + [0.0] * no


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

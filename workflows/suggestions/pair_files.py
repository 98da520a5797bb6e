"""Reads a file of scores of pairs of mentions."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from annotation.domain.records import TEST_SPLIT
from annotation.models import Image, Project
from evaluation.errors import InputError, Place, fields_of, list_of, real, within
from evaluation.predictions.findings import Findings
from evaluation.predictions.localization import MAX_LINE
from evaluation.predictions.lookup import name_of
from evaluation.predictions.phrases import SPAN, rows_of
from evaluation.readers.files import json_lines
from workflows.suggestions.corpus import Corpus, corpus_of
from workflows.suggestions.files import SuggestionError, check_size, digest_of

MAX_PAIRS = 5_000_000
"""Pairs of a file: about 1 GB of memory."""
NOT_ASKED = "answer about no pair that may be linked"
TWICE = "second answer about the same pair"
_OF_TEST = f"of images of the split {TEST_SPLIT}"


@dataclass(frozen=True, slots=True)
class FoundScores:
    """What a file has for a project: scores by image id, and what to say about them."""

    scores: Mapping[int, Mapping[tuple[int, int], float]]
    """Of pairs of mention ids, the smaller one first."""
    findings: Findings
    left_out: Mapping[str, int]
    """How many pairs are not in the set, by why."""
    digest: str

    @property
    def pairs(self) -> int:
        """How many pairs have a score."""
        return sum(map(len, self.scores.values()))

    def report(self) -> dict[str, Any]:
        """Return what is stored with the set."""
        return {
            "digest": self.digest,
            "pairs": self.pairs,
            "images": len(self.scores),
            "left_out": dict(self.left_out),
            "findings": self.findings.to_json(),
        }


def has_pairs(path: Path) -> bool:
    """Return whether a file has scores of pairs, by its first line. If that cannot be read, it has none."""
    try:
        first, _ = next(json_lines(path, MAX_LINE), (None, None))
    except (InputError, OSError):
        return False  # whoever reads it as a file of boxes says what is wrong
    return isinstance(first, dict) and "mentions" in first


def read_pair_scores(project: Project, path: Path, *, test_split: bool = False) -> FoundScores:
    """Return the scores that a file has for pairs of the project's mentions. Nothing is written.

    Without `test_split`, images of the split test get none: people alone say what is the same thing there.
    Raise SuggestionError, which names the line.
    """
    check_size(path)
    digest = digest_of(path)
    corpus = corpus_of(project)
    of_test = Image.objects.in_use().filter(project=project, split=TEST_SPLIT).values_list("pk", flat=True)
    reading = _Reading(corpus, frozenset() if test_split else frozenset(of_test))
    try:
        for entry, place in _entries(path):
            reading.add(entry, place)
    except InputError as error:
        raise SuggestionError(str(error)) from error
    if not reading.scores:
        kinds = {**reading.findings.counts, **reading.left_out}
        why = ", ".join(f"{kind} ({count:,})" for kind, count in kinds.items())
        raise SuggestionError(
            f"{path} has no score for a pair of project {project.name}" + (why and f": {why}")
        )
    return FoundScores(reading.scores, reading.findings, reading.left_out, digest)


def _entries(path: Path) -> Iterator[tuple[object, Place]]:
    for nth, (entry, place) in enumerate(json_lines(path, MAX_LINE)):
        if nth >= MAX_PAIRS:
            raise place.error(
                "", f"the file has more than {MAX_PAIRS:,} lines; leave out the least certain pairs"
            )
        yield entry, place


class _Reading:
    """What was read so far."""

    def __init__(self, corpus: Corpus, without: frozenset[int]) -> None:
        self.corpus, self.without = corpus, without
        self.findings, self.left_out = Findings(), Counter[str]()
        self.scores: dict[int, dict[tuple[int, int], float]] = defaultdict(dict)
        self._pairs = 0

    def add(self, entry: object, place: Place) -> None:
        """Add one line. Raise InputError if it cannot be read."""
        fields = fields_of(entry, place, ("image", "mentions", "score"))
        score = real(fields["score"], place, "score")
        if not math.isfinite(score):
            raise place.error("score", "is NaN or infinite; leave out such pairs")
        named = list_of(fields["mentions"], place, "mentions", 2)
        if len(named) != 2:
            raise place.error("mentions", "is not two mentions")
        one, other = (
            self._rows(fields["image"], mention, f"mentions[{at}]", place) for at, mention in enumerate(named)
        )
        if not one or not other:
            return
        pairs = {(min(a, b), max(a, b)) for a, b in product(one, other) if self._asked(a, b)}
        if not pairs:
            keys = self.corpus.lookup.queries.keys
            self.findings.add(
                NOT_ASKED, f"{place.entry}: {name_of(keys[one[0]])} and {name_of(keys[other[0]])}"
            )
        for pair in sorted(pairs):
            self._add_pair(pair, score, place)

    def _rows(self, image: object, mention: object, field: str, place: Place) -> list[int]:
        found = fields_of(mention, place, (), ("phrase", *SPAN), field)
        within(image, str, place, "image")
        try:
            return rows_of({**found, "image": image}, place, self.corpus.lookup, self.findings)
        except InputError as error:
            raise place.error(field, error.what) from error

    def _asked(self, a: int, b: int) -> bool:
        """Return whether workers may be asked about a pair: `admissible`, by rows of the corpus."""
        queries = self.corpus.lookup.queries
        return queries.keys[a].caption != queries.keys[b].caption and bool(
            (queries.types[a] & queries.types[b]).any()
        )

    def _add_pair(self, pair: tuple[int, int], score: float, place: Place) -> None:
        image = self.corpus.images[pair[0]]
        if image in self.without:
            self.left_out[_OF_TEST] += 1
            return
        a, b = sorted(self.corpus.mentions[row] for row in pair)
        own = self.scores[image]
        if (a, b) in own:
            keys = self.corpus.lookup.queries.keys
            self.findings.add(TWICE, f"{place.entry}: {name_of(keys[pair[0]])} and {name_of(keys[pair[1]])}")
            return
        if self._pairs == MAX_PAIRS:
            raise place.error(
                "", f"the file has more than {MAX_PAIRS:,} pairs; leave out the least certain ones"
            )
        self._pairs += 1
        own[a, b] = score

"""Reads a file of boxes as suggestions for a project's mentions."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from annotation.domain.answers import MAX_COORDINATE
from annotation.domain.suggested import MAX_FILE, SuggestedBox
from annotation.models import Project
from evaluation.coordinates import MAX_PIXELS
from evaluation.errors import InputError
from evaluation.predictions.findings import EXAMPLES, Findings
from evaluation.predictions.formats import format_named
from evaluation.predictions.localization import read_localization
from evaluation.predictions.parts import Part
from workflows.suggestions.corpus import Corpus, corpus_of, known_boxes
from workflows.suggestions.domain.choice import Choice, choose
from workflows.suggestions.domain.preview import Figures, Known, compare, histogram

_CHUNK = 1 << 20
_UNSIZED = "all of a mention, since the size of its image is not known"
_NO_ENTRY = "query without a prediction"


SAYS = {
    "prediction for a mention that the data set does not have": "boxes for no phrase of the project",
    "prediction for a mention without a box": "boxes for a phrase that nobody is asked about",
    "prediction for an image that the data set does not have": "boxes for no image of the project",
    "prediction for a type without a query in its image": "boxes for a type that no phrase of its image has",
    "second prediction for the same mention": "boxes for a phrase that has some already, and keeps these",
}
"""What an import says of findings, which `evaluation` calls as it needs them."""


class SuggestionError(ValueError):
    """A file cannot become a set of suggestions. The message says why, and what to do."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a file has for a project: suggestions by mention id, and what to say about them."""

    suggestions: Mapping[int, list[SuggestedBox]]
    findings: Findings
    left_out: Mapping[str, int]
    """How many boxes are no suggestions, by why."""
    asked: int
    """Mentions that workers may be asked about."""
    images: int
    """Images with a suggestion."""
    known: Mapping[str, Figures]
    """How the suggestions compare with known boxes, by type and for all; empty without known boxes."""
    scored: bool
    digest: str

    @property
    def boxes(self) -> list[int]:
        """How many mentions get 0, 1, … boxes."""
        return histogram(map(len, self.suggestions.values()))

    def report(self) -> dict[str, Any]:
        """Return what is stored with the set."""
        return {
            "digest": self.digest,
            "asked": self.asked,
            "mentions": len(self.suggestions),
            "images": self.images,
            "boxes": self.boxes,
            "scored": self.scored,
            "left_out": dict(self.left_out),
            "findings": self.findings.to_json(),
            "known": {name: figures.to_json() for name, figures in self.known.items()},
        }


@dataclass(frozen=True, slots=True)
class Asked:
    """What a file of boxes is matched with: a project's name, its mentions, and its known boxes."""

    project: str
    corpus: Corpus
    known: Mapping[int, Known]


Follow = Callable[..., Iterator[Part]]
"""Wraps the parts of a file as they are read."""


def read_suggestions(
    project: Project,
    path: Path,
    choice: Choice,
    predictions_format: str | None = None,
    max_pixels: int = 0,
) -> Found:
    """Return what a file of boxes has for the project. Nothing is written.

    The formats are those of `evaluation localization`, and `predictions_format` is one of their names.
    `max_pixels` is the most that an image had which Qwen2.5-VL saw; 0 is its processor's default. Raise
    SuggestionError, which names the line.
    """
    check_file(path, choice)
    return match(asked_of(project), path, choice, predictions_format, max_pixels)


def check_file(path: Path, choice: Choice) -> None:
    """Raise SuggestionError if the file cannot be read or is too large, or a number of the choice is none."""
    for name, value in (("threshold", choice.threshold), ("nms", choice.suppression)):
        if value is not None and not math.isfinite(value):
            raise SuggestionError(f"{name}: must be a number")
    check_size(path)


def asked_of(project: Project) -> Asked:
    """Return what files of boxes are matched with. Raise SuggestionError if the project has no mentions."""
    corpus = corpus_of(project)
    if not corpus.mentions:
        raise SuggestionError(f"project {project.name} has no mention to suggest boxes for: import captions")
    return Asked(project.name, corpus, known_boxes(project))


def match(
    asked: Asked,
    path: Path,
    choice: Choice,
    predictions_format: str | None = None,
    max_pixels: int = 0,
    *,
    follow: Follow | None = None,
    examples: int = EXAMPLES,
) -> Found:
    """Return what a file of boxes has for the mentions. The database is not read.

    `examples` is how many lines of each kind are named that match nothing. Raise SuggestionError, which names
    the line.
    """
    digest = digest_of(path)
    corpus = asked.corpus
    findings, left_out = Findings(most=examples), Counter[str]()
    suggestions: dict[int, list[SuggestedBox]] = {}
    images: set[int] = set()
    scored = True
    try:
        most = max_pixels or MAX_PIXELS
        written = format_named(predictions_format, max_pixels=most) if predictions_format else None
        parts = read_localization(path, corpus.lookup, findings, predictions_format=written, strict=True)
        for part in follow(parts, description="reading the boxes") if follow else parts:
            missing = findings.counts[_NO_ENTRY] > 0  # the last part: what the file does not have
            if missing and not choice.every_mention:
                break
            scored = scored and part.unscored is None
            _add(part, corpus, choice, suggestions, images, left_out, path)
    except InputError as error:
        raise SuggestionError(str(error)) from error
    del findings.counts[_NO_ENTRY]
    if not any(suggestions.values()):
        raise SuggestionError(f"{path} has no box for a mention of project {asked.project}" + _why(findings))
    if not scored:
        suggestions = {mention: [[*box[:4], None] for box in boxes] for mention, boxes in suggestions.items()}
    return Found(
        suggestions=suggestions,
        findings=findings,
        left_out=left_out,
        asked=len(corpus.mentions),
        images=len(images),
        known=compare(asked.known, suggestions),
        scored=scored,
        digest=digest,
    )


def _unreadable(path: Path, error: OSError) -> SuggestionError:
    return SuggestionError(f"{path}: cannot be read: {error.strerror or error}")


def _add(
    part: Part,
    corpus: Corpus,
    choice: Choice,
    suggestions: dict[int, list[SuggestedBox]],
    images: set[int],
    left_out: Counter[str],
    path: Path,
) -> None:
    if part.unscored is not None and choice.threshold is not None:
        name = corpus.lookup.name(part.unscored)
        raise SuggestionError(f"{path}: {name} has no scores, which a threshold needs")
    asked = corpus.lookup.queries
    sizes = asked.sizes[asked.image[part.rows]]
    # Boxes of images without a size are left out below, and not counted as outside of these images.
    found, without = choose(part.ranked, np.where(sizes > 0, sizes, MAX_COORDINATE), choice=choice)
    left_out.update(without)
    for row, boxes, size in zip(part.rows.tolist(), found, sizes.tolist(), strict=True):
        if not all(size):
            left_out[_UNSIZED] += 1
            continue
        suggestions[corpus.mentions[row]] = boxes
        images.add(corpus.images[row])


def _why(findings: Findings) -> str:
    kinds = ", ".join(f"{kind} ({count:,})" for kind, count in findings.counts.items() if count)
    return f": {kinds}" if kinds else ""


def check_size(path: Path) -> None:
    """Raise SuggestionError if the file cannot be read, or is too large."""
    try:
        size = path.stat().st_size
    except OSError as error:
        raise _unreadable(path, error) from error
    if size > MAX_FILE:
        raise SuggestionError(f"{path} has more than {MAX_FILE:,} bytes; give several files, one a set")


def digest_of(path: Path) -> str:
    """Return the digest of a file. Raise SuggestionError if it cannot be read."""
    try:
        return _digest(path)
    except OSError as error:
        raise _unreadable(path, error) from error


def _digest(path: Path) -> str:
    found = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            found.update(chunk)
    return f"sha256:{found.hexdigest()}"

"""What a file of predictions has beside usable predictions: counted and named, never silently dropped."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from evaluation.predictions.formats import FORMS
from evaluation.predictions.likely_form import LIMITED, REACHING, RESIZED, TAUGHT_PIXELS, look_of

EXAMPLES = 5
"""How many examples of each kind are named, unless somebody wants more."""

EFFECTS = {
    **{look_of(form): f"may be misread: say --predictions-format {form.name}" for form in FORMS.values()},
    LIMITED: f"may be misread: say --max-pixels {TAUGHT_PIXELS}",
    RESIZED: "may be misread: give width and height in each line",
    REACHING: "may be of another size: give width and height in each line",
    "box outside of its image": "keeps its rank and hits nothing",
    "query without a prediction": "counts as a miss",
    "prediction for a mention that the data set does not have": "changes nothing",
    "characters that do not begin and end with tokens": "changes nothing: give the text of the caption",
    "prediction for words that their caption has several times": "changes nothing: give start and end",
    "prediction for a mention without a box": "changes nothing: only mentions with a box are queries",
    "prediction for a sentence without phrases that have boxes": "changes nothing",
    "prediction for a type without a query in its image": "changes nothing",
    "answer in which no box was found": "counts as a prediction without boxes",
    "answer that looks like another format": "counts as a prediction without boxes",
    "box of an answer that cannot be read": "is left out",
    "point of an answer": "is left out: no measure here is about points",
    "second prediction for the same mention": "changes nothing: the first one counts",
    "box with NaN or infinity": "keeps its rank and hits nothing",
    "score with NaN or infinity": "puts its box behind all others of its query",
    "box of zero or negative area": "keeps its rank and hits nothing",
    "prediction for an image that the data set does not have": "changes nothing",
    "second prediction for the same image": "changes nothing: the first one counts",
    "image without a prediction": "its queries count as misses",
    "image without proposals": "has no largest and no random proposal, so its queries count as misses",
    "image that selects nothing": "has precision and recall 0",
    "image without a selection": "selects nothing: precision and recall 0",
    "chosen box that is not a box of the image": "lowers precision: no caption names it",
    "box that is chosen twice": "changes nothing: the first time counts",
    "labelled boxes of an image that is not measured": "changes nothing",
    "image without labelled boxes": "has only the boxes of the data set, under the last words of phrases",
    "score of a pair with NaN": "ranks the pair behind all others",
    "pair that a ranked list does not have": "ranks the pair behind all that the list has, as a tie",
    "item that is in a ranked list twice": "changes nothing: the first time counts",
    "query without a ranked list": "ranks its pairs as one tie",
    "item that the data set does not have": "changes nothing",
    "caption in a ranked list that is no candidate": "is left out: one caption of each image is a candidate",
    "judged pair whose caption is no candidate": "changes nothing: no system ranks it",
    "second grade of the same pair": "changes nothing: the first one counts",
    "mention in a chain that the data set does not have": "changes nothing",
    "answer about no pair that may be linked": "changes nothing",
    "second answer about the same pair": "changes nothing: the first one counts",
    "mention that is in two chains": "changes nothing: its first chain counts",
    "mention that is in no chain": "counts as a chain of its own",
    "verdict about what the data set does not have": "changes nothing",
    "second verdict about the same thing": "changes nothing: the first one counts",
    "thing that nobody has judged yet": "counts in no rate",
}
"""What each kind does to the measures."""


@dataclass(slots=True)
class Findings:
    """Counts of what was found in one file, with examples, by the kinds of EFFECTS."""

    counts: Counter[str] = field(default_factory=Counter)
    examples: dict[str, list[str]] = field(default_factory=dict)
    most: int = EXAMPLES
    """How many examples of each kind are kept."""

    def add(self, kind: str, example: str = "", count: int = 1) -> None:
        """Count so many of a kind of EFFECTS, and keep one example. A count of 0 adds nothing."""
        if kind not in EFFECTS:
            raise KeyError(kind)
        if not count:
            return
        self.counts[kind] += count
        kept = self.examples.setdefault(kind, [])
        if example and len(kept) < self.most:
            kept.append(example)

    def to_json(self) -> dict[str, dict[str, Any]]:
        """Return what was found by kind: its count, and at most EXAMPLES examples."""
        return {
            kind: {"count": count, "examples": self.examples.get(kind, [])[:EXAMPLES]}
            for kind, count in self.counts.items()
            if count
        }

    def rows(self) -> list[tuple[str, int, str, str]]:
        """Return (kind, count, effect, examples) for each kind that was found, in the order of EFFECTS."""
        return [
            (kind, self.counts[kind], effect, ", ".join(self.examples.get(kind, ())))
            for kind, effect in EFFECTS.items()
            if self.counts[kind]
        ]

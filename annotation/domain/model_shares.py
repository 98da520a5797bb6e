"""Boxes and chains of a data set that models had a part in, as manifests, cards and statistics count them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from annotation.domain.records import ImageRecord


@dataclass(slots=True)
class ModelShares:
    """Counts by model and version, written `name/version`."""

    suggested: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Boxes before merging, by the model whose boxes were shown to their workers, and by their origin."""
    boxes: Counter[str] = field(default_factory=Counter)  # that rest on an answer of the model
    chains: Counter[str] = field(default_factory=Counter)
    unjudged: Counter[str] = field(default_factory=Counter)  # of these boxes, those that no worker judged

    def add(self, raw: ImageRecord, written: ImageRecord) -> None:
        """Add an image, before and after merging."""
        for chain in written.chains:
            self.chains.update(chain.models)
        for box in written.boxes:
            self.boxes.update(box.models)
            # Without a model, a box rests on the judgment that drew it and on another one at least.
            if len(box.judgments) < 2 and not box.decisions:
                self.unjudged.update(box.models)
        self.suggested.update((one.model, one.origin) for box in raw.boxes for one in box.origins)

    @property
    def models(self) -> list[str]:
        """The models that had a part, in order."""
        return sorted({*self.boxes, *self.chains, *(model for model, _ in self.suggested)})

    def origins_of(self, model: str) -> dict[str, int]:
        """Return how many boxes are drawn, accepted and adjusted, where workers saw the model's."""
        return {origin: count for (named, origin), count in sorted(self.suggested.items()) if named == model}

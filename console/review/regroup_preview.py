"""A preview of what a regrouping would withdraw."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from annotation.models import Judgment
from console.review.image_page import NOT_ASKED, Chosen, WorkPage, types_of
from workflows.pipeline.replay.domain.decisions import NewGroup
from workflows.review.domain.kept_boxes import is_same


@dataclass(frozen=True, slots=True)
class Lost:
    """A chain that would be withdrawn; `boxes` are accepted ones.

    `kept` is how many of them a new chain has, as they are or as an equal box.
    """

    id: int
    letter: str
    texts: list[str]
    boxes: int
    kept: int
    judgments: int


@dataclass(frozen=True, slots=True)
class Losses:
    """What a regrouping would withdraw; `dropped` are the texts of mentions nothing is left of."""

    chains: list[Lost]
    dropped: list[str]
    ends: bool  # no chain is left

    @property
    def boxes(self) -> int:
        """Return the boxes that no new chain keeps."""
        return sum(chain.boxes - chain.kept for chain in self.chains)

    @property
    def kept(self) -> int:
        return sum(chain.kept for chain in self.chains)

    @property
    def judgments(self) -> int:
        return sum(chain.judgments for chain in self.chains)

    @property
    def any(self) -> bool:
        """Return whether work or a mention would be lost, so that a researcher must confirm."""
        return bool(self.dropped) or any(chain.boxes or chain.judgments for chain in self.chains)


def losses(page: WorkPage, chosen: Sequence[Chosen], groups: Sequence[NewGroup]) -> Losses:
    """Return the chains that would not continue, according to the form. One query."""
    spans = {mention.pk: (index, mention.start, mention.end) for index, mention in page.mentions}
    texts = {mention.pk: mention.text for _, mention in page.mentions}
    named = [frozenset(group.mentions) for group in groups if not (group.state or group.boxes or group.flag)]
    gone = {
        letter: chain
        for letter, chain in page.chains.items()
        if frozenset(spans[pk] for pk in chain.members if pk in spans) not in named
    }
    rows = Judgment.objects.filter(item__chain__in=[chain.pk for chain in gone.values()], set_aside=None)
    judged = Counter(rows.values_list("item__chain", flat=True))
    kept = [box for group in groups for box in group.boxes]
    types = types_of(gone.values())
    asked = defaultdict(list)
    for chunk in chosen:
        if chunk.chain != NOT_ASKED:
            asked[chunk.caption].append((chunk.start, chunk.end))
    chains = [
        Lost(
            chain.pk,
            letter,
            [texts[pk] for pk in chain.members if pk in texts],
            len(page.boxes.get(chain.pk, ())),
            sum(is_same(box, kept, types) for box in page.boxes.get(chain.pk, ())),
            judged[chain.pk],
        )
        for letter, chain in gone.items()
    ]
    dropped = [
        mention.text
        for index, mention in page.mentions
        if mention.annotatable
        and not any(start < mention.end and mention.start < end for start, end in asked[index])
    ]
    return Losses(sorted(chains, key=lambda one: (len(one.letter), one.letter)), dropped, not groups)

"""`about/unresolved.jsonl`: the mentions that have no result yet, each with the reason.

A mention of an image in a batch is in a chain with a result, or it is in this list, whether the data set has
its image or not. In the files of the data set, it would look like a mention that is not visual.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import orjson

from annotation.domain.chain_states import ANSWERED, REVIEW, SPLIT, UNTOLD, WITHDRAWN
from annotation.exporting.late_file import LateFile
from annotation.models import Batch, Case, Chain, ImageWork, Mention

_STATE = ImageWork.State
_WITHOUT_CHAINS: Mapping[str, str] = {_STATE.QUEUED: "not started", _STATE.LINKING: "links in progress"}
FIELDS = ("image", "caption", "start", "end", "phrase", "reason", "detail")


@dataclass(frozen=True, slots=True)
class ChainSoFar:
    """What the reason depends on: the chain's state, its generation, and the rule that sent it to review."""

    state: str
    generation: int = 0
    rule: str = ""


def why_unresolved(work: str, chain: ChainSoFar | None, *, unusable: bool) -> tuple[str, str] | None:
    """Return why a mention has no result, and the rule or stage that it waits at, or None if it has one.

    `work` is the state of its image. `unusable`: workers say that its photograph is unusable.
    """
    if chain is not None and chain.state in ANSWERED:
        return None
    if work == _STATE.RESTING:
        return "photograph unusable" if unusable else "cannot tell", ""
    if chain is None:
        return _WITHOUT_CHAINS.get(work, "without a chain"), ""
    if chain.state == REVIEW:
        return "cannot tell" if chain.rule == UNTOLD else "waits for review", chain.rule
    # Chains of an odd generation are what a chain was split into.
    return "split in progress" if chain.generation % 2 else "in progress", chain.state


class Unresolved:
    """Writes a line for each such mention into a file, and counts them by reason."""

    def __init__(self, file: LateFile, batch: Batch | None) -> None:
        self._file, self._batch = file, batch
        self.counts: Counter[str] = Counter()

    def read(self, images: Sequence[int]) -> None:
        """Write the mentions of these images, in their order. Takes one query if all are done, else four."""
        works = ImageWork.objects.grounding().filter(image__in=images)
        if self._batch:
            works = works.filter(batch=self._batch)
        else:
            # If the active work of an image is done, all its mentions are in chains with a result.
            works = works.filter(active=True).exclude(state=_STATE.DONE)
        work_of = {image: (pk, state) for pk, image, state in works.values_list("pk", "image_id", "state")}
        if not work_of:
            return
        ids = [pk for pk, _ in work_of.values()]
        chain_of: dict[int, ChainSoFar] = {}
        chains = Chain.objects.filter(work__in=ids).exclude(state__in=(SPLIT, WITHDRAWN))
        for members, state, number, rule in chains.values_list("members", "state", "generation", "reason"):
            chain_of.update(dict.fromkeys(members, ChainSoFar(state, number, rule)))
        unusable = set(
            Case.objects.filter(
                work__in=ids, reason=Case.Reason.PHOTOGRAPH, closed_at=None, work__state=_STATE.RESTING
            ).values_list("work_id", flat=True)
        )
        place = {image: number for number, image in enumerate(images)}
        mentions = Mention.objects.filter(
            image__in=list(work_of), annotatable=True, superseded=False, caption__superseded=False
        )
        columns = ("image_id", "caption__index", "start", "end", "text", "pk", "image__name")
        for row in sorted(mentions.values_list(*columns), key=lambda row: (place[row[0]], row[1], row[2])):
            image, caption, start, end, phrase, pk, name = row
            work, state = work_of[image]
            if why := why_unresolved(state, chain_of.get(pk), unusable=work in unusable):
                line = dict(zip(FIELDS, (name, caption, start, end, phrase, *why), strict=True))
                self._file.write(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE))
                self.counts[why[0]] += 1

"""The pairs of mentions for which a chain gets a case (docs/protocol.md, "Stage 1")."""

from __future__ import annotations

from collections.abc import Sequence

from annotation.domain.answers import Stage
from annotation.domain.chain_states import REVIEW, SPLIT, WITHDRAWN
from annotation.domain.mentions import Mention, of_one_caption

Pair = tuple[int, int]
BEGINS = ("", WITHDRAWN)


def disputed_pairs(
    mentions: Sequence[Mention],
    of_links: Sequence[Pair],
    *,
    generation: int,
    before: str,
    now: str,
    every: bool = False,
) -> Sequence[Pair]:
    """Return the pairs for which a chain gets a case when it comes from the state `before` to `now`.

    `before` is empty for a new chain. `of_links` are the contradictions of its image's links. If workers
    verify the chain, the case waits for their answer, unless `every` contradiction opens one. A chain that a
    researcher regrouped (an even generation) begins without a case.
    """
    if now == WITHDRAWN:
        return ()
    if before in BEGINS:
        if generation == 0:
            return () if now in (SPLIT, Stage.VERIFICATION) and not every else of_links
        return of_one_caption(mentions) if generation % 2 and now != SPLIT else ()
    kept = before == Stage.VERIFICATION and now not in (SPLIT, REVIEW, Stage.VERIFICATION)
    return of_one_caption(mentions) if kept else ()

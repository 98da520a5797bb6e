"""A scene whose links are counted by hand, and a function that settles its links."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotation.models import Batch
from tests.factories import NOW, claim_maybe, make_worker, submit_page
from workflows.pipeline.advance import advance_pending

SCENE = [["man", "red shirt"], ["man", "red shirt"], ["man", "woman"]]
"""Six mentions, so 15 pairs. Answered by `same_words`, greedily:

- ruled out by caption, 3: the two mentions of each caption;
- ruled out by type, 6: either shirt with the man of the other caption, with the third man, with the woman;
- asked, 4: man 1 with man 2, shirt with shirt; then man 3 and the woman, each with one of men 1 and 2;
- inferred by transitivity, 2: man 3 and the woman, each with the other one of men 1 and 2.
"""


def same_words(stage: str, question: Mapping[str, Any]) -> dict[str, Any]:
    """Two mentions are the same if they say the same."""
    shown = [
        part["text"] for caption in question["captions"] for part in caption["segments"] if part["mention"]
    ]
    return {"same": len(set(shown)) == 1}


def settle_links(batch: Batch) -> None:
    """Answer everything that the batch asks about links, each page by another worker."""
    for _ in range(30):
        worker = make_worker(batch.project)
        found = claim_maybe(worker, stage="link")
        if found is None:
            return
        submit_page(found.assignment, answering=same_words)
        advance_pending(now=NOW)
    raise AssertionError("the links are never settled")

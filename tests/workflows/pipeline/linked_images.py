"""A scene whose links are counted by hand, and a function that settles its links."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotation.models import Batch
from tests.factories import NOW, claim_maybe, make_worker, submit_page
from workflows.pipeline.advance import advance_pending

SCENE = [["man", "red shirt"], ["man", "red shirt"], ["man", "woman"]]
"""Six mentions, which make 15 pairs. If `same_words` answers greedily:

- 3 are ruled out by caption: the two mentions of each caption;
- 6 are ruled out by type: either shirt with the man of the other caption, with the third man, with the woman;
- 4 are asked: man 1 with man 2, shirt with shirt; then man 3 and the woman, each with one of men 1 and 2;
- 2 are inferred by transitivity: man 3 and the woman, each with the other one of men 1 and 2.
"""


def same_words(stage: str, question: Mapping[str, Any]) -> dict[str, Any]:
    """Answer that two mentions are the same if they have the same words."""
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

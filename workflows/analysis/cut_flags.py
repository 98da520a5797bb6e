"""Reads which mentions workers call cut wrongly, and counts them by pattern."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from django.db.models import QuerySet

from annotation.chunkers import HantaChunker, get_chunker
from annotation.domain.answers import Stage
from annotation.languages import primary
from annotation.models import Batch, Judgment, Mention, Project
from workflows.analysis.domain.cuts import Cut, CutPattern, cut_patterns

MOST = 20
_KNOWN_WORDS = 50_000
_ROWS_AT_ONCE = 2_000


def flagged_patterns(*, project: Project, batch: Batch | None) -> list[CutPattern]:
    """Return patterns of the chunks that workers called cut wrongly; none if captions are not English.

    A flag in a link question may mean either mention, so both count. In a verification, all mentions of the
    chain count; in the other questions, the one that stands for the chain. A mention counts once. The flags
    are those of the batch, or of all; they are compared with all mentions of the project.
    """
    if primary(project.language) != HantaChunker.language:
        return []
    flagged = _flagged(project, batch)
    if not flagged:
        return []
    chunker = get_chunker("hanta")
    assert isinstance(chunker, HantaChunker)
    kind_of = lru_cache(_KNOWN_WORDS)(chunker.kind_of)
    mentions = Mention.objects.filter(image__project=project, annotatable=True)
    chosen = mentions.filter(pk__in=flagged).order_by("pk")
    return cut_patterns(_cuts(chosen), _others(mentions, flagged), kind_of, most=MOST)


def _flagged(project: Project, batch: Batch | None) -> set[int]:
    """Return the ids of the mentions that flags may mean."""
    judgments = Judgment.objects.filter(chunk_flag=True, item__batch__project=project)
    if batch is not None:
        judgments = judgments.filter(item__batch=batch)
    flagged: set[int] = set()
    chain = ("item__chain__members", "item__chain__representative")
    rows = judgments.values_list("item__stage", "item__mention_a", "item__mention_b", *chain)
    for stage, first, second, members, representative in rows:
        if stage == Stage.LINK:
            flagged |= {first, second}
        else:
            flagged |= set(members) if stage == Stage.VERIFICATION else {representative}
    return flagged


def _others(mentions: QuerySet[Mention], flagged: set[int]) -> Iterator[Cut]:
    rows = mentions.filter(superseded=False).values_list("pk", "caption__tokens", "start", "end")
    for pk, tokens, start, end in rows.iterator(_ROWS_AT_ONCE):
        if pk not in flagged:
            yield Cut(tokens.split(), start, end)


def _cuts(mentions: QuerySet[Mention]) -> Iterator[Cut]:
    for tokens, start, end in mentions.values_list("caption__tokens", "start", "end"):
        yield Cut(tokens.split(), start, end)

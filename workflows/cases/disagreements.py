"""Open cases for chains about which the whole crowd says something else than the rules decided."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from annotation.domain.chain_states import SPLIT
from annotation.models import Case, Chain, Item
from annotation.transactions import write_transaction
from workflows.cases.review_queue import open_cases

AT_ONCE = 500


class Difference(Protocol):
    """An item whose most probable label differs from what the rules decided.

    `analysis.rule_disagreement` finds such items.
    """

    @property
    def item(self) -> int: ...
    @property
    def rules(self) -> str: ...
    @property
    def label(self) -> str: ...
    @property
    def probability(self) -> float: ...


def open_disagreements(
    *,
    project_id: int,
    stage: str,
    differences: Sequence[Difference],
    above: float,
    method: str,
    now: datetime,
) -> int:
    """Open a case for the chain of each difference with a probability of at least `above`; return how many.

    A link belongs to the chain of its first mention, once that chain exists. A chain gets one case, whose
    detail is the most probable difference. A chain that has or had such a case gets no other: so a second run
    opens nothing twice, and a case that a researcher has closed stays closed.
    """
    wanted = sorted((d for d in differences if d.probability >= above), key=lambda d: -d.probability)
    opened = 0
    for start in range(0, len(wanted), AT_ONCE):
        some = wanted[start : start + AT_ONCE]
        with write_transaction():
            chains = _chains([each.item for each in some])
            before = Case.objects.filter(
                reason=Case.Reason.DISAGREEMENT, chain__in={chain.pk for chain in chains.values()}
            )
            passed = set(before.values_list("chain_id", flat=True))
            cases = []
            for each in some:
                chain = chains.get(each.item)
                if chain is None or chain.pk in passed:
                    continue
                passed.add(chain.pk)
                detail = {
                    "item": each.item,
                    "rules": each.rules,
                    "aggregated": each.label,
                    "probability": round(each.probability, 4),
                    "method": method,
                }
                cases.append(
                    Case(
                        project_id=project_id,
                        reason=Case.Reason.DISAGREEMENT,
                        work_id=chain.work_id,
                        chain=chain,
                        stage=stage,
                        detail=detail,
                        opened_at=now,
                    )
                )
            open_cases(cases)
        opened += len(cases)
    return opened


def _chains(items: Sequence[int]) -> dict[int, Chain]:
    """Return the chain of each item: its own, or for a link the chain that its first mention is in now."""
    rows = list(Item.objects.filter(pk__in=items).select_related("chain"))
    found = {row.pk: row.chain for row in rows if row.chain is not None}
    links = [row for row in rows if row.chain is None]
    chains = Chain.objects.filter(work__in={row.work_id for row in links}).exclude(
        state__in=(SPLIT, "withdrawn")
    )
    of_mention = {(chain.work_id, mention): chain for chain in chains for mention in chain.members}
    for row in links:
        chain = of_mention.get((row.work_id, row.mention_a_id or 0))
        if chain is not None:
            found[row.pk] = chain
    return found

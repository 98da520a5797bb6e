"""How rows about a platform's objects move: by compare-and-set, so that of two who do it one has done it."""

from __future__ import annotations

from typing import Any

from workflows.crowd.domain.states import PARTICIPATION, PAYMENT, PUBLICATION, Moves, sources
from workflows.crowd.models import Payment, Publication
from workflows.workers.models import Participation

_TABLES: dict[type, Moves] = {
    Publication: PUBLICATION,
    Participation: PARTICIPATION,
    Payment: PAYMENT,
}


def move(row: Publication | Participation | Payment, target: str, **fields: Any) -> bool:
    """Whether the row just moved to `target`, with these fields; False where it is no legal move by now.

    The row in hand says the new state afterwards, and is not to be saved as a whole.
    """
    kind = type(row)
    legal = kind._default_manager.filter(pk=row.pk, state__in=sources(_TABLES[kind], target))
    if not legal.update(state=target, **fields):
        return False
    row.state = target
    for name, value in fields.items():
        setattr(row, name, value)
    return True

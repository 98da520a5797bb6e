"""Status changes of publications, participations and payments, by compare-and-set.

If two processes make the same move at once, only one of them has made it.
"""

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
    """Move the row to the state `target`, and set these fields with it.

    Returns False, and changes nothing, if the row's stored state does not allow the move. `row` has the new
    values afterwards; do not save it as a whole.
    """
    kind = type(row)
    legal = kind._default_manager.filter(pk=row.pk, state__in=sources(_TABLES[kind], target))
    if not legal.update(state=target, **fields):
        return False
    row.state = target
    for name, value in fields.items():
        setattr(row, name, value)
    return True

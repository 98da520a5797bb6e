"""Pages of long lists. A full page has a token even if nothing follows. Then the next page is empty."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from simulation.emulators.mturk.errors import bad_value
from simulation.emulators.mturk.world import Input, Output

USUAL = 10


class Listed(Protocol):
    @property
    def serial(self) -> int: ...


T = TypeVar("T", bound=Listed)


def page(
    given: Input, name: str, items: Sequence[T], tell: Callable[[T], Output], *, newest_first: bool = False
) -> Output:
    """Return the page that the call asks for, by items' serial numbers.

    Raise ApiError for a token that is not of this list.
    """
    ordered = sorted(items, key=lambda item: item.serial, reverse=newest_first)
    token = given.get("NextToken")
    if token is not None:
        found = re.fullmatch("p1:([0-9]{1,12})", token)
        if not found:
            raise bad_value("NextToken is not a token of this list.")
        last = int(found[1])
        ordered = [item for item in ordered if (item.serial < last if newest_first else item.serial > last)]
    size = given.get("MaxResults", USUAL)
    shown = ordered[:size]
    page: Output = {"NumResults": len(shown), name: [tell(item) for item in shown]}
    if len(shown) == size:
        page["NextToken"] = f"p1:{shown[-1].serial}"
    return page

"""What becomes of pages in workers' hands whose questions are not asked any more."""

from __future__ import annotations

from console.common.numbers import say, say_count
from workflows.review.selectors import HeldPages


def say_held(pages: HeldPages) -> list[str]:
    """Return one sentence, or none if there are no such pages."""
    number, paid = pages
    if not number:
        return []
    asks = say_count(number, "page in workers' hands asks", "pages in workers' hands ask")
    can = "It can be submitted" if number == 1 else "They can be submitted"
    if paid == number:
        can += " and is paid" if number == 1 else " and are paid"
    elif paid:
        can += f", and {say(paid)} of them {'is' if paid == 1 else 'are'} paid"
    return [f"{asks} about this. {can}, but these answers do not count."]

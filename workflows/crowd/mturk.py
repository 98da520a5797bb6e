"""Amazon Mechanical Turk, or whatever speaks its requester API of 2017-01-17. docs/crowd.md

Amazon says that it closed on 30 September 2026.
"""

from __future__ import annotations

from collections.abc import Iterator

from workflows.crowd.base import Submitted
from workflows.crowd.mturk_asking import PAGE
from workflows.crowd.mturk_hints import Hints
from workflows.crowd.mturk_paying import Paying
from workflows.crowd.mturk_people import People
from workflows.crowd.mturk_publishing import Publishing
from workflows.crowd.mturk_reading import read_assignment


class MTurk(Publishing, Paying, People, Hints):
    """A requester's account: implements `workflows.crowd.base.Provider`.

    A worker's id comes to our page in the address, which anybody can write: `unsigned`.
    """

    can_reject: bool = True
    reason_rules: str = ""
    unsigned: bool = True
    lists_at_once: int = PAGE

    def submissions(self, publication_id: str) -> Iterator[Submitted]:
        listed = self.pages("ListAssignmentsForHIT", "Assignments", publication_id, HITId=publication_id)
        return map(read_assignment, listed)

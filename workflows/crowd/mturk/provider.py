"""Amazon Mechanical Turk, or whatever speaks its requester API of 2017-01-17. docs/crowd.md

Amazon says that it closed on 30 September 2026.
"""

from __future__ import annotations

from collections.abc import Iterator

from workflows.crowd.mturk.client import PAGE
from workflows.crowd.mturk.hits import Publishing
from workflows.crowd.mturk.notifications import Hints
from workflows.crowd.mturk.payments import Paying
from workflows.crowd.mturk.replies import read_assignment
from workflows.crowd.mturk.workers import People
from workflows.crowd.provider import Submitted


class MTurk(Publishing, Paying, People, Hints):
    """A requester's account: implements `workflows.crowd.provider.Provider`.

    A worker's id comes to our page in the address, which anybody can write: `unsigned`.
    """

    can_reject: bool = True
    reason_rules: str = ""
    unsigned: bool = True
    lists_at_once: int = PAGE

    def submissions(self, publication_id: str) -> Iterator[Submitted]:
        listed = self.pages("ListAssignmentsForHIT", "Assignments", publication_id, HITId=publication_id)
        return map(read_assignment, listed)

"""The provider for Amazon Mechanical Turk, or for any site that speaks its requester API of 2017-01-17.

Amazon says that Mechanical Turk closed on 30 September 2026. See docs/crowd.md.
"""

from __future__ import annotations

from collections.abc import Iterator

from workflows.platforms.mturk.client import PAGE
from workflows.platforms.mturk.hits import Hits
from workflows.platforms.mturk.notifications import Notifications
from workflows.platforms.mturk.payments import Payments
from workflows.platforms.mturk.replies import read_assignment
from workflows.platforms.mturk.workers import Workers
from workflows.platforms.provider import Submitted


class MTurk(Hits, Payments, Workers, Notifications):
    """A requester's account; implements `workflows.platforms.provider.Provider`.

    It is `unsigned`: a worker's id comes in our page's address, which anybody can write.
    """

    can_reject: bool = True
    reason_rules: str = ""
    unsigned: bool = True
    grows: bool = False  # ten places of one HIT cost more than ten HITs
    by_list: bool = False
    lists_at_once: int = PAGE

    def submissions(self, publication_id: str) -> Iterator[Submitted]:
        listed = self.pages("ListAssignmentsForHIT", "Assignments", publication_id, HITId=publication_id)
        return map(read_assignment, listed)

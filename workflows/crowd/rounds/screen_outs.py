"""Screen-outs in a round: book what the platform paid for failed tests, and close what can pay no more."""

from __future__ import annotations

from datetime import datetime

from workflows.crowd.models import Problem, Publication
from workflows.crowd.participations.screen_outs import end_screened_out, paid_before
from workflows.crowd.participations.selectors import has_answers, has_held_answers
from workflows.crowd.payments.book import platform_screened_out
from workflows.crowd.problems import raise_problem
from workflows.crowd.publications.publish import mark_expiring
from workflows.crowd.publications.reservations import screen_outs_left
from workflows.workers.models import Participation


def take_screened_out(*, participation: Participation, now: datetime) -> None:
    """Store that the platform ended this place with the pay for a failed test.

    It is a problem if the worker answered pages of it, which are paid more, or was paid for a test before.
    """
    publication, name = participation.publication, participation.worker.external_id
    end_screened_out(participation_id=participation.pk, now=now)
    if (
        not publication.screen_outs
    ):  # the code was made on the platform, not by us: it pays what we do not know
        return
    platform_screened_out(participation=participation, now=now)
    detail = ""
    if has_answers(participation) or has_held_answers(participation):
        detail = (
            f"{name} answered pages of {participation.external_id}, and went back with the code for a failed "
            "test, which pays less. Pay a part if it is due."
        )
    elif paid_before(participation):
        detail = (
            f"{name} was paid for a failed test of {publication.stage} more than once: a code can be used "
            "again. Block the worker if it goes on."
        )
    if detail:
        raise_problem(
            key=f"screened:{participation.pk}",
            kind=Problem.Kind.OTHER,
            detail=detail,
            now=now,
            participation=participation,
        )


def end_without_screen_outs(*, publication: Publication, now: datetime) -> bool:
    """Close a publication that has paid all failed tests it may: the platform gives out no place of it.

    The next round publishes its places anew. Returns whether it is closed for that reason.
    """
    if not publication.screen_outs or screen_outs_left(publication) or not mark_expiring([publication.pk]):
        return False
    raise_problem(
        key=f"screen-outs:{publication.pk}",
        kind=Problem.Kind.OTHER,
        detail=f"{publication} has paid all failed tests of {publication.stage} that it may "
        f"({publication.screen_outs}), and gives out no further place. Another one follows. If most workers "
        "fail, look at the test's questions.",
        now=now,
        publication=publication,
    )
    return True

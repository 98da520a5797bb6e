"""A platform that sends people by an address, as a crowd provider.

The researcher is the network: they put our address into a study there, bring us its list of participants,
and take a list of whom to pay out of here. So what the platform knows is what `models` has, nothing is
called, and no method fails because a platform is away. Payments stay due until somebody takes them out
(`workflows.crowd.link.lists`): nothing pays here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import NoReturn

from django.db.models import F

from workflows.batch_settings.domain.crowd_settings import LINK
from workflows.platforms.link.models import LinkStudy, ListedPlace
from workflows.platforms.provider import (
    Bonus,
    Environment,
    Funds,
    Hint,
    Life,
    Money,
    Order,
    Published,
    RefusedError,
    Stand,
    Submitted,
    UnknownObjectError,
)
from workflows.workers.models import Participation

NEVER = datetime(1970, 1, 1, tzinfo=UTC)
_State = Participation.State


class Link:
    """The provider of people who come by an address. It takes no fee that we know of."""

    name = LINK
    environment = Environment.LIVE  # real people, whom the platform pays
    currency = ""  # any
    can_reject = True
    reason_rules = ""
    unsigned = True
    grows = True
    by_list = True
    lists_at_once = 0

    def fee(self, reward: int, *, places: int, masters: bool) -> int:
        return 0

    def bonus_fee(self, amount: int) -> int:
        return 0

    def publish(self, order: Order) -> Published:
        study, _ = LinkStudy.objects.get_or_create(
            token=order.token,
            defaults={
                "places": order.places,
                "reward": order.reward.amount,
                "currency": order.reward.currency,
            },
        )
        return _published(study)

    def find(self, token: str) -> Published | None:
        return self.look(token)

    def extend(self, publication_id: str, *, more: int, token: str) -> None:
        """Add places. Asked again after an answer was lost, it is asked for what is missing then: nothing."""
        if not LinkStudy.objects.filter(token=publication_id).update(places=F("places") + more):
            _unknown(publication_id)

    def expire(self, publication_id: str) -> None:
        if not LinkStudy.objects.filter(token=publication_id).update(closed=True):
            _unknown(publication_id)

    def look(self, publication_id: str) -> Published | None:
        study = LinkStudy.objects.filter(token=publication_id).first()
        return None if study is None else _published(study)

    def published(self) -> Iterator[Published]:
        return map(_published, LinkStudy.objects.order_by("-pk").iterator())

    def submissions(self, publication_id: str) -> Iterator[Submitted]:
        """Yield the places of a study that the platform's lists have named as done or given back.

        Who is at work is no news: the list is older than what is known here.
        """
        listed = ListedPlace.objects.filter(participation__publication__external_id=publication_id)
        listed = listed.exclude(stand=Stand.WORKING)
        for one in listed.select_related("participation__worker").order_by("pk"):
            told, opened = one.submitted_at, one.participation.opened_at
            yield Submitted(
                external_id=one.participation.external_id,
                publication_id=publication_id,
                worker=one.participation.worker.external_id,
                stand=Stand(one.stand),
                # A list may have another time zone, or no time of day. Our pages know when they were opened.
                submitted_at=told and max(told, opened),
                deadline=None,
            )

    def approve(self, submission_id: str, *, feedback: str = "") -> None:
        _by_hand("approved")

    def check_reason(self, reason: str) -> None:
        """Do nothing: the platform says what it takes when the list is brought there."""

    def reject(self, submission_id: str, *, reason: str) -> None:
        _by_hand("rejected")

    def ask_to_return(self, submission_id: str, *, reason: str) -> None:
        _by_hand("asked to return a place")

    def bonus(self, submission: Submitted, *, amount: Money, reason: str, token: str) -> None:
        _by_hand("paid a bonus")

    def bonuses(self, publication_id: str) -> Iterator[Bonus]:
        return iter(())

    def make_qualification(self, name: str, description: str) -> str:
        _refuse("it knows no qualifications: who may work is checked when they come")

    def grant(self, qualification_id: str, worker: str, *, value: int = 1) -> None:
        """Do nothing: who may work is checked when they come."""

    def revoke(self, qualification_id: str, worker: str, *, reason: str = "") -> None:
        """Do nothing: who may work is checked when they come."""

    def holders(self, qualification_id: str) -> Iterator[str]:
        return iter(())

    def message(self, workers: Sequence[str], *, subject: str, text: str) -> list[str]:
        return list(workers)

    def block(self, worker: str, *, reason: str) -> None:
        """Do nothing: we turn them away when they come."""

    def unblock(self, worker: str, *, reason: str) -> None:
        """Do nothing: we let them in when they come."""

    def balance(self) -> Funds | None:
        return None

    def hints(self) -> Iterable[Hint]:
        return ()


def _published(study: LinkStudy) -> Published:
    there = Participation.objects.filter(publication__external_id=study.token, publication__provider=LINK)
    states = list(there.exclude(state=_State.RETURNED).values_list("state", flat=True))
    return Published(
        external_id=study.token,
        token=study.token,
        life=Life.CLOSED if study.closed else Life.OPEN,
        places=study.places,
        free=0 if study.closed else max(0, study.places - len(states)),
        working=states.count(_State.OPENED),
        reward=Money(study.reward, study.currency),
        expires_at=None,
        listed_at=study.listed_at or NEVER,
    )


def _by_hand(done: str) -> NoReturn:
    _refuse(f"nobody can be {done} from here: take out the list, and bring it to the platform")


def _refuse(why: str) -> NoReturn:
    raise RefusedError(f"This platform is reached by its link alone: {why}.", code="link")


def _unknown(what: str) -> NoReturn:
    raise UnknownObjectError(f"Nothing was published under {what!r}.", code="link")

"""What a batch's page says of a platform that is reached by its link: the address, and the lists."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Max, Q

from annotation.models import Batch
from workflows.batch_settings.domain.crowd_settings import LINK
from workflows.batch_settings.selectors import settings_of
from workflows.crowd.link.addresses import address_of
from workflows.crowd.link.lists import PayList, due, pay_lists
from workflows.crowd.participations.selectors import COMPLETE
from workflows.money.domain.currencies import amount
from workflows.platforms.link.models import LinkStudy
from workflows.workers.models import Participation

_WRITTEN = {
    "survey_code": "%SURVEY_CODE%",
    "PROLIFIC_PID": "{{%PROLIFIC_PID%}}",
    "SESSION_ID": "{{%SESSION_ID%}}",
}
"""The placeholders of SONA and Prolific, by the parameter that they are written behind."""


@dataclass(frozen=True, slots=True)
class Carried:
    """The address of a batch, and what waits for a list."""

    address: str  # with the placeholders that the platform replaces, if it needs any
    example: str  # with words where the platform writes ids
    trusted: bool
    held: int  # places whose answers are here, and which no list has named yet
    listed_at: datetime | None  # when the newest list came
    due: int
    due_amount: str
    lists: list[tuple[PayList, str]]  # that were taken out, with the amount of each


def carried_of(batch: Batch) -> Carried:
    """Return what the batch's page says of its lists. Four queries."""
    settings = settings_of(batch)
    link, address = settings.by_link, address_of(batch)
    names = [(link.participant, "PARTICIPANT"), (link.assignment, "ASSIGNMENT")]
    waiting = Participation.objects.filter(
        COMPLETE, publication__batch=batch, publication__provider=LINK, state=Participation.State.OPENED
    )
    tokens = batch.publications.filter(provider=LINK).values("token")
    owed = list(due(batch).values_list("kind", "amount"))
    written = "&".join(f"{name}={_WRITTEN[name]}" for name, _ in names if name in _WRITTEN)
    return Carried(
        address=f"{address}?{written}" if written else address,
        example=address + "?" + "&".join(f"{name}={words}" for name, words in names if name),
        trusted=link.trusted,
        held=waiting.filter(Q(listed=None)).count(),
        listed_at=LinkStudy.objects.filter(token__in=tokens).aggregate(at=Max("listed_at"))["at"],
        due=len(owed),
        due_amount=amount(sum(one for kind, one in owed if kind != "refusal"), settings.currency),
        lists=[(one, amount(one.amount, settings.currency)) for one in pay_lists(batch)],
    )

"""The address of a batch that workers of any platform are sent to, and their way back."""

from __future__ import annotations

import re

from django.conf import settings as configured
from django.utils.crypto import constant_time_compare, salted_hmac

from annotation.models import Batch
from workflows.batch_settings.domain.crowd_settings import LINK
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.batch_settings.selectors import settings_of
from workflows.crowd.link.domain.addresses import filled, place_code
from workflows.crowd.participations.domain.completion import Code, Link
from workflows.workers.models import Participation

_SALT = "workflows.crowd.link"
"""Do not change this text: addresses and codes that are in use are made of it."""
_SIGNED = 20
"""Characters of the signature in an address."""


class NoLinkError(Exception):
    """An address leads to no batch whose workers come by it."""


def link_of(batch: Batch) -> str:
    """Return what names the batch in its address. Nobody can work it out from another batch's."""
    return f"{batch.pk}-{_signature(batch.pk)}"


def address_of(batch: Batch) -> str:
    """Return the address of the batch, without a participant."""
    return f"{configured.SITE}/work/crowd/any/{link_of(batch)}/"


def batch_of(link: str) -> Batch:
    """Return the batch that a link names. Raises NoLinkError."""
    number, _, signature = link.partition("-")
    if not re.fullmatch(r"[0-9]{1,18}", number):
        raise NoLinkError
    if not constant_time_compare(signature, _signature(int(number))):
        raise NoLinkError
    batch = Batch.objects.select_related("project").filter(pk=int(number)).first()
    if batch is None or settings_of(batch).crowd.provider != LINK:
        raise NoLinkError
    return batch


def _signature(batch_id: int) -> str:
    return salted_hmac(_SALT, f"address/{batch_id}", algorithm="sha256").hexdigest()[:_SIGNED]


def way_back(batch: Batch, participation: Participation) -> Link | Code:
    """Return how a worker whose pages are all handed in tells the platform."""
    code, worker = code_of(batch, participation), participation.worker.external_id
    return _back(settings_of(batch).by_link.back, worker, participation.external_id, code)


def code_of(batch: Batch, participation: Participation) -> str:
    """Return the completion code of a place: the batch's, or one of its own."""
    key = salted_hmac(_SALT, "code", algorithm="sha256").digest()
    return settings_of(batch).by_link.code or place_code(
        key,
        batch_id=batch.pk,
        assignment=participation.external_id,
        worker=participation.worker.external_id,
    )


def way_out(settings: BatchSettings, *, worker: str, assignment: str) -> Link | Code | None:
    """Return the way back of a worker who is turned away; None if the batch has none."""
    link = settings.by_link
    if not link.out_back and not link.out_code:
        return None
    return _back(link.out_back, worker, assignment, link.out_code)


def _back(address: str, worker: str, assignment: str, code: str) -> Link | Code:
    if not address:
        return Code(code)
    return Link(filled(address, participant=worker, assignment=assignment, code=code))

"""Change the settings of an existing batch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from annotation.domain.protocols import Campaign
from annotation.models import Batch, Image
from annotation.row_changes import changing
from annotation.transactions import write_transaction
from workflows.batch_settings.domain.settings import SETTINGS, BatchSettings
from workflows.batch_settings.selectors import settings_of
from workflows.batches.image_order import queue_images, unqueue_images
from workflows.batches.lifecycle import BatchError, check_currency, check_types, drawn_order
from workflows.crowd.domain.obstacles import money_obstacles
from workflows.money.domain.currencies import amount
from workflows.money.domain.ledger import CapError
from workflows.money.ledger import set_cap
from workflows.money.ledger_rows import LedgerError

ALTERABLE = frozenset(name for name, about in SETTINGS.items() if about.alterable)
"""The settings of a launched batch that can be changed.

They are read anew at every claim or publication, when the batch may be over, or for a worker's account.
Nothing that follows from a judgment depends on them, so replays stay the same. Those of the crowd are named
one by one, since money is bound on the provider that the batch began with."""
_GROUPS = frozenset(name.partition(".")[0] for name in SETTINGS if "." in name)


def change_settings(*, batch: Batch, settings: BatchSettings) -> list[str]:
    """Give a batch other settings. Return the names of those that changed, such as `screening.test`.

    All settings of a draft can be changed; another seed draws the order of its images anew. Of a running or
    paused batch only the ALTERABLE settings can be changed. Raises BatchError if another setting is changed,
    if the batch is over, if the cap is below what is bound or spent and, on a platform, if there is no cap or
    a reward is 0.
    """
    with write_transaction():
        current = Batch.objects.select_for_update(no_key=True).get(pk=batch.pk)
        changed = list(_changed(settings_of(current).to_json(), settings.to_json()))
        if not changed:
            return []
        if "currency" in changed:
            check_currency(settings)
        if "skip_requirement" in changed:
            check_types(current.project, settings)
        campaigns = {settings.campaign, settings_of(current).campaign}
        if "protocol" in changed and campaigns != {Campaign.ENTITIES}:
            raise BatchError(
                f"protocol: the images and captions of batch {current.name} were chosen for its protocol; "
                "make another batch"
            )
        if current.state == Batch.State.DRAFT:
            # The order of images that were chosen with captions to judge is of no matter.
            if "seed" in changed and settings.campaign is not Campaign.RELEVANCE:
                images = Image.objects.filter(works__batch=current).order_by("name")
                order = drawn_order(images.values_list("pk", flat=True), settings.seed)
                unqueue_images(current)
                queue_images(current, order)
        elif current.state not in Batch.UNDER_WAY:
            raise BatchError(f"batch {current.name} is {current.state}: its settings stay as they were")
        elif fixed := [name for name in changed if name not in ALTERABLE]:
            raise BatchError(
                f"{', '.join(fixed)}: fixed since batch {current.name} was launched, because what was judged "
                f"rests on it. {', '.join(sorted(ALTERABLE))} can still be changed"
            )
        else:
            _check_author(settings_of(current), settings)
            _check_money(current, settings)
        with changing(current, "settings"):
            current.settings = settings.to_json()
            current.save(update_fields=["settings"])
        if {"crowd.cap", "currency"} & set(changed):
            _set_cap(current, settings)  # last: it locks the budget
    return changed


def _changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    for name in after:
        if name in _GROUPS:
            yield from (f"{name}.{one}" for one in after[name] if after[name][one] != before[name][one])
        elif after[name] != before[name]:
            yield name


def _check_author(before: BatchSettings, after: BatchSettings) -> None:
    """Raise BatchError if nobody may judge their own boxes any more: some may have been judged so."""
    if before.author_after_hours is not None and after.author_after_hours is None:
        raise BatchError(
            "author_after_hours: it cannot be taken back, because boxes may have been judged by whoever drew "
            "them: give a larger number of hours instead"
        )


def _check_money(batch: Batch, settings: BatchSettings) -> None:
    """Raise BatchError if the settings lack what a launch requires: real money needs a bound."""
    if missing := list(money_obstacles(settings)):
        raise BatchError(f"batch {batch.name} cannot go on with these settings: {'; '.join(missing)}")


def _set_cap(batch: Batch, settings: BatchSettings) -> None:
    cap, currency = settings.crowd.cap, settings.currency
    try:
        set_cap(batch_id=batch.pk, currency=currency, cap=cap)
    except CapError as error:
        least = (cap or 0) - error.left
        raise BatchError(
            f"crowd.cap: {amount(cap or 0, currency)} is less than the {amount(least, currency)} that "
            "are bound or spent already"
        ) from error
    except LedgerError as error:
        raise BatchError(f"currency: {error}") from error

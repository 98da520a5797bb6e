"""Images of which something was set aside or decided: folded as a whole, and the rows made to agree."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef

from annotation.models import Batch, Box, ImageWork, Item, Judgment
from annotation.transactions import write_transaction
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.batch_settings.selectors import settings_of
from workflows.pipeline.domain.link_strategies import STRATEGIES
from workflows.pipeline.domain.moves import PROTOCOLS
from workflows.pipeline.models import Transition
from workflows.pipeline.replay.domain.differences import Plan, expect, plan
from workflows.pipeline.replay.load_rows import Loaded, cut_since, load
from workflows.pipeline.replay.write_plans import Rows
from workflows.quality.standings import mark_stale


def replay(works: Sequence[ImageWork], *, now: datetime, ruled: int | None = None) -> list[int]:
    """Make these works what follows from what counts of them; returns those that came to their end.

    Inside `write_transaction`, the works locked by id. Running it twice changes nothing. The log's line about
    the chain `ruled` (its id) is written by whoever decided about it. Raises ValueError or LookupError where
    an image cannot be replayed.
    """
    batches = Batch.objects.in_bulk({work.batch_id for work in works})
    over = cut_since(works)
    loaded = load([work for work in works if work.pk not in over], lock=True)
    ended, back = [], []
    rows = Rows(now)
    for one in loaded.values():
        batch = batches[one.work.batch_id]
        found = plan_of(one, settings_of(batch))
        rows.add(one, found, batch.project_id, ruled)
        if found.image is not None and found.image.target == ImageWork.State.DONE:
            ended.append(one.work.pk)
            if not one.work.active and batch.state == Batch.State.CANCELLED:
                back.append(one.work.pk)
    rows.write()
    _take_back(back)
    Item.objects.unread().filter(work__in=works).update(unread=False)
    # Last: standings are locked after everything else.
    judged = Box.objects.filter(pk__in=rows.judged, judgment__isnull=False)
    mark_stale(worker_ids=set(judged.values_list("judgment__worker_id", flat=True)))
    return ended


def plan_of(loaded: Loaded, settings: BatchSettings) -> Plan:
    """What has to be written of one work. Raises ValueError or LookupError where it cannot be replayed."""
    expected = expect(
        loaded.image,
        loaded.mentions,
        protocol=PROTOCOLS[settings.protocol],
        strategy=STRATEGIES[settings.strategy],
        settings=settings,
    )
    return plan(loaded.image, expected)


def request(*, judgments: Sequence[int], works: Sequence[int]) -> None:
    """Have `advance` replay these works, since these judgments (ids) count again, or no more.

    Inside the transaction that changed that, which has locked the works.
    """
    ImageWork.objects.filter(pk__in=works).update(replayed=True)
    for start in range(0, len(judgments), IDS_AT_ONCE):
        items = Judgment.objects.filter(pk__in=judgments[start : start + IDS_AT_ONCE]).values("item_id")
        Item.objects.filter(pk__in=items).update(unread=True)


IDS_AT_ONCE = 1000
"""Named in one statement: databases have a limit, and Django takes the square of it."""


_ASKED = (ImageWork.State.LINKING, ImageWork.State.BOXING)


def resume_batches(*, now: datetime) -> int:
    """Let finished batches go on of which a done image is asked something again; returns how many.

    Images that such a batch did not get to may be another batch's by now: what was still open of them is
    withdrawn, so that no image is asked about in two batches at once. Cancelled batches stay cancelled, and
    let go of such an image: another batch may take it.
    """
    _let_go()
    again = Batch.objects.filter(state=Batch.State.FINISHED, works__active=True, works__state__in=_ASKED)
    total = 0
    for batch_id in again.order_by("pk").values_list("pk", flat=True).distinct():
        with write_transaction():
            batch = Batch.objects.select_for_update(no_key=True).get(pk=batch_id)
            works = ImageWork.objects.filter(batch=batch)
            first = works.filter(active=True, state__in=_ASKED).order_by("pk").first()
            # Somebody else resumed it, or the image was done again in the meantime.
            if batch.state != Batch.State.FINISHED or first is None:
                continue
            left = works.filter(active=False).order_by("pk").select_for_update(no_key=True)
            _withdraw(list(left.values_list("pk", flat=True)))
            batch.state = Batch.State.RUNNING
            batch.save(update_fields=["state"])
            Transition.objects.create(
                work=first,
                rule="batch-resumed",
                source=Batch.State.FINISHED,
                target=Batch.State.RUNNING,
                created_at=now,
            )
            total += 1
    return total


def _let_go() -> None:
    """Give up the images of cancelled batches that are not done any more: nobody would be asked about them.

    After the replay, not in it: a batch that is cancelled at that moment does not see what is not committed.
    """
    works = ImageWork.objects.filter(batch__state=Batch.State.CANCELLED, active=True, state__in=_ASKED)
    found = list(works.order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(found), IMAGES_AT_ONCE):
        with write_transaction():
            some = ImageWork.objects.filter(
                pk__in=found[start : start + IMAGES_AT_ONCE], active=True, state__in=_ASKED
            )
            locked = some.order_by("pk").select_for_update(no_key=True)
            _withdraw(list(locked.values_list("pk", flat=True)))


IMAGES_AT_ONCE = 500


def _withdraw(works: Sequence[int]) -> None:
    """Ask nothing more about these works, which are not this batch's any more. They must be locked."""
    asked = Item.objects.filter(work__in=works, state=Item.State.OPEN).order_by("pk")
    opened = list(asked.select_for_update(no_key=True).values_list("pk", flat=True))
    Item.objects.filter(pk__in=opened).update(state=Item.State.WITHDRAWN)
    ImageWork.objects.filter(pk__in=works).update(active=False, replayed=True)


def _take_back(works: Sequence[int]) -> None:
    """Let cancelled batches have these images again that are done once more, unless another one has them."""
    others = ImageWork.objects.filter(image=OuterRef("image"), active=True)
    for work in works:
        try:
            with transaction.atomic():
                ImageWork.objects.filter(~Exists(others), pk=work).update(active=True)
        except IntegrityError:  # a batch that took it just now keeps it
            continue

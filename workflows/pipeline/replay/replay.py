"""Fold images as a whole, after judgments were set aside or a researcher decided, and update their rows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.domain.answers import CampaignStage
from annotation.models import Abstention, Batch, Box, ImageWork, Item, Judgment
from annotation.row_changes import change_rows
from annotation.transactions import write_transaction
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.batch_settings.selectors import settings_of
from workflows.pipeline.batch_completion import ENDED
from workflows.pipeline.domain.link_strategies import strategy_of
from workflows.pipeline.domain.moves import PROTOCOLS
from workflows.pipeline.models import Transition
from workflows.pipeline.replay.campaigns import (
    CampaignRows,
    is_campaign,
    load_campaigns,
    plan_of_campaign,
)
from workflows.pipeline.replay.domain.differences import Plan, expected_image, plan_changes
from workflows.pipeline.replay.load_rows import Loaded, cut_since, load_works
from workflows.pipeline.replay.write_plans import Rows
from workflows.priors.domain.prior import Prior
from workflows.priors.selectors import pinned_priors
from workflows.quality.standings import mark_stale


def replay(works: Sequence[ImageWork], *, now: datetime, ruled: int | None = None) -> list[int]:
    """Bring these works into the state that follows from the judgments that count and the decisions.

    Return the works that are done now, and those that rest now. Call it inside `write_transaction`, with the
    works locked in the order of their ids. A second call changes nothing. The caller writes the log line
    about the chain `ruled` (its id). Raises ValueError or LookupError if an image cannot be replayed.
    """
    campaigns = [work for work in works if is_campaign(work)]
    if campaigns:
        chained = [work for work in works if not is_campaign(work)]
        ended = replay(chained, now=now, ruled=ruled) if chained else []
        return ended + _replay_campaigns(campaigns, now)
    batches = Batch.objects.in_bulk({work.batch_id for work in works})
    priors = pinned_priors(batches.values(), [work.image_id for work in works])
    over = cut_since(works)
    loaded = load_works([work for work in works if work.pk not in over], lock=True)
    ended, back = [], []
    rows = Rows(now)
    for one in loaded.values():
        batch = batches[one.work.batch_id]
        settings = settings_of(batch)
        found = plan_of(one, settings, priors.get(batch.pk))
        rows.add(one, found, batch.project_id, ruled, every=settings.settle == "cycles")
        if found.image is not None and found.image.target in ENDED:
            ended.append(one.work.pk)
            if found.image.target == ImageWork.State.RESTING:
                continue
            if not one.work.active and batch.state == Batch.State.CANCELLED:
                back.append(one.work.pk)
    rows.write()
    _take_back(back)
    Item.objects.unread().filter(work__in=works).update(unread=False)
    # Last: standings are locked after everything else.
    judged = Box.objects.filter(pk__in=rows.judged, judgment__isnull=False)
    reported = any(one.image.reports for one in loaded.values())
    stale = _reporters(rows.settled, rows.moved) if reported else defaultdict(set)
    for stage, worker in judged.values_list("judgment__assignment__stage", "judgment__worker_id"):
        stale[stage].add(worker)
    for stage, workers in sorted(stale.items()):
        mark_stale(worker_ids=workers, stages=(stage,))
    return ended


def _replay_campaigns(works: Sequence[ImageWork], now: datetime) -> list[int]:
    """Do what `replay` does for works that have neither links nor chains."""
    batches = Batch.objects.in_bulk({work.batch_id for work in works})
    loaded = load_campaigns(works, lock=True)
    rows = CampaignRows(now)
    for one in loaded:
        batch = batches[one.work.batch_id]
        rows.add(one, plan_of_campaign(one, batch), batch.project_id)
    rows.write()
    of = {work.pk: work for work in works}
    done = rows.works.get(ImageWork.State.DONE, [])
    cancelled = {pk for pk, batch in batches.items() if batch.state == Batch.State.CANCELLED}
    _take_back([pk for pk in done if not of[pk].active and of[pk].batch_id in cancelled])
    Item.objects.unread().filter(work__in=works).update(unread=False)
    # Last: standings are locked after everything else.
    reported = any(one.stored.reports for one in loaded)
    stale = _reporters(rows.settled, rows.moved) if reported else defaultdict(set)
    writers = Judgment.objects.filter(pk__in=rows.judged).values_list("worker_id", flat=True)
    stale[CampaignStage.WRITING].update(writers if rows.judged else ())
    for stage, workers in sorted(stale.items()):
        mark_stale(worker_ids=workers, stages=(stage,))
    return [pk for state in ENDED for pk in rows.works.get(state, [])]


def _reporters(settled: Collection[int], moved: Collection[int]) -> dict[str, set[int]]:
    """Return by stage who called a photograph unusable where it has turned out just now who was right.

    These items are `settled` now, or not any more, and these works have another state (ids).
    """
    found: dict[str, set[int]] = defaultdict(set)
    reports = Abstention.objects.filter(kind=Abstention.Kind.UNUSABLE, item__isnull=False)
    these = reports.filter(Q(item__in=settled) | Q(work__in=moved))
    for stage, worker in these.values_list("item__stage", "worker_id"):
        found[stage].add(worker)
    return found


def plan_of(loaded: Loaded, settings: BatchSettings, prior: Prior | None) -> Plan:
    """Return what has to be written for one work. `prior` is the one that its batch has pinned.

    Raises ValueError or LookupError if it cannot be replayed.
    """
    expected = expected_image(
        loaded.image,
        loaded.mentions,
        protocol=PROTOCOLS[settings.protocol],
        strategy=strategy_of(settings, prior),
        settings=settings,
    )
    return plan_changes(loaded.image, expected)


def request_replay(*, judgments: Sequence[int], works: Sequence[int]) -> None:
    """Have `advance` replay these works, because these judgments (ids) count again or do not count any more.

    Call it inside the transaction that changed that, with the works locked.
    """
    ImageWork.objects.filter(pk__in=works).update(replayed=True)
    for start in range(0, len(judgments), IDS_AT_ONCE):
        items = Judgment.objects.filter(pk__in=judgments[start : start + IDS_AT_ONCE]).values("item_id")
        Item.objects.filter(pk__in=items).update(unread=True)


IDS_AT_ONCE = 1000
"""Ids named in one statement, below the limits of the databases."""


_ASKED = (ImageWork.State.LINKING, ImageWork.State.BOXING, ImageWork.State.ASKING)


def resume_batches(*, now: datetime) -> int:
    """Resume finished batches that ask something again about a done image. Return how many were resumed.

    Another batch may have taken images that such a batch did not get to. What was still open about them is
    withdrawn, so that no image is asked about in two batches at once. Cancelled batches stay cancelled and
    release such an image, so that another batch may take it.
    """
    _let_go()
    total = 0
    again = _asked_in(Batch.State.FINISHED).values_list("batch_id", flat=True).distinct()
    for batch_id in sorted(again):
        with write_transaction():
            batch = Batch.objects.select_for_update(no_key=True).get(pk=batch_id)
            works = ImageWork.objects.filter(batch=batch)
            first = works.filter(active=True, state__in=_ASKED).order_by("pk").first()
            # Another process resumed it, or the image is done again by now.
            if batch.state != Batch.State.FINISHED or first is None:
                continue
            left = works.filter(active=False).order_by("pk").select_for_update(no_key=True)
            release_works(list(left.values_list("pk", flat=True)))
            change_rows(Batch.objects.filter(pk=batch.pk), state=Batch.State.RUNNING)
            Transition.objects.create(
                work=first,
                rule="batch-resumed",
                source=Batch.State.FINISHED,
                target=Batch.State.RUNNING,
                created_at=now,
            )
            total += 1
    return total


def _asked_in(state: Batch.State) -> QuerySet[ImageWork]:
    """Return the works of batches in this state whose images are asked about. There are hardly ever any.

    Every sweep looks for them. The batches are named, and the works are in no order, so that they are found
    by the index `work_asked`, and not among the works of all batches.
    """
    batches = list(Batch.objects.filter(state=state).values_list("pk", flat=True))
    return ImageWork.objects.filter(batch__in=batches, active=True, state__in=_ASKED)


def _let_go() -> None:
    """Release the images of cancelled batches that are not done any more: nobody is asked about them there.

    This runs after the replay has committed, because a batch that is cancelled during the replay does not see
    its changes.
    """
    found = sorted(_asked_in(Batch.State.CANCELLED).values_list("pk", flat=True))
    for start in range(0, len(found), IMAGES_AT_ONCE):
        with write_transaction():
            some = ImageWork.objects.filter(
                pk__in=found[start : start + IMAGES_AT_ONCE], active=True, state__in=_ASKED
            )
            locked = some.order_by("pk").select_for_update(no_key=True)
            release_works(list(locked.values_list("pk", flat=True)))


IMAGES_AT_ONCE = 500


def release_works(works: Sequence[int]) -> None:
    """Withdraw the open items of these works and release their images. The works must be locked.

    Judgments of pages in somebody's hands are still kept, and count if the image is taken back.
    """
    asked = Item.objects.filter(work__in=works, state=Item.State.OPEN).order_by("pk")
    opened = list(asked.select_for_update(no_key=True).values_list("pk", flat=True))
    Item.objects.filter(pk__in=opened).update(state=Item.State.WITHDRAWN)
    ImageWork.objects.filter(pk__in=works).update(active=False, replayed=True)


def _take_back(works: Sequence[int]) -> None:
    """Give images that are done again back to their cancelled batches, unless another batch has them."""
    others = ImageWork.objects.filter(image=OuterRef("image"), campaign=OuterRef("campaign"), active=True)
    others = others.exclude(campaign=ImageWork.Campaign.RELEVANCE)
    for work in works:
        try:
            with transaction.atomic():
                taken = ImageWork.objects.filter(~Exists(others), pk=work, image__withdrawn_at=None)
                taken.update(active=True)
        except IntegrityError:  # another batch took it just now and keeps it
            continue

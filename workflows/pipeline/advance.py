"""Read new judgments, decide verdicts, and ask the next items.

A call that comes twice changes nothing. A call that is lost does no harm, since the next one reads the same.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime

from django.db import OperationalError
from django.db.models import Q

from annotation.domain.answers import Answer, Stage, parse_answer
from annotation.domain.chain_states import FINISHED
from annotation.domain.protocols import Campaign
from annotation.models import Batch, Chain, ImageWork, Item, Judgment
from annotation.planner import analyze
from annotation.transactions import write_transaction
from workflows.batch_settings.selectors import settings_of
from workflows.pipeline.batch_completion import finish_if_done
from workflows.pipeline.box_stages import Given, group_answers, step_chains
from workflows.pipeline.change_set import Changes
from workflows.pipeline.domain.moves import PROTOCOLS
from workflows.pipeline.domain.verdicts import decide_link
from workflows.pipeline.link_stage import step_links
from workflows.pipeline.model_evidence import weights_of_items
from workflows.pipeline.replay.campaigns import is_campaign
from workflows.pipeline.replay.replay import replay, resume_batches
from workflows.quality.standings import mark_stale, reassess_stale

ITEMS_AT_ONCE = 100
"""How many items one transaction reads: enough to share statements, few enough to end soon."""
IMAGES_AT_ONCE = 50
BULK = 200
"""If one call opens this many images, the database planner's statistics are worth a refresh."""


def advance_pending(*, now: datetime) -> int:
    """Read every judgment that has not been read yet. Return how many items had one.

    Images that another process has locked are skipped: that process looks again before it ends, and judgments
    that come after its last look have a call of their own. If some images cannot be advanced, the others are
    advanced first, and an ExceptionGroup with the error of each image is raised at the end.
    """
    total, drawn = 0, False
    locked: set[int] = set()
    broken: dict[int, Exception] = {}
    while works := _unread(locked | broken.keys()):
        try:
            count, taken, judged = _advance_some(works, now)
        except OperationalError:  # the database failed, not an image
            raise
        except Exception:  # noqa: BLE001  (each image is tried alone to find the broken one)
            count, taken, judged = 0, set(works), True
            for work in sorted(works):
                count += _advance_alone(work, now, broken)
        total, drawn = total + count, drawn or judged
        locked |= works - taken
    if drawn:
        reassess_stale(now=now)  # once for all images, since a worker's boxes are on many of them
    if broken:
        raise ExceptionGroup(f"image works that cannot be advanced: {sorted(broken)}", list(broken.values()))
    return total


def _unread(but: Collection[int]) -> set[int]:
    """Return the works of the first unread items, without the works in `but`."""
    items = Item.objects.unread().order_by("pk")
    if but:
        items = items.exclude(work__in=but)
    return set(items.values_list("work_id", flat=True)[:ITEMS_AT_ONCE])


def _advance_alone(work: int, now: datetime, broken: dict[int, Exception]) -> int:
    try:
        return _advance_some({work}, now)[0]
    except OperationalError:
        raise
    except Exception as error:  # noqa: BLE001  (raised at the end, with those of others)
        broken[work] = error
        return 0


def _advance_some(candidates: Collection[int], now: datetime) -> tuple[int, set[int], bool]:
    """Advance those of the works that are not locked.

    Return how many unread items they had, the works, and whether boxes or captions may have been judged.
    """
    with write_transaction():
        works = _lock(candidates)
        if not works:
            return 0, set(), False
        batches = Batch.objects.in_bulk({work.batch_id for work in works.values()})
        unread = list(Item.objects.unread().filter(work__in=works).order_by("pk"))
        whole = {pk: work for pk, work in works.items() if work.replayed or is_campaign(work)}
        finished = _advance_whole(list(whole.values()), now)
        items = [item for item in unread if item.work_id not in whole]
        stepped, drawers = _advance_by_steps(items, works, batches, now)
        finished += stepped
        mark_stale(worker_ids=drawers)
    if any(work.replayed for work in whole.values()):
        resume_batches(now=now)
    for batch in {works[pk].batch_id for pk in finished}:
        finish_if_done(batch_id=batch, now=now)
    return len(unread), set(works), bool(drawers or whole)


def _advance_whole(works: Sequence[ImageWork], now: datetime) -> list[int]:
    """Fold each of these images as a whole.

    A step cannot take back what was set aside or decided. Images of campaigns have no steps.
    Returns the works that came to their end.
    """
    return replay(works, now=now) if works else []


def _advance_by_steps(
    items: Sequence[Item], works: dict[int, ImageWork], batches: dict[int, Batch], now: datetime
) -> tuple[list[int], set[int]]:
    """Take one step from the stored state for each of these unread items.

    Returns the works that came to their end, and the workers whose boxes were judged.
    """
    given = {**_given(items), **_with_earlier_votes(items, batches)}
    changes = Changes(now)
    links = [item for item in items if item.stage == Stage.LINK]
    _read_links(links, given, changes)
    settled = _without_open_links({i.work_id for i in links}, set(changes.items_done))
    step_links([works[pk] for pk in sorted(settled)], batches, changes)
    chained = [item for item in items if item.stage != Stage.LINK]
    models = weights_of_items(batches, Q(item__in=chained))
    ended = step_chains(chained, works, batches, given, models, changes) if chained else set()
    changes.write()
    finished = _finish_images(works, ended, now)
    return finished + changes.works.get(ImageWork.State.DONE, []), changes.drawers


def open_queued(
    *, batch_id: int, now: datetime, progress: Callable[[int], object] = lambda images: None
) -> int:
    """Open the first items of the batch's queued images. Return how many images were opened.

    `progress` is called with the number of images after each transaction. If a call is stopped halfway, the
    next call or the next sweep opens the rest.
    """
    total = 0
    while True:
        with write_transaction():
            batch = Batch.objects.get(pk=batch_id)
            if batch.state != Batch.State.RUNNING:
                return total
            works = list(
                ImageWork.objects.select_for_update(no_key=True, skip_locked=True)
                .filter(batch=batch, state=ImageWork.State.QUEUED, active=True)
                .order_by("pk")[:IMAGES_AT_ONCE]
            )
            _open(works, batch, now)
        total += len(works)
        progress(len(works))
        if not works:
            if total >= BULK:
                analyze(Item, ImageWork)
            finish_if_done(batch_id=batch_id, now=now)
            return total


def _open(works: Sequence[ImageWork], batch: Batch, now: datetime) -> None:
    if settings_of(batch).campaign is not Campaign.ENTITIES:
        replay(works, now=now)
        return
    changes = Changes(now)
    step_links(works, {batch.pk: batch}, changes)
    changes.write()


def _lock(works: Collection[int]) -> dict[int, ImageWork]:
    locked = ImageWork.objects.select_for_update(no_key=True, skip_locked=True)
    return {work.pk: work for work in locked.filter(pk__in=works).order_by("pk")}


def _given(items: Sequence[Item]) -> Given:
    """Return the judgments of these items.

    A drawing judgment that counts at box requirement comes before the judgments of the item itself.
    """
    stages = {item.pk: item.stage for item in items}
    rows: list[tuple[int, int, int, Answer]] = []
    counted = {item.counted_id: item.pk for item in items if item.counted_id is not None}
    if counted:
        before = Judgment.objects.filter(pk__in=counted)
        rows += [
            (counted[pk], pk, worker, parse_answer(stage, data))
            for pk, worker, stage, data in before.values_list("pk", "worker_id", "item__stage", "answer")
        ]
    answers = Judgment.objects.filter(item__in=stages).order_by("pk")
    rows += [
        (item, pk, worker, parse_answer(stages[item], data))
        for item, pk, worker, data in answers.values_list("item_id", "pk", "worker_id", "answer")
    ]
    return group_answers(rows)


def _with_earlier_votes(items: Sequence[Item], batches: Mapping[int, Batch]) -> Given:
    """Return the judgments of the items of a stage whose judgments add up, after the chain came back to it.

    Those that decided it before come first.
    """
    back = {}
    for item in items:
        settings = settings_of(batches[item.batch_id])
        if item.counted_id is not None and PROTOCOLS[settings.protocol].adds_up(item.stage, settings):
            back[item.chain_id] = item
    if not back:
        return {}
    visits = [
        item
        for item in Item.objects.filter(chain__in=back).order_by("visit")
        if item.stage == back[item.chain_id].stage and item.visit <= back[item.chain_id].visit
    ]
    own = _given(visits)
    found: dict[int, list[tuple[int, int, Answer]]] = {}
    for item in visits:
        last = back[item.chain_id]
        votes = found.setdefault(last.pk, [])
        before = len(votes) + (item.counted_id is not None)
        votes += own.get(item.pk, ())
        if item.pk != last.pk:
            protocol = PROTOCOLS[settings_of(batches[item.batch_id]).protocol]
            deciding = protocol.deciding(item.stage, [answer for _, _, answer in votes], before)
            del votes[deciding:]
    return found


def _read_links(links: Sequence[Item], given: Given, changes: Changes) -> None:
    for item in links:
        answers = [answer for _, _, answer in given[item.pk]]
        decided = decide_link(answers, settling=item.settling) is not None
        (changes.items_done if decided else changes.items_asked_again).append(item.pk)


def _without_open_links(works: set[int], done: set[int]) -> set[int]:
    """Return the works in which every link asked so far is answered.

    `done` are the links that were answered just now and are not written yet.
    """
    if not works:
        return works
    still = Item.objects.filter(work__in=works, stage=Stage.LINK, state=Item.State.OPEN)
    return works - set(still.exclude(pk__in=done).values_list("work_id", flat=True).distinct())


def _finish_images(works: dict[int, ImageWork], candidates: set[int], now: datetime) -> list[int]:
    """Mark the images whose chains are all finished. Return their works."""
    if not candidates:
        return []
    moving = Chain.objects.filter(work__in=candidates).exclude(state__in=FINISHED)
    finished = sorted(candidates - set(moving.values_list("work_id", flat=True).distinct()))
    changes = Changes(now)
    for work in finished:
        changes.image_moves(work, works[work].state, ImageWork.State.DONE, "chains-done")
    changes.write()
    return finished

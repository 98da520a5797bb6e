"""Checks of what the rules do not decide but the rows must hold: references between rows, and leases.

`verify_state` replays what was decided. These checks look at what was derived from it: if that were wrong, a
page would show the wrong mention, or a worker would judge a box of their own.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from annotation.domain.answers import JointStage, Stage
from annotation.domain.chain_states import WITHDRAWN
from annotation.domain.mentions import Mention, representative
from annotation.models import Assignment, Batch, Box, Chain, ImageWork, Item, Judgment
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.batch_settings.selectors import settings_of
from workflows.pipeline.domain.moves import PROTOCOLS
from workflows.pipeline.link_stage import union_of_types
from workflows.pipeline.replay.load_rows import load_works
from workflows.pipeline.replay.replay import plan_of
from workflows.priors.selectors import pinned_priors


def wrong_chain(chain: Chain, mentions: Mapping[int, Mention]) -> Iterator[str]:
    """Yield a line for each thing that the chain's row says wrongly about its mentions."""
    members = [mentions[pk] for pk in chain.members if pk in mentions]
    if len(members) != len(chain.members) or not members:
        yield f"chain {chain.pk} has mentions that are not its image's"
        return
    if chain.first_id != members[0].id:
        yield f"chain {chain.pk}: first is mention {chain.first_id}, not {members[0].id}"
    if chain.representative_id != representative(members).id:
        yield f"chain {chain.pk}: representative is mention {chain.representative_id}"
    if chain.types != "/".join(union_of_types(members)):
        yield f"chain {chain.pk}: types are {chain.types}"


def wrong_references(
    visits: Sequence[Item],
    judgments: Mapping[int, Sequence[Judgment]],
    boxes: Sequence[Box],
    settings: BatchSettings,
) -> Iterator[str]:
    """Yield a line for each item of a chain whose box, counted judgment or author is wrong.

    `visits` are the items of one chain in the order of their visits.
    """
    drawn: dict[int | None, int] = {}
    for one in sorted(boxes, key=lambda box: box.ordinal):
        drawn.setdefault(one.judgment_id, one.pk)  # the first box of a judgment stands for all
    protocol = PROTOCOLS[settings.protocol]
    before, last = "", None
    for item in visits:
        box = counted = author = None
        if last is not None:
            box = drawn.get(last.pk)
            if item.stage == Stage.REQUIREMENT and before in (Stage.DRAWING, JointStage.BOXES):
                counted = last.pk
            if counted or item.stage in protocol.not_by_author:
                author = last.worker_id
        stored, expected = (item.box_id, item.counted_id, item.author_id), (box, counted, author)
        if stored != expected:
            yield f"item {item.pk}: box, counted judgment and author are {stored}, not {expected}"
        yield from judged_by_author(item, judgments.get(item.pk, ()), settings)
        before, last = item.stage, next(reversed(judgments.get(item.pk, ())), None)


def replayed_differences(works: Sequence[ImageWork]) -> Iterator[str]:
    """Yield a line for each change that a replay would still write to images that are folded as a whole.

    A replay finds an item by what it shows and rests on, so a wrong reference appears as a missing item.
    """
    try:
        loaded = list(load_works(works).values())
    except (ValueError, LookupError):
        loaded = []
        for work in works:
            try:
                loaded += load_works([work]).values()
            except (ValueError, LookupError) as error:
                yield f"image work {work.pk}: cannot be replayed: {error}"
    batches = Batch.objects.in_bulk({work.batch_id for work in works})
    priors = pinned_priors(batches.values(), [work.image_id for work in works])
    judgments = judgments_by_item([one.work.pk for one in loaded])
    for one in loaded:
        try:
            batch = batches[one.work.batch_id]
            lines = list(plan_of(one, settings_of(batch), priors.get(batch.pk)).lines())
        except (ValueError, LookupError) as error:
            lines = [f"cannot be replayed: {error}"]
        mentions = {mention.id: mention for mention in one.mentions}
        for chain in one.chains.values():
            if chain.state != WITHDRAWN:
                lines += wrong_chain(chain, mentions)
        for item in one.items.values():
            lines += judged_by_author(
                item, judgments.get(item.pk, ()), settings_of(batches[one.work.batch_id])
            )
        yield from (f"image work {one.work.pk}: {line}" for line in lines)
    yield from wrong_leases([item for one in loaded for item in one.items.values()])


def judged_by_author(item: Item, judgments: Sequence[Judgment], settings: BatchSettings) -> Iterator[str]:
    """Yield a line if the worker who must not be asked this item has judged it."""
    if settings.author_after_hours is not None and item.stage in PROTOCOLS[settings.protocol].not_by_author:
        return  # such a batch lets people judge their own boxes in the end
    if any(judgment.worker_id == item.author_id for judgment in judgments):
        yield f"item {item.pk}: judged by its author"


def wrong_leases(items: Sequence[Item]) -> Iterator[str]:
    """Yield a line for each item that is not leased as often as live pages hold it. The works must be locked.

    A claim locks items only. So items that look wrong are locked and checked again.
    """
    suspects = _disagreeing({item.pk: item.leased for item in items}, {item.batch_id for item in items})
    if not suspects:
        return
    locked = Item.objects.filter(pk__in=suspects).order_by("pk").select_for_update(no_key=True)
    again = {item.pk: item for item in locked}
    batches = {item.batch_id for item in again.values()}
    for pk, pages in _disagreeing({pk: item.leased for pk, item in again.items()}, batches).items():
        yield f"item {pk}: leased {again[pk].leased} times, {pages} live pages hold it"


def unconfirmed(works: Sequence[int]) -> Iterator[str]:
    """Yield a line for each judgment that counts although no platform confirmed its worker."""
    rows = Judgment.objects.filter(item__work__in=works, assignment__confirmed=False).order_by("pk")
    for pk, page in rows.values_list("pk", "assignment"):
        yield f"judgment {pk}: the worker of page {page} is not confirmed"


def _disagreeing(leased: Mapping[int, int], batches: set[int]) -> dict[int, int]:
    """Return the number of live pages that hold an item, for the items leased more or less often."""
    live = Assignment.objects.filter(batch__in=batches, state=Assignment.State.LIVE)
    held = Counter(item for page in live.values_list("items", flat=True) for item in page)
    return {pk: held[pk] for pk, times in leased.items() if held[pk] != times}


def judgments_by_item(works: Sequence[int]) -> dict[int, list[Judgment]]:
    """Return the judgments of these works by item, in the order they were given, without comments."""
    found: dict[int, list[Judgment]] = defaultdict(list)
    rows = Judgment.objects.filter(item__work__in=works).order_by("pk")
    for judgment in rows.only("item_id", "worker_id", "answer"):
        assert judgment.item_id is not None
        found[judgment.item_id].append(judgment)
    return found

"""Makes a fresh copy of images, and gives it only some of the judgments, through the real services.

The copy has the same mentions, so that a link strategy draws the same. It is a second batch of the same
images, which is made while the first one steps aside.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db.models import F

from annotation.models import Assignment, Batch, ImageWork, Item, Judgment
from tests.factories import NOW, make_batch
from workflows.assignments.replies import Reply
from workflows.assignments.submit import submit
from workflows.pipeline.advance import advance_pending
from workflows.pipeline.replay.domain.contexts import Context, Source
from workflows.pipeline.replay.domain.image_fold import ChainKey
from workflows.pipeline.replay.domain.stored_rows import OPEN, WITHDRAWN, StoredImage, StoredItem
from workflows.pipeline.replay.load_rows import load_works


class Names:
    """The ids in the original of the copy's judgments."""

    def __init__(self) -> None:
        self.judgments: dict[int, int] = {}

    def judgment(self, pk: int | None) -> int | None:
        return None if pk is None else self.judgments.get(pk, pk)

    def source(self, source: Source) -> Source:
        return source._replace(judgment=self.judgment(source.judgment))

    def context(self, context: Context) -> Context:
        return Context(
            context.stage,
            tuple(self.source(source) for source in context.shown),
            context.new and self.source(context.new),
            self.judgment(context.counted),
            context.decision,
        )


def images(batch: Batch) -> dict[int, StoredImage]:
    """Return the batch's works by image id."""
    works = list(ImageWork.objects.filter(batch=batch).order_by("pk"))
    loaded = load_works(works)
    return {work.image_id: loaded[work.pk].image for work in works}


def described(image: StoredImage, names: Names) -> dict[str, Any]:
    """Return everything that follows from an image's answers, so that two images can be compared.

    What nobody needs is left out: withdrawn rows, and judgments beyond those that decided.
    """
    standing = [item for item in image.items if item.state != WITHDRAWN]

    def item(one: StoredItem) -> tuple[object, ...]:
        waiting = len(one.given) if one.state == OPEN else None
        return one.stage, one.state, one.settling, waiting, one.context and names.context(one.context)

    chains = {}
    for row in image.chains:
        if row.progress.state != WITHDRAWN:
            asked = sorted((one for one in standing if one.chain == row.id), key=lambda one: one.visit)
            boxes = {
                names.source(box.source): (box.box, box.state)
                for box in image.boxes
                if box.chain == row.id and box.state != WITHDRAWN
            }
            assert [one.visit for one in asked] == list(range(len(asked)))
            chains[row.key] = (row.progress, [item(one) for one in asked], boxes)
    links = {one.pair: item(one) for one in standing if one.pair}
    return {"state": image.state, "links": links, "chains": chains}


@contextmanager
def aside(batch: Batch) -> Iterator[None]:
    """Free the batch's images for another batch, for a while."""
    works = ImageWork.objects.filter(batch=batch)
    works.update(active=False)
    before = Batch.objects.get(pk=batch.pk).state
    Batch.objects.filter(pk=batch.pk).update(state=Batch.State.CANCELLED)
    yield
    Batch.objects.exclude(pk=batch.pk).update(state=Batch.State.CANCELLED)
    ImageWork.objects.exclude(batch=batch).update(active=False)
    works.update(active=True)
    Batch.objects.filter(pk=batch.pk).update(state=before)


def same_as_its_twin(batch: Batch, name: str) -> None:
    """Assert that the batch is in the state of a copy that was given what counts of it, and nothing else."""
    originals = images(batch)
    with aside(batch):
        twin = make_batch(batch.project, name=name, **batch.settings)
        names = feed(originals, twin)
        copies = images(twin)
        for image, original in originals.items():
            assert described(original, Names()) == described(copies[image], names)


def feed(originals: dict[int, StoredImage], twin: Batch) -> Names:
    """Give the copy the originals' judgments, each as soon as its question is asked."""
    names = Names()
    bound: dict[int, StoredItem] = {}  # the original's item for each item of the copy
    while True:
        fed = 0
        for image, copy in images(twin).items():
            keys = {row.id: row.key for row in copy.chains}
            for item in copy.items:
                if item.state == OPEN:
                    if item.id not in bound:
                        found = counterpart(item, keys, originals[image], names, bound)
                        if found is None:
                            continue
                        bound[item.id] = found
                    given = bound[item.id].given
                    if len(item.given) < len(given):
                        answer(item.id, given[len(item.given)].id, names)
                        fed += 1
        advance_pending(now=NOW)
        if not fed:
            return names


def counterpart(
    item: StoredItem,
    keys: dict[int, ChainKey],
    original: StoredImage,
    names: Names,
    bound: dict[int, StoredItem],
) -> StoredItem | None:
    """Return the original's item with the same question and the earliest judgments, or None."""
    taken = {one.id for one in bound.values()}
    rows = {row.id: row.key for row in original.chains}
    same = [
        one
        for one in original.items
        if one.given
        and one.id not in taken
        and one.pair == item.pair
        and one.context == (item.context and names.context(item.context))
        and (item.chain is None or (one.chain is not None and rows[one.chain] == keys[item.chain]))
    ]
    return min(same, key=lambda one: one.given[0].id, default=None)


def answer(item: int, judgment: int, names: Names) -> None:
    """Let the judgment's worker give the same answer to the copy's item, on a page of its own."""
    said = Judgment.objects.get(pk=judgment)
    row = Item.objects.get(pk=item)
    assert row.author_id != said.worker_id, "nobody is asked about a box of their own"
    page = Assignment.objects.create(
        worker_id=said.worker_id,
        batch_id=row.batch_id,
        stage=row.stage,
        key=f"twin-{item}-{judgment}",
        items=[item],
        created_at=NOW,
        expires_at=NOW,
    )
    Item.objects.filter(pk=item).update(leased=F("leased") + 1)
    reply = Reply(item=1, answer=said.answer)
    submit(worker_id=said.worker_id, assignment_id=page.pk, replies=[reply], now=NOW)
    names.judgments[Judgment.objects.get(item=item, worker=said.worker_id).pk] = judgment

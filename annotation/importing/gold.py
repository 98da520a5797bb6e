"""Writes known answers: the chains and boxes that a corpus brings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

from annotation.domain.records import ChainRecord, ImageRecord, Problem
from annotation.importing.prepare import Span
from annotation.models import Caption, GoldChain, Mention


def write_gold(records: Sequence[tuple[ImageRecord, int]], report: Callable[[Problem], None]) -> int:
    """Write the new known chains of these images, given as (record, image id), and return how many.

    A chain that exists with other mentions, boxes or flags is reported and stays as it is. A chain with a
    mention that was not imported is reported and left out, since it would be incomplete. So are new chains of
    an image that a researcher has annotated as gold, since that says everything about it, and of an image
    whose captions a researcher has changed, since the file speaks of other words.
    """
    images = [image for record, image in records if record.chains]
    of_researchers = GoldChain.objects.filter(image__in=images, decision__isnull=False)
    edited = Caption.objects.filter(image__in=images, superseded=True).values_list("image_id", "index")
    # Of a caption that the file itself calls unrelated, it has no chains.
    unrelated = {(image, one.index) for record, image in records for one in record.unrelated}
    annotated = set(of_researchers.values_list("image_id", flat=True))
    annotated |= {image for image, index in edited if (image, index) not in unrelated}
    mentions: dict[int, dict[Span, int]] = defaultdict(dict)
    columns = ("image_id", "caption__index", "start", "end", "pk")
    for image, caption, start, end, pk in Mention.objects.filter(image__in=images).values_list(*columns):
        mentions[image][caption, start, end] = pk
    known = {(chain.image_id, chain.number): chain for chain in GoldChain.objects.filter(image__in=images)}
    new: list[GoldChain] = []
    for record, image in records:
        lost: list[int] = []
        changed: list[int] = []
        refused: list[int] = []
        for chain in record.chains:
            members = [mentions[image].get(span) for span in chain.mentions]
            if not chain.finished or not members:
                continue
            if image in annotated:
                refused += [chain.id] if (image, chain.id) not in known else []
                continue
            if None in members:
                lost.append(chain.id)
                continue
            row = _row(image, record, chain, members)
            if (before := known.get((image, chain.id))) is None:
                new.append(row)
            elif _content(before) != _content(row):
                changed.append(chain.id)
        if refused:
            message = f"known chains of {record.name}, which a researcher has changed: {_list(refused)}"
            report(record.problem(message, "they were left out"))
        if lost:
            message = f"known chains of {record.name} with a mention that was not imported: {_list(lost)}"
            report(record.problem(message, "they were left out"))
        if changed:
            message = f"known chains of {record.name} that were imported differently before: {_list(changed)}"
            report(record.problem(message, "the first ones were kept"))
    GoldChain.objects.bulk_create(new)
    return len(new)


def _row(image: int, record: ImageRecord, chain: ChainRecord, members: Sequence[int | None]) -> GoldChain:
    return GoldChain(
        image_id=image,
        number=chain.id,
        members=list(members),
        boxes=[list(record.boxes[index].box.edges) for index in chain.boxes],
        scene=chain.scene,
        nobndbox=chain.nobndbox,
    )


def _content(chain: GoldChain) -> tuple[object, ...]:
    return chain.members, chain.boxes, chain.scene, chain.nobndbox


def _list(chains: Sequence[int]) -> str:
    return ", ".join(map(str, chains[:10])) + (" …" if len(chains) > 10 else "")

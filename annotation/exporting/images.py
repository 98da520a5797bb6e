"""Reads a chunk of images as records, in a fixed number of queries."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from django.db.models import Q

from annotation.domain.geometry import clip
from annotation.domain.merge import unite_types
from annotation.domain.records import BoxRecord, CaptionRecord, ChainRecord, ImageRecord, MentionRecord
from annotation.domain.types import NOTVISUAL
from annotation.exporting.raw import LeftOut, RawChain, Source
from annotation.models import Caption, Image, Mention

MentionRow = tuple[int, int, int, str, bool, int]  # id, start, end, types, annotatable, types_version
CaptionRow = tuple[int, int, str, str]  # id, index, text, tokens
Number = Callable[[], int]


@dataclass(slots=True)
class Draft:
    """An image whose chains have no numbers in the data set yet. They get them after merging."""

    record: ImageRecord  # without captions; its chains are numbered from 1
    captions: Sequence[CaptionRow]
    mentions: Mapping[int, Sequence[MentionRow]]  # by caption id
    unrelated: Sequence[CaptionRow] = ()

    def finish(self, merged: ImageRecord, next_number: Number) -> ImageRecord:
        """Return the image as it is written: `merged` with captions and with the chains' numbers."""
        chains = []
        chain_of: dict[tuple[int, int], int] = {}
        for chain in merged.chains:
            number = next_number()
            chain_of.update({(caption, start): number for caption, start, _ in chain.mentions})
            chains.append(
                ChainRecord(
                    number,
                    chain.types,
                    chain.mentions,
                    chain.boxes,
                    chain.scene,
                    chain.nobndbox,
                    chain.judgments,
                    chain.finished,
                    chain.decisions,
                    chain.imported,
                    chain.models,
                )
            )
        captions = tuple(
            CaptionRecord(index, text, tuple(tokens.split(" ")), self._mentions(pk, index, chain_of))
            for pk, index, text, tokens in self.captions
        )
        return ImageRecord(
            merged.name,
            captions,
            merged.width,
            merged.height,
            split=merged.split,
            chains=tuple(chains),
            boxes=merged.boxes,
            unrelated=tuple(
                CaptionRecord(index, text, tuple(tokens.split(" ")), ())
                for _, index, text, tokens in self.unrelated
            ),
        )

    def typed_by(self) -> Counter[int]:
        """Count the mentions by the version of the project's own types that they were typed by."""
        return Counter(version for pk, *_ in self.captions for *_, version in self.mentions.get(pk, ()))

    def _mentions(
        self, caption: int, index: int, chain_of: Mapping[tuple[int, int], int]
    ) -> tuple[MentionRecord, ...]:
        return tuple(
            MentionRecord(start, end, _types(types), chain_of.get((index, start)))
            if annotatable
            else MentionRecord(start, end, (NOTVISUAL,), 0)
            for _, start, end, types, annotatable, _ in self.mentions.get(caption, ())
        )


@lru_cache(maxsize=1024)
def _types(joined: str) -> tuple[str, ...]:
    return tuple(joined.split("/"))


def read_drafts(images: Sequence[int], source: Source, left_out: LeftOut) -> Iterator[Draft]:
    """Yield the images that are not left out, in the given order."""
    chains = source.chains(images, left_out)
    chosen = [image for image in images if image in chains]
    sizes = Image.objects.filter(pk__in=chosen).values_list("pk", "name", "width", "height", "split")
    empty = {
        pk: ImageRecord(name, (), width, height, split=split) for pk, name, width, height, split in sizes
    }
    captions: defaultdict[int, list[CaptionRow]] = defaultdict(list)
    unrelated: defaultdict[int, list[CaptionRow]] = defaultdict(list)
    said = Caption.objects.filter(Q(superseded=False) | Q(unrelated=True), image__in=chosen)
    rows = said.order_by("image_id", "index").values_list(
        "unrelated", "image_id", "pk", "index", "text", "tokens"
    )
    for other, image, pk, index, text, tokens in rows:
        (unrelated if other else captions)[image].append((pk, index, text, tokens))
    mentions: defaultdict[int, list[MentionRow]] = defaultdict(list)
    told = Mention.objects.filter(image__in=chosen, superseded=False).order_by("caption_id", "start")
    columns = ("caption_id", "pk", "start", "end", "types", "annotatable", "types_version")
    for caption, *row in told.values_list(*columns):
        mentions[caption].append(tuple(row))
    for image in chosen:
        if not captions[image]:
            left_out.images["without captions"] += 1
            continue
        record = _with_chains(empty[image], captions[image], mentions, chains[image], left_out)
        yield Draft(record, captions[image], mentions, unrelated[image])


def _with_chains(
    image: ImageRecord,
    captions: Sequence[CaptionRow],
    mentions: Mapping[int, Sequence[MentionRow]],
    raw: Sequence[RawChain],
    left_out: LeftOut,
) -> ImageRecord:
    spans: dict[int, tuple[tuple[int, int, int], tuple[str, ...]]] = {}
    for caption, index, _, _ in captions:
        for pk, start, end, types, *_ in mentions.get(caption, ()):
            spans[pk] = ((index, start, end), _types(types))
    # A batch that released the image may have chains of a caption that was edited or withdrawn since.
    whole = [chain for chain in raw if all(member in spans for member in chain.members)]
    if len(whole) < len(raw):
        left_out.chains["about earlier words"] += len(raw) - len(whole)
    raw = whole
    boxes: list[BoxRecord] = []
    chains = []
    ordered = sorted(
        (sorted(spans[member] for member in chain.members), place) for place, chain in enumerate(raw)
    )
    for number, (members, place) in enumerate(ordered, start=1):
        chain = raw[place]
        first = len(boxes)
        inside = [_inside(box, image) for box in chain.boxes]
        boxes += [box for box in inside if box is not None]
        left_out.boxes["outside the image"] += inside.count(None)
        chains.append(
            ChainRecord(
                number,
                _united(frozenset(types for _, types in members)),
                tuple(span for span, _ in members),
                tuple(range(first, len(boxes))),
                chain.scene,
                chain.nobndbox,
                tuple(chain.judgments),
                chain.finished,
                tuple(chain.decisions),
                tuple(chain.imported),
                tuple(chain.models),
            )
        )
    return replace(image, chains=tuple(chains), boxes=tuple(boxes))


@lru_cache(maxsize=1024)
def _united(types: frozenset[tuple[str, ...]]) -> tuple[str, ...]:
    return unite_types(types)


def _inside(box: BoxRecord, image: ImageRecord) -> BoxRecord | None:
    """Return the part of the box inside the image, or None.

    A box is clipped when it is submitted, but the image's size may have been known only later.
    """
    width, height = image.width, image.height
    if not width or not height or (box.box.right <= width and box.box.bottom <= height):
        return box
    try:
        return replace(box, box=clip(box.box, width, height))
    except ValueError:
        return None

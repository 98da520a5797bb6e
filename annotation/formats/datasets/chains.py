"""Chains from the chain ids of mentions, for the readers of formats whose mentions have such ids."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from annotation.domain.merge import unite_types
from annotation.domain.records import CaptionRecord, ChainRecord


def chains_of(
    captions: Iterable[CaptionRecord],
    boxes: Mapping[int, Sequence[int]],
    flags: Mapping[int, tuple[bool, bool]],
) -> tuple[ChainRecord, ...]:
    """Return the chains that the mentions name, sorted by first mention. The id 0 (notvisual) is not a chain.

    `boxes` has a chain's indexes into the image's boxes, `flags` its (scene, nobndbox).
    """
    spans: dict[int, list[tuple[int, int, int]]] = {}
    types: dict[int, list[tuple[str, ...]]] = {}
    for caption in captions:
        for mention in caption.mentions or ():
            if mention.chain:
                spans.setdefault(mention.chain, []).append((caption.index, mention.start, mention.end))
                types.setdefault(mention.chain, []).append(mention.types)
    return tuple(
        ChainRecord(
            chain,
            unite_types(types[chain]),
            tuple(sorted(places)),
            tuple(sorted(set(boxes.get(chain, ())))),
            *flags.get(chain, (False, False)),
        )
        for chain, places in sorted(spans.items(), key=lambda item: (min(item[1]), item[0]))
    )

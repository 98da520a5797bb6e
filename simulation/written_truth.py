"""The truth about captions that were written in another order than those of the truth, or not all of them."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from annotation.domain.records import CaptionRecord, ImageRecord


def in_order(record: ImageRecord, texts: Sequence[str]) -> ImageRecord:
    """Return the image with captions of these texts, and of its chains what these captions mention.

    A text that is none of its captions has no mentions. If captions have the same text, each is taken once.
    """
    known: dict[str, list[CaptionRecord]] = defaultdict(list)
    for one in record.captions:
        known[one.text].append(one)
    captions, moved = [], {}
    for index, text in enumerate(texts):
        caption = known[text].pop(0) if known[text] else None
        captions.append(replace(caption, index=index) if caption else CaptionRecord(index, text, mentions=()))
        if caption is not None:
            moved[caption.index] = index
    chains = []
    for chain in record.chains:
        mentions = sorted((moved[at], start, end) for at, start, end in chain.mentions if at in moved)
        if mentions:
            chains.append(replace(chain, mentions=tuple(mentions)))
    return replace(record, captions=tuple(captions), chains=tuple(chains))

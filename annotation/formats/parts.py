"""The parts of an annotation that some formats have no place for, and how many of them an image has."""

from __future__ import annotations

from collections import Counter

from annotation.domain.records import ImageRecord

CAPTIONS = "captions"
CAPTIONS_WITHOUT_BOXES = "captions without boxes"
PHRASES = "phrases"
PHRASES_WITHOUT_BOXES = "phrases without boxes"
NOT_VISUAL = "phrases that are not visual"
SAME = "chains of several phrases"
"""That these phrases mean the same thing."""
SEVERAL_BOXES = "chains with several boxes"
"""That these boxes are of one thing, or of one group."""
SCENES = "chains that are a scene"
NOT_BOXED = "chains that cannot be boxed"
FURTHER_TYPES = "boxes with further types"


def parts_of(record: ImageRecord) -> Counter[str]:
    """Count the parts of an image's annotation by their names above."""
    boxed = {chain.id for chain in record.chains if chain.boxes}
    types_of: dict[int, set[str]] = {}
    for chain in record.chains:
        for index in chain.boxes:
            types_of.setdefault(index, set()).update(chain.types)
    counts = Counter[str]()
    for caption in record.captions:
        mentions = caption.mentions or ()
        with_boxes = sum(mention.chain in boxed for mention in mentions)
        in_chains = sum(bool(mention.chain) for mention in mentions)
        counts[CAPTIONS] += 1
        counts[CAPTIONS_WITHOUT_BOXES] += not with_boxes
        counts[PHRASES] += in_chains
        counts[PHRASES_WITHOUT_BOXES] += in_chains - with_boxes
        counts[NOT_VISUAL] += len(mentions) - in_chains
    counts[SAME] = sum(len(chain.mentions) > 1 for chain in record.chains)
    counts[SEVERAL_BOXES] = sum(len(chain.boxes) > 1 for chain in record.chains)
    counts[SCENES] = sum(chain.scene for chain in record.chains)
    counts[NOT_BOXED] = sum(chain.nobndbox for chain in record.chains)
    counts[FURTHER_TYPES] = sum(len(types) > 1 for types in types_of.values())
    return counts

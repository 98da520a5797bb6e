"""Records for the tests of formats: a hand-made image, and hypothesis strategies for consistent ones."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from annotation.domain.geometry import Box
from annotation.domain.merge import unite_types
from annotation.domain.records import BoxRecord, CaptionRecord, ChainRecord, ImageRecord, MentionRecord
from annotation.domain.types import NOTVISUAL, TYPES

TOKENS = ("Two", "guys", "in", "shirts", "and", "air", ".")
PEOPLE, SHIRTS, PLACE = 1, 2, 3
# Two captions, a chain with two boxes, one that shares a box, a scene without boxes, and a non-visual
# mention.
IMAGE = ImageRecord(
    name="a.jpg",
    captions=(
        CaptionRecord(
            0,
            " ".join(TOKENS),
            TOKENS,
            (
                MentionRecord(0, 2, ("people",), PEOPLE),
                MentionRecord(3, 4, ("clothing", "other"), SHIRTS),
                MentionRecord(5, 6, (NOTVISUAL,), 0),
            ),
        ),
        CaptionRecord(1, "Outside", ("Outside",), (MentionRecord(0, 1, ("scene",), PLACE),)),
    ),
    width=100,
    height=80,
    split="train",
    chains=(
        ChainRecord(PEOPLE, ("people",), ((0, 0, 2),), (0, 1), judgments=(4, 9)),
        ChainRecord(SHIRTS, ("clothing", "other"), ((0, 3, 4),), (1,)),
        ChainRecord(PLACE, ("scene",), ((1, 0, 1),), scene=True),
    ),
    boxes=(
        BoxRecord(Box(0, 0, 50, 80), judgments=(5,)),
        BoxRecord(
            Box(10, 20, 100, 80), judgments=(6, 7), merged_from=(Box(9, 20, 100, 80), Box(11, 20, 100, 80))
        ),
    ),
)

_words = st.text(st.characters(categories=("L", "N", "P", "S")), min_size=1, max_size=6)
_types = st.lists(st.sampled_from(TYPES), min_size=1, max_size=3, unique=True)


@st.composite
def _caption(draw: st.DrawFn, index: int, chains: int) -> CaptionRecord:
    tokens = tuple(draw(st.lists(_words, min_size=1, max_size=9)))
    mentions, start = [], 0
    while start < len(tokens):
        end = draw(st.integers(start + 1, len(tokens)))
        chain = draw(st.one_of(st.none(), st.integers(0, chains)))
        if chain:
            mentions.append(MentionRecord(start, end, unite_types([draw(_types)]), chain))
        elif chain == 0:
            mentions.append(MentionRecord(start, end, (NOTVISUAL,), 0))
        start = end
    return CaptionRecord(index, " ".join(tokens), tokens, tuple(mentions))


def plain(record: ImageRecord) -> ImageRecord:
    """Return the record without its provenance, as data files have it."""
    boxes = tuple(BoxRecord(box.box) for box in record.boxes)
    return replace(record, boxes=boxes, chains=tuple(replace(chain, judgments=()) for chain in record.chains))


@st.composite
def _box(draw: st.DrawFn) -> Box:
    left, top = draw(st.integers(0, 99)), draw(st.integers(0, 79))
    return Box(left, top, draw(st.integers(left + 1, 100)), draw(st.integers(top + 1, 80)))


@st.composite
def images(draw: st.DrawFn, *, provenance: bool = True, brackets: bool = True) -> ImageRecord:
    """Draw images as an export makes them.

    With `provenance=False`, they lack what data files do not have.
    """
    chains = draw(st.integers(0, 4))
    captions = tuple(draw(_caption(index, chains)) for index in range(draw(st.integers(1, 3))))
    if not brackets:
        captions = tuple(_without_brackets(caption) for caption in captions)
    ids = st.lists(st.integers(1, 99), max_size=3, unique=True).map(sorted).map(tuple)
    raw = st.lists(_box(), max_size=2).map(sorted).map(tuple)
    boxes, told = [], []
    spans: dict[int, list[tuple[tuple[int, int, int], tuple[str, ...]]]] = {}
    for caption in captions:
        for mention in caption.mentions or ():
            if mention.chain:
                place = (caption.index, mention.start, mention.end)
                spans.setdefault(mention.chain, []).append((place, mention.types))
    # every box belongs to a chain, some to two
    for box in draw(st.lists(_box(), max_size=5)) if spans else []:
        owners = draw(st.lists(st.sampled_from(sorted(spans)), min_size=1, max_size=2, unique=True))
        boxes.append((box, owners))
    for number, places in sorted(spans.items(), key=lambda item: (min(item[1])[0], item[0])):
        told.append(
            ChainRecord(
                number,
                unite_types(types for _, types in places),
                tuple(sorted(place for place, _ in places)),
                tuple(index for index, (_, owners) in enumerate(boxes) if number in owners),
                draw(st.booleans()),
                draw(st.booleans()),
                draw(ids) if provenance else (),
                draw(st.booleans()) if provenance else True,
            )
        )
    return ImageRecord(
        "x.jpg",
        captions,
        100,
        80,
        draw(st.sampled_from([1, 3])),
        draw(st.sampled_from(["", "train", "val", "test"])),
        tuple(told),
        tuple(
            BoxRecord(box, draw(ids) if provenance else (), draw(raw) if provenance else ())
            for box, _ in boxes
        ),
    )


def _without_brackets(caption: CaptionRecord) -> CaptionRecord:
    tokens = tuple(token.translate({91: "(", 93: ")"}) for token in caption.tokens)
    return CaptionRecord(caption.index, " ".join(tokens), tokens, caption.mentions)

"""Real captions for the comparison of link strategies: known chains, and captions to fit a prior to."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from annotation.chunkers import HantaChunker
from annotation.domain.mentions import Mention, describe
from annotation.domain.records import ImageRecord
from annotation.domain.tokens import tokenise
from annotation.formats.captions.flickr30k_token import read
from annotation.formats.datasets.flickr30k_entities import parse_caption
from evaluation.errors import Place

ROOT = Path(__file__).resolve().parents[1]
SHARED = Path(os.environ.get("GROUNDCREW_SHARED") or ROOT.parent / "shared")


def known_images() -> Iterator[tuple[str, list[Mention], dict[int, int]]]:
    """Yield the name, the mentions and the chains of each image of ../shared/data/entities_sample."""
    for path in sorted((SHARED / "data" / "entities_sample" / "Sentences").glob("*.txt")):
        mentions: list[Mention] = []
        chains: dict[int, int] = {}
        for index, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
            caption = parse_caption(line, index, Place(str(path), index + 1))
            for found in caption.mentions or ():
                if found.chain:
                    text = " ".join(caption.tokens[found.start : found.end])
                    chains[len(mentions)] = found.chain
                    mentions.append(Mention(len(mentions), index, found.start, found.end, text, found.types))
        yield path.stem, mentions, chains


def unlabelled_images(number: int) -> list[list[Mention]]:
    """Return the mentions of the first images of ../shared/data/flickr30k, as an import cuts them."""
    chunker = HantaChunker()
    records = read(SHARED / "data" / "flickr30k" / "captions.token.gz")
    images = (record for record in records if isinstance(record, ImageRecord))
    return [list(_mentions(image, chunker)) for image in islice(images, number)]


def _mentions(image: ImageRecord, chunker: HantaChunker) -> Iterator[Mention]:
    count = 0
    for caption in image.captions:
        tokens = [token.text for token in tokenise(caption.text)]
        for start, end in chunker.chunks(tokens):
            chunk = describe(tokens, start, end)
            if chunk.annotatable:
                yield Mention(count, caption.index, start, end, chunk.text, chunk.types)
                count += 1

"""Measures how well and how fast captions are chunked.

Run it with `make bench-chunking` or `python -m benchmarks.chunking`. For quality, spans and types are
compared with those of Flickr30k Entities in ../shared/data/entities_sample, whose tokens are given. For speed
and density, the first 5,000 captions of ../shared/data/flickr30k are chunked.
"""

from __future__ import annotations

import gzip
import os
import re
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from annotation.chunkers import Chunker, HantaChunker
from annotation.domain.mentions import describe
from annotation.domain.tokens import tokenise
from annotation.domain.types import NOTVISUAL
from benchmarks.report import options, write_json

ROOT = Path(__file__).resolve().parents[1]
SHARED = Path(os.environ.get("GROUNDCREW_SHARED") or ROOT.parent / "shared")
CAPTIONS = {"full": 5_000, "quick": 500, "tiny": 20}
# The paper has 513,644 mentions in 158,915 captions, of 2.35 words each. It does not count chunks.
PAPER = {"mentions a caption": 3.23, "words a mention": 2.35}

_BRACKET = re.compile(r"\[/EN#\d+/(?P<types>\S+) (?P<words>[^\]]+)\]|(?P<word>\S+)")


@dataclass(frozen=True)
class Gold:
    """A bracketed caption: its tokens, and the types of every span (start, end; half open)."""

    tokens: list[str]
    spans: dict[tuple[int, int], tuple[str, ...]]


@dataclass(frozen=True)
class Agreement:
    """Shares from 0 to 1; types are compared on the gold spans."""

    precision: float
    recall: float
    f1: float
    type_agreement: float
    spans: int


def read_gold(folder: Path) -> Iterator[Gold]:
    """Return the captions of a folder `Sentences` of Flickr30k Entities.

    Their non-visual brackets are included.
    """
    for path in sorted(folder.glob("*.txt")):
        for line in path.read_text(encoding="utf-8").splitlines():
            tokens: list[str] = []
            spans: dict[tuple[int, int], tuple[str, ...]] = {}
            for found in _BRACKET.finditer(line):
                words = (found["words"] or found["word"]).split()
                if found["types"]:
                    spans[len(tokens), len(tokens) + len(words)] = tuple(found["types"].split("/"))
                tokens += words
            yield Gold(tokens, spans)


def agreement(chunker: Chunker, captions: Iterable[Gold]) -> Agreement:
    """Return the exact matches of spans, and of type lists (in any order), over all captions together."""
    right = found = wanted = typed = 0
    for gold in captions:
        spans = set(chunker.chunks(gold.tokens))
        right, found, wanted = (
            right + len(spans & set(gold.spans)),
            found + len(spans),
            wanted + len(gold.spans),
        )
        for (start, end), types in gold.spans.items():
            chunk = describe(gold.tokens, start, end)
            typed += set(chunk.types if chunk.annotatable else (NOTVISUAL,)) == set(types)
    return Agreement(right / found, right / wanted, 2 * right / (found + wanted), typed / wanted, wanted)


def speed(chunker: Chunker, captions: Iterable[str]) -> dict[str, float]:
    """Return what was found, and how many captions a second were tokenised, chunked and described.

    The cache is cold at the beginning.
    """
    number = chunks = mentions = words = 0
    begin = time.perf_counter()
    for caption in captions:
        tokens = [token.text for token in tokenise(caption)]
        number += 1
        for start, end in chunker.chunks(tokens):
            chunks += 1
            if describe(tokens, start, end).annotatable:
                mentions += 1
                words += end - start
    seconds = time.perf_counter() - begin
    return {
        "captions a second": number / seconds,
        "chunks a caption": chunks / number,
        "mentions a caption": mentions / number,
        "words a mention": words / mentions,
    }


def real_captions(number: int) -> Iterator[str]:
    """Return the first captions of Flickr30k, as they are in its `captions.token`."""
    with gzip.open(SHARED / "data" / "flickr30k" / "captions.token.gz", "rt", encoding="utf-8") as lines:
        yield from (line.rstrip("\n").split("\t", 1)[1] for line in islice(lines, number))


def main() -> None:
    """Print the figures and write them as JSON."""
    chosen = options(__doc__).parse_args()
    captions = CAPTIONS[chosen.size]
    if not SHARED.is_dir():
        raise SystemExit(
            f"{SHARED} is missing; put the shared data there or set GROUNDCREW_SHARED to its folder"
        )
    chunker = HantaChunker()
    timed = speed(chunker, real_captions(captions))
    found = agreement(chunker, read_gold(SHARED / "data" / "entities_sample" / "Sentences"))
    figures = {
        "precision": found.precision,
        "recall": found.recall,
        "F1": found.f1,
        "type agreement": found.type_agreement,
        **timed,
    }
    print(f"spans and types against {found.spans} published ones; the rest over {captions:,} captions\n")
    for name, value in figures.items():
        paper = f"   (paper {PAPER[name]})" if name in PAPER else ""
        print(f"{name:<20} {value:>10,.3f}{paper}")
    rounded = {name: round(value, 4) for name, value in figures.items()}
    write_json("chunking", rounded, references={"spans": found.spans}, folder=chosen.out)


if __name__ == "__main__":
    main()

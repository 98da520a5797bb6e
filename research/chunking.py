"""Measures how well and how fast captions are chunked.

Run it with `make bench-chunking` or `python -m research.chunking`. For quality, spans and types are
compared with those of 320 captions that were annotated by hand, which `chunks.tsv` names by image and caption
number: the rules were tuned on one half, and never saw the other. They are also compared with those of
Flickr30k Entities in ../shared/data/entities_sample, whose tokens are given. For speed and density, the first
5,000 captions of ../shared/data/flickr30k are chunked.
"""

from __future__ import annotations

import gzip
import os
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random

from annotation.chunkers import Chunker, HantaChunker
from annotation.domain.mentions import describe
from annotation.domain.tokens import tokenise
from annotation.domain.types import NOTVISUAL
from benchmarks.report import options, write_json

ROOT = Path(__file__).resolve().parents[1]
SHARED = Path(os.environ.get("GROUNDCREW_SHARED") or ROOT.parent / "shared")
BY_HAND = Path(__file__).with_name("chunks.tsv")
HALVES = ("tune", "held")
RESAMPLED = {"full": 2_000, "quick": 200, "tiny": 5}
CAPTIONS = {"full": 5_000, "quick": 500, "tiny": 20}
# The paper has 513,644 mentions in 158,915 captions, of 2.35 words each. It does not count chunks.
PAPER = {"mentions a caption": 3.23, "words a mention": 2.35}

# The annotators by hand were not asked about these, which are chunks without types in the published files.
_RELATIVE = frozenset(("who", "whom", "whose", "which", "that"))
_MARKED = re.compile(r"\[(?P<words>[^\]]+)\](?P<types>[a-z]*)")
_TYPE_LETTERS = {
    "p": "people",
    "b": "bodyparts",
    "a": "animals",
    "c": "clothing",
    "i": "instruments",
    "v": "vehicles",
    "s": "scene",
}
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


def read_by_hand(half: str) -> list[Gold]:
    """Return the captions of a half that were annotated by hand, in the order of `chunks.tsv`.

    Their words are looked up in the shared captions. What is missing there is left out.
    """
    rows = [line.split("\t") for line in BY_HAND.read_text(encoding="utf-8").splitlines()]
    wanted = {row[1]: row[2:] for row in rows if row[0] == half}
    found: dict[str, Gold] = {}
    for line in _caption_lines():
        name, text = line.split("\t", 1)
        if name in wanted:
            spans = {}
            for chunk in wanted[name]:
                place, types = chunk.split(":")
                first, last = map(int, place.split("-"))
                spans[first, last + 1] = tuple(types.split("/"))
            found[name] = Gold([token.text for token in tokenise(text)], spans)
    return [found[name] for name in wanted if name in found]


@dataclass(frozen=True)
class Kind:
    """Mentions of captions of one kind: wanted, found, with the right span, and with its types as well."""

    wanted: int
    found: int
    right: int
    typed: int

    @property
    def wrong(self) -> float:
        """Return the share of wrong spans: of those found or of those wanted, whichever is larger."""
        return 1 - self.right / max(self.wanted, self.found)

    @property
    def missed(self) -> float:
        """Return the share of wanted mentions that have no chunk of their span."""
        return 1 - self.right / self.wanted


def read_kinds(path: Path) -> Iterator[tuple[str, Gold]]:
    """Yield the captions of a file such as `eight_kinds_1.txt` with the letter of their kind.

    Each line is a letter, a bar, and a caption whose mentions are in brackets, each followed by the first
    letters of its types. Raise ValueError, with the mention, when its words are no tokens.
    """
    for line in path.read_text(encoding="utf-8").splitlines():
        kind, bar, marked = line.partition("|")
        if line.startswith("#") or not bar:
            continue
        text, mentions, after = "", [], 0
        for found in _MARKED.finditer(marked):
            text += marked[after : found.start()]
            types = tuple(_TYPE_LETTERS[letter] for letter in found["types"]) or ("other",)
            mentions.append((len(text), len(text) + len(found["words"]), types))
            text += found["words"]
            after = found.end()
        tokens = tokenise(text + marked[after:])
        starts = {token.start: place for place, token in enumerate(tokens)}
        ends = {token.end: place + 1 for place, token in enumerate(tokens)}
        spans = {}
        for start, end, types in mentions:
            if start not in starts or end not in ends:
                raise ValueError(f"{path.name}: the mention {text[start:end]!r} does not end with a token")
            spans[starts[start], ends[end]] = types
        yield kind, Gold([token.text for token in tokens], spans)


def by_kind(chunker: Chunker, captions: Iterable[tuple[str, Gold]]) -> dict[str, Kind]:
    """Return how mentions agree, by kind of caption. Chunks that are not asked about do not count."""
    kinds: dict[str, list[int]] = {}
    for kind, gold in captions:
        described = {span: describe(gold.tokens, *span) for span in chunker.chunks(gold.tokens)}
        found = {span: one.types for span, one in described.items() if one.annotatable}
        right = [span for span in gold.spans if span in found]
        typed = [span for span in right if set(found[span]) == set(gold.spans[span])]
        sums = kinds.setdefault(kind, [0, 0, 0, 0])
        for place, number in enumerate((len(gold.spans), len(found), len(right), len(typed))):
            sums[place] += number
    return {kind: Kind(*sums) for kind, sums in kinds.items()}


@dataclass(frozen=True)
class Counted:
    """One caption: chunks that are right, found and wanted, and wanted ones whose types are right."""

    right: int
    found: int
    wanted: int
    typed: int


def counted(chunker: Chunker, gold: Gold) -> Counted:
    """Return the exact matches of spans, and of type lists (in any order), in one caption.

    Relative pronouns are left out unless they are in the gold chunks.
    """
    spans = {
        (start, end)
        for start, end in chunker.chunks(gold.tokens)
        if (start, end) in gold.spans or end - start > 1 or gold.tokens[start].lower() not in _RELATIVE
    }
    typed = 0
    for (start, end), types in gold.spans.items():
        chunk = describe(gold.tokens, start, end)
        typed += set(chunk.types if chunk.annotatable else (NOTVISUAL,)) == set(types)
    return Counted(len(spans & set(gold.spans)), len(spans), len(gold.spans), typed)


def agreement(chunker: Chunker, captions: Iterable[Gold]) -> Agreement:
    """Return how chunks and types agree over all captions together."""
    return together([counted(chunker, gold) for gold in captions])


def together(captions: Sequence[Counted]) -> Agreement:
    """Return the agreement over counted captions. At least one chunk was wanted, and one found."""
    right, found, wanted, typed = (
        sum(getattr(one, name) for one in captions) for name in ("right", "found", "wanted", "typed")
    )
    return Agreement(right / found, right / wanted, 2 * right / (found + wanted), typed / wanted, wanted)


def intervals(captions: Sequence[Counted], times: int, rng: Random) -> dict[str, tuple[float, float]]:
    """Return 95% bootstrap intervals of each share of an agreement: whole captions are drawn again."""
    drawn = [together(rng.choices(captions, k=len(captions))) for _ in range(times)]
    low, high = int(0.025 * (times - 1)), round(0.975 * (times - 1))
    shares = {}
    for name in ("precision", "recall", "f1", "type_agreement"):
        values = sorted(getattr(one, name) for one in drawn)
        shares[name] = (values[low], values[high])
    return shares


def speed(chunker: Chunker, captions: Iterable[str]) -> dict[str, float]:
    """Return what was found, and how many captions a second were tokenised, chunked and described.

    The cache is cold at the beginning. The time is that of the processor.
    """
    number = chunks = mentions = words = 0
    begin = time.process_time()
    for caption in captions:
        tokens = [token.text for token in tokenise(caption)]
        number += 1
        for start, end in chunker.chunks(tokens):
            chunks += 1
            if describe(tokens, start, end).annotatable:
                mentions += 1
                words += end - start
    seconds = time.process_time() - begin
    return {
        "captions a second a core": number / seconds,
        "chunks a caption": chunks / number,
        "mentions a caption": mentions / number,
        "words a mention": words / mentions,
        "seconds for 10,000 characters of all": _seconds(chunker, ["all"] * 2_500),
    }


def _seconds(chunker: Chunker, tokens: Sequence[str]) -> float:
    begin = time.process_time()
    chunker.chunks(tokens)
    return time.process_time() - begin


def real_captions(number: int) -> Iterator[str]:
    """Return the first captions of Flickr30k, as they are in its `captions.token`."""
    return (line.split("\t", 1)[1] for line in islice(_caption_lines(), number))


def _caption_lines() -> Iterator[str]:
    with gzip.open(SHARED / "data" / "flickr30k" / "captions.token.gz", "rt", encoding="utf-8") as lines:
        yield from (line.rstrip("\n") for line in lines)


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
    by_hand = _compare_by_hand(chunker, RESAMPLED[chosen.size])
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
        print(f"{name:<25} {value:>10,.3f}{paper}")
    rounded = {name: round(value, 4) for name, value in (figures | by_hand).items()}
    write_json("chunking", rounded, references={"spans": found.spans}, folder=chosen.out)


def _compare_by_hand(chunker: Chunker, times: int) -> dict[str, float]:
    """Print the agreement with each half that was annotated by hand. Return the same figures."""
    figures = {}
    for half in HALVES:
        captions = [counted(chunker, gold) for gold in read_by_hand(half)]
        if not captions:
            print(f"{half}: the shared captions are others than those that {BY_HAND.name} names\n")
            continue
        found, between = together(captions), intervals(captions, times, Random(half))
        print(f"{half}: {len(captions)} captions with {found.spans} chunks that were annotated by hand\n")
        for name, (low, high) in between.items():
            value = getattr(found, name)
            print(f"{name.replace('_', ' '):<25} {value:>10,.3f}   ({low:.3f} to {high:.3f})")
            figures[f"{half}: {name.replace('_', ' ')}"] = value
        print()
    return figures


if __name__ == "__main__":
    main()

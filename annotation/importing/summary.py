"""What an import reports: its counts, and captions that the chunker would cut wrongly."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

from annotation.domain.records import ImageRecord, Problem
from annotation.importing.prepare import Foreign

DETECTORS_READ = 256
"""Tokens of a caption that most detectors read. They count parts of words, and so more than we do."""


@dataclass(slots=True)
class Summary:
    """Counts of one run. What existed before is counted apart. `skipped` counts the reported problems."""

    images: int = 0
    images_known: int = 0
    images_grown: int = 0  # of the known ones: something was added to them
    captions: int = 0
    captions_known: int = 0
    unrelated: int = 0  # captions about another photograph, which are kept as withdrawn
    chunks: int = 0  # noun-phrase chunks, non-visual ones among them
    mentions: int = 0  # those that are annotated
    words: int = 0  # of these mentions
    pictures: int = 0
    gold_chains: int = 0
    skipped: int = 0
    foreign: int = 0  # captions that were left out because they are in another language
    uncaptioned: int = 0  # picture files that no image of the corpus is named after, and that are left out
    uncaptioned_names: list[str] = field(default_factory=list)  # the first few of them
    unpictured: int = 0  # images for which no picture could be used, although pictures were given
    unpictured_names: list[str] = field(default_factory=list)  # the first few of them
    # Of these images, the picture that each may mean.
    similar_names: dict[str, str] = field(default_factory=dict)
    long_captions: int = 0  # captions of more than DETECTORS_READ tokens
    long_caption: str = ""  # the first of them: its number, image and length

    def lines(self) -> list[tuple[str, str]]:
        """Return pairs of a label and a count, for people."""
        return [
            ("images", f"{self.images:,}{_known(self.images_known)}"),
            ("captions", f"{self.captions:,}{_known(self.captions_known)}"),
            *([("about another photograph", f"{self.unrelated:,}")] if self.unrelated else []),
            ("chunks", f"{self.chunks:,}, {self.chunks - self.mentions:,} of them not visual"),
            ("mentions", f"{self.mentions:,}"),
            ("mentions a caption", f"{self.mentions_a_caption:.2f}"),
            ("words a mention", f"{self.words_a_mention:.2f}"),
            ("pictures", f"{self.pictures:,}"),
            *([("pictures without a caption", f"{self.uncaptioned:,}")] if self.uncaptioned else []),
            *([("images without a picture", f"{self.unpictured:,}")] if self.unpictured else []),
            *([("longer than usual", self.long_said)] if self.long_captions else []),
            *([("in another language", f"{self.foreign:,}")] if self.foreign else []),
            ("gold chains", f"{self.gold_chains:,}"),
            ("skipped", f"{self.skipped:,}"),
        ]

    @property
    def long_said(self) -> str:
        """Return how many captions are longer than detectors read, and the first of them; "" for none."""
        if not self.long_captions:
            return ""
        many = "caption has" if self.long_captions == 1 else "captions have"
        return (
            f"{self.long_captions:,} {many} more than {DETECTORS_READ} tokens, as many as most detectors "
            f"read; the first is {self.long_caption}"
        )

    def add_long(self, image: str, index: int, tokens: int) -> None:
        """Count a caption that is longer than detectors read."""
        self.long_captions += 1
        self.long_caption = self.long_caption or f"caption {index} of {image} ({tokens} tokens)"

    @property
    def mentions_a_caption(self) -> float:
        """Return the mean number of mentions a caption; 0 without new captions."""
        return self.mentions / self.captions if self.captions else 0.0

    @property
    def words_a_mention(self) -> float:
        """Return the mean number of words (tokens, as in the paper) a mention; 0 without new mentions."""
        return self.words / self.mentions if self.mentions else 0.0


_ALIKE = 0.8
"""From this ratio on, two names are alike (difflib): of ten letters, two may differ."""
_MAX_COMPARED = 5_000  # pictures: comparing one name with them takes 0.05 seconds


def similar_names(missing: Collection[str], left_out: Sequence[str]) -> dict[str, str]:
    """Return, by image without a picture, the picture that it probably means; each picture once.

    Upper and lower case do not count.
    """
    folded = {name.casefold(): name for name in left_out[:_MAX_COMPARED]}
    found: dict[str, str] = {}
    for name in missing:
        for match in get_close_matches(name.casefold(), folded, n=1, cutoff=_ALIKE):
            found[name] = folded.pop(match)
    return found


def _known(count: int) -> str:
    return f" (and {count:,} that were there already)" if count else ""


_EXAMPLES = 3
_SHOWN = 60  # characters of an example


@dataclass(slots=True)
class ForeignCaptions:
    """The captions of one import that are in another language. They are one problem, with examples."""

    language: str
    """The tag of the project's captions."""
    chunker: str
    count: int = 0
    problem: Problem | None = None
    _examples: list[str] = field(default_factory=list)
    _place: tuple[str, int | None] = ("", None)

    def add(self, record: ImageRecord, caption: Foreign) -> None:
        """Count a caption that was left out."""
        self.count += 1
        if self.problem is None:
            self._place = (record.file or record.name, caption.line or record.line)
        if len(self._examples) < _EXAMPLES:
            shown = caption.text if len(caption.text) <= _SHOWN else f"{caption.text[:_SHOWN]}…"
            guessed = f", {caption.guessed}" if caption.guessed else ""
            self._examples.append(f"“{shown}” ({record.name}, caption {caption.index}{guessed})")
        captions = "1 caption" if self.count == 1 else f"{self.count:,} captions"
        own = f"{self.language}, the project's language"
        if caption.guessed:
            what = f"not in {own}: {captions}"
            hint = "correct the language of the project, or import captions in any language"
        else:
            what = f"the chunker {self.chunker} does not cut {own}: {captions}"
            hint = "choose another chunker, bring mentions, or import captions in any language"
        message = f"{what} left out, such as {'; '.join(self._examples)}"
        self.problem = Problem(*self._place, message, hint, whole=True)

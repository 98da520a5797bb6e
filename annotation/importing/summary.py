"""The counts of one import."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Summary:
    """Counts of one run. What existed before is counted apart. `skipped` counts the reported problems."""

    images: int = 0
    images_known: int = 0
    images_grown: int = 0  # of the known ones: something was added to them
    captions: int = 0
    captions_known: int = 0
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

    def lines(self) -> list[tuple[str, str]]:
        """Return pairs of a label and a count, for people."""
        return [
            ("images", f"{self.images:,}{_known(self.images_known)}"),
            ("captions", f"{self.captions:,}{_known(self.captions_known)}"),
            ("chunks", f"{self.chunks:,}, {self.chunks - self.mentions:,} of them not visual"),
            ("mentions", f"{self.mentions:,}"),
            ("mentions a caption", f"{self.mentions_a_caption:.2f}"),
            ("words a mention", f"{self.words_a_mention:.2f}"),
            ("pictures", f"{self.pictures:,}"),
            *([("pictures without a caption", f"{self.uncaptioned:,}")] if self.uncaptioned else []),
            *([("images without a picture", f"{self.unpictured:,}")] if self.unpictured else []),
            *([("in another language", f"{self.foreign:,}")] if self.foreign else []),
            ("gold chains", f"{self.gold_chains:,}"),
            ("skipped", f"{self.skipped:,}"),
        ]

    @property
    def mentions_a_caption(self) -> float:
        """Return the mean number of mentions a caption; 0 without new captions."""
        return self.mentions / self.captions if self.captions else 0.0

    @property
    def words_a_mention(self) -> float:
        """Return the mean number of words (tokens, as in the paper) a mention; 0 without new mentions."""
        return self.words / self.mentions if self.mentions else 0.0


def _known(count: int) -> str:
    return f" (and {count:,} that were there already)" if count else ""

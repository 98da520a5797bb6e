"""Records of images, which formats read and write. A record holds all that is known of an image.

Records do not depend on the database.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from annotation.domain.geometry import Box

MAX_LICENCE = 100
"""The most characters of the name of a data set's licence."""


@dataclass(frozen=True, slots=True)
class MentionRecord:
    """A noun-phrase chunk: tokens ``start`` to ``end`` of its caption, half open."""

    start: int
    end: int
    types: tuple[str, ...]  # () when unknown: the importer types it
    chain: int | None = None  # chain id of the source; 0 = notvisual; None = no chain given


@dataclass(frozen=True, slots=True)
class CaptionRecord:
    """One sentence. Its mentions, where given, are sorted and do not overlap."""

    index: int
    text: str  # what the caption says, untouched
    tokens: tuple[str, ...] = ()  # () = not tokenised yet
    mentions: tuple[MentionRecord, ...] | None = None  # None = to be chunked
    line: int | None = field(default=None, compare=False)  # of the image's file, where it was read


@dataclass(frozen=True, slots=True)
class ChainRecord:
    """Mentions of one image that refer to the same entities, with their boxes, or flags that say why not."""

    id: int
    types: tuple[str, ...]  # union of its mentions' types, in the order of TYPES
    mentions: tuple[tuple[int, int, int], ...]  # (caption index, start, end), sorted
    boxes: tuple[int, ...] = ()  # indexes into ImageRecord.boxes, sorted
    scene: bool = False
    nobndbox: bool = False
    judgments: tuple[int, ...] = ()  # provenance: ids of the judgments it rests on, sorted
    finished: bool = True
    decisions: tuple[int, ...] = ()  # provenance: ids of the researchers' decisions it rests on, sorted
    imported: tuple[int, ...] = ()  # the ids that it had in the file it was imported from, sorted
    models: tuple[str, ...] = ()  # provenance: the models whose answers it rests on, sorted


@dataclass(frozen=True, slots=True)
class BoxFrom:
    """How a worker or a researcher who was shown boxes of a model came to a box."""

    judgment: int | None  # the judgment that drew it, or None: a decision
    origin: str  # drawn, accepted (the model's box as it was) or adjusted (one that was moved)
    model: str  # whose boxes were shown, as name/version
    overlap: float | None = None  # IoU with the model's box that it is from
    score: float | None = None  # the model's, of that box
    decision: int | None = None  # the researcher's decision that drew it


@dataclass(frozen=True, slots=True)
class BoxRecord:
    """A box that one or more chains of its image point to."""

    box: Box
    judgments: tuple[int, ...] = ()  # provenance: ids of the judgments it rests on, sorted
    merged_from: tuple[Box, ...] = ()  # the raw boxes, sorted, where merging joined several
    decisions: tuple[int, ...] = ()  # provenance: ids of the researchers' decisions it rests on, sorted
    models: tuple[str, ...] = ()  # provenance: the models whose answers it rests on, sorted
    origins: tuple[BoxFrom, ...] = ()  # provenance: of each raw box whose worker was shown boxes


TEST_SPLIT = "test"
"""The split whose images models neither judge nor suggest boxes for, unless a batch says otherwise."""


@dataclass(frozen=True, slots=True)
class ImageRecord:
    """One image of a corpus or of a data set."""

    name: str  # file name with extension, unique in a project, e.g. "0042.jpg"
    captions: tuple[CaptionRecord, ...]
    width: int | None = None  # pixels, after EXIF orientation
    height: int | None = None
    depth: int = 3
    split: str = ""  # "", "train", "val" or "test"
    chains: tuple[ChainRecord, ...] = ()
    boxes: tuple[BoxRecord, ...] = ()
    unrelated: tuple[CaptionRecord, ...] = ()  # about another photograph: in the source, not in the data set
    folder: str = field(default="", compare=False)  # where its picture is, within the folder of pictures
    picture: bytes | None = field(
        default=None, compare=False, repr=False
    )  # the picture, if the corpus has it
    file: str = field(default="", compare=False)  # where it was read, for messages
    line: int | None = field(default=None, compare=False)

    def problem(self, message: str, hint: str = "", line: int | None = None) -> Problem:
        """Return a problem with this image. Its place is `line` of the file, else the image's own line."""
        return Problem(self.file or self.name, line or self.line, message, hint)


@dataclass(frozen=True, slots=True)
class Problem:
    """One piece of bad input: where it is, what is wrong, and what to do about it."""

    file: str
    line: int | None
    message: str
    hint: str = ""
    whole: bool = field(default=False, compare=False)  # the file cannot be read, or not to its end

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{place}: {self.message}" + (f" ({self.hint})" if self.hint else "")

"""What a dry run would have written by now: an image may come in pieces, and each meets those before."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace

from annotation.domain.records import ImageRecord, Problem
from annotation.importing.prepare import Prepared, PreparedCaption, Refused
from annotation.importing.summary import Summary


@dataclass(slots=True)
class Imagined:
    """Images that a dry run has created and taken back, and what they had.

    Two numbers a caption, not its text: it is there for the whole of a corpus.
    """

    names: set[str] = field(default_factory=set)
    pictured: set[str] = field(default_factory=set)
    _captions: dict[int, int] = field(default_factory=dict)

    def left(
        self,
        record: ImageRecord,
        captions: list[Prepared],
        report: Callable[[Problem], object],
        summary: Summary,
    ) -> tuple[ImageRecord, list[Prepared]]:
        """What an import would still have to write of a piece, by the rules of `write_captions`.

        The chains of what is left out go with it: their mentions would be missing.
        """
        if record.name not in self.names:
            return record, captions
        new: list[Prepared] = []
        for caption in captions:
            if isinstance(caption, Refused):
                # Told here: of refused captions alone no image is created, and this one is there.
                report(refused(record, caption))
            elif (known := self._captions.get(_key(record, caption))) is None:
                new.append(caption)
            elif known == hash(caption.text):
                summary.captions_known += 1
            else:
                report(another_text(record, caption))
        if len(new) < len(captions):
            record = replace(record, chains=(), boxes=())
        return record, new

    def remember(
        self,
        created: Collection[str],
        records: Sequence[ImageRecord],
        prepared: Sequence[Sequence[Prepared]],
        pictures: Collection[str],
        summary: Summary,
    ) -> None:
        """Count what was created for the second time as known, and keep what it has now."""
        for record, captions in zip(records, prepared, strict=True):
            if record.name not in created:
                continue
            added = [caption for caption in captions if isinstance(caption, PreparedCaption)]
            if record.name in self.names:
                summary.images -= 1
                summary.images_known += 1
                summary.images_grown += bool(added) or record.name in pictures
            for caption in added:
                self._captions[_key(record, caption)] = hash(caption.text)
        self.names |= set(created)
        self.pictured |= set(pictures) & set(created)


def refused(record: ImageRecord, caption: Refused) -> Problem:
    """That a caption cannot be stored."""
    message = f"caption {caption.index} of {record.name}: {caption.reason}"
    return record.problem(message, "the caption was left out", caption.line)


def another_text(record: ImageRecord, caption: PreparedCaption) -> Problem:
    """That a caption came before, and said something else."""
    message = f"caption {caption.index} of {record.name} was imported with another text"
    return record.problem(message, "the first one was kept", caption.line)


def _key(record: ImageRecord, caption: PreparedCaption) -> int:
    return hash((record.name, caption.index))

"""Remembers what a dry run would have written, since a later piece of an image must meet the earlier ones."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace

from annotation.domain.records import ImageRecord, Problem
from annotation.importing.prepare import Prepared, PreparedCaption, Refused
from annotation.importing.summary import Summary


@dataclass(slots=True)
class Imagined:
    """The images that a dry run has created and rolled back, with their captions and pictures.

    It holds two numbers a caption, not the text, because it has to hold a whole corpus.
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
        """Return what an import would still write of a piece, by the rules of `write_captions`.

        The chains of captions that are left out are left out too, since their mentions would be missing.
        """
        if record.name not in self.names:
            return record, captions
        new: list[Prepared] = []
        for caption in captions:
            if isinstance(caption, Refused):
                # Reported here: an image whose captions were all refused is not created, but this one exists.
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
        """Count images that were created again as known, and remember what they have now."""
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
    """Return the problem that a caption cannot be stored."""
    message = f"caption {caption.index} of {record.name}: {caption.reason}"
    return record.problem(message, "the caption was left out", caption.line)


def another_text(record: ImageRecord, caption: PreparedCaption) -> Problem:
    """Return the problem that a caption was imported before with another text."""
    message = f"caption {caption.index} of {record.name} was imported with another text"
    return record.problem(message, "the first one was kept", caption.line)


def _key(record: ImageRecord, caption: PreparedCaption) -> int:
    return hash((record.name, caption.index))

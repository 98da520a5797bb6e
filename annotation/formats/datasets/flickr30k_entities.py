"""Flickr30k Entities: `Sentences/`, `Annotations/` and split lists (docs/protocol.md, "Export format")."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from xml.sax.saxutils import escape

from annotation.domain.records import BoxRecord, CaptionRecord, ImageRecord, MentionRecord, Problem
from annotation.formats.base import (
    Stems,
    Writer,
    check_name,
    check_text,
    fit_box,
    is_shown,
    problem_of,
    read_lines,
    token_list,
)
from annotation.formats.datasets.chains import chains_of
from evaluation.errors import InputError, Place
from evaluation.readers.annotation_files import XmlFile, XmlObject, parse
from evaluation.readers.entities import MAX_BYTES
from evaluation.readers.files import text_of
from evaluation.readers.records import MAX_CAPTIONS, NOTVISUAL, SPLITS
from evaluation.readers.sentences import parse_sentence

CAPTIONS = "captions.token"
UNRELATED = "UNRELATED_CAPTIONS"
"""The file of the published release that lists captions about other photographs (image, sentence number)."""
_HEAD = "# format: <imageID> <sentence number>\n"
_LEFT_OUT = "what it says was left out"
_IGNORED = "the line was ignored"
_NUMBER = re.compile(r"[0-9]{1,9}")


def read(path: Path) -> Iterator[ImageRecord | Problem]:
    """Yield one record for each file of `Sentences/`, by name. `Annotations/` and split lists may be missing.

    A bad sentence is left out, and the image's other sentences keep their numbers. A box that reaches outside
    its image is reported and clipped. Without an annotation file, the image is called `<stem>.jpg`. Sentences
    listed in UNRELATED_CAPTIONS are in the record's `unrelated`; chains that only they mention are left out.
    """
    folder = path / "Sentences"
    if not folder.is_dir():
        yield Problem(str(path), None, "it has no folder Sentences", "give the folder above Sentences")
        return
    shown = (entry for entry in folder.iterdir() if is_shown(entry.name))
    stems = sorted(entry.stem for entry in shown if entry.suffix == ".txt")
    splits: dict[str, str] = {}
    for split in SPLITS:
        yield from _read_split(path / f"{split}.txt", split, splits, frozenset(stems))
    unrelated: dict[str, dict[int, int]] = {}
    yield from _read_unrelated(path / UNRELATED, unrelated, frozenset(stems))
    for stem in stems:
        yield from _Image(path, stem, splits.get(stem, ""), unrelated.get(stem, {})).read()


def _read_unrelated(
    path: Path, unrelated: dict[str, dict[int, int]], stems: frozenset[str]
) -> Iterator[Problem]:
    """Fill `unrelated` with the sentences listed, by stem: their numbers from 1, and where each is listed."""
    for line in read_lines(path) if path.exists() else ():
        if isinstance(line, Problem):
            yield line
            continue
        said = line[1].decode("utf-8", "replace").strip()
        stem, _, number = said.rpartition(" ")
        stem = stem.strip()
        if not said or (said.startswith("#") and stem not in stems):
            continue
        if stem and stem not in stems:
            yield Problem(
                str(path), line[0], f"there is no Sentences/{stem[:80]}.txt for this image", _IGNORED
            )
        elif not stem or not _NUMBER.fullmatch(number):
            yield Problem(
                str(path),
                line[0],
                f"{said[:80]!r} is no image and sentence number",
                f"write the image's name without its ending, a space, and a number from 1 to {MAX_CAPTIONS}",
            )
        else:
            unrelated.setdefault(stem, {}).setdefault(int(number), line[0])


def _read_split(path: Path, split: str, splits: dict[str, str], stems: frozenset[str]) -> Iterator[Problem]:
    for line in read_lines(path) if path.exists() else ():
        if isinstance(line, Problem):
            yield line
            continue
        stem = line[1].decode("utf-8", "replace").strip()
        if stem and splits.setdefault(stem, split) != split:
            yield Problem(str(path), line[0], f"{stem[:80]!r} is in {splits[stem]}.txt too", "it stays there")
        elif stem and stem not in stems:
            yield Problem(str(path), line[0], f"there is no Sentences/{stem[:80]}.txt for this image")


class _Image:
    """The two files of one image."""

    def __init__(self, root: Path, stem: str, split: str, unrelated: Mapping[int, int]) -> None:
        self.listed = root / UNRELATED
        self.listed_at = unrelated  # by sentence number, from 1
        self.sentences = root / "Sentences" / f"{stem}.txt"
        self.annotations = root / "Annotations" / f"{stem}.xml"
        self.stem, self.split = stem, split
        self.boxes: list[BoxRecord] = []
        self.boxes_of: dict[int, list[int]] = {}
        self.flags: dict[int, tuple[bool, bool]] = {}

    def read(self) -> Iterator[ImageRecord | Problem]:
        read: list[CaptionRecord] = []
        for found in self._captions():
            if isinstance(found, Problem):
                yield found
            else:
                read.append(found)
        for number in sorted(set(self.listed_at) - {caption.index + 1 for caption in read}):
            message = f"Sentences/{self.stem}.txt has no caption {number}"
            yield Problem(str(self.listed), self.listed_at[number], message, _IGNORED)
        captions = [caption for caption in read if caption.index + 1 not in self.listed_at]
        unrelated = tuple(caption for caption in read if caption.index + 1 in self.listed_at)
        file = XmlFile()
        if self.annotations.exists():
            try:
                file = self._parsed()
            except InputError as error:
                yield problem_of(error, _LEFT_OUT)
        known = {mention.chain for caption in read for mention in caption.mentions or () if mention.chain}
        kept = {mention.chain for caption in captions for mention in caption.mentions or ()}
        for element in file.objects:
            yield from self._take(element, file, known, kept)
        name = f"{self.stem}.jpg"
        if file.filename and (Path(file.filename).stem != self.stem or check_name(file.filename)):
            message = f"filename is {file.filename[:80]!r}, which does not belong to this file"
            yield Problem(str(self.annotations), None, message, f"{name} was taken")
        elif file.filename:
            name = file.filename
        if wrong := check_name(name):
            yield Problem(str(self.sentences), None, wrong, "the image was left out")
        elif not read:
            yield Problem(str(self.sentences), None, "no caption could be read", "the image was left out")
        else:
            yield ImageRecord(
                name,
                tuple(captions),
                file.width,
                file.height,
                file.depth,
                self.split,
                chains_of(captions, self.boxes_of, self.flags),
                tuple(self.boxes),
                unrelated,
                file=str(self.sentences),
            )

    def _parsed(self) -> XmlFile:
        place = Place(str(self.annotations))
        try:
            with self.annotations.open("rb") as file:
                content = file.read(MAX_BYTES + 1)
        except OSError as error:
            raise place.error("", f"cannot be read: {error.strerror or error}") from error
        if len(content) > MAX_BYTES:
            raise place.error("", f"has more than {MAX_BYTES:,} bytes")
        return parse(content, place.file)

    def _captions(self) -> Iterator[CaptionRecord | Problem]:
        for line in read_lines(self.sentences):
            if isinstance(line, Problem):
                yield line
                continue
            place = Place(str(self.sentences), line[0])
            if line[0] > MAX_CAPTIONS:
                yield problem_of(
                    place.error("", f"more than {MAX_CAPTIONS} captions"), "the rest is left out"
                )
                return
            try:
                yield parse_caption(text_of(line[1], place), line[0] - 1, place)
            except InputError as error:
                yield problem_of(error, "the caption was left out")

    def _take(
        self, element: XmlObject, file: XmlFile, known: Collection[int], kept: Collection[int | None]
    ) -> Iterator[Problem]:
        """Take what an object says of its chains in `kept`; `known` has those of unrelated captions, too."""
        place = element.place
        try:
            chains = element.chains(strict=True)
            if unknown := [chain for chain in chains if chain not in known]:
                listed = ", ".join(map(str, unknown[:10]))
                alone = place.error("", f"object of chain {listed}, which no sentence mentions")
                yield problem_of(alone, "it was left out")
            chains = [chain for chain in chains if chain in kept]
            if not chains:
                return
            scene, nobndbox = element.flags()
            if scene or nobndbox:
                for chain in chains:
                    before = self.flags.get(chain, (False, False))
                    self.flags[chain] = (before[0] or scene, before[1] or nobndbox)
            if not element.boxed:
                return
            edges = element.edges()
        except InputError as error:
            yield problem_of(error, _LEFT_OUT)
            return
        try:
            box = fit_box(edges, file.width, file.height)
        except ValueError as error:
            yield problem_of(place.error("", str(error)), "the box was left out")
            return
        if box.edges != edges:
            outside = place.error("", f"the box of chain {chains[0]} reaches outside the image")
            yield problem_of(outside, "it was cut off at the edge")
        for chain in chains:
            self.boxes_of.setdefault(chain, []).append(len(self.boxes))
        self.boxes.append(BoxRecord(box))


def parse_caption(line: str, index: int, place: Place) -> CaptionRecord:
    """Return a caption from its line with brackets. Its text is the tokenised sentence. Raise InputError."""
    tokens, brackets = parse_sentence(line, place, strict=True)
    text = " ".join(tokens)
    if wrong := check_text(text):
        raise place.error("", wrong)
    mentions = tuple(MentionRecord(one.start, one.end, one.types, one.chain) for one in brackets)
    return CaptionRecord(index, text, tuple(tokens), mentions, line=index + 1)


class EntitiesWriter(Writer):
    """Writes `Sentences/<stem>.txt`, `Annotations/<stem>.xml`, the captions as a token file, and split lists.

    There are either all split lists or none, since programs that read one ask for the others, too.
    """

    def __init__(self, out: Path) -> None:
        super().__init__(out)
        self._sentences, self._annotations = out / "Sentences", out / "Annotations"
        self._sentences.mkdir()
        self._annotations.mkdir()
        self._stems = Stems("Sentences/", ".txt")
        self._token = (out / CAPTIONS).open("w", encoding="utf-8", newline="\n")
        self._lists = {
            split: (out / f"{split}.txt").open("w", encoding="utf-8", newline="\n") for split in SPLITS
        }
        self._split = False
        self._unrelated: list[str] = []

    def _add(self, record: ImageRecord) -> None:
        stem = self._stems.take(record.name)
        captions = sorted(record.captions, key=lambda caption: caption.index)
        # As in the published release, they have their lines among the others, so that they have numbers.
        sentences = sorted((*captions, *record.unrelated), key=lambda caption: caption.index)
        lines = [_sentence(token_list(caption), caption.mentions or ()) + "\n" for caption in sentences]
        others = {caption.index for caption in record.unrelated}
        self._unrelated += [
            f"{stem} {number}\n"
            for number, caption in enumerate(sentences, start=1)
            if caption.index in others
        ]
        _write(self._sentences / f"{stem}.txt", "".join(lines))
        _write(self._annotations / f"{stem}.xml", _render(record))
        for caption in captions:
            self._token.write(f"{record.name}#{caption.index}\t{' '.join(caption.text.split())}\n")
        if record.split in SPLITS:
            self._lists[record.split].write(f"{stem}\n")
            self._split = True

    def close(self) -> None:
        self.discard()
        if self._unrelated:
            _write(self.out / UNRELATED, _HEAD + "".join(self._unrelated))
        if not self._split:
            for split in SPLITS:
                (self.out / f"{split}.txt").unlink()

    def discard(self) -> None:
        for file in (self._token, *self._lists.values()):
            file.close()


def _sentence(tokens: Sequence[str], mentions: Sequence[MentionRecord]) -> str:
    """Return a caption's line, without its end. Brackets in the caption are spelt as in Penn's files.

    A mention without a chain is written as notvisual. Raise ValueError when mentions overlap.
    """
    words = [token.replace("[", "-LSB-").replace("]", "-RSB-") for token in tokens]
    reached = 0
    for mention in sorted(mentions, key=lambda mention: mention.start):
        if not reached <= mention.start < mention.end <= len(words):
            raise ValueError(f"mention {mention.start}:{mention.end} overlaps another or leaves its caption")
        reached = mention.end
        types = "/".join(mention.types or ("other",)) if mention.chain else NOTVISUAL
        words[mention.start] = f"[/EN#{mention.chain or 0}/{types} {words[mention.start]}"
        words[mention.end - 1] += "]"
    return " ".join(words)


def _render(record: ImageRecord) -> str:
    """Return the file of one image: an object for each box, with all its chains, then the chains' flags."""
    names: dict[int, list[int]] = {}
    for chain in record.chains:
        for index in chain.boxes:
            names.setdefault(index, []).append(chain.id)
    lines = [
        f"<annotation>\n  <filename>{escape(record.name)}</filename>\n"
        f"  <size><width>{record.width or 0}</width><height>{record.height or 0}</height>"
        f"<depth>{record.depth}</depth></size>\n"
    ]
    for index, box in enumerate(record.boxes):
        if index in names:
            left, top, right, bottom = box.box.to_voc()
            tags = "".join(f"<name>{chain}</name>" for chain in sorted(names[index]))
            lines.append(
                f"  <object>{tags}<bndbox><xmin>{left}</xmin><ymin>{top}</ymin>"
                f"<xmax>{right}</xmax><ymax>{bottom}</ymax></bndbox></object>\n"
            )
    lines += [
        f"  <object><name>{chain.id}</name><scene>{chain.scene:d}</scene>"
        f"<nobndbox>{chain.nobndbox:d}</nobndbox></object>\n"
        for chain in record.chains
        if chain.scene or chain.nobndbox
    ]
    lines.append("</annotation>\n")
    return "".join(lines)


def _write(path: Path, text: str) -> None:
    with path.open("wb") as file:
        file.write(text.encode("utf-8"))

"""The import of a corpus into a project. It streams, writes each chunk as a whole, and can be resumed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

from annotation.domain.records import ImageRecord, Problem
from annotation.domain.types import ProjectTypes
from annotation.importing.dry_run import Imagined
from annotation.importing.picture_files import NamedPictures, PictureFolders, names_of_picture
from annotation.importing.pictures import Picture, fetch_pictures
from annotation.importing.prepare import Foreign, Prepared
from annotation.importing.splits import split_of
from annotation.importing.stored_pictures import strange_pictures
from annotation.importing.strange_types import without_strange_types
from annotation.importing.stream import Group, group_records, prepare_groups
from annotation.importing.summary import ForeignCaptions, Summary, similar_names
from annotation.importing.write import Chunk, write_chunk
from annotation.models import Caption, GoldChain, Image, Mention, Project
from annotation.planner import analyze
from annotation.renditions import delete_photograph
from annotation.selectors import project_types
from annotation.transactions import write_transaction

_DECODERS = 2  # threads; each may hold one picture of MAX_PIXELS
_NAMED = 20
"""So many pictures without a caption, and images without a picture, are named in the summary."""


class StrictError(Exception):
    """A strict import met its first problem. Nothing was changed."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem


def import_corpus(
    *,
    project: Project,
    records: Iterable[ImageRecord | Problem],
    images: Path | None = None,
    above: Path | None = None,
    as_gold: bool = False,
    strict: bool = False,
    chunker: str = "hanta",
    any_language: bool = False,
    keep_metadata: bool = False,
    splits: Mapping[str, str] | None = None,
    processes: int = 1,
    dry_run: bool = False,
    progress: Callable[[int], object] = lambda images: None,
    pulse: Callable[[], object] = lambda: None,
    report: Callable[[Problem], object] = lambda problem: None,
) -> Summary:
    """Import what is new in `records`. `project` need not be saved yet.

    `images` is the folder with the most pictures. They are looked for in the folder `above` it, too, and in
    all folders within that, and are stored without metadata unless `keep_metadata`. `splits` maps names or
    stems to the split of images without one.
    Captions without mentions are left out and reported together if they are surely in another language than
    the project, or if the chunker cuts another one; with `any_language` they are imported.
    Mentions are typed by the newest version of the project's types, and a caption with a type that the
    project does not have is left out.
    `processes` is how many find mentions (1: this one, since a Celery worker's may not have children).
    `progress` is called with the number of images written, `report` with every problem. `pulse` is called
    more often than `progress`, and never within a transaction. What was written before an exception stays,
    and the next run continues there. Raise ProcessDied when a process is killed.

    A `dry_run` handles each chunk by the same rules and rolls it back at once. It counts and reports what
    would happen, and keeps nothing. If an image comes in pieces, the dry run remembers the captions and the
    picture of earlier pieces, but not their sizes, splits and known answers.

    With `strict`, the whole import is one transaction, and the first problem raises StrictError: then nothing
    has changed. A first pass that only checks would not do, because an image may come in pieces that
    contradict each other, and because files may change between two passes. The price is that on SQLite
    others wait to write until it ends.
    """
    job = _Import(
        project,
        PictureFolders(images, above, pulse) if images is not None else None,
        as_gold,
        strict,
        chunker,
        any_language,
        keep_metadata,
        dict(splits or {}),
        processes,
        dry_run,
        progress,
        pulse,
        report,
    )
    if strict and not dry_run:
        with write_transaction():
            job.run(records)
    else:
        job.run(records)
    if not dry_run and project.pk is not None:
        analyze(Image, Caption, Mention, GoldChain)
    return job.summary


@dataclass(slots=True)
class _Import:
    project: Project
    images: PictureFolders | None
    as_gold: bool
    strict: bool
    chunker: str
    any_language: bool
    keep_metadata: bool
    splits: dict[str, str]
    processes: int
    dry_run: bool
    progress: Callable[[int], object]
    pulse: Callable[[], object]
    report: Callable[[Problem], object]
    summary: Summary = field(default_factory=Summary)
    stored: list[str] = field(default_factory=list)
    imagined: Imagined = field(default_factory=Imagined)
    named: NamedPictures = field(default_factory=NamedPictures)
    unpictured: set[int] = field(default_factory=set)  # hashes of names, because it may be a whole corpus
    foreign: ForeignCaptions = field(init=False)
    types: ProjectTypes = field(init=False)

    def __post_init__(self) -> None:
        self.foreign = ForeignCaptions(self.project.language, self.chunker)
        self.types = project_types(self.project.pk)

    def run(self, records: Iterable[ImageRecord | Problem]) -> None:
        """Import all records.

        When a strict import fails, delete its pictures, which no transaction undoes.
        """
        known = without_strange_types(records, self.types, self.project.name)
        stream = prepare_groups(
            map(self._unknown, group_records(known, self._problem)),
            self.chunker,
            self.processes,
            "" if self.any_language else self.project.language,
            self.types,
        )
        try:
            with ThreadPoolExecutor(_DECODERS) as decoders, closing(stream):
                for group, captions in map(self._spoken, stream):
                    if not group:
                        continue  # all of it is in another language
                    group, captions = self._of_stored_pictures(group, captions, decoders)
                    if self.dry_run:
                        group, captions = self._left(group, captions)
                    pictures = self._pictures(group, captions, decoders)
                    created = write_chunk(
                        project=self.project,
                        chunk=Chunk(group, captions, pictures),
                        as_gold=self.as_gold,
                        report=self._problem,
                        summary=self.summary,
                        dry_run=self.dry_run,
                    )
                    if self.dry_run:
                        self.imagined.remember(created, group, captions, pictures, self.summary)
                    self.progress(len(group))
            self._count_uncaptioned()
            if problem := self.foreign.problem:
                self._problem(problem)
        except BaseException:
            for path in self.stored:
                delete_photograph(path)
            raise

    def _problem(self, problem: Problem) -> None:
        if self.strict:
            raise StrictError(problem)
        self.summary.skipped += 1
        self.report(problem)

    def _count_uncaptioned(self) -> None:
        """Count the pictures that nothing was imported for. A folder may hold more than this corpus."""
        if self.images is not None:
            others = self.images.others(self.named)
            self.summary.uncaptioned = len(others)
            self.summary.uncaptioned_names = others[:_NAMED]
            self.summary.similar_names = similar_names(self.summary.unpictured_names, others)

    def _count_unpictured(self, name: str) -> None:
        """Count an image once, also if it comes in pieces."""
        if hash(name) not in self.unpictured:
            self.unpictured.add(hash(name))
            self.summary.unpictured += 1
            if len(self.summary.unpictured_names) < _NAMED:
                self.summary.unpictured_names.append(name)

    def _left(self, group: Group, captions: list[list[Prepared]]) -> tuple[Group, list[list[Prepared]]]:
        """Return what is left to write after earlier pieces of these images."""
        pieces = zip(group, captions, strict=True)
        left = [self.imagined.left(*piece, self._problem, self.summary) for piece in pieces]
        return [record for record, _ in left], [new for _, new in left]

    def _unknown(self, group: Group) -> Group:
        """Return the group with splits, and without stored captions, which need no chunking."""
        if self.images is not None:
            for record in group:
                self.named.add(record.name)
        if self.splits:
            group = [replace(r, split=r.split or split_of(r.name, self.splits)) for r in group]
        if self.project.pk is None:
            return group
        group = self._of_waiting_images(group)
        names = [record.name for record in group]
        rows = Caption.objects.filter(image__project=self.project, image__name__in=names)
        known = set(rows.values_list("image__name", "index", "text"))
        return [self._without(record, known) for record in group] if known else group

    def _of_waiting_images(self, group: Group) -> Group:
        """Return the group with photographs that come alone under the names of images that wait for them.

        A corpus may call its image *dog* or *dog.JPG*, and its photograph may come later, as dog.jpg.
        """
        alone = {record.name: names_of_picture(record.name) for record in group if not record.captions}
        if not alone:
            return group
        names = {*alone, *(name for others in alone.values() for name in others)}
        stored = dict(Image.objects.filter(project=self.project, name__in=names).values_list("name", "file"))
        waiting = {name for name, file in stored.items() if not file}

        # An image of this group has its own photograph, and one that two photographs may mean has none.
        meant = {
            name: others & waiting - {record.name for record in group}
            for name, others in alone.items()
            if name not in stored
        }
        wanted = Counter(other for others in meant.values() for other in others)
        renamed = {
            name: other
            for name, others in meant.items()
            for other in others
            if len(others) == 1 and wanted[other] == 1
        }
        return [replace(record, name=renamed.get(record.name, record.name)) for record in group]

    def _spoken(self, pieces: tuple[Group, list[list[Prepared]]]) -> tuple[Group, list[list[Prepared]]]:
        """Return a group without captions in another language, and without images that have only such."""
        spoken: list[tuple[ImageRecord, list[Prepared]]] = []
        for record, captions in zip(*pieces, strict=True):
            kept = [caption for caption in captions if not isinstance(caption, Foreign)]
            for caption in captions:
                if isinstance(caption, Foreign):
                    self.foreign.add(record, caption)
            if self.strict and (problem := self.foreign.problem):
                raise StrictError(problem)
            if kept or not captions:
                spoken.append((record, kept))
        self.summary.foreign = self.foreign.count
        return [record for record, _ in spoken], [kept for _, kept in spoken]

    def _without(self, record: ImageRecord, known: set[tuple[str, int, str]]) -> ImageRecord:
        captions = tuple(c for c in record.captions if (record.name, c.index, c.text) not in known)
        self.summary.captions_known += len(record.captions) - len(captions)
        return replace(record, captions=captions)

    def _of_stored_pictures(
        self, group: Group, captions: list[list[Prepared]], decoders: ThreadPoolExecutor
    ) -> tuple[Group, list[list[Prepared]]]:
        """Return a group without images whose picture is another one than that which is stored."""
        strange = strange_pictures(self.project, group, decoders, self.pulse)
        for problem in strange.values():
            self._problem(problem)
        kept = [piece for piece in zip(group, captions, strict=True) if piece[0].name not in strange]
        return [record for record, _ in kept], [ready for _, ready in kept]

    def _pictures(
        self, group: Group, captions: list[list[Prepared]], decoders: ThreadPoolExecutor
    ) -> dict[str, Picture]:
        keep = not self.dry_run
        if self.imagined.pictured:
            pieces = zip(group, captions, strict=True)
            without = [piece for piece in pieces if piece[0].name not in self.imagined.pictured]
            group, captions = [record for record, _ in without], [ready for _, ready in without]
        fetched = fetch_pictures(
            self.project,
            group,
            captions,
            self.images,
            decoders,
            keep=keep,
            keep_metadata=self.keep_metadata,
            pulse=self.pulse,
        )
        pictures = {name: found for name, found in fetched.items() if isinstance(found, Picture)}
        if self.strict and keep:
            self.stored += [picture.path for picture in pictures.values()]
        for name, found in fetched.items():
            if isinstance(found, Problem):
                self._problem(found)
                self._count_unpictured(name)
        return pictures

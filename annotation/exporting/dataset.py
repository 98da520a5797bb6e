"""The export of a project's annotation into a folder, which becomes visible only when it is complete."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from django.db import connection
from django.db.models import F
from django.db.models.functions import Collate

from annotation.domain.merge import MergeSettings, arrange, merge
from annotation.domain.records import MAX_LICENCE, ImageRecord
from annotation.exporting.crowd import Crowd
from annotation.exporting.earlier import IMPORTED, MANIFEST, UNRESOLVED
from annotation.exporting.folder import ExportError, new_folder
from annotation.exporting.gold import Gold
from annotation.exporting.images import read_drafts
from annotation.exporting.late_file import LateFile
from annotation.exporting.manifest import ContentHash, Manifest, code_version
from annotation.exporting.pictures import Pictures, PictureWriter
from annotation.exporting.provenance import FILE, IMPORTED_HEAD, INLINE, imported_chains, provenance
from annotation.exporting.raw import CrowdWork, LeftOut, Source
from annotation.exporting.summary import why_nothing
from annotation.exporting.unresolved import Unresolved
from annotation.exporting.work_figures import work_figures
from annotation.formats.registry import WRITERS
from annotation.models import Batch, Image, ModelVersion, Project
from annotation.selectors import project_types
from annotation.transactions import snapshot

CHUNK = 500  # images read at once: this bounds memory
SOURCES = ("crowd", "gold")
CARDS = frozenset({"huggingface"})  # formats with a data set card


class NothingToExport(ExportError):
    """The data set would have no image; the message says why."""


@dataclass(frozen=True)
class ExportOptions:
    """What to export. `merge=None` merges nothing. docs/exporting.md says what is left out by default."""

    source: str = "crowd"
    batch: str = ""  # of the crowd: only this one, also when it was cancelled
    merge: MergeSettings | None = field(default_factory=MergeSettings)
    include_unfinished: bool = False
    include_unresolved: bool = False  # of the crowd: also images with chains in review
    people_only: bool = False  # of the crowd: no images in which a model's answer counted
    pictures: Pictures | None = None
    most_picture_bytes: int | None = None
    overwrite: bool = False
    licence: str = ""  # of the annotation: an identifier such as cc-by-4.0, or what it is called
    images: Collection[int] = ()  # only these (ids); all if there are none

    def __post_init__(self) -> None:
        if self.source not in SOURCES:
            raise ValueError(f"source must be one of {', '.join(SOURCES)}, not {self.source!r}")
        if self.batch and self.source != "crowd":
            raise ValueError("only the crowd's annotation has batches")
        if len(self.licence) > MAX_LICENCE or not self.licence.isprintable():
            raise ValueError(f"a licence has at most {MAX_LICENCE} characters, all of them printable")


def export_dataset(
    *,
    project: Project,
    format: str,
    out: Path,
    options: ExportOptions = ExportOptions(),
    progress: Callable[[int, int], object] = lambda done, total: None,
    each: Callable[[ImageRecord], object] = lambda record: None,
    pulse: Callable[[], object] = lambda: None,
) -> Manifest:
    """Write the project's images, sorted by name, into the new folder `out`, and return its manifest.

    `progress` is called between transactions with the number of images read and that of all images. `each`
    is called with every image that is written, and `pulse` after every picture. Raise ExportError when `out`
    cannot be written, when there is no such batch, when the format cannot hold an image, when pictures cannot
    be linked or are too large, or (NothingToExport) when there is no image to write. Then nothing is left
    behind.
    """
    if format not in WRITERS:
        raise ExportError(f"there is no format {format!r}; there are {', '.join(sorted(WRITERS))}")
    manifest = Manifest(
        project.name,
        format,
        options.source,
        options.batch,
        _settings(options),
        code_version(),
        options.licence,
        project.language,
        project_types(project.pk),
    )
    with new_folder(out, overwrite=options.overwrite) as folder:
        try:
            _write(project, options, folder, manifest, progress, each, pulse)
        except ValueError as error:
            raise ExportError(str(error)) from error
        if not manifest.images:
            raise NothingToExport(why_nothing(manifest))
        if format in CARDS:
            _write_card(project, options, folder, manifest)
        manifest.write(folder / MANIFEST)
    return manifest


def exported_images(
    *,
    project: Project,
    options: ExportOptions,
    left_out: LeftOut,
    progress: Callable[[int, int], object] = lambda done, total: None,
    work: CrowdWork | None = None,
    also: Callable[[Sequence[int]], object] = lambda images: None,
    typed_by: Counter[int] | None = None,
) -> Iterator[tuple[ImageRecord, ImageRecord]]:
    """Yield every image of the data set twice: as it is in the database, without captions, and as written.

    What is left out is counted in `left_out`, and how the crowd's chains came about in `work`. `also` is
    called within each transaction, with the ids of all its images. `typed_by` gets the number
    of mentions by the version of the project's own types. Raise ExportError when there is no such batch.
    """
    batch = _batch(project, options.batch)
    unfinished, unresolved = options.include_unfinished, options.include_unresolved
    source: Source = (
        Crowd(
            batch=batch,
            unfinished=unfinished,
            unresolved=unresolved,
            work=work,
            people_only=options.people_only,
        )
        if options.source == "crowd"
        else Gold(unfinished=unfinished)
    )
    numbers, ids = count(1), images_to_export(project, batch, options.images)
    for start in range(0, len(ids), CHUNK):
        chunk = ids[start : start + CHUNK]
        with snapshot():
            found = list(read_drafts(chunk, source, left_out))
            also(chunk)
        for draft in found:
            if typed_by is not None:
                typed_by.update(draft.typed_by())
            merged = merge(draft.record, options.merge) if options.merge else arrange(draft.record)
            yield draft.record, draft.finish(merged, numbers.__next__)
        progress(start + len(chunk), len(ids))


def _write(
    project: Project,
    options: ExportOptions,
    folder: Path,
    manifest: Manifest,
    progress: Callable[[int, int], object],
    each: Callable[[ImageRecord], object],
    pulse: Callable[[], object],
) -> None:
    content, work = ContentHash(), CrowdWork()
    with ExitStack() as stack:
        writer = stack.enter_context(WRITERS[manifest.format](folder))
        crowd = manifest.source == "crowd"
        beside = crowd and manifest.format not in INLINE
        judged = stack.enter_context(LateFile(folder / FILE))
        imported = stack.enter_context(LateFile(folder / IMPORTED, IMPORTED_HEAD))
        unresolved = Unresolved(
            stack.enter_context(LateFile(folder / UNRESOLVED)), _batch(project, options.batch)
        )
        pictures = _pictures(project, options, folder, manifest, pulse)
        if pictures:
            stack.enter_context(pictures)

        def told(done: int, total: int) -> None:
            if pictures:
                pictures.flush()
            writer.settle()
            progress(done, total)

        images = exported_images(
            project=project,
            options=options,
            left_out=manifest.left_out,
            progress=told,
            work=work,
            also=unresolved.read if crowd else lambda images: None,
            typed_by=manifest.typed_by,
        )
        for raw, record in images:
            writer.add(record)
            if beside:
                judged.write(provenance(record))
            imported.write(imported_chains(record))
            if pictures:
                pictures.add(record)
            content.add(record)
            each(record)
            manifest.count(raw, record)
    if pictures and WRITERS[manifest.format].holds_pictures:
        pictures.forget_folder()
    manifest.content_hash, manifest.protocols = str(content), work.protocols
    manifest.not_in_format, manifest.written_but = writer.not_held, writer.written_but
    manifest.unresolved = unresolved.counts
    manifest.families = families_of(project)
    manifest.pictures = pictures.written if pictures else None


def _pictures(
    project: Project,
    options: ExportOptions,
    folder: Path,
    manifest: Manifest,
    pulse: Callable[[], object],
) -> PictureWriter | None:
    if options.pictures is None:
        return None
    left_out, most = manifest.left_out.pictures, options.most_picture_bytes
    return PictureWriter(folder, project, options.pictures, left_out=left_out, most_bytes=most, pulse=pulse)


def _write_card(project: Project, options: ExportOptions, folder: Path, manifest: Manifest) -> None:
    """Write the data set card. It imports pyarrow only now, as the format does."""
    from annotation.exporting.data_card import write_card

    crowd = options.source == "crowd"
    work = work_figures(project, _batch(project, options.batch)) if crowd else None
    write_card(folder, manifest, language=project.language, work=work)


def families_of(project: Project) -> dict[str, str]:
    """Return the families of the project's models, by name and version."""
    return {str(model): model.family for model in ModelVersion.objects.filter(project=project)}


def images_to_export(project: Project, batch: Batch | None, chosen: Collection[int] = ()) -> Sequence[int]:
    """Return the ids of the images, sorted by the code points of their names in every database.

    If some are `chosen`, no others are returned.

    They take eight bytes an image.
    """
    images = Image.objects.in_use().filter(project=project)
    if batch:
        images = images.filter(works__batch=batch)
    if chosen:
        images = images.filter(pk__in=chosen)
    name = Collate(F("name"), "C") if connection.vendor == "postgresql" else F("name")
    with snapshot():
        return array("q", images.order_by(name).values_list("pk", flat=True).iterator(chunk_size=10_000))


def _batch(project: Project, name: str) -> Batch | None:
    if not name:
        return None
    try:
        return Batch.objects.get(project=project, name=name)
    except Batch.DoesNotExist as error:
        raise ExportError(f"project {project.name} has no batch {name!r}") from error


def _settings(options: ExportOptions) -> dict[str, object]:
    merging = options.merge and {
        "iou": options.merge.iou,
        "iou_other": options.merge.iou_other,
        "never": [sorted(pair) for pair in options.merge.never],
    }
    return {
        "merge": merging,
        "include_unfinished": options.include_unfinished,
        "include_unresolved": options.include_unresolved,
        **({"people_only": True} if options.people_only else {}),
        **({"chosen_images": len(options.images)} if options.images else {}),
    }

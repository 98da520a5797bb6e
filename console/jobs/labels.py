"""Labels of jobs, their options and their outcomes."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.template.defaultfilters import filesizeformat

from annotation.models import ModelVersion
from console.common.labels import Look
from workflows.jobs.domain.jobs import (
    COMPONENTS,
    LOCALIZATION,
    UNFINISHED,
    EvaluationAsked,
    ExportAsked,
    ImportAsked,
    JobError,
    PairsAsked,
    SuggestionsAsked,
    is_abandoned,
    parse_options,
    seconds_left,
)
from workflows.jobs.evaluations import READING
from workflows.jobs.models import Job
from workflows.jobs.pair_choices import LOOKED_AT, REMAIN
from workflows.jobs.pair_choices import READING as READING_CAPTIONS
from workflows.jobs.reports import REPORTED
from workflows.jobs.suggestion_imports import MATCHED, WRITING

STATES: Mapping[str, Look] = {
    Job.State.QUEUED: ("queued", ""),
    Job.State.RUNNING: ("running", "warn"),
    Job.State.DONE: ("done", "good"),
    Job.State.FAILED: ("failed", "bad"),
    Job.State.CANCELLED: ("cancelled", ""),
}

FORMATS: Mapping[str, str] = {
    "spreadsheet": "Spreadsheet (CSV: image, caption), also with | between columns",
    "flickr30k-token": "Flickr8k and Flickr30k captions (image.jpg#0, tab, caption)",
    "flickr30k-entities": "Flickr30k Entities (Sentences, Annotations)",
    "coco-captions": "COCO captions (JSON)",
    "json-captions": "JSON of images with captions (Karpathy, ALBEF, BLIP, metadata.jsonl)",
    "parquet-captions": "Parquet of images with captions (Hugging Face)",
    "aligned-text": "Aligned text files (Multi30k: train.en, train_images.txt)",
    "sidecar-texts": "A text beside each photograph (a.jpg and a.txt)",
    "jsonl": "JSON lines of Groundcrew, one image a line",
    "photographs": "Photographs without captions, which workers are to write",
    "coco": "COCO (JSON, with our own fields)",
    "coco-grounding": "COCO with captions (MDETR, GLIP, YOLO-World)",
    "huggingface": "Hugging Face (Parquet, with a data set card, and with the pictures if you include them)",
    "odvg": "odvg JSON lines (MM-Grounding-DINO, Open-GroundingDino)",
    "refcoco": "Referring expressions (as RefCOCO)",
    "parquet": "Parquet tables",
    "webdataset": "WebDataset (tar shards, with the pictures if you include them)",
    "yolo": "YOLO (labels, data.yaml)",
    "voc": "Pascal VOC (XML)",
    "cvat": "CVAT for images 1.1 (XML)",
    "label-studio": "Label Studio (JSON)",
    "ms-swift": "ms-swift (messages, images, objects), for any of its models",
    "qwen2-vl": "Qwen2-VL chats, in thousandths (LLaMA-Factory, ms-swift)",
    "qwen2.5-vl": "Qwen2.5-VL chats, in pixels of the resized image (LLaMA-Factory, ms-swift)",
    "qwen3-vl": "Qwen3-VL chats, in thousandths (LLaMA-Factory, ms-swift)",
    "internvl": "InternVL conversations, in thousandths",
    "florence-2": "Florence-2 (<loc_…> in thousandths)",
    "paligemma": "PaliGemma (<locYYYY>)",
    "kosmos-2": "Kosmos-2 (patches)",
    "grit": "GRIT (captions with noun chunks, as fractions)",
}
SOURCES: Mapping[str, str] = {
    "crowd": "what the crowd and researchers made",
    "gold": "known answers: imported, or your own gold",
}

TASKS: Mapping[str, str] = {
    COMPONENTS: "several boxes of a phrase (component IoU)",
    LOCALIZATION: "boxes that a system predicts for phrases (recall)",
}
RULES: Mapping[str, str] = {
    "merged": "it fits the box around all true boxes",
    "any": "it fits one of the true boxes",
    "component": "it covers what all true boxes cover",
}

_FORMS = {
    "": "{}: left, top, right, bottom",
    "-xywh": "{}: left, top, width, height",
    "-yxyx": "{}: top, left, bottom, right",
    "-cxcywh": "{}: middle, width, height",
}
PREDICTIONS_FORMATS: Mapping[str, str] = {
    "": "pixels: left, top, right, bottom; in COCO results left, top, width, height",
    **{
        f"{unit}{order}": words.format(named)
        for unit, named in (
            ("pixels", "pixels"),
            ("fractions", "fractions (0 to 1)"),
            ("thousandths", "thousandths (0 to 1000)"),
        )
        for order, words in _FORMS.items()
    },
    "qwen2.5-vl": "answers of Qwen2.5-VL",
    "qwen3-vl": "answers of Qwen3-VL",
    "qwen2-vl": "answers of Qwen-VL or Qwen2-VL",
    "internvl": "answers of InternVL",
    "florence-2": "answers of Florence-2",
    "paligemma": "answers of PaliGemma",
    "kosmos-2": "answers of Kosmos-2",
    "shikra": "answers of Shikra",
    "gemini": "answers of Gemini",
    "molmo": "answers of Molmo (points, which are only counted)",
}
FORMAT_HELP = "What the numbers of boxes are, or the model whose answers the file has."

CANDIDATES: Mapping[str, str] = {
    "all": "all of its captions",
    "drawn": "one of its captions, drawn at random",
    "first": "its first caption",
}
"""Which captions of another image an image is judged with."""

_KINDS: Mapping[str, str] = {
    Job.Kind.EXPORT: "Export",
    Job.Kind.EVALUATION: "Evaluation",
    Job.Kind.PAIRS: "Choice of pairs",
    Job.Kind.SUGGESTIONS: "Import of boxes",
}

_COUNTS = (
    ("images", "new images"),
    ("images_grown", "images with additions"),
    ("unchanged", "unchanged images"),
    ("captions", "new captions"),
    ("captions_known", "known captions"),
    ("mentions", "mentions to annotate"),
    ("not_visual", "chunks that are not visual"),
    ("foreign", "captions in another language, left out"),
    ("pictures", "pictures"),
    ("gold_chains", "known chains"),
    ("skipped", "problems"),
)


def name_of(job: Job) -> str:
    """Return the job's title."""
    if job.kind == Job.Kind.SUGGESTIONS and job.dry_run:
        return f"Preview of boxes {job.pk}"
    if job.kind != Job.Kind.IMPORT:
        return f"{_KINDS[job.kind]} {job.pk}"
    return f"Dry run {job.pk}" if job.dry_run else f"Import {job.pk}"


def asked_of(job: Job) -> list[tuple[str, str]]:
    """Return the names and values of the job's options."""
    try:
        if job.kind == Job.Kind.EXPORT:
            return _export(parse_options(ExportAsked, job.options))
        if job.kind == Job.Kind.EVALUATION:
            return evaluation_asked(parse_options(EvaluationAsked, job.options))
        if job.kind == Job.Kind.PAIRS:
            return _pairs(parse_options(PairsAsked, job.options))
        if job.kind == Job.Kind.SUGGESTIONS:
            return _suggestions(job, parse_options(SuggestionsAsked, job.options))
        return _import(parse_options(ImportAsked, job.options))
    except JobError as error:
        return [("asked for", str(error))]


def _import(asked: ImportAsked) -> list[tuple[str, str]]:
    options = [
        *(["keep chains and boxes as known answers"] if asked.as_gold else []),
        *(["stop at the first problem"] if asked.strict else []),
        *(["captions in any language"] if asked.any_language else []),
        *(["keep metadata of photographs"] if asked.keep_metadata else []),
    ]
    return [
        ("from", asked.place or "an upload"),
        ("format", FORMATS.get(asked.format, asked.format) or "detect automatically"),
        *([("options", ", ".join(options))] if options else []),
    ]


def _export(asked: ExportAsked) -> list[tuple[str, str]]:
    merging = f"IoU {asked.merge_iou:g}, of other things {asked.merge_iou_other:g}" if asked.merge else "no"
    if asked.merge and asked.keep_apart != ExportAsked("").keep_apart:
        merging += f", kept apart: {asked.keep_apart or 'nothing'}"
    unresolved = "as not visual" if asked.include_unresolved else "images left out"
    leaves = asked.source == "crowd" and not asked.include_unfinished
    return [
        ("format", FORMATS.get(asked.format, asked.format)),
        ("source", SOURCES.get(asked.source, asked.source)),
        ("batch", asked.batch or "all"),
        *([("selected images", f"{len(asked.images):,}")] if asked.images else []),
        ("merged", merging),
        ("unfinished work", "with it" if asked.include_unfinished else "left out"),
        *([("unresolved mentions", unresolved)] if leaves else []),
        *([("judged by models", "images left out")] if asked.people_only else []),
        ("picture files", "included" if asked.pictures else "left out"),
        ("licence", asked.licence or "not named"),
    ]


def evaluation_asked(asked: EvaluationAsked) -> list[tuple[str, str]]:
    """Return the names and values of an evaluation's options that matter for its task."""
    rule = [("a box is right if", f"{RULES[asked.rule]}, with an IoU of at least {asked.iou:g}")]
    return [
        ("measures", TASKS[asked.task]),
        ("predictions", asked.file or "none"),
        *_format(asked.predictions_format, asked.max_pixels),
        ("images", asked.split or "all"),
        *(rule if asked.task == LOCALIZATION else []),
    ]


def _format(name: str, max_pixels: int) -> list[tuple[str, str]]:
    limit = [("most pixels", f"{max_pixels:,}")] if max_pixels else []
    return [("format", PREDICTIONS_FORMATS[name]), *limit] if name else []


def _pairs(asked: PairsAsked) -> list[tuple[str, str]]:
    ranked = f"among the first {asked.depth} of {asked.files}"
    return [
        ("images", asked.split or "all"),
        ("pairs", ranked if asked.files else "all"),
        ("captions of an image", CANDIDATES[asked.candidates]),
        ("least Bleu", f"{asked.least_bleu:g}"),
        *([("grades", asked.grades)] if asked.grades else []),
    ]


def _suggestions(job: Job, asked: SuggestionsAsked) -> list[tuple[str, str]]:
    model = ModelVersion.objects.filter(project=job.project_id, pk=asked.model).first()
    return [
        ("model", str(model or "which is gone")),
        ("file", asked.file),
        ("least score", "any" if asked.threshold is None else f"{asked.threshold:g}"),
        ("overlap at most", "any" if asked.nms is None else f"{asked.nms:g} (IoU)"),
        *([("phrases that the file lacks", "no box was found")] if asked.every_mention else []),
        *_format(asked.predictions_format, asked.max_pixels),
    ]


def extent_of(job: Job) -> str:
    """Return what a version contains, in as many words as tell it from others of the same format."""
    try:
        asked = parse_options(ExportAsked, job.options)
    except JobError:
        return ""
    said = {"gold": "known answers"}.get(asked.source) or (
        f"batch {asked.batch}" if asked.batch else "everything"
    )
    if asked.images:
        said += f", {len(asked.images):,} selected image{'s' * (len(asked.images) != 1)}"
    if asked.include_unfinished:
        said += ", with unfinished work"
    elif asked.include_unresolved:
        said += ", with unresolved mentions"
    if asked.people_only:
        said += ", judged by people only"
    if asked.pictures:
        said += ", with pictures"
    return said if asked.merge or asked.source == "gold" else f"{said}, not merged"


def counts_of(outcome: Mapping[str, Any]) -> list[tuple[str, int]]:
    """Return what an import did, or would do: all counts but zeros, and always the new images."""
    counts = dict(outcome)
    counts["unchanged"] = outcome.get("images_known", 0) - outcome.get("images_grown", 0)
    counts["not_visual"] = outcome.get("chunks", 0) - outcome.get("mentions", 0)
    return [(words, counts.get(name, 0)) for name, words in _COUNTS if counts.get(name) or name == "images"]


def exported_counts(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return the most important counts of a manifest."""
    names = ("images", "captions", "mentions", "chains", "boxes", "pictures")
    return [(name, counts[name]) for name in names if name in counts]


def changes_of(changes: Mapping[str, Any]) -> list[tuple[str, int, int, int | None]]:
    """Return how many images, chains and boxes were added, removed and changed. Boxes never change."""
    return [
        (name, said["added"], said["removed"], None if name == "boxes" else said["changed"])
        for name in ("images", "chains", "boxes")
        if (said := changes.get(name))
    ]


def figures_of(job: Job) -> str:
    """Return the figures of a report for a list, in a line."""
    return " · ".join(f"{name} {value}" for name, value in job.outcome.get("figures", ()) if name)


def remaining_of(job: Job) -> str:
    """Return what a choice of pairs left, in a line."""
    figures = dict(job.outcome.get("figures", ()))
    if not figures:
        return ""
    return f"{figures[REMAIN]} of {figures[LOOKED_AT]} pairs remain"


_STEPS = {"unpacking": "bytes", "packing": "files", "copying from the bucket": "files"}


def steps_of(job: Job) -> str:
    """Return what the progress bar counts: bytes, files, images or steps."""
    reads = job.phase in (READING, READING_CAPTIONS)
    usual = "steps" if job.kind in REPORTED and not reads else "images"
    if job.kind == Job.Kind.SUGGESTIONS:
        usual = "phrases" if job.phase in (MATCHED, WRITING) else "steps"
    return _STEPS.get(job.phase, usual)


def done_of(job: Job) -> str:
    """Return how much a job has done, and of what: 12 of 40 images, 19.4 KB, 40 images."""
    if not (job.done or job.total):
        return "–"
    steps = steps_of(job)
    if steps == "bytes":
        done = filesizeformat(job.done)
        return f"{done} of {filesizeformat(job.total)}" if job.total and job.total != job.done else done
    of = f" of {job.total:,}" if job.total and job.total != job.done else ""
    return f"{job.done:,}{of} {steps}"


def long(seconds: float) -> str:
    """Format a waiting time in seconds, roughly."""
    if seconds < 60:
        return f"{max(1, round(seconds))} s"
    if seconds < 5400:
        return f"{round(seconds / 60)} min"
    return f"{seconds / 3600:.1f} h"


def followed(job: Job, now: datetime) -> dict[str, Any]:
    """Return what changes while the job runs, in words."""
    running = job.state == Job.State.RUNNING
    seconds = (now - job.started_at).total_seconds() if running and job.started_at else 0.0
    steps = steps_of(job)
    said = (
        f"{job.done:,} of {job.total:,} {steps}" if job.total else f"{job.done:,} {steps}" if job.done else ""
    )
    rate = f"{job.done / seconds:,.1f} {steps} a second" if job.done and seconds >= 1 else ""
    left = seconds_left(job.done, job.total, seconds)
    lost = is_abandoned(job.state, job.beat_at, now)
    if lost:
        phase = "no sign of life for a minute: another run will take over"
    elif job.cancel_asked and running:
        phase = f"{job.phase}; it stops after this part"
    elif job.state == Job.State.QUEUED:
        phase = "waits for a worker"
    else:
        phase = job.phase if running else ""
    return {
        "state": STATES[job.state][0],
        "look": STATES[job.state][1],
        "phase": phase,
        "done": job.done,
        "total": job.total,
        "said": said,
        "rate": rate,
        "left": f"about {long(left)} left" if left and not lost else "",
        "problems": job.problem_count,
        "ended": job.state not in UNFINISHED,
    }

"""The data set card of a folder for Hugging Face: `README.md`, whose first lines `datasets` reads as YAML."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from annotation.exporting.manifest import Manifest
from annotation.exporting.summary import say_left_out
from annotation.exporting.work_figures import WorkFigures
from annotation.formats.datasets.grounded_captions import ALL_SPLITS
from annotation.formats.datasets.huggingface import FOLDER, IMAGE, PICTURED, SCHEMA, file_name

CARD = "README.md"
_SIZES = ((10**3, "n<1K"), (10**4, "1K<n<10K"), (10**5, "10K<n<100K"), (10**6, "100K<n<1M"))
_COLUMNS = (
    ("`file_name`", "the photograph's file name"),
    ("`width`, `height`", "its size in pixels, turned upright as its EXIF data says; empty if unknown"),
    ("`captions[].text`", "the captions of the image"),
    (
        "`captions[].phrases`",
        "phrases that name something in the image: each is the characters from `start` to `end` of the "
        "caption (`end` not included), and `chain` is the id of what it names",
    ),
    (
        "`chains`",
        "what the phrases name, each once: all phrases with this `id` mean the same thing. `scene`: it is "
        "the whole scene. `nobndbox`: it cannot be boxed",
    ),
    ("`chains[].boxes`", "`[left, top, right, bottom]` in pixels; `right` and `bottom` are not included"),
)


def write_card(folder: Path, manifest: Manifest, *, language: str, work: WorkFigures | None) -> None:
    """Write the card beside the data, which must be complete.

    `work` has the figures of the crowd's annotation, and is None for known answers.
    """
    rows = {}
    for split in ALL_SPLITS:
        path = folder / FOLDER / file_name(split)
        if path.is_file():
            rows[split] = (pq.ParquetFile(path).metadata.num_rows, path.stat().st_size)
    head = _head(manifest, rows, language, "crowdsourced" if work else "expert-generated")
    # JSON is YAML, so no value can break out of its place.
    yaml = "".join(f"{name}: {json.dumps(value, ensure_ascii=False)}\n" for name, value in head.items())
    body = "\n".join(_body(manifest, rows, work))
    (folder / CARD).write_text(f"---\n{yaml}---\n\n{body}\n", encoding="utf-8")


def _head(
    manifest: Manifest, rows: Mapping[str, tuple[int, int]], language: str, annotators: str
) -> dict[str, Any]:
    size = sum(size for _, size in rows.values())
    return {
        "pretty_name": manifest.project,
        "license": manifest.licence or "unknown",
        "language": [language],
        "annotations_creators": [annotators],
        "task_categories": ["zero-shot-object-detection", "image-to-text"],
        "tags": ["phrase-grounding", "referring-expressions", "coreference"],
        "size_categories": [next((name for most, name in _SIZES if manifest.images < most), "n>1M")],
        "configs": [
            {
                "config_name": "default",
                "data_files": [{"split": split, "path": f"{FOLDER}/{file_name(split)}"} for split in rows],
            }
        ],
        "dataset_info": {
            "features": [
                _feature(field.name, field.type)
                for field in (SCHEMA if manifest.pictures is None else PICTURED)
            ],
            "splits": [
                {"name": split, "num_bytes": size, "num_examples": count}
                for split, (count, size) in rows.items()
            ],
            "download_size": size,
            "dataset_size": size,
        },
    }


def _feature(name: str, kind: pa.DataType) -> dict[str, Any]:
    """Return a column as the card of a data set describes it."""
    return {"name": name, **({"dtype": "image"} if name == IMAGE else _kind(kind))}


def _kind(kind: pa.DataType) -> dict[str, Any]:
    if pa.types.is_list(kind):
        inner = _kind(kind.value_type)
        return {"list": inner["dtype"] if list(inner) == ["dtype"] else inner.get("struct", inner)}
    if pa.types.is_struct(kind):
        return {
            "struct": [
                _feature(kind.field(place).name, kind.field(place).type) for place in range(kind.num_fields)
            ]
        }
    return {"dtype": str(kind)}


def _body(manifest: Manifest, rows: Mapping[str, tuple[int, int]], work: WorkFigures | None) -> Iterator[str]:
    yield f"# {manifest.project}\n"
    yield (
        "Captions of photographs: which of their phrases mean the same thing, and boxes around that thing. "
        "The data set was made with Groundcrew, by the protocol of *Flickr30k Entities* "
        "(Plummer et al. 2017).\n"
    )
    yield '```python\nfrom datasets import load_dataset\n\ndata = load_dataset("path/of/this/folder")\n```\n'
    yield from _table(("split", "images"), [(split, f"{count:,}") for split, (count, _) in rows.items()])
    yield "## Columns\n"
    types = ", ".join(f"`{name}`" for name in manifest.types.names)
    yield from _table(("column", "content"), (*_COLUMNS, ("`types`", f"any of {types}")))
    if manifest.pictures:
        yield f"The column `{IMAGE}` has the photographs, turned upright.\n"
    yield "## Licence\n"
    if manifest.licence:
        yield f"{_plain(manifest.licence)}. The photographs may have another licence.\n"
    else:
        yield "None was named at the export. Ask whoever published the data set before you use it.\n"
    yield "## How it was made\n"
    yield from _how(manifest, work)
    yield "## What it contains\n"
    merging = manifest.merging
    yield from _table(
        ("", "number"),
        [
            ("images", f"{manifest.images:,}"),
            ("captions", f"{manifest.captions:,}"),
            ("phrases in chains", f"{manifest.mentions:,}"),
            ("phrases that are not visual or have no chain", f"{manifest.notvisual:,}"),
            ("chains", f"{merging.chains:,}"),
            ("boxes", f"{merging.boxes:,}"),
            ("left out", "; ".join(say_left_out(manifest.left_out)) or "nothing"),
            ("content hash", f"`{manifest.content_hash}`"),
        ],
    )
    if work:
        yield "## Quality and cost\n"
        yield "These count all work until the export, also on images that are not in the data set.\n"
        yield from _table(("", "number"), _work_rows(work))


def _how(manifest: Manifest, work: WorkFigures | None) -> Iterator[str]:
    if work is None:
        yield "These are known answers: they were imported, or annotated by researchers.\n"
    else:
        steps = ", ".join(
            f"`{name}` ({count:,} images)" for name, count in sorted(manifest.protocols.items())
        )
        yield (
            "Workers linked the phrases that mean the same thing, verified the chains, and drew boxes that "
            "others judged. Questions with known answers showed whose work counts.\n"
        )
        yield f"- Protocol: {steps or 'none'}."
        yield from _suggestions(manifest)
        yield from _judged(manifest)
    merge = manifest.settings["merge"]
    if merge is None:
        yield "- Boxes and chains are as they were annotated: nothing was merged."
    else:
        yield (
            f"- Boxes with an IoU of at least {merge['iou']:g} ({merge['iou_other']:g} for things of type "
            "`other`) were merged, and so were chains that then had the same boxes."
        )
    yield f"- Code version: `{manifest.code_version}`. `about/manifest.json` has all settings and counts.\n"


def _suggestions(manifest: Manifest) -> Iterator[str]:
    """Yield what became of the boxes that models suggested, a line a model."""
    for model in manifest.models.models:
        counts = manifest.models.origins_of(model)
        if not counts:
            continue
        total = sum(counts.values())
        said = ", ".join(f"{counts[one]:,} ({counts[one] / total:.0%}) {one}" for one in sorted(counts))
        yield (
            f"- The model `{_plain(model)}` suggested boxes to the workers who made {total:,} of the "
            f"{manifest.merging.boxes_raw:,} boxes before merging: {said}. An accepted box is the model's as "
            "it was; an adjusted one was moved."
        )


def _judged(manifest: Manifest) -> Iterator[str]:
    """Yield what rests on answers of models that judge, a line a model."""
    shares, total = manifest.models, manifest.merging.boxes
    for model in shares.models:
        if boxes := shares.boxes[model]:
            unjudged = shares.unjudged[model]
            yield (
                f"- The model `{_plain(model)}` judged {boxes:,} ({boxes / total:.0%}) of the {total:,} "
                f"boxes before workers did; {unjudged:,} ({unjudged / total:.0%}) of them no worker judged."
            )


def _work_rows(work: WorkFigures) -> list[tuple[str, str]]:
    share = f" ({work.right / work.asked:.1%})" if work.asked else ""
    hours = work.seconds / 3600
    return [
        ("workers", f"{work.workers:,}"),
        ("judgments that count", f"{work.judgments:,}"),
        ("judgments that were set aside", f"{work.set_aside:,}"),
        ("answers to questions with known answers", f"{work.asked:,}"),
        ("of these, right", f"{work.right:,}{share}"),
        ("hours of work, as the pages measured them", f"{hours:,.1f}"),
        *(
            (
                f"rewards for pages, in the smallest unit of {_plain(currency)}, without bonuses and fees",
                f"{amount:,}",
            )
            for currency, amount in work.rewards.items()
        ),
    ]


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |\n|{' --- |' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"
    yield ""


def _plain(text: str) -> str:
    """Return a text of somebody else's as Markdown that shows it as it is."""
    return "".join(f"\\{mark}" if mark in r"\`*_{}[]()#+!<>|~" else mark for mark in text)

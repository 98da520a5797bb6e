"""Reads which models had a part in the boxes of an export: from its provenance, or else from its manifest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from evaluation.dataset import ModelPart
from evaluation.errors import Place, entries_of, load_json, within
from evaluation.readers.files import Files, filled, lines_of
from evaluation.readers.jsonl import MAX_RECORD

PROVENANCE = "provenance.jsonl"
JUDGED, UNJUDGED = "boxes", "boxes that no worker judged"
"""What a manifest counts for a model that judged, as in `judge/1: boxes`."""
ORIGINS = ("drawn", "accepted", "adjusted")


def read_model_parts(
    files: Files, manifest: Mapping[str, Any], place: Place, images: Collection[str]
) -> tuple[ModelPart, ...]:
    """Return the models that suggested boxes of these images (names) or judged them, in order of their names.

    Without a provenance, the counts are those of the whole export. Raise InputError for what cannot be read.
    """
    families = _object(manifest, "families", place)
    counts = _of_manifest(manifest, place)
    if not counts:
        return ()
    if PROVENANCE in files.names:
        counts = _of_provenance(files, frozenset(images))
    return tuple(
        ModelPart(
            name,
            str(families.get(name, name.partition("/")[0])),
            whole_export=PROVENANCE not in files.names,
            **{kind: numbers[kind] for kind in (*ORIGINS, "judged", "unjudged")},
            boxes=numbers["boxes"],
            boxes_raw=numbers["boxes_raw"],
        )
        for name, numbers in sorted(counts.items())
    )


def _object(manifest: Mapping[str, Any], field: str, place: Place) -> dict[str, Any]:
    return within(manifest.get(field, {}), dict, place, field)


def _of_manifest(manifest: Mapping[str, Any], place: Place) -> dict[str, Counter[str]]:
    found: dict[str, Counter[str]] = {}
    for name, origins in _object(manifest, "suggestions", place).items():
        numbers = found.setdefault(name, Counter())
        for origin in ORIGINS:
            number = within(origins, dict, place, f"suggestions.{name}").get(origin, 0)
            numbers[origin] = within(number, int, place, f"suggestions.{name}.{origin}")
    for text, number in _object(manifest, "models", place).items():
        name, _, kind = text.partition(": ")
        if kind in (JUDGED, UNJUDGED):
            numbers = found.setdefault(name, Counter())
            numbers["judged" if kind == JUDGED else "unjudged"] = within(number, int, place, f"models.{text}")
    totals = _object(manifest, "counts", place)
    for numbers in found.values():
        for kind in ("boxes", "boxes_raw"):
            numbers[kind] = within(totals.get(kind, 0), int, place, f"counts.{kind}")
    return found


def _of_provenance(files: Files, images: frozenset[str]) -> dict[str, Counter[str]]:
    found: dict[str, Counter[str]] = {}
    totals = Counter[str]()
    with files.opened(PROVENANCE) as file:
        for line, content in filled(lines_of(file, MAX_RECORD, files.place(PROVENANCE))):
            place = files.place(PROVENANCE, line)
            record = within(load_json(content, place), dict, place, "")
            if record.get("name") in images:
                for kind, name in _parts(record, place, totals):
                    found.setdefault(name, Counter())[kind] += 1
    for numbers in found.values():
        numbers.update(totals)
    return found


def _parts(record: Mapping[str, Any], place: Place, totals: Counter[str]) -> Iterator[tuple[str, str]]:
    """Yield what models did for the boxes of an image, and count the boxes into `totals`."""
    for value, field in entries_of(record.get("boxes", []), place, "boxes"):
        box = within(value, dict, place, field)
        rests_on = [
            within(box.get(name, []), list, place, f"{field}.{name}") for name in ("judgments", "decisions")
        ]
        totals["boxes"] += 1
        totals["boxes_raw"] += (
            len(within(box.get("merged_from", []), list, place, f"{field}.merged_from")) or 1
        )
        unjudged = len(rests_on[0]) < 2 and not rests_on[1]
        for name, of in entries_of(box.get("models", []), place, f"{field}.models"):
            yield "judged", within(name, str, place, of)
            if unjudged:
                yield "unjudged", within(name, str, place, of)
        for value_, of in entries_of(box.get("origins", []), place, f"{field}.origins"):
            origin = within(value_, dict, place, of)
            kind = within(origin.get("origin"), str, place, f"{of}.origin")
            if kind not in ORIGINS:
                raise place.error(f"{of}.origin", f"is none of {', '.join(ORIGINS)}")
            yield kind, within(origin.get("model"), str, place, f"{of}.model")

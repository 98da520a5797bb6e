"""What the inspector's script asks for, as JSON."""

from __future__ import annotations

from typing import Any

from annotation.domain.merge import MergeSettings
from annotation.domain.records import ImageRecord
from console.common.chain_page import ChainPage
from console.common.history import Entry, Given
from console.common.labels import letter
from console.inspector.domain.merge_diff import compare


def merged_answer(record: ImageRecord, settings: MergeSettings) -> dict[str, Any]:
    """Return the merged boxes, each with those it was made from, and the joined chains, by letter."""
    found = compare(record, settings)
    chain_of = {index: chain.id for chain in record.chains for index in chain.boxes}
    return {
        "iou": settings.iou,
        "iou_other": settings.iou_other,
        "boxes": [
            {
                "box": one.box.edges,
                "letters": [letter(number - 1) for number in one.chains],
                "from": [
                    {"letter": letter(chain_of[index] - 1), "box": record.boxes[index].box.edges}
                    for index in one.raw
                ],
            }
            for one in found.boxes
        ],
        "joined": [[letter(number - 1) for number in numbers] for numbers in found.joined],
        "boxes_raw": found.counts.boxes_raw,
        "chains_raw": found.counts.chains_raw,
        "chains": found.counts.chains,
    }


def history_answer(found: ChainPage) -> dict[str, Any]:
    """Return the history of a chain, the oldest first, and every box that was drawn for it."""
    return {
        "title": found.chain.representative.text,
        "state": found.state,
        "boxes": [
            {"label": one.label, "state": one.box.state, "box": one.box.rectangle.edges, "by": one.by}
            for one in found.boxes
        ],
        "entries": [_entry(entry) for entry in found.history],
    }


def _entry(entry: Entry) -> dict[str, Any]:
    return {
        "kind": entry.kind,
        "at": entry.at.isoformat(timespec="seconds"),
        "title": entry.title,
        "says": entry.says,
        "note": entry.note,
        "by": entry.by,
        "tone": entry.tone,
        "moves": entry.moves,
        "withdrawn": entry.withdrawn,
        "given": [_given(one) for one in entry.given],
    }


def _given(one: Given) -> dict[str, Any]:
    return {
        "worker": one.worker,
        "name": one.name,
        "answer": one.answer,
        "seconds": one.seconds,
        "comment": one.comment,
        "chunk_flag": one.chunk_flag,
        "aside": one.aside.by if one.aside else "",
    }

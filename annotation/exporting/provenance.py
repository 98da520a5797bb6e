"""What chains and boxes rest on, in lines of files beside a data set.

`provenance.jsonl` has the judgments and decisions, a line for each image. `about/imported_chains.csv` has the
ids that known chains had in the file that they were imported from. A joined chain has several lines.
"""

from __future__ import annotations

import csv
from dataclasses import asdict
from io import StringIO

import orjson

from annotation.domain.records import BoxRecord, ChainRecord, ImageRecord

FILE = "provenance.jsonl"
INLINE = frozenset({"parquet"})  # formats that hold it themselves
IMPORTED_HEAD = b"image,chain,imported\n"


def provenance(record: ImageRecord) -> bytes:
    """Return the line of an image: the judgments of each chain, and those of each box with its raw boxes.

    Where answers of models counted, these are named, too.
    """
    chains_of: dict[int, list[int]] = {}
    for chain in record.chains:
        for index in chain.boxes:
            chains_of.setdefault(index, []).append(chain.id)
    line = {
        "name": record.name,
        "chains": [
            {"id": chain.id, "judgments": chain.judgments, "decisions": chain.decisions, **_models(chain)}
            for chain in record.chains
        ],
        "boxes": [
            {
                "chains": chains_of.get(index, []),
                "box": box.box.edges,
                "judgments": box.judgments,
                "decisions": box.decisions,
                **_models(box),
                "merged_from": [raw.edges for raw in box.merged_from],
                **({"origins": [asdict(one) for one in box.origins]} if box.origins else {}),
            }
            for index, box in enumerate(record.boxes)
        ],
    }
    return orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE)


def _models(rests: ChainRecord | BoxRecord) -> dict[str, tuple[str, ...]]:
    """Return the field that names the models whose answers it rests on, if there are any."""
    return {"models": rests.models} if rests.models else {}


def imported_chains(record: ImageRecord) -> bytes:
    """Return the lines of the known chains of an image."""
    lines = StringIO()
    rows = ((record.name, chain.id, number) for chain in record.chains for number in chain.imported)
    csv.writer(lines, lineterminator="\n").writerows(rows)
    return lines.getvalue().encode()

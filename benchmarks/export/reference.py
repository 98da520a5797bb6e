"""Measures what the machine alone needs for an export.

Rows are read with plain SQL, and the same files with as many bytes are written. Run it with `python -m
benchmarks.export.reference SIZES OUT`. SIZES is a JSON file that maps paths to bytes. It prints seconds as
JSON.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

# What an export needs of each table, in the order in which it needs it.
QUERIES = (
    "SELECT id, name, width, height, split FROM annotation_image ORDER BY name",
    "SELECT id, image_id, state FROM annotation_imagework",
    'SELECT id, image_id, "index", text, tokens FROM annotation_caption',
    'SELECT id, caption_id, start, "end", types, annotatable FROM annotation_mention',
    "SELECT id, work_id, generation, members, state, flag FROM annotation_chain",
    'SELECT id, chain_id, state, judgment_id, "left", top, "right", bottom FROM annotation_box',
    "SELECT j.id, i.stage, i.chain_id, i.box_id FROM annotation_judgment j"
    " JOIN annotation_item i ON i.id = j.item_id",
)


def read() -> int:
    """Read all rows, some at a time. Returns how many there are."""
    from django.db import connection

    count = 0
    connection.ensure_connection()
    raw = connection.connection
    for number, query in enumerate(QUERIES):
        cursor = (
            raw.cursor() if connection.vendor == "sqlite" else raw.cursor(name=f"raw{number}", withhold=True)
        )
        cursor.execute(query)
        while rows := cursor.fetchmany(10_000):
            count += len(rows)
        cursor.close()
    return count


def write(sizes: dict[str, int], out: Path) -> None:
    """Write files of these sizes. They are on the disk when this returns."""
    for name, size in sizes.items():
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            file.write(bytes(size))
    os.sync()


def main(sizes: Path, out: Path) -> None:
    """Measure reading and writing."""
    begin = time.perf_counter()
    rows = read()
    middle = time.perf_counter()
    write(json.loads(sizes.read_text()), out)
    print(json.dumps({"rows": rows, "read": middle - begin, "write": time.perf_counter() - middle}))


if __name__ == "__main__":
    django.setup()
    main(Path(sys.argv[1]), Path(sys.argv[2]))

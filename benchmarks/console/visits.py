"""The part of `benchmarks.console` for one database.

It is run by that module, in an environment that names the database.
"""

# Models can be imported only after django.setup().
# ruff: noqa: E402

from __future__ import annotations

import gc
import os
import random
import statistics
import sys
import time
from dataclasses import asdict
from pathlib import Path

import django
import orjson
from tqdm import tqdm

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.core.management import call_command
from django.db import connection

from annotation.models import Image, Judgment
from annotation.planner import analyze
from benchmarks.console.fill import BULK, fill
from benchmarks.console.pages import Visitor
from workflows.analysis.models import KeptCounts

TIMES = 300


def main(out: Path, images: int, *, tiny: bool) -> None:
    """Write the figures of this database to `out` as JSON. With `tiny`, few addresses are visited."""
    call_command("migrate", verbosity=0)
    begin = time.perf_counter()
    fill(images)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("VACUUM")  # as in a database at rest: after a bulk load, no row has its hint bits
    analyze(*BULK)
    fill_seconds = time.perf_counter() - begin
    gc.collect()
    gc.freeze()  # as the web server does once it is loaded
    visitor = Visitor(times=1, brief=True) if tiny else Visitor()
    visits = list(tqdm(visitor.visits(), desc=connection.vendor, unit=" pages", disable=None))
    counts = KeptCounts.objects.filter(batch=None).order_by("kind").values_list("kind", "seconds")
    figures = {
        "fill_seconds": fill_seconds,
        "machine": _machine(),
        "rows": {model._meta.model_name: model._default_manager.count() for model in BULK},
        "counts": {kind: round(seconds, 2) for kind, seconds in counts},
        "pages": [{**asdict(visit), "too_much": visit.too_much} for visit in visits],
    }
    out.write_bytes(orjson.dumps(figures))


def _machine() -> dict[str, float]:
    """Return median milliseconds for one row by its key, and for fifty in a row, without Django's models."""
    rng = random.Random(4)
    images, judgments = Image.objects.count(), Judgment.objects.count()
    row = f"SELECT * FROM {Image._meta.db_table} WHERE id = %s"
    fifty = f"SELECT * FROM {Judgment._meta.db_table} WHERE id > %s ORDER BY id LIMIT 50"
    return {"row_ms": _median(row, rng, images), "fifty_ms": _median(fifty, rng, judgments)}


def _median(query: str, rng: random.Random, most: int) -> float:
    times = []
    with connection.cursor() as cursor:
        for _ in range(TIMES):
            begin = time.perf_counter()
            cursor.execute(query, [rng.randint(1, most)])
            cursor.fetchall()
            times.append(1000 * (time.perf_counter() - begin))
    return statistics.median(times)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), tiny=sys.argv[3] == "tiny")

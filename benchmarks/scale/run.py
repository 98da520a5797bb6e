"""The part of `benchmarks.scale` that runs within the environment of its PostgreSQL.

It is run by that module. `python -m benchmarks.scale.run verify` and `... seal` are parts that it runs in
processes of their own, to measure their memory.
"""

# Models can be imported only after django.setup().
# ruff: noqa: E402

from __future__ import annotations

import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

import django
import orjson

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.core.management import call_command
from django.db import connection
from django.db.models import Max
from django.utils import timezone

from annotation.domain.answers import Stage
from annotation.models import Batch, ImageWork, Item, Judgment, Worker
from benchmarks.console.pages import Visitor
from benchmarks.report import check_logs, percentile, run_process
from benchmarks.scale.base import DAYS, PROJECT, make_base
from benchmarks.scale.copies import COPIED, multiply
from config.serve import services
from workflows import tasks
from workflows.api.authentication import make_token
from workflows.assignments.claim import claim
from workflows.assignments.leases import return_page
from workflows.core.models import AuditEntry, Seal
from workflows.core.seals import ROWS_PER_SEAL
from workflows.money.models import LedgerEntry
from workflows.pipeline.replay.verify_state import IMAGES_AT_ONCE, verify
from workflows.workers.enrolment import enrol_worker

ANNOTATORS = 8
REFERENCE = "scale_reference"
"""A table that does not grow, by which the machine is measured at both sizes."""
REFERENCE_ROWS = 1_000_000
_LONG_ID = re.compile(r"\d{7,}")


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured: `images` times `copies`, and then `times` as much."""

    images: int
    copies: int
    times: int
    seconds: float
    claims: int
    sample: int
    brief: bool


SIZES = {
    "full": Size(106, 300, 10, 30.0, 100, 1_000, brief=False),
    "quick": Size(106, 30, 10, 10.0, 50, 300, brief=True),
    "tiny": Size(10, 2, 2, 1.0, 2, 1_000, brief=True),
}


def main(out: Path, size: Size) -> None:
    """Write the figures of both sizes to `out` as JSON."""
    call_command("migrate", verbosity=0)
    begin = time.perf_counter()
    make_base(size.images, copies=size.copies)
    _make_reference()
    multiply(size.copies, apart=timedelta(days=DAYS) / size.copies)
    found = [_measured("full", size, time.perf_counter() - begin)]
    begin = time.perf_counter()
    multiply(size.times, apart=timedelta(days=DAYS))
    found.append(_measured("ten", size, time.perf_counter() - begin))
    out.write_bytes(orjson.dumps({"sizes": found}))


def _measured(name: str, size: Size, filled: float) -> dict[str, Any]:
    """Measure everything at the size that the database has now. What it has to do first is done first."""
    say(f"{name}: filled in {filled:.0f} s")
    batch = Batch.objects.get(name="main")
    sample = _sample_batch(name, batch, size.sample)
    _seal_what_is_there()
    figures: dict[str, Any] = {"fill_seconds": round(filled, 1), "rows": _row_counts()}
    steps: dict[str, Callable[[], object]] = {
        "machine": _machine,
        "counts": lambda: _manage("refresh_counts"),
        "tasks": _tasks,
        "claims": lambda: _claims(batch, name, size.claims),
        "load": lambda: _load(batch, name, size.seconds),
        "pages": lambda: _pages(size),
        "export_sample": lambda: _export(sample),
        "export_all": lambda: _export(None),
        "verify": lambda: _part("verify", str(size.sample)),
        "seal": lambda: _part("seal", str(ROWS_PER_SEAL)),
        "machine_after": _machine,
    }
    for step, measure in steps.items():
        begin = time.perf_counter()
        figures[step] = measure()
        say(f"{name}: {step} in {time.perf_counter() - begin:.0f} s: {str(figures[step])[:300]}")
    return figures


def _sample_batch(name: str, main: Batch, images: int) -> Batch:
    """Move so many of the images that are done into a batch of their own, to export them alone."""
    sample = Batch.objects.create(
        project=main.project, name=f"sample-{name}", state=Batch.State.FINISHED, settings=main.settings
    )
    # Copies of the first sample's images are in its batch.
    everywhere = ImageWork.objects.filter(batch__project=main.project)
    done = everywhere.filter(state="done").order_by("-pk").values_list("pk", flat=True)
    works = list(done[:images])
    Item.objects.filter(work__in=works).update(batch=sample)
    everywhere.filter(pk__in=works).update(batch=sample)
    return sample


def _seal_what_is_there() -> None:
    """Write seals as long as real ones for all rows of both logs. Their hashes are made up."""
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")  # without the guards of append-only tables
        cursor.execute("TRUNCATE workflows_seal")
        cursor.execute("RESET session_replication_role")
        for log, model in (("audit", AuditEntry), ("ledger", LedgerEntry)):
            cursor.execute(
                f"""
                INSERT INTO workflows_seal (log, number, through, columns, digests, sealed_at, hash)
                SELECT %s, row_number() OVER (ORDER BY last), last, '{{}}', repeat(md5(last::text), %s),
                       now(), repeat('0', 64)
                FROM (
                    SELECT max(id) AS last FROM (
                        SELECT id, row_number() OVER (ORDER BY id) AS place FROM {model._meta.db_table}
                    ) AS entry GROUP BY (place - 1) / %s
                ) AS part
                """,
                [log, 2 * ROWS_PER_SEAL, ROWS_PER_SEAL],
            )
        cursor.execute("VACUUM (ANALYZE) workflows_seal, annotation_item, annotation_imagework")


def _row_counts() -> dict[str, int]:
    """Return how many rows there are, as the planner knows after ANALYZE; of items also those that wait."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT relname, reltuples::bigint FROM pg_class WHERE relkind = 'r'")
        known = dict(cursor.fetchall())
        cursor.execute("SELECT reltuples::bigint FROM pg_class WHERE relname = 'item_queue'")
        waiting = int(cursor.fetchone()[0])
        cursor.execute("SELECT pg_database_size(current_database())")
        size = int(cursor.fetchone()[0])
    counts = {str(model._meta.model_name): int(known[model._meta.db_table]) for model in COPIED}
    return {**counts, "waiting": waiting, "megabytes": size // 10**6}


def _make_reference() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            f"CREATE TABLE {REFERENCE} AS SELECT n AS id, md5(n::text) AS word"
            f" FROM generate_series(1, {REFERENCE_ROWS}) AS n"
        )
        cursor.execute(f"ALTER TABLE {REFERENCE} ADD PRIMARY KEY (id)")


def _machine() -> dict[str, float]:
    """Return what the machine takes for a scan, for one row by its key, and for one small transaction."""
    rng = random.Random(4)

    def run(statement: str, times: int) -> float:
        seconds = []
        with connection.cursor() as cursor:
            for _ in range(times):
                begin = time.perf_counter()
                cursor.execute(statement, {"n": rng.randint(1, REFERENCE_ROWS)})
                seconds.append(time.perf_counter() - begin)
        return round(1000 * statistics.median(seconds), 3)

    return {
        "scan_ms": run(f"SELECT count(*) FROM {REFERENCE} WHERE word > '5'", 5),
        "row_ms": run(f"SELECT * FROM {REFERENCE} WHERE id = %(n)s", 300),
        "write_ms": run(f"UPDATE {REFERENCE} SET word = md5(word) WHERE id = %(n)s", 300),
    }


def rows_read() -> int:
    """Return how many rows of tables and entries of indexes this database has read so far."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_force_next_flush()")
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute(
            "SELECT (SELECT sum(seq_tup_read) FROM pg_stat_user_tables)"
            " + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes)"
        )
        return int(cursor.fetchone()[0])


def cost(act: Callable[[], object], times: int = 1) -> dict[str, float]:
    """Return median milliseconds of an act, and the rows that it reads on average."""
    before, milliseconds = rows_read(), []
    for _ in range(times):
        begin = time.perf_counter()
        act()
        milliseconds.append(1000 * (time.perf_counter() - begin))
    return {
        "ms": round(statistics.median(milliseconds), 1),
        "rows": round((rows_read() - before) / times),
    }


def _tasks() -> dict[str, dict[str, float]]:
    """Run every periodic task of a site without platforms. Each ran once before: nothing has piled up."""
    acts: dict[str, Callable[[], object]] = {
        "sweep": tasks.sweep,
        "pace": tasks.look_at_pace,
        "suggestions": tasks.look_at_shown_suggestions,
        "pay": tasks.post_pay,
        "seal-audit": lambda: tasks.seal("audit"),
        "seal-ledger": lambda: tasks.seal("ledger"),
        "clean": tasks.delete_leftovers,
        "counts": tasks.refresh_counts,
    }
    found = {}
    for name, act in acts.items():
        act()
        found[name] = cost(act, 3)
    return found


def _annotators(batch: Batch, name: str) -> list[Worker]:
    return [
        enrol_worker(project=batch.project, external_id=f"annotator-{name}-{n}") for n in range(ANNOTATORS)
    ]


def _claims(batch: Batch, name: str, number: int) -> dict[str, dict[str, float]]:
    """Claim and return pages of each stage within this process, where the rows that are read can be told."""
    found = {}
    workers = _annotators(batch, name)
    stages = [str(stage) for stage in Stage]
    waiting = Item.objects.waiting().filter(batch=batch)
    rng = random.Random(7)
    for stage in stages:
        if not waiting.filter(stage=stage).exists():
            continue
        turn = count()

        def act(stage: str = stage, turn: Iterator[int] = turn) -> None:
            worker = workers[next(turn) % len(workers)].pk
            page = claim(worker_id=worker, stage=stage, now=timezone.now(), rng=rng)
            if page is None:
                raise RuntimeError(f"no page of {stage} could be claimed")
            return_page(worker_id=worker, assignment_id=page.assignment.pk)

        act()
        found[stage] = cost(act, number)
    return found


class _Lag:
    """Watches how long answers wait for advance, twice a second: the longest since an item's newest one.

    An item may have earlier judgments that were read long ago. Those of copies have made-up times.
    """

    def __enter__(self) -> _Lag:
        self.seen: list[float] = []
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._over.wait(0.5):
            now = timezone.now()
            unread = list(Item.objects.unread().values_list("pk", flat=True)[:2000])
            given = Judgment.objects.filter(item__in=unread).order_by().values("item")
            newest = given.annotate(newest=Max("created_at")).values_list("newest", flat=True)
            self.seen.append(max((max(0.0, (now - at).total_seconds()) for at in newest), default=0.0))
        connection.close()


def _load(batch: Batch, name: str, seconds: float) -> dict[str, Any]:
    """Let annotators claim and submit over HTTP, with web server, worker and beat, as on a site."""
    logs = Path(os.environ["GROUNDCREW_VAR"]) / f"logs-{name}"
    with services(logs=logs) as server:
        tokens = [make_token(worker) for worker in _annotators(batch, name)]
        job = {"url": server.url, "tokens": tokens, "give_back": False}
        _annotate({**job, "seconds": min(3.0, seconds)})  # for connections, caches and compiled code
        before = rows_read()
        with _Lag() as lag:
            run = _annotate({**job, "seconds": seconds})
        begin = time.perf_counter()
        while Item.objects.unread().exists():
            if time.perf_counter() - begin > 120:
                raise RuntimeError("judgments are unread two minutes after the load")
            time.sleep(0.05)
        drained = time.perf_counter() - begin
        server.check()
    check_logs(logs)
    return {
        "claim_ms": _shares(run["claim"]),
        "submit_ms": _shares(run["submit"]),
        "lag_ms": _shares(lag.seen),
        "drained_seconds": round(drained, 2),
        "judgments_a_second": round(run["judgments"] / seconds, 1),
        "rows_a_judgment": round((rows_read() - before) / run["judgments"]),
        "stages": run["stages"],
    }


def _annotate(job: dict[str, Any]) -> dict[str, Any]:
    command = [sys.executable, "-m", "benchmarks.dispatch.annotators"]
    done = subprocess.run(command, input=orjson.dumps(job), stdout=subprocess.PIPE, check=True)
    figures: dict[str, Any] = orjson.loads(done.stdout)
    return figures


def _shares(seconds: Sequence[float]) -> dict[str, float]:
    return {
        name: round(1000 * percentile(seconds, share), 1) for name, share in (("p50", 0.5), ("p99", 0.99))
    }


def _pages(size: Size) -> list[dict[str, Any]]:
    """Look at one address of each page of the console. Rows are those of one look."""
    times = 1 if size.brief else 3
    visits, found = Visitor(times=times, brief=True).visits(), list[dict[str, Any]]()
    while True:
        before = rows_read()
        visit = next(visits, None)
        if visit is None:
            return found
        found.append(
            {
                "address": _LONG_ID.sub("…", visit.address),  # the first row has another id at each size
                "status": visit.status,
                "queries": visit.queries,
                "ms": round(visit.median, 1),
                "rows": (rows_read() - before) // (times + 1),  # it also looks once to count queries,
            }
        )


def _export(batch: Batch | None) -> dict[str, float]:
    with tempfile.TemporaryDirectory(prefix="groundcrew-export-") as folder:
        out = str(Path(folder) / "out")
        only = ("--batch", batch.name) if batch else ()
        return _manage("export_dataset", out, "--project", PROJECT, "--format", "jsonl", *only)


def _manage(*words: str) -> dict[str, float]:
    return run_process([sys.executable, "manage.py", *words], os.environ)


def _part(*words: str) -> dict[str, float]:
    return run_process([sys.executable, "-m", "benchmarks.scale.run", *words], os.environ)


def verify_some(images: int) -> None:
    """Verify so many images, spread over the batch. Raises RuntimeError if one differs."""
    works = Batch.objects.get(name="main").works.order_by("pk").values_list("pk", flat=True)
    chosen = list(works)
    chosen = chosen[:: max(1, len(chosen) // images)][:images]
    for start in range(0, len(chosen), IMAGES_AT_ONCE):
        if found := verify(chosen[start : start + IMAGES_AT_ONCE]):
            raise RuntimeError(f"{len(found)} differences; the first: {found[0]}")


def seal_some(rows: int) -> None:
    """Write so many entries of the audit log, and seal them."""
    AuditEntry.objects.bulk_create(
        AuditEntry(by="manager", action="login", kind="user", object_id=str(n), created_at=timezone.now())
        for n in range(rows)
    )
    tasks.seal("audit")
    newest = AuditEntry.objects.order_by("-pk").values_list("pk", flat=True).first()
    if newest is None or not Seal.objects.filter(log="audit", through=newest).exists():
        raise RuntimeError("the new entries are not sealed")


def say(line: str) -> None:
    print(f"[scale] {line}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["verify", images]:
            verify_some(int(images))
        case ["seal", rows]:
            seal_some(int(rows))
        case [out, size]:
            main(Path(out), SIZES[size])

"""The part of `benchmarks.dispatch` for one database.

It is run by that module, in an environment that names the servers.
"""

# Models can be imported only after django.setup().
# ruff: noqa: E402

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import django
import orjson
import psutil

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from annotation.models import Batch, Item, Project, Worker
from benchmarks.corpus import make_project, with_open_links
from benchmarks.dispatch.reference import pages_a_second
from benchmarks.report import check_logs, percentile
from config.serve import Server, services
from workflows.api.authentication import make_token
from workflows.batch_settings.domain.settings import parse_settings
from workflows.batches.lifecycle import create_batch, move_batch
from workflows.pipeline.advance import open_queued
from workflows.workers.enrolment import enrol_worker


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured."""

    seconds: float
    annotators: tuple[int, ...]
    open_items: tuple[int, ...]
    warm_seconds: float = 2.0


SIZES = {
    "full": Size(30.0, (8, 32), (1_000, 100_000, 1_000_000)),
    "quick": Size(4.0, (8, 32), (1_000, 100_000)),
    "tiny": Size(1.0, (2,), (1_000,), 0.5),
}
IMAGES_PER_SECOND = 20
"""There are enough images that work never runs out, and few enough that all six stages are reached."""
LINKS_PER_IMAGE = 90
"""The least number of pairs of mentions of two captions that an image of the made-up corpus has."""


def main(out: Path, size: Size) -> None:
    """Write the figures of this database to `out` as JSON."""
    call_command("migrate", verbosity=0)
    load = [_under_load(annotators, size) for annotators in size.annotators]
    queue: list[dict[str, Any]] = []
    batch, workers = None, []
    for items in size.open_items:
        project = make_project(f"queue-{items}", items // LINKS_PER_IMAGE + 20)
        batch, workers = with_open_links(project, items), _workers(project, 8)
        measured = _run(workers, size, size.seconds / 2, give_back=True)
        claims = _milliseconds(measured["claim"])
        queue.append({"open_items": items, "claim_ms": claims})
        _say(f"{items:,} open items: claim p99 {claims['p99']} ms")
    assert batch is not None
    raw = pages_a_second(batch, workers, size.seconds / 3, 10) * 10
    _say(f"raw transactions: {raw:.0f} judgments/s")
    out.write_bytes(orjson.dumps({"load": load, "queue": queue, "raw": {"judgments_a_second": raw}}))


def _under_load(annotators: int, size: Size) -> dict[str, Any]:
    project = make_project(f"load-{annotators}", int(size.seconds * IMAGES_PER_SECOND))
    batch = create_batch(project=project, name="main", settings=parse_settings({"regime": "open"}))
    move_batch(batch=batch, action="launch", without_pictures=True)
    open_queued(batch_id=batch.pk, now=timezone.now())
    run = _run(_workers(project, annotators), size, size.seconds, give_back=False)
    Batch.objects.filter(pk=batch.pk).update(state=Batch.State.PAUSED)
    figures = {
        "annotators": annotators,
        "claim_ms": _milliseconds(run["claim"]),
        "submit_ms": _milliseconds(run["submit"]),
        "judgments": run["judgments"],
        "judgments_a_second": run["judgments"] / run["seconds"],
        "cpu_ms_a_judgment": round(1000 * sum(run["cpu"].values()) / run["judgments"], 2),
        "cpu_ms_by_part": {part: round(1000 * cpu / run["judgments"], 2) for part, cpu in run["cpu"].items()},
        "stages": run["stages"],
        **{name: run[name] for name in ("idle", "backlog_max", "backlog_at_end", "drained_seconds")},
    }
    _say(f"{annotators} annotators: {figures}")
    return figures


def _run(workers: list[Worker], size: Size, seconds: float, *, give_back: bool) -> dict[str, Any]:
    """Serve a load, and let advance finish. CPU seconds are counted until everything is read.

    Raises ServiceFailed or IncompleteError if a service ended or logged an error.
    """
    logs = Path(os.environ["GROUNDCREW_VAR"]) / "logs"
    with services(logs=logs) as server:
        job = {
            "url": server.url,
            "tokens": [make_token(worker) for worker in workers],
            "give_back": give_back,
        }
        _load({**job, "seconds": size.warm_seconds})  # for connections, caches and compiled code
        _drain()
        before = _cpu(server)
        with _Backlog() as backlog:
            begin = time.perf_counter()
            run = _load({**job, "seconds": seconds})
            run["seconds"] = time.perf_counter() - begin
        run["backlog_max"], run["backlog_at_end"] = max(backlog.seen), backlog.seen[-1]
        run["drained_seconds"] = round(_drain(), 2)
        after = _cpu(server)
        run["cpu"] = {part: after[part] - before[part] for part in after}
        server.check()
    check_logs(logs)
    return run


def _load(job: dict[str, Any]) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.dispatch.annotators"],
        input=orjson.dumps(job),
        stdout=subprocess.PIPE,
        check=True,
    )
    figures: dict[str, Any] = orjson.loads(done.stdout)
    return figures


def _unread() -> int:
    return Item.objects.unread().count()


def _drain() -> float:
    """Wait until advance has read every judgment. Returns the seconds that this took."""
    begin = time.perf_counter()
    while _unread():
        if time.perf_counter() - begin > 120:
            raise RuntimeError("advance does not keep up: judgments are unread two minutes after the load")
        time.sleep(0.05)
    return time.perf_counter() - begin


class _Backlog:
    """Counts unread items twice a second while the block runs."""

    def __enter__(self) -> _Backlog:
        self.seen: list[int] = []
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        while True:
            self.seen.append(_unread())
            if self._over.wait(0.5):
                break
        connection.close()


def _cpu(server: Server) -> dict[str, float]:
    """Return the CPU seconds so far of all that serves: web, worker, beat, and the servers' own processes."""
    roots = {name: psutil.Process(process.pid) for name, process in server.processes.items()}
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            backend = psutil.Process(cursor.fetchone()[0])
        parent = backend.parent()
        assert parent is not None
        roots["database"] = parent
    result = {}
    for name, root in roots.items():
        total = 0.0
        for process in [root, *root.children(recursive=True)]:
            try:
                times = process.cpu_times()
            except psutil.NoSuchProcess:
                continue
            total += times.user + times.system
        # Processes that have ended meanwhile (an autovacuum worker) are in their parent's times of children.
        times = root.cpu_times()
        result[name] = total + getattr(times, "children_user", 0.0) + getattr(times, "children_system", 0.0)
    result["broker"] = sum(
        sum(process.cpu_times()[:2])
        for process in psutil.process_iter(["name"])
        if os.environ.get("REDIS_URL") and process.info["name"] in ("valkey-server", "redis-server")
    )
    return result


def _milliseconds(seconds: list[float]) -> dict[str, float]:
    return {
        name: round(1000 * percentile(seconds, share), 1)
        for name, share in (("p50", 0.5), ("p95", 0.95), ("p99", 0.99))
    }


def _workers(project: Project, count: int) -> list[Worker]:
    return [enrol_worker(project=project, external_id=f"annotator-{n}") for n in range(count)]


def _say(line: str) -> None:
    print(f"[{connection.vendor}] {line}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), SIZES[sys.argv[2]])

"""The part of `benchmarks.crowd` that measures.

It is run by that module, in an environment that names the database.
"""

# Models can be imported only after django.setup().
# ruff: noqa: E402

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import django
import orjson

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from annotation.models import Batch
from benchmarks.corpus import make_project, with_open_links
from benchmarks.crowd.submitters import Submitting
from benchmarks.report import percentile
from simulation.emulators.mturk.handle import Handle
from simulation.emulators.mturk.run import KEY_ID, SECRET
from simulation.emulators.mturk.world import Account
from workflows.batch_settings.domain.settings import parse_settings
from workflows.crowd.models import Publication
from workflows.crowd.rounds.step import step
from workflows.platforms.accounts import MTurkAccount
from workflows.platforms.call_rate import Bucket, Pace
from workflows.platforms.models import ProviderCall
from workflows.platforms.mturk.provider import MTurk
from workflows.platforms.provider import Environment

RATE, BURST = 5.0, 10
"""The pace of calls to an account that is not an emulator's: `workflows.platforms.call_rate.usual_pace`."""
REFERENCES = 200


def main(out: Path, url: str, queue_url: str, hits: int, every: float, rounds: int, rate: float) -> None:
    """Write the figures to `out` as JSON."""
    call_command("migrate", verbosity=0)
    with Handle(url, queue_url, Account(KEY_ID, SECRET)) as turk:
        account = MTurkAccount(
            endpoint=url,
            environment=Environment.EMULATOR,
            key_id=KEY_ID,
            secret=SECRET,
            queue_url=queue_url,
        )
        fast = MTurk(account, pace=Pace(Bucket(1e6, 10**6)))
        _open(fast, hits, spare=int(3 * rounds * every * rate) + 100)
        reference = {"call_ms": _timed(turk.client().get_account_balance), "log_ms": _timed(_log_once)}
        paced = MTurk(account, pace=Pace(Bucket(RATE, BURST)))
        runs = [
            _measure(name, provider, turk, every, rounds, rate)
            for name, provider in (("5 calls/s", paced), ("unlimited", fast))
        ]
    figures = {"open_hits": hits, "submissions_a_second": rate, "runs": runs, "reference": reference}
    out.write_bytes(orjson.dumps(figures))


def _open(provider: MTurk, hits: int, spare: int) -> None:
    """Make a batch with so many open HITs, and with work for `spare` more."""
    items = hits + spare
    batch = with_open_links(make_project("crowd", items // 90 + 20), items)
    given: dict[str, Any] = {
        "reward": {"link": 5},
        "items_a_page": {"link": 1},
        "screening": {"test": False, "completed": 0, "approval": 0},
        "crowd": {"provider": "mturk", "cap": 10_000_000, "open_pages": hits},
    }
    batch.settings = parse_settings(batch.settings | given).to_json()
    batch.save()
    Batch.objects.exclude(pk=batch.pk).delete()
    while Publication.objects.filter(state=Publication.State.OPEN).count() < hits:
        told = step(provider=provider, now=timezone.now())
        _say(f"opening: {told.words}")


def _measure(
    name: str, provider: MTurk, turk: Handle, every: float, rounds: int, rate: float
) -> dict[str, Any]:
    """Measure rounds that begin every so many seconds while pages come in.

    If a round takes longer than that, the next one begins at the next multiple.
    """
    ProviderCall.objects.all().delete()
    spent, begun, number = 0.0, time.monotonic(), 0
    with Submitting(turk, rate, prefix=f"A{name[0]}".upper()) as submitting:
        while time.monotonic() < begun + rounds * every:
            began = time.monotonic()
            told = step(provider=provider, now=timezone.now())
            spent += time.monotonic() - began
            number += 1
            _say(f"{name}: round of {time.monotonic() - began:.1f} s: {told.words}")
            wait_for_beat(time.monotonic() - begun, every, time.sleep)
    calls = Counter(ProviderCall.objects.values_list("operation", flat=True))
    # Pages that came in during the last seconds are approved by rounds that are not counted.
    for _ in range(3):
        step(provider=provider, now=timezone.now() + timedelta(minutes=1))
    found = waits(submitting.at, _approved_at())
    return {
        "pacing": name,
        "rounds": number,
        "seconds_a_round": round(spent / number, 1),
        "calls_a_round": {operation: round(count / number, 1) for operation, count in sorted(calls.items())},
        "calls": round(calls.total() / number, 1),
        "calls_a_second": round(calls.total() / spent, 1),
        "submitted": len(submitting.at),
        "approved": len(found),
        "approval_seconds": {
            "p50": round(percentile(found, 0.5), 1),
            "p95": round(percentile(found, 0.95), 1),
        },
    }


def wait_for_beat(since: float, every: float, sleep: Callable[[float], None]) -> None:
    """Wait until the next multiple of `every`: a beat that finds a round under way does nothing."""
    sleep(every - since % every)


def waits(submitted: dict[str, datetime], approved: dict[str, datetime]) -> list[float]:
    """Return the seconds from submission to approval, for each submission that was approved."""
    return [(approved[key] - at).total_seconds() for key, at in submitted.items() if key in approved]


def _approved_at() -> dict[str, datetime]:
    rows = ProviderCall.objects.filter(operation="ApproveAssignment", outcome="ok")
    return {
        subject: at + timedelta(seconds=seconds or 0.0)
        for subject, at, seconds in rows.values_list("subject", "created_at", "seconds")
    }


def _timed(do: Callable[[], object]) -> dict[str, float]:
    seconds = []
    for _ in range(REFERENCES):
        began = time.perf_counter()
        do()
        seconds.append(time.perf_counter() - began)
    return {f"p{share}": round(1000 * percentile(seconds, share / 100), 2) for share in (50, 95)}


def _log_once() -> None:
    """Write what logging a call writes, as bare statements."""
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO workflows_providercall"
            " (provider, environment, operation, subject, outcome, code, message, created_at)"
            " VALUES ('reference', 'emulator', 'nothing', '', '', '', '', %s) RETURNING id",
            [timezone.now()],
        )
        (number,) = cursor.fetchone()
        cursor.execute(
            "UPDATE workflows_providercall SET outcome = 'ok', seconds = 0.1 WHERE id = %s", [number]
        )


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    given = sys.argv[4:]
    main(
        Path(sys.argv[1]), sys.argv[2], sys.argv[3],
        int(given[0]), float(given[1]), int(given[2]), float(given[3]),
    )  # fmt: skip

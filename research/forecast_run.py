"""One whole batch of `research.forecast`: a simulated crowd annotates it, and its costs are counted.

It runs in a process of its own, in an environment that names a database of its own.
"""

from __future__ import annotations

import os
import sys
import time
from contextlib import ExitStack
from dataclasses import asdict
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import django
import orjson

from annotation.domain.answers import Stage
from simulation.emulators.mturk.handle import Handle
from simulation.emulators.mturk.run import KEY_ID, SECRET, emulator
from simulation.platform_demo import REWARD

if TYPE_CHECKING:
    from annotation.models import Batch

FUNDS = 10**9  # cents


def enter_platform(stack: ExitStack, provider: str, seed: int, now: float) -> Handle | None:
    """Run Mechanical Turk's emulator if the batch is for it, and name it in this process's environment."""
    if provider == "direct":
        return None
    turk = stack.enter_context(emulator(seed=seed, funds=FUNDS, stand=now))
    os.environ |= {
        "GROUNDCREW_SITE": "https://groundcrew.example",
        "GROUNDCREW_SESSIONS_PER_ADDRESS": "1000000",
        "GROUNDCREW_MTURK_ENDPOINT": turk.url,
        "GROUNDCREW_MTURK_ENVIRONMENT": "emulator",
        "GROUNDCREW_MTURK_KEY_ID": KEY_ID,
        "GROUNDCREW_MTURK_SECRET": SECRET,
        "GROUNDCREW_MTURK_QUEUE_URL": turk.queue_url,
        "GROUNDCREW_MTURK_SITES": turk.url,
    }
    return turk


def settings_json(provider: str, regime: str, seed: int) -> dict[str, Any]:
    """Return the settings of a batch. The qualification test is left out: it is not paid."""
    crowd: dict[str, Any] = {"provider": provider}
    if provider != "direct":
        crowd |= {"cap": FUNDS, "lifetime_seconds": 30 * 24 * 3600}
    return {
        "regime": regime,
        "seed": seed,
        "reward": {stage: REWARD[stage] for stage in map(str, Stage)},
        "screening": {"test": False, "completed": 0, "approval": 0},
        "crowd": crowd,
    }


def run(folder: Path, given: dict[str, Any], turk: Handle | None) -> dict[str, Any]:
    """Forecast a batch, let it be annotated from its beginning to its end, and return both."""
    # These need the environment that `enter_platform` sets.
    from django.utils import timezone
    from tqdm import tqdm

    from research.crowd_at_once import CrowdAtOnce, TurkersAtOnce
    from research.quality_run import launch, prepare
    from simulation.characters import mixed_crowd
    from simulation.selectors import load_truth
    from workflows.batches.cost_forecast import forecast_batch, sample_of
    from workflows.platforms.accounts import MTurkAccount, accounts
    from workflows.platforms.call_rate import Bucket, Pace
    from workflows.platforms.mturk.provider import MTurk

    images, workers, seed = given["images"], given["workers"], given["seed"]
    project, records = prepare(folder / "corpus", images, given["gold"], seed, "forecast")
    settings = settings_json(given["provider"], given["regime"], seed)
    begun = time.perf_counter()
    batch = launch(project, records, settings)
    seen = forecast_batch(batch, images, workers)
    start = timezone.now()
    with tqdm(total=images, desc=given["name"], unit=" images") as bar:
        told: dict[str, Any] = {
            "batch": batch,
            "project": project,
            "truth": load_truth(project.name),
            "characters": mixed_crowd(4 * workers, given["careless"], seed),
            "workers": workers,
            "seed": seed,
            "clock": start,
            "tell": lambda done: bar.update(done - bar.n),
        }
        if turk is None:
            crowd = CrowdAtOnce(**told)
        else:
            account = accounts()["mturk"]
            assert isinstance(account, MTurkAccount)
            crowd = TurkersAtOnce(**told, turk=turk, provider=MTurk(account, pace=Pace(Bucket(1e6, 10**6))))
        crowd.run()
    return {
        **given,
        "seconds": round(time.perf_counter() - begun, 1),
        "hours": round((crowd.clock - start).total_seconds() / 3600, 1),
        "came": crowd.came,
        "left": batch.works.exclude(state="done").count(),
        **_taken(batch, platform=turk is not None),
        "forecast": {"cost": asdict(seen.total.cost), "judgments": asdict(seen.total.judgments)},
        "settings": settings,
        "sample": sample_of(batch),
    }


def _taken(batch: Batch, *, platform: bool) -> dict[str, Any]:
    """Return what the batch took and cost, in all and by stage."""
    from django.db.models import Sum

    from annotation.models import Assignment, Item, Judgment
    from workflows.money.models import Budget

    pages = Assignment.objects.filter(batch=batch, state=Assignment.State.SUBMITTED)
    judged = Judgment.objects.filter(item__batch=batch)
    rewards = pages.aggregate(sum=Sum("reward"))["sum"] or 0
    entrances = pages.filter(items=[])
    return {
        "cost": Budget.objects.get(batch=batch).spent if platform else rewards,
        "judgments": judged.count(),
        "pages": pages.count(),
        "stages": {
            stage: {
                "items": Item.objects.filter(batch=batch, stage=stage).count(),
                "judgments": judged.filter(item__stage=stage).count(),
                "pages": pages.filter(stage=stage).count(),
                "entrance_pages": entrances.filter(stage=stage).count(),
            }
            for stage in map(str, Stage)
        },
    }


def main(out: Path, given: dict[str, Any]) -> None:
    """Write the figures of one batch to `out` as JSON."""
    with ExitStack() as stack:
        turk = enter_platform(stack, given["provider"], given["seed"], datetime.now(UTC).timestamp())
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0, stdout=StringIO())
        folder = Path(os.environ["GROUNDCREW_VAR"])
        out.write_bytes(orjson.dumps(run(folder, given, turk)))


if __name__ == "__main__":
    if not (os.environ.get("DATABASE_URL") or os.environ.get("GROUNDCREW_VAR")):
        raise SystemExit("Run `make bench-forecast`: this part needs a database of its own.")
    main(Path(sys.argv[1]), orjson.loads(sys.argv[2]))

"""One whole batch of `benchmarks.forecast`: a simulated crowd annotates it, and its costs are counted.

It runs in a process of its own, in an environment that names a database of its own.
"""

# Models can be imported only after django.setup().
# ruff: noqa: E402

from __future__ import annotations

import os
import sys
import time
from contextlib import ExitStack
from datetime import datetime
from io import StringIO
from pathlib import Path
from typing import Any

import django
import orjson

from simulation.emulators.mturk.handle import Handle
from simulation.emulators.mturk.run import KEY_ID, SECRET, emulator
from simulation.platform_demo import REWARD

FUNDS = 10**9  # cents


def enter_platform(stack: ExitStack, provider: str, seed: int, now: float) -> Handle | None:
    """Run Mechanical Turk's emulator if the batch is for it, and name it in this process's environment."""
    if provider == "direct":
        return None
    turk = stack.enter_context(emulator(seed=seed, funds=FUNDS, stand=now))
    os.environ |= {
        "GROUNDCREW_SITE": "https://groundcrew.example",
        "GROUNDCREW_SESSIONS_AN_ADDRESS": "1000000",
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
    crowd = {"provider": provider}
    if provider != "direct":
        crowd |= {"cap": 10**8, "lifetime_seconds": 30 * 24 * 3600}  # type: ignore[dict-item]
    return {
        "regime": regime,
        "seed": seed,
        "reward": REWARD,
        "screening": {"test": False, "completed": 0, "approval": 0},
        "crowd": crowd,
    }


def run(folder: Path, given: dict[str, Any], turk: Handle | None) -> dict[str, Any]:
    """Forecast a batch, let it be annotated from its beginning to its end, and return both."""
    from django.db.models import Count, Sum
    from django.utils import timezone
    from tqdm import tqdm

    from annotation.models import Assignment, Item, Judgment
    from benchmarks.crowd_at_once import CrowdAtOnce, TurkersAtOnce
    from benchmarks.quality_run import launch, prepare
    from simulation.characters import mixed_crowd
    from simulation.selectors import load_truth
    from workflows.batches.cost_forecast import sample_of
    from workflows.crowd.call_rate import Bucket, Pace
    from workflows.crowd.mturk.provider import MTurk
    from workflows.crowd.accounts import accounts
    from workflows.money.models import Budget
    from dataclasses import asdict

    images, workers, seed = given["images"], given["workers"], given["seed"]
    # For an open batch, too, there are images of a corpus, but no questions are asked.
    project, records = prepare(folder / "corpus", images, given["gold"], seed, "forecast")
    settings = settings_json(given["provider"], given["regime"], seed)
    begun = time.perf_counter()
    batch = launch(project, records, settings)
    characters = mixed_crowd(4 * workers, given["careless"], seed)
    told: dict[str, Any] = {
        "batch": batch,
        "project": project,
        "truth": load_truth(project.name),
        "characters": characters,
        "workers": workers,
        "seed": seed,
        "clock": timezone.now(),
    }
    crowd: CrowdAtOnce
    with tqdm(total=images, desc=given["name"], unit=" images") as bar:
        told["tell"] = lambda done: bar.update(done - bar.n)
        if turk is None:
            crowd = CrowdAtOnce(**told)
        else:
            account = accounts()["mturk"]
            provider = MTurk(account, pace=Pace(Bucket(1e6, 10**6)))  # type: ignore[arg-type]
            crowd = TurkersAtOnce(**told, turk=turk, provider=provider)
        crowd.run()
    pages = Assignment.objects.filter(batch=batch, state=Assignment.State.SUBMITTED)
    judged = Judgment.objects.filter(assignment__batch=batch)
    rewards = pages.aggregate(sum=Sum("reward"))["sum"]
    paid = Budget.objects.get(batch=batch).spent if turk else rewards
    entrances = pages.filter(items=[])
    return {
        **given,
        "seconds": round(time.perf_counter() - begun, 1),
        "hours": round((crowd.clock - told["clock"]).total_seconds() / 3600, 1),
        "came": crowd.came,
        "cost": paid,
        "judgments": judged.filter(item__isnull=False).count(),
        "answers": judged.count(),
        "pages": pages.count(),
        "stages": {
            stage: {
                "items": Item.objects.filter(batch=batch, stage=stage).count(),
                "judgments": judged.filter(item__stage=stage).count(),
                "pages": pages.filter(stage=stage).count(),
                "entrance_pages": entrances.filter(stage=stage).count(),
                "workers": pages.filter(stage=stage).values("worker").distinct().count(),
                "rejected": pages.filter(stage=stage, verdict="rejected").count(),
            }
            for stage in REWARD
        },
        "settings": settings,
        "sample": sample_of(batch),
        "left": batch.works.exclude(state="done").count(),
    }
    _ = Count


def main(out: Path, given: dict[str, Any]) -> None:
    """Write the figures of one batch to `out` as JSON."""
    with ExitStack() as stack:
        turk = enter_platform(stack, given["provider"], given["seed"], datetime.now().timestamp())
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

"""What the dashboards of the photographed site show: a project in the middle of its work.

Its figures are made up, since a crowd that works for minutes would draw no curve. They are the paper's rates
with some chance, for 2,000 images.
"""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

PAGES = ("projects", "dashboard-project", "dashboard", "dashboard-begun", "dashboard-draft")
NAME, BATCH = "street-scenes", "autumn"
IMAGES, DONE = 2000, 1240
HOURS = 13 * 24
SEED = 3
STAGES = ("link", "verification", "requirement", "drawing", "quality", "coverage")
SHARES = (0.44, 0.07, 0.09, 0.14, 0.12, 0.14)
"""The share of all judgments, by stage."""
WORKERS = 60
DAY = 86_400  # seconds: a slow machine takes pictures for long
CASES = {"cycle": 21, "comment": 9, "chunk": 6, "disagreement": 14}


class Dashboards:
    """The project and its figures, which are made when the first page that shows them is wanted."""

    @cached_property
    def paths(self) -> dict[str, str]:
        """Return the address below /admin/ of each page."""
        from django.utils import timezone

        from annotation.models import Batch, Image, ImageWork, Project

        now = timezone.now().replace(microsecond=0)
        project = Project.objects.create(name=NAME)
        batch = Batch.objects.create(project=project, name=BATCH, state=Batch.State.RUNNING)
        draft = Batch.objects.create(project=project, name="winter", state=Batch.State.DRAFT)
        begun = Project.objects.create(name="begun")
        # If nothing were unfinished, the site would finish the batch.
        image = Image.objects.create(project=project, name="1.jpg", width=640, height=480)
        work = ImageWork.objects.create(batch=batch, image=image, state=ImageWork.State.LINKING)
        _keep(project.pk, batch.pk, now)
        _stand(project, now)
        _wait(project, work, now)
        return {
            "projects": "",
            "dashboard-project": f"projects/{project.pk}/",
            "dashboard": f"batches/{batch.pk}/",
            "dashboard-begun": f"projects/{begun.pk}/",
            "dashboard-draft": f"batches/{draft.pk}/",
        }


def _keep(project: int, batch: int, now: datetime) -> None:
    from workflows.analysis.domain.kept_counts import OF_BATCHES
    from workflows.analysis.models import KeptCounts

    # The claim of a count that is still running. The site's own count leaves these figures alone then.
    claim = {"by": "screenshots", "at": now.isoformat(), "lasts": DAY}
    figures = _figures(now)
    KeptCounts.objects.bulk_create(
        KeptCounts(
            project_id=project,
            batch_id=owner,
            kind=kind,
            data={"figures": one.to_json(), "claim": claim},
            counted_at=now,
            seconds=1,
        )
        for owner in (None, batch)
        for kind, one in figures.items()
        if owner is None or kind in OF_BATCHES
    )


def _figures(now: datetime) -> dict[str, Any]:
    from workflows.analysis.domain import kept_counts
    from workflows.batch_settings.domain import paper

    rng = random.Random(SEED)
    hours = _hours(now, rng)
    days: dict[str, dict[str, int]] = {}
    for hour, counts in hours:
        day = days.setdefault(hour[:10], dict.fromkeys(STAGES, 0))
        for stage, count in counts.items():
            day[stage] += count
    total = {stage: sum(counts[stage] for _, counts in hours) for stage in STAGES}
    items, judgments = {}, {}
    for place, stage in enumerate(STAGES):
        waiting, leased = rng.randint(60, 300), rng.randint(20, 90)
        items[stage] = kept_counts.StageItems(
            open=rng.randint(900, 2400) // (place + 1),
            leased=leased,
            waiting=waiting,
            done=int(total[stage] * 0.8),
            judgments_to_come=rng.randint(1500, 3000) // (place + 1),
        )
        asked = total[stage] // 40
        middle = paper.SECONDS[stage] * rng.uniform(0.6, 0.9)
        judgments[stage] = kept_counts.StageJudgments(
            judgments=total[stage],
            set_aside=total[stage] // 90,
            pages=total[stage] // 8,
            workers=WORKERS - 4 * place,
            rejected_pages=int(200 * paper.REJECTED[stage] * rng.uniform(0.5, 1)),
            pages_judged=200,
            asked=asked,
            right=int(asked * min(paper.TRUSTED_SCORE[stage] + rng.uniform(-0.04, 0.05), 1)),
            agreement=rng.uniform(0.86, 0.97),
            mean_iou=0.83 if stage == "drawing" else None,
            median=middle,
            p90=middle * rng.uniform(2, 2.6),
            p99=middle * rng.uniform(5, 7),
        )
    chains = {name: int(n * DONE / 31_783 * rng.uniform(0.8, 1.2)) for name, n in paper.CHAINS.items()}

    def of_chains(rates: Any, share: float = 1) -> dict[str, int]:
        return {name: int(n * rates[name] * share * rng.uniform(0.9, 1.1)) for name, n in chains.items()}

    boxes = of_chains(paper.BOXES, 0.97)
    every = sum(chains.values())
    return {
        "corpus": kept_counts.Corpus(
            images=IMAGES, with_pictures=IMAGES, captions=5 * IMAGES, mentions=35_200
        ),
        "items": kept_counts.Items(
            items, {"queued": 610, "linking": 60, "boxing": 90, "done": DONE}, wanted=IMAGES
        ),
        "judgments": kept_counts.Judgments(judgments),
        "hours": kept_counts.Hours(hours, tuple(days.items())),
        "results": kept_counts.Results(
            chains_by_state={"done": every - 700, "nonvisual": 410, "drawing": 160, "coverage": 130},
            chains_by_type=chains,
            mentions_by_type=of_chains(paper.MENTIONS),
            boxes_by_type=boxes,
            boxes={"accepted": sum(boxes.values()), "rejected": 812, "proposed": 44},
            chains_by_boxes={
                "none": int(every * 0.2),
                "one": int(every * 0.61),
                "several": int(every * 0.19),
            },
            flags={"scene": 190, "nobndbox": 1720},
        ),
        "links": kept_counts.Links(
            {"asked": 41_200, "transitivity": 30_100, "type": 96_400, "caption": 31_800}, DONE
        ),
        "money": kept_counts.Money({"USD": kept_counts.Sums(spent=184_310, held=1_240, to_come=21_980)}),
        "queue": kept_counts.Queue(CASES),
    }


def _hours(now: datetime, rng: random.Random) -> tuple[tuple[str, dict[str, int]], ...]:
    """Return figures by hour of a crowd that sleeps at night, and grows."""
    found = []
    for back in range(HOURS, -1, -1):
        time = now - timedelta(hours=back)
        awake = max(0.05, 1 - abs(time.hour - 15) / 11)
        crowd = awake * rng.uniform(0.7, 1.3) * (300 + 200 * (1 - back / HOURS))
        part = (time.hour == now.hour and back == 0) * now.minute / 60 or 1
        found.append(
            (
                f"{time:%Y-%m-%dT%H}",
                {s: int(crowd * share * part) for s, share in zip(STAGES, SHARES, strict=True)},
            )
        )
    return tuple(found)


def _stand(project: Any, now: datetime) -> None:
    from annotation.models import Standing, Worker

    rng = random.Random(SEED)
    workers = Worker.objects.bulk_create(
        Worker(project=project, external_id=f"worker-{number:02}") for number in range(WORKERS)
    )
    Standing.objects.bulk_create(
        Standing(
            worker=worker,
            stage=stage,
            state=rng.choices(("trusted", "entering", "lost"), (12, 3, 2 + place))[0],
            asked=40,
            right=36,
            changed_at=now,
        )
        for place, stage in enumerate(STAGES)
        for worker in workers[: WORKERS - 4 * place]
    )


def _wait(project: Any, work: Any, now: datetime) -> None:
    """Open cases, all about the one image that is there."""
    from annotation.models import Case

    Case.objects.bulk_create(
        Case(project=project, reason=reason, work=work, opened_at=now)
        for reason, number in CASES.items()
        for _ in range(number)
    )

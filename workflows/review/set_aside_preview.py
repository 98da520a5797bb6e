"""What setting judgments aside would change, told before it is decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from annotation.domain.chain_states import WITHDRAWN
from annotation.models import ImageWork, Judgment
from workflows.batch_settings.selectors import settings_of
from workflows.pipeline.replay.campaigns import is_campaign, load_campaigns, plan_of_campaign
from workflows.pipeline.replay.load_rows import load_works
from workflows.pipeline.replay.replay import plan_of
from workflows.priors.selectors import pinned_priors
from workflows.review.set_aside_choice import (
    Choice,
    choose,
    counting_of,
    counting_reports,
    reports_by,
    shown_of,
    works_of,
)
from workflows.review.supporters import in_parts

FOLDED = 6
"""The most images that a preview folds. Each takes 5 to 15 ms of the 300 ms that a page may take."""


@dataclass(frozen=True, slots=True)
class Supporter:
    """Somebody whose judgments say the same as some that are to be set aside."""

    worker_id: int
    judgments: int  # that this worker supports
    kept: int  # of these, because of this worker: support of workers in doubt keeps nothing


@dataclass(frozen=True, slots=True)
class Preview:
    """What setting judgments aside would change, before anybody answers anything again."""

    judgments: int  # that would be set aside
    reports: int  # that would be set aside: "cannot tell", or "photograph unusable"
    newest: int  # the id of the latest of these; 0 if there are none
    unsupported: int  # the workers' judgments that nobody in good standing supports
    kept: int  # the workers' others in these stages, which somebody in good standing supports
    leaning: tuple[tuple[int, int], ...]  # (worker, judgments) set aside as well: see set_aside_choice
    supporters: tuple[Supporter, ...]  # who supports most comes first
    images: int  # that have one of the judgments or reports
    folded: int  # of these, drawn at random; if they are fewer, the numbers below are estimates
    items: int  # asked again, or for the first time
    chains: int  # withdrawn
    boxes: int  # withdrawn

    @property
    def estimated(self) -> bool:
        """Whether the numbers of items, chains and boxes are estimates."""
        return self.folded < self.images


def preview_set_aside(
    *,
    workers: Sequence[int],
    stages: Sequence[str],
    batch_id: int | None = None,
    unsupported_only: bool = True,
) -> Preview:
    """Return what `set_aside_workers` would change. Writes nothing, and returns the same every time.

    The effect on items, chains and boxes is found by folding up to `FOLDED` of the images. Raises ValueError
    or LookupError if one of these cannot be replayed.
    """
    pairs = [(worker, stage) for worker in workers for stage in stages]
    found = choose(pairs, counting_of(pairs, batch_id), unsupported_only=unsupported_only)
    chosen = found.judgments
    said = [one for some in counting_reports(reports_by(pairs, batch_id)).values() for one in some]
    images = sorted({*works_of(chosen), *(one.work_id for one in said if one.work_id is not None)})
    drawn = Random(min(workers)).sample(images, min(len(images), FOLDED))
    works = list(ImageWork.objects.filter(pk__in=drawn).select_related("batch").order_by("pk"))
    priors = pinned_priors({work.batch for work in works}, [work.image_id for work in works])
    items = chains = boxes = 0
    reports = [one.pk for one in said]
    campaigns = [work for work in works if is_campaign(work)]
    for of_campaign in load_campaigns(campaigns, without=chosen, without_reports=reports):
        asked = plan_of_campaign(of_campaign, of_campaign.work.batch).questions
        items += sum(question.asks_again for question in asked)
    chained = [work for work in works if not is_campaign(work)]
    for loaded in load_works(chained, without=chosen, without_reports=reports).values():
        batch = loaded.work.batch
        plan = plan_of(loaded, settings_of(batch), priors.get(batch.pk))
        items += sum(item.asks_again for item in plan.items)
        chains += sum(chain.progress.state == WITHDRAWN for chain in plan.chains)
        boxes += sum(box.box.state == WITHDRAWN for box in plan.boxes)
    times = len(images) / max(len(works), 1)
    own = sum(map(len, found.of.values()))
    return Preview(
        judgments=len(chosen),
        reports=len(said),
        newest=shown_of(chosen).newest,
        unsupported=found.unsupported,
        kept=len(found.counting) - own,
        leaning=_by_worker(found),
        supporters=_supporters(found),
        images=len(images),
        folded=len(works),
        items=round(items * times),
        chains=round(chains * times),
        boxes=round(boxes * times),
    )


def _by_worker(found: Choice) -> tuple[tuple[int, int], ...]:
    """Return whose judgments lean on those that are set aside, and how many."""
    leaning = [pk for some in found.leaning.values() for pk in some]
    counts: Counter[int] = Counter()
    for some in in_parts(leaning):
        counts.update(Judgment.objects.filter(pk__in=some).values_list("worker_id", flat=True))
    return tuple(sorted(counts.items()))


def _supporters(found: Choice) -> tuple[Supporter, ...]:
    """Return who else said the same as these workers, and what is kept because of that."""
    supported: Counter[int] = Counter()
    keeps: Counter[int] = Counter()
    for given in found.supporters.values():
        supported.update({worker for worker, _ in given})
        keeps.update({worker for worker, stage in given if not found.doubt.includes(worker, stage)})
    order = sorted(supported, key=lambda worker: (-keeps[worker], -supported[worker], worker))
    return tuple(Supporter(worker, supported[worker], keeps[worker]) for worker in order)

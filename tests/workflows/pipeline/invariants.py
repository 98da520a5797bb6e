"""Checks of what must hold for a project's work at any moment, whatever happened before."""

from __future__ import annotations

from collections import Counter

from annotation.domain.chain_states import FINISHED, REVIEW, WITHDRAWN
from annotation.models import Assignment, Chain, ImageWork, Item, Judgment, Project
from workflows.batch_settings.selectors import settings_of
from workflows.pipeline.replay.campaigns import is_campaign
from workflows.pipeline.replay.load_rows import load_works
from workflows.pipeline.replay.replay import plan_of
from workflows.pipeline.replay.verify_state import differences
from workflows.priors.selectors import pinned_priors


def check_promises(project: Project) -> None:
    """Check that counts and leases agree with the rows, and that nobody judged what they must not."""
    live = Assignment.objects.filter(batch__project=project, state=Assignment.State.LIVE)
    leased = Counter(item for page in live.values_list("items", flat=True) for item in page)
    answers = Judgment.objects.filter(item__batch__project=project)
    judgments = list(answers.values_list("item_id", "worker_id"))
    judged = Counter(answers.filter(set_aside__isnull=True).values_list("item_id", flat=True))
    given = set(judgments)
    # When `advance` reads that judgments were set aside, it subtracts them.
    unread = Item.objects.unread().filter(batch__project=project, work__replayed=True)
    behind = set(unread.values_list("work_id", flat=True))
    assert len(given) == len(judgments), "a worker judged an item twice"
    for item in Item.objects.filter(batch__project=project).select_related("work"):
        assert item.judged == judged[item.pk] or item.work_id in behind, f"{item}: judged"
        assert item.leased == leased[item.pk], f"{item}: leased"
        assert item.judged + item.leased <= item.needed, f"{item}: more than it needs"
        assert (item.pk, item.author_id) not in given, f"{item}: judged by its author"
        if item.state == Item.State.DONE and not item.work.replayed:
            assert item.judged == item.needed and not item.leased, f"{item}: done, yet asked"


def check_rules(project: Project) -> None:
    """When every judgment was read, check that moving chains have one open item, and that a replay agrees."""
    assert not Item.objects.unread().filter(batch__project=project).exists()
    open_items = Counter(
        Item.objects.filter(batch__project=project, state=Item.State.OPEN, chain__isnull=False).values_list(
            "chain_id", flat=True
        )
    )
    for chain in Chain.objects.filter(work__batch__project=project).select_related("work"):
        if chain.work.replayed and not chain.work.active:
            continue  # its image belongs to another batch
        rests = chain.work.state == ImageWork.State.RESTING
        moves = chain.state not in {*FINISHED, REVIEW, WITHDRAWN} and not rests
        assert open_items[chain.pk] == int(moves), f"{chain} ({chain.state}): open items"
    works = list(ImageWork.objects.filter(batch__project=project).order_by("pk"))
    assert list(differences(works)) == []
    works = [work for work in works if not is_campaign(work)]
    # One step at a time gives the same as all steps at once.
    priors = pinned_priors(project.batches.all(), [work.image_id for work in works])
    for one in load_works([work for work in works if work.active and work.state != "queued"]).values():
        batch = one.work.batch
        assert list(plan_of(one, settings_of(batch), priors.get(batch.pk)).lines()) == []


def is_over(project: Project) -> bool:
    """Return whether nothing is left to ask: every image is done or has only chains in review left."""
    return not Item.objects.filter(batch__project=project, state=Item.State.OPEN).exists()

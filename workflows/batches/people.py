"""Who is there to answer a batch, and what waits for somebody new."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce, Now

from annotation.domain.answers import JUDGES_BOXES
from annotation.models import Abstention, Batch, Decision, Item, Judgment, QualificationTry, Standing, Worker
from annotation.selectors import NONE, barring
from workflows.batch_settings.domain.crowd_settings import DIRECT
from workflows.batch_settings.domain.quality_control import Regime
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.batch_settings.selectors import settings_of
from workflows.batches.domain.team import people_needed
from workflows.crowd.invitations.models import Invitation
from workflows.workers.enrolment import only_trying

LARGE_TEAM = 9
"""If more people may do a stage, items that all of them have judged are looked for only if the rules may need
more people for one: else no item takes so many judgments."""
MAX_PEOPLE = 50
"""If more people are there, nobody looks whether most of them lost trust [ours]."""


def invited_people(batch: Batch) -> int | None:
    """Return how many people can sign in to the batch's project. None: a platform brings them."""
    if settings_of(batch).crowd.provider != DIRECT:
        return None
    return direct_people(batch).count()


def others_can_join(batch: Batch) -> bool:
    """Return whether more people can come by themselves: from a platform, or by an invitation."""
    if settings_of(batch).crowd.provider != DIRECT:
        return True
    links = Invitation.objects.filter(project=batch.project_id, revoked_at=None)
    valid = links.filter(Q(expires_at=None) | Q(expires_at__gt=Now()))
    return valid.filter(Q(uses=None) | Q(used__lt=F("uses"))).exists()


def answers_for_somebody_new(batch: Batch) -> int:
    """Return how many answers nobody who is there can give: who is invited, or has come from the platform.

    Those who are there have answered the item already, could not tell or see its photograph, drew its box,
    voted about its chain before it came back, or lost trust in its stage or failed its test. Before anybody
    has come from a platform, nothing waits.
    Usually this takes three statements, or four with a test, and one more if the people may do few stages.
    """
    settings = settings_of(batch)
    there = Worker.objects.filter(
        project=batch.project_id, provider=settings.crowd.provider, blocked=False
    ).order_by()
    people = set(there.values_list("pk", flat=True)[: MAX_PEOPLE + 1])
    if len(people) > MAX_PEOPLE or (not people and settings.crowd.provider != DIRECT):
        return 0
    later = settings.author_after_hours is not None
    lost, failed = without_trust(batch, settings, people), _failed_test(settings, people)
    needed = people_needed(settings)
    # Stages are counted together if the same people may work in them, and may or may not judge own boxes.
    groups: dict[tuple[frozenset[int], bool], list[str]] = {}
    for stage in map(str, settings.regime):
        may = frozenset(people - lost.get(stage, set()) - failed.get(stage, set()))
        if len(may) <= max(LARGE_TEAM, needed[stage]):
            groups.setdefault((may, later and stage in JUDGES_BOXES), []).append(stage)
    return sum(_waiting(batch, stages, may, later, own) for (may, own), stages in groups.items())


def able_people(batch: Batch, invited: Collection[int]) -> dict[str, int]:
    """Return by stage how many of these people (ids) may answer: the others lost trust or failed its test.

    If there are more than MAX_PEOPLE, all of them are counted. At most three statements.
    """
    settings = settings_of(batch)
    few = set(invited) if len(invited) <= MAX_PEOPLE else set()
    lost, failed = without_trust(batch, settings, few), _failed_test(settings, few)
    return {
        stage: len(invited) - len(lost.get(stage, set()) | failed.get(stage, set()))
        for stage in map(str, settings.regime)
    }


def direct_people(batch: Batch) -> QuerySet[Worker]:
    """Return the people who can sign in to the batch's project."""
    return invited_to(batch.project_id)


def newest_invited(batch: Batch) -> list[int]:
    """Return the ids of these people, the newest first."""
    return list(direct_people(batch).order_by("-pk").values_list("pk", flat=True))


def invited_to(project_id: int) -> QuerySet[Worker]:
    """Return the people who can sign in to the project, without a researcher who only tries the tasks."""
    there = Worker.objects.filter(project=project_id, provider=DIRECT, blocked=False)
    return there.exclude(only_trying())


def without_trust(batch: Batch, settings: BatchSettings, people: Collection[int]) -> dict[str, set[int]]:
    """Return by stage who lost trust in it, so that it is closed to them."""
    found: dict[str, set[int]] = {}
    rows = Standing.objects.filter(
        Q(batch=batch) | Q(batch__isnull=True), worker__in=people, state=Standing.State.LOST
    )
    for row in rows:
        regime = Regime.TRUSTED if row.batch_id is None else Regime.VERIFICATION
        if settings.regime.get(row.stage) == regime:
            found.setdefault(row.stage, set()).add(row.worker_id)
    return found


def _failed_test(settings: BatchSettings, people: Collection[int]) -> dict[str, set[int]]:
    """Return by stage who has used up the tries at its qualification test and never passed it."""
    if not settings.screening.test:
        return {}
    tries = QualificationTry.objects.filter(worker__in=people, place=None).order_by()
    counted = tries.values_list("worker", "stage").annotate(
        failed=Count("pk", filter=Q(state="failed")), passed=Count("pk", filter=Q(state="passed"))
    )
    out = {
        (worker, stage)
        for worker, stage, failures, passes in counted
        if not passes and failures >= settings.screening.tries
    }
    if out:  # who was restored has all tries again
        decided = Decision.objects.filter(worker__in=people, kind=Decision.Kind.RESTORE)
        out -= set(decided.order_by().values_list("worker", "stage"))
    found: dict[str, set[int]] = {}
    for worker, stage in out:
        if settings.regime.get(stage, Regime.OPEN) != Regime.OPEN:
            found.setdefault(stage, set()).add(worker)
    return found


def _waiting(batch: Batch, stages: Collection[str], people: Collection[int], later: bool, own: bool) -> int:
    """Count the answers that none of these people can give.

    `later`: in the end they may vote again on chains that came back; `own`: and judge their own boxes.
    """
    waiting = Item.objects.waiting().filter(batch=batch, stage__in=stages)
    if not people:
        return waiting.count()
    item, worker = OuterRef(OuterRef("pk")), OuterRef("pk")
    # Whoever could not see the photograph gets no item of the image as long as theirs is open.
    unseen = Q(kind=Abstention.Kind.UNUSABLE, item__state=Item.State.OPEN)
    abstained = barring().filter(Q(item=OuterRef("pk")) | unseen, work=OuterRef("work"), worker__in=people)
    # Judgments that were set aside are not in `judged`; no worker gives them twice either.
    begun = waiting.filter(
        Q(judged__gt=0) | Q(author__isnull=False) | Q(work__replayed=True) | Exists(abstained)
    )
    free = Worker.objects.order_by().filter(
        ~Exists(Judgment.objects.filter(item=item, worker=worker)),
        ~Exists(barring().filter(Q(item=item) | unseen, work=OuterRef(OuterRef("work")), worker=worker)),
        pk__in=people,
    )
    if not own:
        free = free.exclude(pk=Coalesce(OuterRef("author"), NONE))
    unable = Q(~Exists(free))
    if not later:
        votes = Judgment.objects.filter(
            worker=worker, item__chain=OuterRef(OuterRef("chain")), item__stage=OuterRef(OuterRef("stage"))
        )
        unable |= Q(Q(counted__isnull=False), ~Exists(free.exclude(Exists(votes))))
    return begun.filter(unable).count()

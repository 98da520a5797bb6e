"""Makes and proposes the verification questions that are missing, and no others."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from django.db.models import Count, Exists, OuterRef

from annotation.domain.chain_states import DONE, NONVISUAL
from annotation.models import Chain, Decision, ImageWork, Project, VerificationQuestion
from annotation.transactions import write_transaction
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.questions.authorship import check_author, record_decision
from workflows.questions.domain.coverage import Chosen, Missing, Offer, cover, without
from workflows.questions.domain.known_images import KnownImage
from workflows.questions.domain.supply import Supplied, image_place
from workflows.questions.exposure import stock_of
from workflows.questions.images import (
    known_from_chains,
    known_from_gold,
    roles_of,
    settled,
    usable,
    with_gold,
)
from workflows.questions.make import PER_IMAGE, content_of, draw_questions, question_row, write_questions
from workflows.questions.supply import supplied_of

MISSING_IMAGES = 100
"""The images of each source of which questions are drawn [ours]."""


@dataclass(frozen=True, slots=True)
class MissingPlan:
    """How what is missing can be covered. Counts are by stage and role."""

    found: Mapping[tuple[str, str], int]  # that can be asked now
    waiting: Counter[tuple[str, str]]  # covered by proposals that wait for approval
    made: Sequence[Chosen]  # of known annotations: asked at once
    proposed: Sequence[Chosen]  # of finished chains: each has to be approved
    left: Mapping[tuple[str, str], int]  # that the images do not admit
    proposals: Counter[tuple[str, str]]  # that wait for approval, needed or not

    @property
    def new(self) -> int:
        """The number of questions that would be made or proposed."""
        return sum(len(one.questions) for one in (*self.made, *self.proposed))

    @property
    def missing(self) -> Counter[tuple[str, str]]:
        """What is missing: what can be approved, made and proposed, and what is missing then."""
        missing = self.waiting + Counter(self.left)
        for one in (*self.made, *self.proposed):
            missing.update((question.stage, one.role) for question in one.questions)
        return missing


class Sources:
    """What there is to cover missing questions with. It is read once, and what is finished only if needed."""

    def __init__(self, project: Project, settings: BatchSettings) -> None:
        self._project, self._settings = project, settings
        self.ready = _ready(project)
        self.kinds: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        self.proposals: Counter[tuple[str, str]] = Counter()
        questions = VerificationQuestion.objects.filter(project=project)
        rows = questions.exclude(state=VerificationQuestion.State.RETIRED).order_by()
        counts = rows.values_list("stage", "role", "kind", "state").annotate(Count("pk"))
        for stage, role, kind, state, number in counts:
            self.kinds[stage, role][kind] += number
            if state == VerificationQuestion.State.PROPOSED:
                self.proposals[stage, role] += number
        names = _drawn(project)
        self.gold = _offers(known_from_gold(names), names, settings)

    @cached_property
    def finished(self) -> list[Offer]:
        """What finished images admit."""
        return _of_finished(self._project, self._settings)


def plan_missing(
    project: Project, settings: BatchSettings, there: Supplied, sources: Sources | None = None
) -> MissingPlan:
    """Return the fewest questions that cover what is missing beside those that are there.

    The `sources` are read if they are not given: those of the same stages.

    What was proposed before counts first. Then come known annotations, which nobody has to approve, and then
    finished chains. MISSING_IMAGES images of each source are looked at. Images that get questions may become
    those of an entrance, and then it takes more: so it is counted again what is missing, until nothing is, or
    the images admit no more. Each count but the last uses at least one question.
    """
    supplied, sources = there.copy(), sources or Sources(project, settings)
    ready = {key: list(images) for key, images in sources.ready.items()}
    kinds: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    kinds.update({key: counts.copy() for key, counts in sources.kinds.items()})
    waiting: Counter[tuple[str, str]] = Counter()
    made: list[Chosen] = []
    promoted: list[Chosen] = []
    missing = supplied.missing(settings)
    while True:
        taken = _approve(ready, missing, supplied)
        wanted = {key: number - taken[key] for key, number in missing.items()}
        new, left = cover(wanted, without(sources.gold, made, promoted), kinds)
        finished = sources.finished if left else ()
        more, _ = cover(left, without(finished, promoted, [*made, *new]), kinds)
        for one in (*new, *more):
            for question in one.questions:
                supplied.add(question.stage, one.role, one.image)
                kinds[question.stage, one.role][question.kind] += 1
        waiting, made, promoted = waiting + taken, [*made, *new], [*promoted, *more]
        missing = supplied.missing(settings)
        if not (missing and (taken or new or more)):
            break
    return MissingPlan(there.there, waiting, made, promoted, missing, sources.proposals)


def to_approve(project: Project, settings: BatchSettings) -> Counter[tuple[str, str]]:
    """Return how many proposals cover what is missing, by stage and role."""
    supplied, ready = supplied_of(project, stock_of(project.pk)), _ready(project)
    waiting: Counter[tuple[str, str]] = Counter()
    while taken := _approve(ready, supplied.missing(settings), supplied):
        waiting += taken
    return waiting


_Ready = dict[tuple[str, str], list[int]]
"""The images of proposals, by stage and role."""


def _ready(project: Project) -> _Ready:
    questions = VerificationQuestion.objects.filter(project=project)
    proposed = settled(questions.filter(state=VerificationQuestion.State.PROPOSED)).order_by("-pk")
    ready: _Ready = defaultdict(list)
    for stage, role, image in proposed.values_list("stage", "role", "image_id"):
        ready[stage, role].append(image)
    return ready


def _approve(ready: _Ready, missing: Missing, supplied: Supplied) -> Counter[tuple[str, str]]:
    """Count proposals as approved, as far as they are missing, and take them away. Return how many."""
    taken: Counter[tuple[str, str]] = Counter()
    for (stage, role), number in missing.items():
        while ready.get((stage, role)) and taken[stage, role] < number:
            supplied.add(stage, role, ready[stage, role].pop())
            taken[stage, role] += 1
    return +taken


def _of_finished(project: Project, settings: BatchSettings) -> list[Offer]:
    """Return what finished images admit."""
    works = ImageWork.objects.grounding().filter(
        batch__project=project, state=ImageWork.State.DONE, active=True, image__withdrawn_at=None
    )
    named = works.order_by("pk").values_list("pk", "image__name")
    of: dict[int, str] = dict(named[:MISSING_IMAGES])
    if len(of) == MISSING_IMAGES:
        # These may have no question left to make, while later ones have no question yet.
        asked = Exists(VerificationQuestion.objects.filter(image=OuterRef("image")))
        of |= dict(named.filter(~asked)[:MISSING_IMAGES])
    chains = list(Chain.objects.filter(work__in=of, state__in=(DONE, NONVISUAL)).select_related("work"))
    names = {row.work.image_id: of[row.work_id] for row in chains}
    return _offers(known_from_chains(chains), names, settings)


def _drawn(project: Project) -> dict[int, str]:
    """Return images with known annotations: those with questions first, and others drawn at random.

    If they were the oldest ones, workers could tell them by their ids.
    """
    asked = Exists(VerificationQuestion.objects.filter(image=OuterRef("pk")))
    images = with_gold(usable(project)).annotate(asked=asked).values_list("pk", "name", "asked")
    order = sorted(images, key=lambda one: (image_place(one[1], 0), one[1]))
    # Each kind for itself: those with questions may have none left to make.
    kinds = [[one for one in order if one[2] is asked][:MISSING_IMAGES] for asked in (True, False)]
    return {pk: name for kind in kinds for pk, name, _ in kind}


def make_missing(plan: MissingPlan, *, project: Project, by: str, now: datetime) -> tuple[int, int]:
    """Make and propose the questions of the plan. Return how many of each are new. Raise QuestionError."""
    check_author(by=by, note="")
    with write_transaction():
        made = write_questions(project, _rows(project, plan.made, VerificationQuestion.Source.GOLD, now))
        proposed = write_questions(
            project, _rows(project, plan.proposed, VerificationQuestion.Source.PROMOTED, now)
        )
        if proposed:
            chains = sorted({one.chain_id for one in proposed if one.chain_id is not None})
            record_decision(
                kind=Decision.Kind.PROMOTE, questions=proposed, by=by, note="", now=now, chains=chains
            )
    return len(made), len(proposed)


def _offers(
    known: Mapping[int, KnownImage], names: Mapping[int, str], settings: BatchSettings
) -> list[Offer]:
    """Return what these images admit and is not there yet, in the order of their places."""
    if not known:
        return []
    roles = roles_of(known)
    rows = VerificationQuestion.objects.filter(image__in=known).values_list("image_id", "stage", "content")
    there = set(rows)
    found = []
    for image in sorted(known, key=lambda one: (image_place(names[one], 0), names[one])):
        drawn = draw_questions(known[image], names[image], 2 * PER_IMAGE, 0, settings)
        new = {
            stage: [one for one in questions if (image, stage, content_of(image, one)) not in there]
            for stage, questions in drawn.items()
        }
        found.append(Offer(image, next(iter(roles.get(image, ())), ""), new))
    return found


def _rows(
    project: Project, chosen: Sequence[Chosen], source: str, now: datetime
) -> list[VerificationQuestion]:
    rows = []
    for one in chosen:
        for question in one.questions:
            row = question_row(project.pk, one.image, question, now)
            row.role, row.source = one.role, source
            if source == VerificationQuestion.Source.GOLD:
                row.gold_chain_id = question.chain
            else:
                row.state, row.chain_id = VerificationQuestion.State.PROPOSED, question.chain
            rows.append(row)
    return rows

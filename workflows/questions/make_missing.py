"""Makes and proposes the verification questions that are missing, and no others."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Exists, OuterRef

from annotation.domain.chain_states import DONE, NONVISUAL
from annotation.models import Chain, Decision, ImageWork, Project, VerificationQuestion
from annotation.transactions import write_transaction
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.questions.authorship import check_author, record_decision
from workflows.questions.domain.coverage import Chosen, Missing, Offer, cover
from workflows.questions.domain.known_images import KnownImage
from workflows.questions.domain.supply import image_place
from workflows.questions.images import (
    known_from_chains,
    known_from_gold,
    roles_of,
    settled,
    usable,
    with_gold,
)
from workflows.questions.make import PER_IMAGE, content_of, draw_questions, question_row, write_questions

MISSING_IMAGES = 100
"""The images of each source of which questions are drawn [ours]."""


@dataclass(frozen=True, slots=True)
class MissingPlan:
    """How what is missing can be covered. Counts are by stage and role."""

    missing: Counter[tuple[str, str]]
    waiting: Counter[tuple[str, str]]  # covered by proposals that wait for approval
    made: Sequence[Chosen]  # of known annotations: asked at once
    proposed: Sequence[Chosen]  # of finished chains: each has to be approved
    left: Mapping[tuple[str, str], int]  # that the images do not admit
    proposals: int  # that wait for approval, needed or not

    @property
    def new(self) -> int:
        """The number of questions that would be made or proposed."""
        return sum(len(one.questions) for one in (*self.made, *self.proposed))


def plan_missing(project: Project, settings: BatchSettings, missing: Missing) -> MissingPlan:
    """Return the fewest questions that cover what is missing.

    What was proposed before counts first. Then come known annotations, which nobody has to approve, and then
    finished chains. MISSING_IMAGES images of each source are looked at.
    """
    questions = VerificationQuestion.objects.filter(project=project)
    proposed = settled(questions.filter(state=VerificationQuestion.State.PROPOSED))
    ready = Counter({(s, r): n for s, r, n in proposed.values_list("stage", "role").annotate(Count("pk"))})
    waiting = Counter({key: min(number, ready[key]) for key, number in missing.items() if ready[key]})
    wanted = {key: number - waiting[key] for key, number in missing.items()}
    kinds: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    there = questions.exclude(state=VerificationQuestion.State.RETIRED).order_by()
    proposals = 0
    for stage, role, kind, state, number in there.values_list("stage", "role", "kind", "state").annotate(
        Count("pk")
    ):
        kinds[stage, role][kind] += number
        proposals += number if state == VerificationQuestion.State.PROPOSED else 0
    names = _drawn(project)
    made, left = cover(wanted, _offers(known_from_gold(names), names, settings), kinds)
    works = ImageWork.objects.grounding().filter(
        batch__project=project, state=ImageWork.State.DONE, active=True, image__withdrawn_at=None
    )
    works = works.exclude(image__in=[one.image for one in made])
    if not left:
        works = works.none()
    named = works.order_by("pk").values_list("pk", "image__name")
    of: dict[int, str] = dict(named[:MISSING_IMAGES])
    if len(of) == MISSING_IMAGES:
        # These may have no question left to make, while later ones have no question yet.
        asked = Exists(VerificationQuestion.objects.filter(image=OuterRef("image")))
        of |= dict(named.filter(~asked)[:MISSING_IMAGES])
    chains = list(Chain.objects.filter(work__in=of, state__in=(DONE, NONVISUAL)).select_related("work"))
    names = {row.work.image_id: of[row.work_id] for row in chains}
    promoted, left = cover(left, _offers(known_from_chains(chains), names, settings), kinds)
    return MissingPlan(Counter(missing), waiting, made, promoted, left, proposals)


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

"""Makes verification questions from imported gold, and proposes some from finished chains."""

from __future__ import annotations

import logging
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from random import Random

from django.db.models import Count

from annotation.domain.chain_states import DONE, NONVISUAL
from annotation.domain.protocols import ENTITIES_STAGES
from annotation.models import Chain, Decision, Image, ImageWork, Item, Project, VerificationQuestion
from annotation.transactions import write_transaction
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.batch_settings.selectors import settings_of
from workflows.questions.authorship import check_author, record_decision
from workflows.questions.domain.known_images import KnownImage, Question, QuestionError, content_digest
from workflows.questions.domain.stage_questions import balanced, balanced_number, make_questions
from workflows.questions.domain.supply import GOLD, ROLES, image_place, next_role, questions_needed
from workflows.questions.images import (
    being_annotated,
    known_from_chains,
    known_from_gold,
    lock_roles,
    roles_of,
    usable,
    with_gold,
)

logger = logging.getLogger(__name__)

PER_IMAGE = 4
"""How many questions of a stage are made from one image by default [ours]."""
MAX_PER_IMAGE = 100
IMAGES_AT_ONCE = 200
ROWS_AT_ONCE = 500

Counts = Counter[tuple[str, str, str]]
"""Numbers of questions by stage, role and kind."""


def make_from_gold(
    *,
    project: Project,
    images: Sequence[int] | int,
    now: datetime,
    per_image: int = PER_IMAGE,
    role: str | None = None,
    settings: BatchSettings | None = None,
    seed: int = 0,
    without_pictures: bool = False,
    progress: Callable[[int], object] = lambda done: None,
) -> Counts:
    """Make up to `per_image` questions for each image and stage of `settings`; return how many are new.

    `images` are ids, or how many to draw at random. An image has one role: `role`, or the role of the
    questions that it has, or the one that `settings` lack most. The same images and seed make the same
    questions, and no question is made twice. Raise QuestionError.
    """
    if not 1 <= per_image <= MAX_PER_IMAGE:
        raise QuestionError("per_image", f"must be a number from 1 to {MAX_PER_IMAGE}")
    if role is not None and role not in ROLES:
        raise QuestionError("role", f"{role!r} is not one of {', '.join(ROLES)}")
    settings = settings or BatchSettings()
    names = _chosen(project, images, seed, role, without_pictures)
    made: dict[tuple[str, str], list[tuple[Question, int]]] = defaultdict(list)
    ids = list(names)
    roles = _Roles(project, settings, ids, role)
    for start in range(0, len(ids), IMAGES_AT_ONCE):
        group = ids[start : start + IMAGES_AT_ONCE]
        known = known_from_gold(group)
        for image in group:
            if image in known:
                drawn = draw_questions(known[image], names[image], per_image, seed, settings)
                one = roles.role_of(image, drawn)
                for stage, questions in drawn.items():
                    made[stage, one] += [(question, image) for question in questions]
            progress(1)
    rows = []
    for (stage, one), pairs in made.items():
        image_of = {id(question): image for question, image in pairs}
        for question in balanced(stage, [question for question, _ in pairs]):
            row = question_row(project.pk, image_of[id(question)], question, now)
            row.role, row.source = one, VerificationQuestion.Source.GOLD
            row.gold_chain_id = question.chain
            rows.append(row)
    return _counts(write_questions(project, rows))


def promote_chains(
    *,
    chain_ids: Sequence[int],
    by: str,
    now: datetime,
    per_image: int = PER_IMAGE,
    settings: BatchSettings | None = None,
) -> Counts:
    """Propose questions from finished chains; return how many are new. None is asked before it is approved.

    Only these chains count as known, so a chain on its own serves few stages. Promoting a chain again makes
    no question twice. An image has one role: the role of the questions that it has, or the one that
    `settings` lack most. Without `settings` it is gold, images of other roles are left out, and the stages
    are those of the chains' batches. Raise QuestionError naming the chain, or `by`, which the decision keeps.
    """
    check_author(by=by, note="")
    rows = list(
        Chain.objects.filter(pk__in=chain_ids).select_related("work__batch", "work__image").order_by("pk")
    )
    missing = sorted(set(chain_ids) - {row.pk for row in rows})
    if missing:
        raise QuestionError("chains", f"there is no chain {missing[0]}")
    for row in rows:
        if row.state not in (DONE, NONVISUAL):
            raise QuestionError("chains", f"chain {row.pk} is not finished: it is {row.state}")
        if row.work.state != ImageWork.State.DONE or not row.work.active:
            raise QuestionError(
                "chains",
                f"the image of chain {row.pk} is not finished: promote it once its batch is done with it",
            )
    _check_read(rows)
    total: Counts = Counter()
    projects = {row.work.batch.project_id: row.work.batch.project for row in rows}
    for project_id, project in projects.items():
        mine = [row for row in rows if row.work.batch.project_id == project_id]
        names = {row.work.image_id: row.work.image.name for row in mine}
        annotated_by = {row.work.image_id: settings_of(row.work.batch) for row in mine}
        tested = VerificationQuestion.objects.filter(project=project, image__in=names).exclude(role=GOLD)
        serving = set(tested.values_list("image_id", flat=True))
        if settings is None:
            mine = [row for row in mine if row.work.image_id not in serving]
        known_now = known_from_chains(mine)
        order = sorted(known_now, key=lambda image: (image_place(names[image], 0), names[image]))
        roles = _Roles(project, settings or BatchSettings(), order, None if settings else GOLD)
        new = []
        for image in order:
            known = known_now[image]
            most = min(per_image, 2 * len(known.chains))  # not the same chain over and over
            drawn = draw_questions(known, names[image], most, 0, settings or annotated_by[image])
            role = roles.role_of(image, drawn)
            for questions in drawn.values():
                for question in questions:
                    made = question_row(project_id, image, question, now)
                    made.role, made.state = role, VerificationQuestion.State.PROPOSED
                    made.source = VerificationQuestion.Source.PROMOTED
                    made.chain_id = question.chain
                    new.append(made)
        with write_transaction():
            written = write_questions(project, new)
            chains = sorted({one.chain_id for one in written if one.chain_id is not None})
            record_decision(
                kind=Decision.Kind.PROMOTE, questions=written, by=by, note="", now=now, chains=chains
            )
        total += _counts(written)
    logger.info("%s promoted %d chains: %d verification questions proposed", by, len(rows), total.total())
    return total


def _check_read(rows: Sequence[Chain]) -> None:
    """Raise QuestionError if `advance` has yet to read judgments about the images of these chains."""
    unread = Item.objects.unread().filter(work__in={row.work_id for row in rows})
    waiting = set(unread.values_list("work_id", flat=True))
    if chain := next((row.pk for row in rows if row.work_id in waiting), None):
        raise QuestionError(
            "chains",
            f"judgments about the image of chain {chain} were set aside, or count again, and what follows is "
            "not known yet: promote it in a minute",
        )


def _chosen(
    project: Project, images: Sequence[int] | int, seed: int, role: str | None, without_pictures: bool
) -> dict[int, str]:
    """Return the images to make questions from, id -> name, in the order in which they get roles."""
    free = with_gold(usable(project, without_pictures=without_pictures))
    if role is not None:
        others = VerificationQuestion.objects.filter(project=project).exclude(role=role)
        free = free.exclude(pk__in=others.values("image"))
    if isinstance(images, int):
        if images < 1:
            raise QuestionError("images", "must be a number of at least 1")
        named = list(free.values_list("pk", "name"))
        if not named:
            raise QuestionError(
                "images",
                f"no image of project {project.name} has known chains and a picture and is in no batch: "
                "import a corpus with its pictures, its chains as known answers",
            )
    else:
        named = list(free.filter(pk__in=images).values_list("pk", "name"))
        if lost := sorted(set(images) - {pk for pk, _ in named}):
            raise QuestionError("images", _why_not(project, lost[0]))
    named.sort(key=lambda one: (image_place(one[1], seed), one[1]))
    return dict(named[:images] if isinstance(images, int) else named)


def _why_not(project: Project, pk: int) -> str:
    image = Image.objects.filter(pk=pk, project=project).first()
    if image is None:
        return f"project {project.name} has no image {pk}"
    if not image.gold_chains.exists():
        return f"{image.name} has no known chains: import its corpus with the chains as known answers"
    if not (image.width and image.height and image.file):
        return f"{image.name} has no picture, or no size: import its corpus with the pictures"
    if Image.objects.filter(being_annotated("pk"), pk=pk).exists():
        return f"a batch is annotating {image.name}: take an image that is in no batch"
    return f"{image.name} has questions for something else already: an image serves one role"


class _Roles:
    """Gives each image its role: the one asked for, the one it has, or the one that is missing most."""

    def __init__(
        self, project: Project, settings: BatchSettings, images: Sequence[int], role: str | None
    ) -> None:
        self.role = role
        self.wanted: dict[str, dict[str, int]] = {
            stage: questions_needed(settings, stage) for stage in settings.stages
        }
        questions = VerificationQuestion.objects.filter(project=project)
        of_images = questions.filter(image__in=images).order_by("-pk").values_list("image_id", "role")
        self.before = dict(of_images)
        others = questions.exclude(state=VerificationQuestion.State.RETIRED).exclude(image__in=images)
        counts = others.values_list("stage", "role").annotate(Count("pk"))
        self.others = Counter({(stage, role): count for stage, role, count in counts})
        self.there = Counter(self.others)
        self.kinds: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)

    def role_of(self, image: int, drawn: Mapping[str, Sequence[Question]]) -> str:
        serves = {stage: len(questions) for stage, questions in drawn.items()}
        role = self.role or self.before.get(image) or next_role(serves, self.there, self.wanted)
        for stage, questions in drawn.items():
            kinds = self.kinds[stage, role]
            kinds.update(question.kind for question in questions)
            self.there[stage, role] = self.others[stage, role] + balanced_number(stage, kinds)
        return role


def draw_questions(
    known: KnownImage, name: str, number: int, seed: int, settings: BatchSettings
) -> dict[str, list[Question]]:
    """Make questions of the batch's stages about chains.

    Each has its own random source, so that none changes another.
    """
    return {
        stage: make_questions(
            known, stage, number, Random(f"{seed}/{name}/{stage}"), skip=settings.skip_requirement
        )
        for stage in settings.stages
        if stage in ENTITIES_STAGES
    }


def question_row(project_id: int, image: int, question: Question, now: datetime) -> VerificationQuestion:
    return VerificationQuestion(
        project_id=project_id,
        image_id=image,
        stage=question.stage,
        kind=question.kind,
        mentions=list(question.mentions),
        boxes=[list(box.edges) for box in question.boxes],
        box=list(question.box.edges) if question.box else None,
        new_boxes=[list(box.edges) for box in question.new_boxes],
        points=[list(point) for point in question.points],
        answer=dict(question.answer),
        explanation=question.explanation,
        content=content_of(image, question),
        created_at=now,
    )


def content_of(image: int, question: Question) -> str:
    shown = question.boxes, question.box, question.new_boxes
    return content_digest(image, question.stage, question.mentions, *shown)


def write_questions(project: Project, rows: Sequence[VerificationQuestion]) -> list[VerificationQuestion]:
    """Write the questions that do not exist yet, and return them.

    Questions that show the same are one question, and a retired one stays retired. An image that has got
    another role since it was chosen is left out.
    """
    with write_transaction():
        # Two who make the same questions at once take turns here, so that each counts what is new.
        lock_roles(project.pk)
        images = {row.image_id for row in rows}
        found = VerificationQuestion.objects.filter(project=project, image__in=images)
        there = set(found.values_list("stage", "content"))
        serves = roles_of(images)
        new = [
            row
            for row in rows
            if (row.stage, row.content) not in there and serves.get(row.image_id, {row.role}) == {row.role}
        ]
        VerificationQuestion.objects.bulk_create(new, batch_size=ROWS_AT_ONCE)
    return new


def _counts(rows: Sequence[VerificationQuestion]) -> Counts:
    return Counter((row.stage, row.role, row.kind) for row in rows)
